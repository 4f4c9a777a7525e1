"""Teaching: where a note is hung, what it replaces, how it is taken back."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.concepts import SubjectMap
from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.faults import UnknownEpisode
from memory.ledger import Ledger
from memory.moments import Moment
from memory.note_words import says_it_replaces, term_of
from memory.routing import Names
from memory.store import Store
from memory.subjects import Subjects
from memory.teaching import TaughtReceipt, Teaching

SUBJECT = SubjectId("biology")
Teach = Callable[..., TaughtReceipt]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "memory.db", room=0)
    Subjects(opened).add(SUBJECT, "Biology", 1)
    yield opened
    opened.close()


@pytest.fixture
def map(store: Store) -> SubjectMap:
    return SubjectMap(store)


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, lambda: bytes(16))


@pytest.fixture
def teaching(store: Store, ledger: Ledger, map: SubjectMap) -> Teaching:
    return Teaching(store, ledger, map)


@pytest.fixture
def teach(teaching: Teaching, map: SubjectMap) -> Teach:
    counter = itertools.count(1)

    def build(text: str, language: str = "en", said: str | None = None) -> TaughtReceipt:
        number = next(counter)
        return teaching.teach(
            SUBJECT,
            text,
            language=language,
            names=Names(map.name_rows(SUBJECT)),
            id=EpisodeId(f"e{number}"),
            ids=lambda: f"c{number}",
            moment=Moment(number * 1_000_000),
            recorded_at=number * 1_000_000,
            said=said,
        )

    return build


def add(map: SubjectMap, *names: str, language: str = "en") -> None:
    for name in names:
        map.ensure(SUBJECT, name, language, "check", f"known-{name}", 1)


def test_a_note_hangs_on_the_concept_it_names_and_makes_it_mature(
    teach: Teach, map: SubjectMap, ledger: Ledger
) -> None:
    add(map, "mitochondria")
    receipt = teach("in our class we call the mitochondria the powerhouse of the cell")
    assert receipt.concepts == ("known-mitochondria",)
    assert (receipt.made, receipt.replaced, receipt.about_student) == (None, None, False)
    concept = map.get(receipt.concepts[0])
    assert (concept.maturity, concept.notes) == (1.0, (receipt.episode.id,))
    assert receipt.episode.kind is Kind.TAUGHT
    assert receipt.episode.meta.concepts == ("mitochondrion",)
    assert [episode.id for episode in ledger.find(SUBJECT, concept=concept.id)] == [receipt.episode.id]


def test_a_note_that_names_two_concepts_links_both(teach: Teach, map: SubjectMap) -> None:
    add(map, "osmosis", "diffusion")
    assert teach("osmosis is a kind of diffusion").concepts == ("known-osmosis", "known-diffusion")


def test_a_definition_of_something_new_makes_a_node_with_a_short_name(teach: Teach, map: SubjectMap) -> None:
    receipt = teach("on appelle la mitochondrie la centrale de la cellule", "fr")
    (concept,) = map.concepts(SUBJECT)
    assert receipt.made == concept.id
    assert (concept.name, concept.maturity, concept.origin.value) == ("mitochondrie", 1.0, "taught")
    assert concept.created_by == receipt.episode.id
    assert teach("la mitochondrie a deux membranes", "fr").concepts == (concept.id,)


def test_a_note_about_the_student_makes_no_node(teach: Teach, map: SubjectMap) -> None:
    receipt = teach("my exam is on the 9th of february")
    assert receipt.about_student
    assert map.about_student(SUBJECT) == [receipt.episode.id]
    assert map.concepts(SUBJECT) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I learn better with diagrams"),
        ("en", "my teacher is Dr Falk and he hates abbreviations"),
        ("en", "the french oral is on the 9th of february"),
        ("fr", "je comprends mieux avec des schémas"),
        ("fr", "le contrôle est le 9 février"),
        ("es", "el profe es el licenciado Paredes y odia las abreviaturas"),
        ("ar", "أنا بالصف التاسع"),
        ("ar", "امتحاني الشفوي يوم 9 فبراير"),
        ("de", "ich jetzt in der 8b bin"),
        ("it", "quest'anno sono in terza media"),
        ("pt", "este ano estou no 9º"),
    ],
)
def test_what_is_about_the_student_names_no_term(language: str, text: str) -> None:
    assert term_of(text, language) is None


@pytest.mark.parametrize(
    ("language", "text", "term"),
    [
        ("en", 'whenever i write "photo" i mean photosynthesis', "photosynthesis"),
        ("en", "treat percentages as fractions over 100", "percentages"),
        ("en", "density is rho for us, not d", "density"),
        ("en", "our periodic table has group 3 not group 13", "periodic table"),
        ("en", "in our class the control unit is called the brain", "control unit"),
        ("fr", 'chez nous la mitochondrie c\'est "la centrale"', "mitochondrie"),
        ("fr", "traite les pourcentages comme des fractions", "pourcentages"),
        ("es", "en clase a la mitocondria la llamamos la pila", "mitocondria"),
        ("es", "trata los porcentajes como fracciones", "porcentajes"),
        ("ar", "معلمنا يسمي الميتوكوندريا محطة الطاقة", "الميتوكوندريا"),
        ("ar", 'إذا كتبت "بناء" فأنا أعني البناء الضوئي', "البناء الضوئي"),
        ("de", "nimm für Dichte immer den Buchstaben rho", "Dichte"),
        ("de", 'wenn ich "Foto" schreibe ist Fotosynthese gemeint', "Fotosynthese"),
        ("it", 'se scrivo "foto" intendo fotosintesi', "fotosintesi"),
        ("it", "i vettori da noi si scrivono in grassetto", "vettori"),
        ("pt", 'se eu escrever "foto" é fotossíntese', "fotossíntese"),
        ("pt", "usa rô para a densidade", "densidade"),
    ],
)
def test_a_note_that_defines_or_renames_gives_its_term(language: str, text: str, term: str) -> None:
    assert term_of(text, language) == term


def test_two_notes_that_open_alike_on_one_concept_replace_each_other(
    teach: Teach, map: SubjectMap, ledger: Ledger
) -> None:
    add(map, "density")
    old = teach("density is rho for us")
    kept = teach("we write density in italics")
    new = teach("density is d for us")
    assert (kept.replaced, new.replaced) == (None, old.episode.id)
    assert new.episode.meta.replaces == old.episode.id
    assert map.get(new.concepts[0]).notes == (kept.episode.id, new.episode.id)
    assert ledger.get(old.episode.id) == old.episode


def test_the_same_opening_about_another_thing_replaces_nothing(teach: Teach, map: SubjectMap) -> None:
    add(map, "mitochondria")
    teach("in our class we call the mitochondria the powerhouse")
    assert teach("in our class we draw the mitochondria in green").replaced is None
    teach("I learn better with diagrams")
    assert teach("I learn better with football examples").replaced is None


def test_a_note_about_the_student_can_be_replaced_too(teach: Teach) -> None:
    old = teach("my exam is on the 9th of february")
    assert teach("my exam is on the 12th of march").replaced == old.episode.id
    teacher = teach("my teacher is Mrs Okoye")
    assert teach("Mr Pham is my teacher, no longer Mrs Okoye").replaced == teacher.episode.id


def test_wording_around_the_note_can_say_that_it_replaces(teach: Teach, map: SubjectMap) -> None:
    add(map, "hamlet")
    old = teach("Mrs Shaw marks the hamlet essays")
    new = teach("Mr Pham marks hamlet", said="Mr Pham marks hamlet, remember that instead of the old one")
    assert new.replaced == old.episode.id


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "it is no longer Tuesday"),
        ("fr", "c'est jeudi au lieu de mardi"),
        ("es", "ya no es el martes"),
        ("ar", "الخميس بدلا من الثلاثاء"),
        ("de", "Donnerstag statt Dienstag"),
        ("it", "giovedì invece di martedì"),
        ("pt", "quinta em vez de terça"),
    ],
)
def test_replacing_is_understood_in_every_language(language: str, text: str) -> None:
    assert says_it_replaces(text, language)
    assert not says_it_replaces("Osmose", language)


def test_withdrawing_is_an_episode_and_the_note_counts_no_longer(
    teach: Teach, teaching: Teaching, map: SubjectMap
) -> None:
    receipt = teach("density is rho for us")
    written = teaching.withdraw(receipt.episode.id, id=EpisodeId("w"), moment=Moment(10**9), recorded_at=10**9)
    assert (written.kind, written.meta.about) == (Kind.WITHDRAWAL, receipt.episode.id)
    assert map.notes(SUBJECT) == []
    assert len(map.notes(SUBJECT, live=False)) == 1
    assert map.concepts(SUBJECT) == []
    with pytest.raises(UnknownEpisode):
        teaching.withdraw(EpisodeId("w"), id=EpisodeId("w2"), moment=Moment(10**9), recorded_at=10**9)


def test_an_imported_note_is_hung_after_the_fact(teaching: Teaching, map: SubjectMap, ledger: Ledger) -> None:
    add(map, "density")
    episode = ledger.append(
        Draft(
            id=EpisodeId("i"),
            subject=SUBJECT,
            kind=Kind.TAUGHT,
            origin=Origin.IMPORTED,
            moment=Moment(5),
            recorded_at=9,
            content=Content(text="density is rho"),
            meta=Meta(language="en"),
        )
    )
    receipt = teaching.attach(episode, Names(map.name_rows(SUBJECT)), lambda: "new")
    assert receipt.concepts == ("known-density",)
    assert [found.id for found in ledger.find(SUBJECT, concept=receipt.concepts[0])] == ["i"]


def test_notes_can_be_rebuilt_from_the_ledger(teach: Teach, teaching: Teaching, map: SubjectMap, store: Store) -> None:
    add(map, "density")
    teach("density is rho for us")
    teach("density is d for us")
    teach("my exam is on friday")
    gone = teach("we call the mitochondria the powerhouse")
    teaching.withdraw(gone.episode.id, id=EpisodeId("w"), moment=Moment(10**9), recorded_at=10**9)
    before = map.notes(SUBJECT, live=False)
    with store.atomic() as connection:
        connection.execute("DELETE FROM notes")
    assert teaching.rebuild(SUBJECT, lambda: "unused") == 2
    assert map.notes(SUBJECT, live=False) == before
