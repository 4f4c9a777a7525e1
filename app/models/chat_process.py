"""The chat model's child process: loads a GGUF file, reads prompts, writes tokens.

One thread listens to the pipe, one does the model's work in order, one counts tokens while the model works (tokenising
reads the vocabulary only). The chat has a context of its own; every other conversation shares a second one, so that
grading or reading a file leaves the chat's cached prompt as it was.
"""

from __future__ import annotations

import codecs
import os
import queue
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from app.models.child_side import Outlet, limit_memory, requests
from app.models.frames import Frame
from app.models.llama import BadGrammar, Cancelled, ContextFull, Conversation, Model, Sampler, Unloadable
from app.models.template import ChatTemplate, TemplateFault

CHAT, ASIDE = "chat", "aside"
"""The conversation whose context is made while loading, and the place of all others."""

Work = queue.PriorityQueue[tuple[bool, int, Frame]]
"""Requests: the chat's before all others, then in the order they came."""


def run(connection: Connection, path: str, context: int, threads: int, memory: int) -> None:
    """The child: loads the model and answers until its parent is gone. `memory` is the most it may take, in bytes."""
    limit_memory(memory)
    outlet = Outlet(connection)
    work: Work = queue.PriorityQueue()
    counts: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    cancelled: set[int] = set()
    room = ModelRoom(outlet, cancelled)
    threading.Thread(target=_work, args=(room, work, path, context, threads), daemon=True).start()
    threading.Thread(target=_count, args=(room, counts), daemon=True).start()
    for frame in requests(connection):
        verb = frame.head["verb"]
        if verb == "cancel":
            cancelled.add(int(frame.head["of"]))
        elif verb == "count":
            counts.put(frame)
        else:
            work.put((frame.head["conversation"] != CHAT, int(frame.head["id"]), frame))


def _work(room: ModelRoom, work: Work, path: str, context: int, threads: int) -> None:
    if not room.load(path, context, threads):
        os._exit(0)
    while True:
        room.serve(work.get()[2])


def _count(room: ModelRoom, counts: queue.SimpleQueue[Frame]) -> None:
    room.loaded.wait()
    while True:
        room.count(counts.get())


class ModelRoom:
    """The loaded model, its contexts, and the requests it knows."""

    def __init__(self, outlet: Outlet, cancelled: set[int]) -> None:
        self._outlet = outlet
        self._cancelled = cancelled
        self._conversations: dict[str, Conversation] = {}
        self.loaded = threading.Event()

    def load(self, path: str, context: int, threads: int) -> bool:
        """Loads the file and says so; a file that cannot be loaded is refused as request 0. Whether it is loaded."""
        began = time.perf_counter()
        try:
            self._model = Model(path)
            self._size = min(context, self._model.trained_context) if self._model.trained_context > 0 else context
            self._threads = threads
            self._conversation(CHAT).warm_up()
            self._template = ChatTemplate(self._model.template(), *self._model.marks())
        except Unloadable as fault:
            self._outlet.refuse(0, "unloadable", what=str(fault))
            return False
        except Exception as fault:
            self._outlet.refuse(0, "unloadable", what=repr(fault))
            return False
        self.loaded.set()
        self._outlet.send(
            0,
            context=self._size,
            threads=threads,
            parameters=self._model.parameters,
            own_template=self._template.own,
            load_ms=1000 * (time.perf_counter() - began),
        )
        return True

    def serve(self, frame: Frame) -> None:
        """One request of the working lane."""
        number = int(frame.head["id"])
        try:
            if frame.head["verb"] == "prefill":
                self._prefill(number, frame.head)
            else:
                self._generate(number, frame.head)
        except ContextFull as fault:
            self._outlet.refuse(number, "too_long", tokens=fault.args[0], context=fault.args[1])
        except BadGrammar:
            self._outlet.refuse(number, "bad_grammar")
        except TemplateFault as fault:
            self._outlet.refuse(number, "template", reason=str(fault))
        except Cancelled:
            self._outlet.send(number, stopped="cancelled", tokens_in=0, tokens_evaluated=0, tokens_out=0)
        except Exception as fault:
            self._outlet.refuse(number, "failed", reason=repr(fault))
        self._cancelled.discard(number)

    def count(self, frame: Frame) -> None:
        """Tokens of each text as plain text, or of whole prompts."""
        number = int(frame.head["id"])
        try:
            if "messages" in frame.head:
                result = [len(self._prompt(frame.head["messages"], ask=True))]
            else:
                result = [len(self._model.tokens(text, special=False)) for text in frame.head["texts"]]
        except TemplateFault as fault:
            self._outlet.refuse(number, "template", reason=str(fault))
        else:
            self._outlet.send(number, counts=result)

    def _conversation(self, name: str) -> Conversation:
        place = CHAT if name == CHAT else ASIDE
        if place not in self._conversations:
            self._conversations[place] = Conversation(self._model, self._size, self._threads)
        return self._conversations[place]

    def _prompt(self, messages: list[list[str]], *, ask: bool) -> list[int]:
        tokens: list[int] = []
        for part in self._template.parts([(role, content) for role, content in messages], ask=ask):
            tokens += self._model.tokens(part.text, special=part.special)
        first = self._model.first_token()
        if first is not None and tokens[:1] != [first]:
            tokens.insert(0, first)
        return tokens

    def _prefill(self, number: int, head: dict[str, Any]) -> None:
        prompt = self._prompt(head["messages"], ask=False)
        evaluated = self._conversation(head["conversation"]).read(prompt, lambda: number in self._cancelled)
        self._outlet.send(number, tokens_in=len(prompt), tokens_evaluated=evaluated, stopped="end", tokens_out=0)

    def _generate(self, number: int, head: dict[str, Any]) -> None:
        began = time.perf_counter()
        prompt = self._prompt(head["messages"], ask=True)
        conversation = self._conversation(head["conversation"])
        sampler = Sampler(self._model, head["temperature"], head["seed"], head["grammar"], head["repeat_penalty"])
        try:
            evaluated = conversation.read(prompt, lambda: number in self._cancelled)
            read = time.perf_counter()
            self._write(number, head, conversation, sampler, prompt, evaluated, began, read)
        finally:
            sampler.close()

    def _write(
        self,
        number: int,
        head: dict[str, Any],
        conversation: Conversation,
        sampler: Sampler,
        prompt: list[int],
        evaluated: int,
        began: float,
        read: float,
    ) -> None:
        words = codecs.getincrementaldecoder("utf-8")("replace")
        made = 0
        first = read
        for token in conversation.generate(sampler, head["max_tokens"], lambda: number in self._cancelled):
            made += 1
            if made == 1:
                first = time.perf_counter()
            text = words.decode(self._model.piece(token))
            if text:
                self._outlet.send(number, end=False, text=text)
        rest = words.decode(b"", final=True)
        if number in self._cancelled:
            stopped = "cancelled"
        elif made >= head["max_tokens"] or len(conversation.held) + 1 >= conversation.size:
            stopped = "length"
        else:
            stopped = "end"
        now = time.perf_counter()
        self._outlet.send(
            number,
            text=rest,
            tokens_in=len(prompt),
            tokens_evaluated=evaluated,
            tokens_out=made,
            first_token_ms=1000 * (first - began),
            read_ms=1000 * (read - began),
            total_ms=1000 * (now - began),
            stopped=stopped,
        )
