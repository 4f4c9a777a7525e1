"""The subject map: what files, notes and checks put on it, and what it says of itself."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.concepts import Merged, SubjectMap, UnknownConcept
from memory.episodes import ConceptId, Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, SubjectId, Verdict
from memory.files import FileId, Files, VersionId
from memory.ledger import Ledger
from memory.merging import How
from memory.moments import Moment
from memory.readings import FoundConcept, FoundEdge, Quote, Reading
from memory.routing import Names
from memory.store import Store
from memory.subjects import Subjects

SUBJECT = SubjectId("biology")
counter = itertools.count(1)


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


def version_of(store: Store, path: str = "/cells.md", sha256: str = "") -> VersionId:
    files = Files(store)
    file = files.add(SUBJECT, path, path[1:], id=FileId(path), now=1).file
    return files.begin_version(file.id, sha256=sha256 or path, bytes=9, format="md", pages=3, now=next(counter)).id


def concept(
    name: str,
    *needs: str,
    language: str = "en",
    text: str = "It is defined.",
    page: int = 1,
    aliases: tuple[str, ...] = (),
    assumed: tuple[str, ...] = (),
) -> FoundConcept:
    return FoundConcept(
        name=name,
        language=language,
        definition=Quote(text, page, 2, 3) if text else None,
        pages=(page,),
        aliases=aliases,
        builds_on=tuple(FoundEdge(need, 0.8, "definition") for need in needs),
        assumed=assumed,
    )


def merge(map: SubjectMap, version: VersionId, *concepts: FoundConcept) -> Merged:
    return map.merge(SUBJECT, version, Reading("en", concepts), ids=lambda: f"c{next(counter)}", now=7)


def append(ledger: Ledger, text: str, kind: Kind = Kind.QUESTION, language: str = "en", **meta: object) -> Episode:
    number = next(counter)
    return ledger.append(
        Draft(
            id=EpisodeId(f"e{number}"),
            subject=SUBJECT,
            kind=kind,
            origin=Origin.TYPED,
            moment=Moment(number * 1_000_000),
            recorded_at=number * 1_000_000,
            content=Content(text=text),
            meta=Meta(language=language, **meta),  # type: ignore[arg-type]  # the fields are the test's own business
        )
    )


def touched(ledger: Ledger, map: SubjectMap, name: str) -> list[str]:
    found = map.find(SUBJECT, name, "en")
    assert found is not None
    return [episode.content.text for episode in ledger.find(SUBJECT, concept=found.id) if episode.content]


def names(map: SubjectMap) -> set[str]:
    return {found.name for found in map.concepts(SUBJECT)}


def by_name(map: SubjectMap, name: str) -> ConceptId:
    found = map.find(SUBJECT, name, "en")
    assert found is not None
    return found.id


def test_a_reading_becomes_concepts_with_places_and_edges(store: Store, map: SubjectMap) -> None:
    version = version_of(store)
    done = merge(map, version, concept("cell"), concept("mitochondria", "cell", page=2, aliases=("powerhouse",)))
    assert len(done.added) == 2
    cell, mitochondria = map.concepts(SUBJECT)
    assert (cell.name, cell.maturity, cell.explained) == ("cell", 0.60, True)
    assert mitochondria.builds_on == (cell.id,)
    assert mitochondria.aliases == ("powerhouse",)
    assert mitochondria.definition == Quote("It is defined.", 2, 2, 3)
    (place,) = mitochondria.places
    assert (place.file, place.pages, place.sha256) == ("/cells.md", (2,), "/cells.md")
    assert cell.centrality > mitochondria.centrality
    assert cell.centrality + mitochondria.centrality == pytest.approx(1.0)
    assert map.maturity(SUBJECT) == pytest.approx(0.60)


def test_a_second_file_adds_its_place_to_the_same_node(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store), concept("osmosis"))
    done = merge(map, version_of(store, "/plants.md"), concept("Osmosis", page=3), concept("plant"))
    (osmosis, plant) = map.concepts(SUBJECT)
    assert done.joined == ((osmosis.id, How.KEY),)
    assert done.added == (plant.id,)
    assert [(place.name, place.pages) for place in osmosis.places] == [("cells.md", (1,)), ("plants.md", (3,))]


def test_eleven_concepts_that_assume_much_stay_eleven_nodes(store: Store, map: SubjectMap) -> None:
    policy = [
        concept(f"rule number {letter}", assumed=(f"custom {letter}", f"habit {letter}")) for letter in "abcdefghijk"
    ]
    done = merge(map, version_of(store), *policy, concept("Introduction"), concept("Common mistakes"))
    assert len(done.added) == len(map.concepts(SUBJECT)) == 11
    assert {refused.name for refused in done.refused} == {"Introduction", "Common mistakes"}
    assert map.concepts(SUBJECT)[0].assumed == ("custom a", "habit a")


def test_what_two_concepts_assume_is_a_gap_worth_a_node(store: Store, map: SubjectMap) -> None:
    done = merge(
        map, version_of(store), concept("a x", assumed=("algebra",)), concept("b x", assumed=("Algebra", "calculus"))
    )
    (algebra,) = map.many(done.assumed)
    assert (algebra.name, algebra.maturity, algebra.origin.value) == ("Algebra", 0.35, "assumed")
    one, two, _ = map.concepts(SUBJECT)
    assert one.builds_on == two.builds_on == (algebra.id,)
    assert (one.assumed, two.assumed) == ((), ("calculus",))


def test_an_assumed_node_is_explained_by_the_file_that_explains_it(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store), concept("a x", assumed=("algebra",)), concept("b x", assumed=("algebra",)))
    done = merge(map, version_of(store, "/algebra.md"), concept("algebra"))
    assert [how for _, how in done.joined] == [How.KEY]
    assert map.get(by_name(map, "algebra")).maturity == 0.60


def test_a_prerequisite_that_another_file_explains_is_an_edge(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store, "/algebra.md"), concept("algebra"))
    merge(map, version_of(store), concept("vector", "algebra"), concept("matrix", assumed=("algebra",)))
    algebra, vector, matrix = map.concepts(SUBJECT)
    assert vector.builds_on == matrix.builds_on == (algebra.id,)
    assert matrix.assumed == ()


def test_merging_the_same_version_again_replaces_what_it_said(store: Store, map: SubjectMap) -> None:
    version = version_of(store)
    merge(map, version, concept("cell"), concept("noise"), concept("wall", "cell", "noise"))
    done = merge(map, version, concept("cell", page=2), concept("wall", "cell"))
    assert done.added == ()
    assert names(map) == {"cell", "wall"}
    cell, wall = map.concepts(SUBJECT)
    assert cell.places[0].pages == (2,)
    assert wall.builds_on == (cell.id,)


def test_one_name_in_two_languages_is_one_node_shown_in_each(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store), concept("DNA", language="en"))
    merge(map, version_of(store, "/fr.md"), concept("DNA", language="fr"))
    (found,) = map.concepts(SUBJECT)
    map.rename(found.id, "ADN", "fr")
    (found,) = map.concepts(SUBJECT)
    assert (found.name_in("fr"), found.name_in("en"), found.name_in("de")) == ("ADN", "DNA", "ADN")
    assert map.find(SUBJECT, "dna", "fr") == found


def test_removing_a_file_withdraws_its_support_and_deletes_nothing(
    store: Store, map: SubjectMap, ledger: Ledger
) -> None:
    version = version_of(store)
    merge(map, version, concept("cell"), concept("osmosis", "cell"))
    append(ledger, "cells.md", Kind.FILE, concepts=("cell", "osmosis"))
    append(ledger, "what is osmosis?")
    map.rebuild(SUBJECT)
    map.withdraw_version(version)
    (osmosis,) = map.concepts(SUBJECT)
    assert (osmosis.name, osmosis.explained, osmosis.maturity) == ("osmosis", False, 0.35)
    assert len(map.concepts(SUBJECT, hidden=True)) == 2
    assert [row.name for row in map.name_rows(SUBJECT)] == ["osmosis"]


def test_a_replaced_version_no_longer_explains(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store), concept("cell"), concept("phlogiston"))
    merge(map, version_of(store, sha256="new"), concept("cell", page=3))
    (cell,) = map.concepts(SUBJECT)
    assert [place.sha256 for place in cell.places] == ["new"]


def test_maturity_climbs_from_named_to_taught(store: Store, map: SubjectMap, ledger: Ledger) -> None:
    merge(map, version_of(store), concept("cell", text=""), concept("osmosis"))
    cell, osmosis = by_name(map, "cell"), by_name(map, "osmosis")
    assert map.get(cell).maturity == 0.35
    check = append(ledger, "what is osmosis?", Kind.CHECK, verdict=Verdict.RIGHT)
    with store.atomic() as connection:
        connection.execute("INSERT INTO check_concepts VALUES (?, ?)", (check.row, osmosis))
    map.refresh(SUBJECT)
    assert map.get(osmosis).maturity == 0.85
    note = append(ledger, "we say cell", Kind.TAUGHT)
    map.add_note(SUBJECT, note.id, [cell])
    assert map.get(cell).maturity == 1.0
    assert map.get(cell).notes == (note.id,)
    map.withdraw_note(note.id)
    assert map.get(cell).maturity == 0.35


def test_a_wrong_check_confirms_nothing(store: Store, map: SubjectMap, ledger: Ledger) -> None:
    merge(map, version_of(store), concept("osmosis"))
    check = append(ledger, "what is osmosis?", Kind.CHECK, verdict=Verdict.WRONG)
    with store.atomic() as connection:
        connection.execute("INSERT INTO check_concepts VALUES (?, ?)", (check.row, by_name(map, "osmosis")))
    map.refresh(SUBJECT)
    assert map.get(by_name(map, "osmosis")).maturity == 0.60


def test_prerequisites_come_in_the_order_to_learn_them(store: Store, map: SubjectMap) -> None:
    merge(
        map,
        version_of(store),
        concept("photosynthesis", "chloroplast", "light"),
        concept("chloroplast", "cell"),
        concept("cell"),
        concept("light"),
        concept("volcano"),
    )
    found = map.prerequisites(SUBJECT, by_name(map, "photosynthesis"))
    assert [one.name for one in found] == ["cell", "light", "chloroplast"]
    assert [one.name for one in map.dependants(SUBJECT, by_name(map, "cell"))] == ["chloroplast", "photosynthesis"]
    assert len(map.order(SUBJECT).layers) == 3


def test_a_cycle_is_broken_and_reported(store: Store, map: SubjectMap) -> None:
    done = merge(map, version_of(store), concept("egg", "hen"), concept("hen", "egg"))
    assert len(done.broken) == 1
    assert len(map.order(SUBJECT).layers) == 2


def test_a_name_that_comes_later_is_tied_to_the_whole_log(store: Store, map: SubjectMap, ledger: Ledger) -> None:
    for text in ("What are cells?", "the cell membrane again", "a cell and its cell membrane", "volcanoes"):
        append(ledger, text)
    merge(map, version_of(store), concept("cell"))
    assert touched(ledger, map, "cell") == [
        "What are cells?",
        "the cell membrane again",
        "a cell and its cell membrane",
    ]
    merge(map, version_of(store, "/b.md"), concept("cell membrane"))
    assert touched(ledger, map, "cell membrane") == ["the cell membrane again", "a cell and its cell membrane"]
    assert touched(ledger, map, "cell") == ["What are cells?", "a cell and its cell membrane"]
    before = store.reader().execute("SELECT * FROM episode_concepts ORDER BY 1, 2").fetchall()
    map.rebuild(SUBJECT)
    assert store.reader().execute("SELECT * FROM episode_concepts ORDER BY 1, 2").fetchall() == before


def test_a_concept_that_comes_back_is_tied_to_what_was_said_meanwhile(
    store: Store, map: SubjectMap, ledger: Ledger
) -> None:
    version = version_of(store)
    merge(map, version, concept("osmosis"))
    map.withdraw_version(version)
    assert names(map) == set()
    append(ledger, "what is osmosis?")
    merge(map, version, concept("osmosis"))
    assert touched(ledger, map, "osmosis") == ["what is osmosis?"]


WORDS = ("cell", "cells", "wall", "plant", "of", "blue")
NAMES = ("cell", "wall", "cell wall", "plant cell", "plant cell wall", "wall of cell", "blue")


@example([["plant", "cell", "wall"]], ["cell", "wall", "cell wall", "plant cell"], 0)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), min_size=1, max_size=6),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True),
    st.integers(0, 5),
)
def test_names_learnt_in_any_order_touch_what_routing_would_say(
    tmp_path: Path, texts: list[list[str]], learnt: list[str], at_once: int
) -> None:
    with TemporaryDirectory(dir=tmp_path) as folder:
        store = Store(Path(folder) / "memory.db", room=0)
        Subjects(store).add(SUBJECT, "Biology", 1)
        map, ledger = SubjectMap(store), Ledger(store, lambda: bytes(16))
        episodes = [append(ledger, " ".join(words)) for words in texts]
        for place, name in enumerate(learnt):
            map.ensure(SUBJECT, name, "en", "check", name, 1)
            if place >= at_once:
                map.refresh(SUBJECT)
        map.refresh(SUBJECT)
        router = Names(map.name_rows(SUBJECT))
        said = {(e.row, route.id) for e in episodes if e.content for route in router.route(e.content.text, "en")}
        found = set(store.reader().execute("SELECT episode, concept FROM episode_concepts").fetchall())
        store.close()
    assert found == said


def test_plurals_elisions_and_attached_articles_are_found_in_the_log(
    store: Store, map: SubjectMap, ledger: Ledger
) -> None:
    append(ledger, "c'est quoi l'osmose ?", language="fr")
    append(ledger, "les vecteurs propres", language="fr")
    append(ledger, "ما هي الخلية؟ وبالخلية", language="ar")
    append(ledger, "mitochondria", language="en")
    append(ledger, "عدد الإلكترونات في الخلايا", language="ar")
    append(ledger, "la loi d'Ohm", language="fr")
    append(ledger, "what does loi d'Ohm mean", language="en")
    merge(
        map,
        version_of(store),
        concept("osmose", language="fr"),
        concept("vecteur propre", language="fr"),
        concept("خلية", language="ar"),
        concept("mitochondrion"),
        concept("إلكترون", language="ar"),
        concept("loi d’Ohm", language="fr"),
    )
    rows = store.reader().execute("SELECT episode, count(*) FROM episode_concepts GROUP BY episode").fetchall()
    assert rows == [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 1), (7, 1)]


def test_episodes_that_chain_a_key_touch_its_concept_whatever_their_words(
    store: Store, map: SubjectMap, ledger: Ledger
) -> None:
    append(ledger, "the water thing", concepts=("osmosis",))
    merge(map, version_of(store), concept("osmosis"))
    assert touched(ledger, map, "osmosis") == ["the water thing"]


def test_ensure_finds_a_name_of_the_same_letters_in_another_language(map: SubjectMap) -> None:
    known = map.ensure(SUBJECT, "rapidez orbital", "es", "file", "one", 1)
    assert map.ensure(SUBJECT, "Rapidez orbital", "en", "check", "two", 2).id == known.id
    assert map.ensure(SUBJECT, "rapidez", "en", "check", "three", 3).id != known.id


def test_ensure_finds_by_any_name_and_makes_a_node_only_when_there_is_none(store: Store, map: SubjectMap) -> None:
    merge(map, version_of(store), concept("mitochondrion", aliases=("powerhouse",)))
    known = map.ensure(SUBJECT, "powerhouses", "en", "check", "new1", 9)
    assert known.name == "mitochondrion"
    made = map.ensure(SUBJECT, "ribosome", "en", "check", "new2", 9)
    assert (made.id, made.maturity, made.hidden) == ("new2", 0.35, False)
    assert map.key_of(made.id) == "ribosome"
    signs = map.ensure(SUBJECT, "∑", None, "check", "new3", 9)
    assert map.ensure(SUBJECT, "∑", None, "check", "new4", 9).id == signs.id


def test_redacted_words_take_a_name_known_from_them_alone(store: Store, map: SubjectMap, ledger: Ledger) -> None:
    note = append(ledger, "my secret place is X", Kind.TAUGHT)
    made = map.ensure(SUBJECT, "secret place", "en", "taught", "new", 9, note.id)
    map.add_note(SUBJECT, note.id, [made.id])
    ledger.redact(note.id, EpisodeId("r"), Moment(10**12), 10**12)
    assert map.forget_names(note.id) == [made.id]
    assert map.get(made.id).name == ""
    assert names(map) == set()
    map.refresh(SUBJECT)
    assert map.concepts(SUBJECT) == []


def test_an_unknown_concept_is_said_to_be_unknown(map: SubjectMap) -> None:
    with pytest.raises(UnknownConcept):
        map.get(ConceptId("ghost"))
    assert map.key_of(ConceptId("ghost")) is None
    assert map.many([ConceptId("ghost")]) == []
    assert map.maturity(SUBJECT) == 0.0
