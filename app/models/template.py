"""Chat templates: from messages to the pieces of a prompt, without letting content pass for control tokens.

A template comes from the model's file, so it is foreign code: it runs in Jinja's immutable sandbox, inside the chat
model's child process. Contents are not shown to it: each is replaced by a placeholder, the result is cut at the
placeholders, and only what the template itself wrote may hold special tokens. `<|im_end|>` in a document stays text.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

LONGEST_TEMPLATE = 200_000
"""Characters; a longer template is not run, ChatML takes its place."""


class TemplateFault(Exception):
    """The template refuses these messages (for example roles that do not alternate)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the prompt: written by the template (`special`), or somebody's words."""

    text: str
    special: bool


class ChatTemplate:
    """A compiled template with the model's begin and end marks."""

    def __init__(self, source: str | None, begin: str, end: str) -> None:
        self._begin, self._end = begin, end
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = _no_date
        chosen = source if source is not None and len(source) <= LONGEST_TEMPLATE else CHATML
        try:
            self._template = environment.from_string(chosen)
            self.parts([("system", "s"), ("user", "u"), ("assistant", "a"), ("user", "u")], ask=True)
            self.own = chosen is not CHATML
        except (TemplateError, TemplateFault):
            self._template = environment.from_string(CHATML)
            self.own = False

    def parts(self, messages: list[tuple[str, str]], *, ask: bool) -> list[Part]:
        """The prompt of (role, content) messages; with `ask`, up to where the assistant's words begin.

        A template that takes no system message gets it before the first user's words. Raises TemplateFault.
        """
        try:
            return self._render(messages, ask)
        except TemplateFault:
            if len(messages) < 2 or messages[0][0] != "system":
                raise
            (_, rules), (role, words), *rest = messages
            return self._render([(role, f"{rules}\n\n{words}"), *rest], ask)

    def _render(self, messages: list[tuple[str, str]], ask: bool) -> list[Part]:
        nonce = secrets.token_hex(8)
        contents = [content for _, content in messages]
        shown = [{"role": role, "content": f"[{nonce}:{index}]"} for index, (role, _) in enumerate(messages)]
        try:
            text = self._template.render(
                messages=shown,
                add_generation_prompt=ask,
                bos_token=self._begin,
                eos_token=self._end,
                tools=None,
                documents=None,
                enable_thinking=False,
            )
        except (TemplateError, TypeError, ValueError, OverflowError, LookupError, AttributeError) as fault:
            raise TemplateFault(str(fault)) from fault
        pieces = re.split(rf"\[{nonce}:(\d+)\]", text)
        parts = []
        for place, piece in enumerate(pieces):
            inner = place % 2 == 1
            words = contents[int(piece)] if inner else piece
            if words:
                parts.append(Part(words, not inner))
        if sum(1 for place in range(1, len(pieces), 2)) < len([text for text in contents if text]):
            raise TemplateFault("a message is missing")
        return parts


def _refuse(reason: str) -> str:
    raise TemplateFault(reason)


def _no_date(layout: str) -> str:
    """Templates may ask for today's date; a fixed one keeps the cached prefix the same every day."""
    return datetime(2026, 1, 1).strftime(layout)
