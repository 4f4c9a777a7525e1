"""Which concept a check is about: by name, never by what someone said."""

from __future__ import annotations

import pytest

from memory.check_topics import reads_like_an_utterance, topic_concept
from memory.routing import NameRow, Names


def course() -> Names:
    return Names(
        NameRow(name, name) for name in ("Osmosis", "Cell membrane", "Fonction continue", "Diffusion", "الخلية")
    )


UTTERANCES = [
    "ask me the questions",
    "bueno ahora explícame todos los pasos",
    "what is osmosis",
    "can you explain osmosis to me",
    "explique-moi l'osmose",
    "Qu'est-ce que l'osmose ?",
    "je comprends pas",
    "ماذا تعني الخلية",
    "اشرح لي الخلية",
    "erklär mir die Osmose",
    "was ist eine Zelle",
    "spiegami la cellula",
    "me explica a osmose",
    "ok",
    "hello",
    "résous 6x + 1 = 25",
    "abbiamo mai parlato dei romani",
    "cosas que contesté mal en julio",
    "3x + 2 = 8",
    "12",
    "the water goes from where there is little salt to where there is more.",
]
TOPICS = [
    "Osmosis",
    "la membrane plasmique",
    "Moment of inertia",
    "EU law",
    "Type I errors",
    "Fonction continue",
    "الخلية",
    "Die Zelle",
    "quanto di energia",
    "vector j",
    "Chi-squared",
    "ADN",
    "O Iluminismo",
    "Energie im Alltag",
    "Vas deferens",
    "Propagazione degli errori",
    "Varianza de la muestra",
    "Guerre de l'Est",
]


class TestTopics:
    @pytest.mark.parametrize("topic", UTTERANCES)
    def test_what_someone_said_is_no_topic(self, topic: str) -> None:
        assert reads_like_an_utterance(topic)
        assert topic_concept(topic, None, course(), "en") is None

    @pytest.mark.parametrize("topic", TOPICS)
    def test_what_can_be_known_is_a_topic(self, topic: str) -> None:
        assert not reads_like_an_utterance(topic)

    def test_a_topic_is_routed_by_name(self) -> None:
        assert topic_concept("osmosis", None, course(), "en") == "Osmosis"
        assert topic_concept("osmosis in plants", None, course(), "en") == "Osmosis"
        assert topic_concept("الخلية", None, course(), "ar") == "الخلية"

    def test_an_utterance_is_routed_by_the_evaluation(self) -> None:
        said = "Right: osmosis is the diffusion of water."
        assert topic_concept("ask me the questions", said, course(), "en") == "Osmosis"
        assert topic_concept(None, said, course(), "en") == "Osmosis"
        assert topic_concept("ask me about diffusion", said, course(), "en") == "Osmosis"

    def test_a_topic_that_names_nothing_stays_evidence(self) -> None:
        assert topic_concept("chapter three", "osmosis", course(), "en") is None
        assert topic_concept("3x + 2 = 8", "Well done, x is 2.", course(), "en") is None
        assert topic_concept(None, None, course(), "en") is None

    def test_a_similar_name_never_counts(self) -> None:
        assert topic_concept("salty water", None, course(), "en") is None
        assert topic_concept("ok", "That is how salty water behaves.", course(), "en") is None

    def test_a_name_is_a_name_whatever_words_it_is_made_of(self) -> None:
        assert topic_concept("fonction continue", None, course(), "fr") == "Fonction continue"
