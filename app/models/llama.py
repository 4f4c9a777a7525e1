"""llama.cpp through its C interface: one model, several contexts that keep what they have read.

Only the chat model's child process imports this module. A `Conversation` is a llama.cpp context with the list of tokens
it holds; reading a prompt again evaluates only what comes after the common prefix. Prompts are evaluated in small
steps; a flag is read between them and, on the processor, between the operations of a step.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import llama_cpp as c

STEP = 64
"""Prompt tokens evaluated at once. On two cores a 1.5B model read 75 tokens a second in steps of 64 or more, 30 to 50
in steps of 8 to 24. A step takes about a second there, so the flag is also read between two operations within it."""

ABORTED = 2
"""What llama_decode returns when the flag was raised within a step."""

REMEMBERED_FOR_PENALTY = 128
"""Generated tokens the repetition penalty looks back on."""


_SILENCE = c.llama_log_callback(lambda level, text, user_data: None)
"""Takes llama.cpp's log lines and drops them."""


class Unloadable(Exception):
    """llama.cpp does not take the file, or cannot make a context of this size."""


class BadGrammar(Exception):
    """llama.cpp does not take the grammar."""


class Cancelled(Exception):
    """The flag was raised while a prompt was being evaluated."""


class ContextFull(Exception):
    """The prompt does not fit: `args` are its tokens and the context's size."""


