"""Values become stored bytes and come back the same: the laws that hashing rests on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import Content, Draft, EpisodeId, Evidence, Kind, Meta, Origin, State, SubjectId, Verdict
from memory.moments import Moment
from memory.rows import (
    SUMMARY_LENGTH,
    content_body,
    content_from,
    dump,
    evidence_from,
    evidence_json,
    meta_from,
    meta_text,
    summary_of,
    valid_text,
)

ANY_TEXT = st.text(st.characters(), max_size=60)
EVIDENCE = st.builds(
    Evidence,
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12),
    st.sampled_from(["", "ab12"]),
    st.none() | st.integers(1, 400),
    st.none() | st.tuples(st.integers(1, 9), st.integers(9, 20)),
)
META = st.builds(
    Meta,
    language=st.none() | st.sampled_from(["fr", "ar"]),
    verdict=st.none() | st.sampled_from(Verdict),
    predicted=st.none() | st.floats(0, 1),
    score=st.none() | st.floats(0, 1),
    concepts=st.lists(st.sampled_from(["osmosis", "الأسموزية"]), max_size=2).map(tuple),
    evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
    external_id=st.none() | st.just("x-1"),
    narration=st.booleans(),
    state=st.none() | st.sampled_from(State),
)


def draft(meta: Meta) -> Draft:
    return Draft(
        EpisodeId("e"), SubjectId("s"), Kind.ANSWER, Origin.TUTOR, Moment(0, 0, "UTC"), 0, Content("words"), meta
    )


@given(ANY_TEXT)
def test_text_is_made_valid_once(text: str) -> None:
    valid = valid_text(text)
    assert valid_text(valid) == valid
    assert "\0" not in valid
    assert valid.encode("utf-8").decode("utf-8") == valid


@given(META)
def test_a_meta_comes_back_as_it_was(meta: Meta) -> None:
    assert meta_from(meta_text(draft(meta))) == meta


@given(ANY_TEXT, st.none() | ANY_TEXT, st.none() | ANY_TEXT)
def test_words_come_back_as_valid_text(text: str, reply: str | None, topic: str | None) -> None:
    back = content_from(content_body(Content(text, reply=reply, topic=topic)))
    assert back is not None
    assert back.text == valid_text(text)
    assert back.reply == (None if reply is None else valid_text(reply))
    assert content_body(replace(back)) == content_body(Content(text, reply=reply, topic=topic)), "stable when rewritten"


def test_words_that_were_redacted_are_none() -> None:
    assert content_from("") is None


@given(ANY_TEXT)
def test_a_summary_is_one_short_line(text: str) -> None:
    summary = summary_of(text * 5)
    assert len(summary) <= SUMMARY_LENGTH
    assert "\n" not in summary


def test_a_summary_is_the_first_sentence() -> None:
    assert summary_of("What is osmosis? And diffusion?") == "What is osmosis?"
    assert summary_of("ما هو التناضح؟ ولماذا؟") == "ما هو التناضح؟"
    assert summary_of("e.g. this one goes on until its end") == "e.g."
    assert summary_of("word " * 60).endswith("word…")


@given(EVIDENCE)
def test_evidence_comes_back_as_it_was(item: Evidence) -> None:
    assert evidence_from(json.loads(json.dumps(evidence_json(item)))) == item


@pytest.mark.parametrize(
    "raw", [{}, {"file": "x", "page": "3"}, {"file": "x", "lines": [1]}, {"file": "x", "lines": "a"}]
)
def test_what_is_no_evidence_is_refused(raw: dict[str, object]) -> None:
    with pytest.raises((ValueError, KeyError)):
        evidence_from(raw)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_never_stored(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        dump({"score": value})


@pytest.mark.parametrize("one", [dump])
def test_the_same_value_has_the_same_bytes(one: Callable[[object], str]) -> None:
    assert one({"b": 1, "a": [1, 2]}) == one({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'
