"""A child process answers by number, dies alone, and comes back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from app.models.child import Child, ChildDied, ChildRefused
from app.models.frames import Frame, unpack


@pytest.fixture
def child() -> Iterator[Child]:
    """The embedding child with an engine that does not exist: it refuses and ends."""
    made = Child("app.models.embed_process", ("none", "/nowhere", "/tmp"))
    yield made
    made.close()


def test_a_frame_travels_with_its_bytes() -> None:
    frame = Frame({"id": 3, "text": "é\n"}, b"\x00\n\xff")
    assert unpack(frame.pack()) == frame


@pytest.mark.parametrize("data", [b"", b"{}", b"[]\n", b"{\n", b"\xff\n"])
def test_bytes_that_are_no_frame_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - several kinds of it
        unpack(data)


def test_what_the_child_refuses_is_raised_with_its_facts(child: Child) -> None:
    with pytest.raises(ChildRefused) as caught:
        child.ready(60)
    assert caught.value.fault == "unloadable"


def test_a_silent_child_is_ended(child: Child) -> None:
    answer = child.start()
    assert child.pid is not None
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(ChildDied):
        child.wait(answer, 0.2)
    assert child.crashes == 1


def test_a_closed_child_takes_no_more_requests(child: Child) -> None:
    child.close()
    with pytest.raises(ChildDied):
        child.ask("embed")


def test_all_who_wait_hear_of_a_death(child: Child) -> None:
    answers = [child.start(), child.ask("one"), child.ask("two")]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    died: list[ChildDied] = []

    def hear(number: int) -> None:
        try:
            answers[number].last()
        except ChildDied as death:
            died.append(death)

    threads = [threading.Thread(target=hear, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [death.exit_code for death in died] == [-signal.SIGKILL] * 3
