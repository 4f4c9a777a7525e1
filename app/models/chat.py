"""The chat model as the rest of Retiens sees it: messages in, a stream of words out.

`ChatModel` is the parent's side; llama.cpp lives in the child process (`chat_process`). A model that dies takes nothing
with it: the call that was running raises ChatModelDied, the next call loads the model again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import psutil

from app.models.child import CRASHES_BEFORE_GIVING_UP, Answer, Child, ChildDied, ChildRefused
from app.models.frames import Frame
from app.models.gguf import NotGguf, read_head

POLL = 0.02
"""Seconds between two looks at the caller's cancel flag."""

SLOWEST_STOP = 5.0
"""Seconds a stopped request may take to end (0.3 s is the rule) before its process is ended."""

SLACK = 1 << 30
"""Bytes a model may take beyond what its file says it needs, before its process is refused memory."""

SLOWEST_LOAD, SLOWEST_REPLY = 300.0, 600.0
"""Seconds after which a child that says nothing is ended."""


class Cancel(Protocol):
    """A flag: threading.Event has this shape."""

    def is_set(self) -> bool:
        """Whether to stop."""


class Stopped(StrEnum):
    """Why an answer ended."""

    END = "end"
    LENGTH = "length"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded: context in tokens, threads, parameters of the model, loading time."""

    context: int
    threads: int
    parameters: int
    own_template: bool
    load_ms: float


@dataclass(frozen=True, slots=True)
class Generated:
    """The figures of one answer: prompt tokens, those not yet in the cache, tokens written, times in milliseconds."""

    tokens_in: int
    tokens_evaluated: int
    tokens_out: int
    first_token_ms: float
    total_ms: float
    stopped: Stopped


class ChatModelDied(ChildDied):
    """The model's process ended; the next call starts it again. Carries exit_code, doing, crashes."""


class ModelDoesNotFit(Exception):
    """Loading was refused: `needs` and `free` are bytes."""

    def __init__(self, path: Path, needs: int, free: int) -> None:
        super().__init__(path, needs, free)
        self.path = path
        self.needs = needs
        self.free = free