class Model:
    """A GGUF file in memory: weights, vocabulary, metadata."""

    def __init__(self, path: str) -> None:
        c.llama_log_set(_SILENCE, ctypes.c_void_p(0))
        c.llama_backend_init()
        parameters = c.llama_model_default_params()
        parameters.n_gpu_layers = 999 if c.llama_supports_gpu_offload() else 0
        self.pointer = c.llama_model_load_from_file(path.encode(), parameters)
        if not self.pointer:
            raise Unloadable("model")
        self.vocabulary = c.llama_model_get_vocab(self.pointer)
        self.size = int(c.llama_vocab_n_tokens(self.vocabulary))
        self.trained_context = int(c.llama_model_n_ctx_train(self.pointer))
        self.parameters = int(c.llama_model_n_params(self.pointer))

    def template(self) -> str | None:
        """The chat template of the file, if it has one."""
        raw = c.llama_model_chat_template(self.pointer, None)
        return raw.decode("utf-8", "replace") if raw else None

    def tokens(self, text: str, *, special: bool) -> list[int]:
        """The tokens of `text`. With `special`, control tokens written in it count; else they are plain text."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        buffer = (c.llama_token * room)()
        count = c.llama_tokenize(self.vocabulary, raw, len(raw), buffer, room, False, special)
        if count < 0:
            room = -count
            buffer = (c.llama_token * room)()
            count = c.llama_tokenize(self.vocabulary, raw, len(raw), buffer, room, False, special)
        return buffer[:count]

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes of a token; control tokens have none unless `special`."""
        buffer = ctypes.create_string_buffer(256)
        count = c.llama_token_to_piece(self.vocabulary, token, buffer, 256, 0, special)
        if count < 0:
            buffer = ctypes.create_string_buffer(-count)
            count = c.llama_token_to_piece(self.vocabulary, token, buffer, -count, 0, special)
        return buffer.raw[:count]

    def ends(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return bool(c.llama_vocab_is_eog(self.vocabulary, token))

    def first_token(self) -> int | None:
        """The token a prompt must begin with, when the vocabulary asks for one."""
        return int(c.llama_vocab_bos(self.vocabulary)) if c.llama_vocab_get_add_bos(self.vocabulary) else None

    def mark(self, token: int) -> str:
        """The text of a control token, for templates; empty when there is none."""
        return "" if token < 0 else self.piece(token, special=True).decode("utf-8", "replace")

    def marks(self) -> tuple[str, str]:
        """The texts of the tokens that begin and end a text."""
        return self.mark(int(c.llama_vocab_bos(self.vocabulary))), self.mark(int(c.llama_vocab_eos(self.vocabulary)))


class Conversation:
    """A context of the model and what it has read so far."""

    def __init__(self, model: Model, size: int, threads: int) -> None:
        parameters = c.llama_context_default_params()
        parameters.n_ctx = size
        parameters.n_batch = parameters.n_ubatch = STEP
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.no_perf = True
        self.pointer = c.llama_init_from_model(model.pointer, parameters)
        if not self.pointer:
            raise Unloadable("context")
        self._model = model
        self._memory = c.llama_get_memory(self.pointer)
        self._batch = c.llama_batch_init(STEP, 0, 1)
        self._stop: Callable[[], bool] = _never
        self._abort = c.ggml_abort_callback(lambda data: self._stop())
        c.llama_set_abort_callback(self.pointer, self._abort, ctypes.c_void_p(0))
        self.size = int(c.llama_n_ctx(self.pointer))
        self.held: list[int] = []

    def warm_up(self) -> None:
        """Evaluates one token and forgets it, so that the weights are in memory before the first question."""
        self._evaluate([max(0, int(c.llama_vocab_bos(self._model.vocabulary)))])
        self._forget_after(0)

    def read(self, prompt: list[int], cancelled: Callable[[], bool]) -> int:
        """Makes the context hold exactly `prompt`; returns how many tokens had to be evaluated.

        At least the last token is evaluated, because its logits choose the next one. Raises ContextFull, Cancelled
        (what was evaluated until then is kept).
        """
        if len(prompt) >= self.size:
            raise ContextFull(len(prompt), self.size)
        kept = min(common_prefix(self.held, prompt), len(prompt) - 1)
        if kept < len(self.held):
            self._forget_after(max(kept, 0))
        evaluated = 0
        self._stop = cancelled
        try:
            while len(self.held) < len(prompt):
                if cancelled():
                    raise Cancelled
                step = prompt[len(self.held) : len(self.held) + STEP]
                self._evaluate(step)
                evaluated += len(step)
        finally:
            self._stop = _never
        return evaluated

    def generate(self, sampler: Sampler, most: int, cancelled: Callable[[], bool]) -> Iterator[int]:
        """Tokens one by one until the model ends, `most` were made, the context is full or the flag is up."""
        for _ in range(most):
            token = sampler.choose(self)
            if self._model.ends(token):
                return
            yield token
            if cancelled() or len(self.held) + 1 >= self.size:
                return
            self._evaluate([token])

    def _forget_after(self, count: int) -> None:
        """Keeps the first `count` tokens; none, where the model's memory cannot be cut."""
        if not c.llama_memory_seq_rm(self._memory, 0, count, -1):
            c.llama_memory_clear(self._memory, True)
            count = 0
        del self.held[count:]

    def _evaluate(self, tokens: list[int]) -> None:
        batch = self._batch
        batch.n_tokens = len(tokens)
        start = len(self.held)
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = start + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = 0
            batch.logits[index] = index == len(tokens) - 1
        code = c.llama_decode(self.pointer, batch)
        if code == ABORTED:
            self._forget_after(start)
            raise Cancelled
        if code != 0:
            self._forget_after(0)
            raise RuntimeError(f"llama_decode: {code}")
        self.held += tokens


class Sampler:
    """How the next token is chosen: greedily at temperature 0, else by temperature with a seed.

    Under a grammar the free choice is taken when the grammar allows it (testing one token is quick); only else is the
    grammar applied to the whole vocabulary, and the choice made again among what it leaves.
    """

    def __init__(self, model: Model, temperature: float, seed: int, grammar: str | None, repeat_penalty: float) -> None:
        self._rule = None
        self._bound = None
        if grammar is not None:
            self._rule = c.llama_sampler_init_grammar(model.vocabulary, grammar.encode(), b"root")
            if not self._rule:
                raise BadGrammar(grammar)
            self._bound = c.llama_sampler_chain_init(c.llama_sampler_chain_default_params())
            c.llama_sampler_chain_add(self._bound, self._rule)
            _add_choice(self._bound, model, temperature, seed, repeat_penalty)
        self._free = c.llama_sampler_chain_init(c.llama_sampler_chain_default_params())
        _add_choice(self._free, model, temperature, seed, repeat_penalty)

    def choose(self, conversation: Conversation) -> int:
        """The next token after what the conversation holds."""
        token = int(c.llama_sampler_sample(self._free, conversation.pointer, -1))
        if self._bound is None:
            return token
        if self._allows(token):
            c.llama_sampler_accept(self._bound, token)
            return token
        return int(c.llama_sampler_sample(self._bound, conversation.pointer, -1))

    def close(self) -> None:
        """Gives the native memory back."""
        c.llama_sampler_free(self._free)
        if self._bound is not None:
            c.llama_sampler_free(self._bound)

    def _allows(self, token: int) -> bool:
        one = (c.llama_token_data * 1)(c.llama_token_data(token, 1.0, 0.0))
        candidates = c.llama_token_data_array(one, 1, -1, False)
        c.llama_sampler_apply(self._rule, ctypes.byref(candidates))
        return bool(one[0].logit > float("-inf"))


def _add_choice(chain: Any, model: Model, temperature: float, seed: int, repeat_penalty: float) -> None:
    """Adds to a chain of samplers what chooses a token."""
    if repeat_penalty != 1.0:
        penalty = c.llama_sampler_init_penalties(model.size, REMEMBERED_FOR_PENALTY, repeat_penalty, 0.0, 0.0)
        c.llama_sampler_chain_add(chain, penalty)
    if temperature <= 0:
        c.llama_sampler_chain_add(chain, c.llama_sampler_init_greedy())
        return
    c.llama_sampler_chain_add(chain, c.llama_sampler_init_top_k(40))
    c.llama_sampler_chain_add(chain, c.llama_sampler_init_top_p(0.95, 1))
    c.llama_sampler_chain_add(chain, c.llama_sampler_init_temp(temperature))
    c.llama_sampler_chain_add(chain, c.llama_sampler_init_dist(seed & 0xFFFFFFFF))


def _never() -> bool:
    return False


def common_prefix(first: list[int], second: list[int]) -> int:
    """How many tokens both begin with."""
    for index, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return index
    return min(len(first), len(second))