class ModelUnloadable(Exception):
    """The file is missing or no model that llama.cpp takes."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason


class PromptTooLong(Exception):
    """The messages have `tokens` tokens, the context holds fewer than `context`."""

    def __init__(self, tokens: int, context: int) -> None:
        super().__init__(tokens, context)
        self.tokens = tokens
        self.context = context


class RequestRefused(Exception):
    """The model took no such request: `fault` is bad_grammar, template or failed."""

    def __init__(self, fault: str, facts: dict[str, Any]) -> None:
        super().__init__(fault, facts)
        self.fault = fault
        self.facts = facts


class Generation:
    """Iterates over the pieces of an answer as they are made; `result` holds the figures once it has ended.

    Leaving the loop early cancels the rest: call `close`, or let it go.
    """

    def __init__(self, model: ChatModel, answer: Answer, cancel: Cancel | None) -> None:
        self._model = model
        self._answer = answer
        self._cancel = cancel
        self._stop_asked_at: float | None = None
        self.result: Generated | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._pieces()
        finally:
            if self.result is None:
                self.close()

    def close(self) -> None:
        """Stops the model where it is."""
        if self._stop_asked_at is None:
            self._stop_asked_at = time.monotonic()
            self._model.cancel(self._answer)

    def _pieces(self) -> Iterator[str]:
        while self.result is None:
            if self._cancel is not None and self._cancel.is_set():
                self.close()
            frame = self._model.next(self._answer, POLL)
            if frame is None:
                if self._stop_asked_at is not None and time.monotonic() - self._stop_asked_at > SLOWEST_STOP:
                    self._model.end_hung()
                continue
            text = frame.head.get("text")
            if frame.head.get("end"):
                self.result = _figures(frame)
            if text:
                yield str(text)


class ChatModel:
    """A GGUF chat model in its own process. Safe to use from several threads; requests run one after the other."""

    def __init__(
        self,
        path: Path,
        *,
        context: int = 4096,
        threads: int | None = None,
        free_memory: Callable[[], int] = lambda: int(psutil.virtual_memory().available),
    ) -> None:
        self.path = path
        self._context = context
        self._free_memory = free_memory
        self._threads = threads or physical_cores()
        self._child = Child("app.models.chat_process", (), ChatModelDied)
        self._loading = threading.Lock()

    @classmethod
    def start(cls, path: Path, *, context: int = 4096, threads: int | None = None) -> ChatModel:
        """A loaded model. Raises ModelDoesNotFit, ModelUnloadable, ChatModelDied."""
        model = cls(path, context=context, threads=threads)
        try:
            model.load()
        except BaseException:
            model.close()
            raise
        return model

    @property
    def pid(self) -> int | None:
        """Process id of the model, None when it is not running."""
        return self._child.pid

    @property
    def crashes(self) -> int:
        """Deaths since this object was made."""
        return self._child.crashes

    @property
    def crashed_often(self) -> bool:
        """Three deaths or more: time to offer a smaller model."""
        return self._child.crashes >= CRASHES_BEFORE_GIVING_UP

    def load(self) -> Loaded:
        """Loads the model unless it is; waits until it is. Raises ModelDoesNotFit, ModelUnloadable, ChatModelDied."""
        with self._loading:
            if self._child.pid is None:
                most = self._check_room() + SLACK
                self._child.arguments = (str(self.path), self._context, self._threads, most)
            try:
                head = self._child.ready(SLOWEST_LOAD).head
            except ChildRefused as refusal:
                raise ModelUnloadable(self.path, str(refusal.facts.get("what", refusal.fault))) from None
            return Loaded(
                context=int(head["context"]),
                threads=int(head["threads"]),
                parameters=int(head["parameters"]),
                own_template=bool(head["own_template"]),
                load_ms=float(head["load_ms"]),
            )

    def generate(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
        grammar: str | None = None,
        cancel: Cancel | None = None,
        conversation: str = "chat",
        repeat_penalty: float | None = None,
    ) -> Generation:
        """Starts an answer; iterate over it for its pieces, then read `result`.

        `grammar` is GBNF with a rule named root. `conversation` keeps one prompt's cache apart from another's.
        `repeat_penalty` is 1.05 by default, 1 (none) under a grammar. While iterating: ChatModelDied, PromptTooLong,
        RequestRefused.
        """
        self.load()
        penalty = repeat_penalty if repeat_penalty is not None else (1.05 if grammar is None else 1.0)
        answer = self._child.ask(
            "generate",
            messages=_pairs(messages),
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
            grammar=grammar,
            conversation=conversation,
            repeat_penalty=penalty,
        )
        return Generation(self, answer, cancel)

    def prefill(
        self, messages: Sequence[Message], *, cancel: Cancel | None = None, conversation: str = "chat"
    ) -> Generated:
        """Reads the messages into the cache so that the next prompt that begins with them starts sooner."""
        self.load()
        answer = self._child.ask("prefill", messages=_pairs(messages), conversation=conversation)
        generation = Generation(self, answer, cancel)
        for _ in generation:
            pass
        assert generation.result is not None
        return generation.result

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, as plain text. Works while an answer is being written."""
        if not texts:
            return []
        return self._count(texts=list(texts))

    def count_prompt(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole prompt with the template's own."""
        return self._count(messages=_pairs(messages))[0]

    def cancel(self, answer: Answer) -> None:
        """Raises the flag of one request."""
        self._child.tell("cancel", of=answer.number)

    def next(self, answer: Answer, timeout: float) -> Frame | None:
        """The next frame of a request, with the child's refusals turned into this module's errors."""
        try:
            return answer.next(timeout)
        except ChildRefused as refusal:
            raise _fault(refusal) from None

    def end_hung(self) -> None:
        """Ends a process that does not stop; who waits for it gets ChatModelDied."""
        self._child.end_hung()

    def close(self) -> None:
        """Ends the process."""
        self._child.close()

    def _count(self, **fields: Any) -> list[int]:
        self.load()
        answer = self._child.ask("count", **fields)
        try:
            frame = self._child.wait(answer, SLOWEST_REPLY)
        except ChildRefused as refusal:
            raise _fault(refusal) from None
        return [int(count) for count in frame.head["counts"]]

    def _check_room(self) -> int:
        """Bytes the model needs, when they are free."""
        if not self.path.is_file():
            raise ModelUnloadable(self.path, "missing")
        try:
            needs = read_head(self.path).memory_needed(self._context)
        except NotGguf as fault:
            raise ModelUnloadable(self.path, str(fault)) from None
        free = self._free_memory()
        if needs > free:
            raise ModelDoesNotFit(self.path, needs, free)
        return needs


def physical_cores() -> int:
    """Cores without their second threads, at least one."""
    return psutil.cpu_count(logical=False) or 1


def _fault(refusal: ChildRefused) -> Exception:
    if refusal.fault == "too_long":
        return PromptTooLong(int(refusal.facts["tokens"]), int(refusal.facts["context"]))
    return RequestRefused(refusal.fault, refusal.facts)


def _pairs(messages: Sequence[Message]) -> list[list[str]]:
    return [[message.role, message.content] for message in messages]


def _figures(frame: Frame) -> Generated:
    head = frame.head
    return Generated(
        tokens_in=int(head["tokens_in"]),
        tokens_evaluated=int(head["tokens_evaluated"]),
        tokens_out=int(head["tokens_out"]),
        first_token_ms=float(head.get("first_token_ms", 0.0)),
        total_ms=float(head.get("total_ms", 0.0)),
        stopped=Stopped(head["stopped"]),
    )
