"""HTML, Markdown and plain text: their structure says what is a heading and what is emphasised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import lxml.html
from lxml import etree
from markdown_it import MarkdownIt

from app.reading.parsed import Emphasis, Fault, ParsedPage, Unreadable
from memory.readings import Heading, PageText
from memory.words import LANGUAGES, stop_words, tokens

_BLOCKS = frozenset(
    {"p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "tr", "dt", "dd", "figcaption", "caption", "pre"}
    | {"blockquote", "div", "section", "article", "header", "title"}
)
_SKIPPED = frozenset(
    {"script", "style", "noscript", "template", "svg", "math", "iframe", "object", "nav", "footer", "head"}
)
_STRONG_TAGS = frozenset({"b", "strong", "dfn"})
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|color\s*:\s*(?:#fff\b|#ffffff|white)", re.IGNORECASE
)
_SAMPLE = 20_000
"""Letters looked at to tell an encoding."""
_DEEPEST = 200
"""Elements inside each other; what lies deeper is read as plain words."""
_PARAGRAPH = 160
"""Letters from which a line is a paragraph of its own: no screen or page is that wide."""
_INLINE = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_MARKS = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r""),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)([*_])(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"`([^`]+)`"), r"\1"),
    (re.compile(r"<[^>\n]{1,200}>"), r""),
)


def read_text(path: Path) -> str:
    """The text of a file in whatever encoding it is written. Raises Unreadable."""
    raw = path.read_bytes()
    if not raw.strip():
        raise Unreadable(Fault.EMPTY)
    for encoding in ("utf-8-sig", "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return max(_decodings(raw), key=_wordiness)


def _decodings(raw: bytes) -> Iterator[str]:
    """What the bytes could say in the older encodings of our languages; the likeliest first."""
    for encoding in ("cp1252", "cp1256", "mac_roman"):
        yield raw.decode(encoding, errors="replace")


def _wordiness(text: str) -> float:
    """How many words of a text are function words of some language, less the letters that cannot be."""
    words = tokens(text[:_SAMPLE])
    known = frozenset[str]().union(*(stop_words(language) for language in LANGUAGES))
    accented = sum(letter.isalpha() and letter > "\x7f" for letter in text[:_SAMPLE])
    odd = sum(
        not letter.isprintable() or letter in "\ufffd¤¦¬§¶†‡˝˛√∫∂∆" for letter in text[:_SAMPLE] if letter > "\x7f"
    )
    return sum(word in known for word in words) + 0.1 * accented - odd


def parse_text(path: Path) -> Iterator[tuple[int, ParsedPage]]:
    """Plain text: a form feed starts a page; a short line between empty ones is a heading."""
    pages = read_text(path).split("\f")
    for number, page in enumerate(pages, 1):
        lines = tuple(line.rstrip() for line in page.splitlines())
        headings = tuple(
            Heading(at, line.strip(), 2) for at, line in enumerate(lines, 1) if _stands_alone(lines, at - 1)
        )
        yield len(pages), ParsedPage(PageText(number, lines, headings=headings))


def parse_markdown(path: Path) -> Iterator[tuple[int, ParsedPage]]:
    """Markdown: the file's own lines without their marks, so that line numbers are the file's."""
    pages = read_text(path).split("\f")
    for number, page in enumerate(pages, 1):
        source = page.splitlines()
        headings: list[Heading] = []
        emphasis: list[Emphasis] = []
        code: set[int] = set()
        for token in MarkdownIt("commonmark").enable("table").parse(page):
            if token.map is None:
                continue
            first = token.map[0]
            if token.type == "heading_open" and first < len(source):
                headings.append(Heading(first + 1, plain(source[first].lstrip("# ").rstrip("# ")), int(token.tag[1])))
            elif token.type in ("fence", "code_block"):
                code.update(range(token.map[0], token.map[1]))
        known = {heading.line for heading in headings}
        headings += [
            Heading(at, plain(line), 4)
            for at, line in enumerate(source, 1)
            if at not in known and at - 1 not in code and _wholly_bold(line)
        ]
        headings.sort(key=lambda heading: heading.line)
        titles = {heading.line for heading in headings}
        lines: list[str] = []
        for at, line in enumerate(source, 1):
            if at - 1 in code:
                lines.append(line.rstrip())
                continue
            if at not in titles:
                emphasis += [Emphasis(at, plain(found[2])) for found in _INLINE.finditer(line)]
            lines.append(plain(line.lstrip("#> ") if at in titles else line))
        yield (
            len(pages),
            ParsedPage(
                PageText(number, tuple(lines), headings=tuple(headings)),
                tuple(emphasis),
                tuple(sorted(at + 1 for at in code)),
            ),
        )


def _wholly_bold(line: str) -> bool:
    """A line of bold words alone is a heading, not a term."""
    found = _INLINE.fullmatch(line.strip())
    return found is not None and len(found[2].split()) <= 12 and found[1] not in found[2]


def plain(line: str) -> str:
    """A line of Markdown without its inline marks; HTML in it is dropped."""
    for pattern, kept in _MARKS:
        line = pattern.sub(kept, line)
    line = re.sub(r"^\s*(?:>\s?)+", "", line)
    line = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "• ", line)
    return re.sub(r"\\([\\`*_{}\[\]()#+.!|-])", r"\1", line).rstrip()


def parse_html(path: Path) -> Iterator[tuple[int, ParsedPage]]:
    """HTML: one page; every block of text is a line."""
    try:
        root = lxml.html.document_fromstring(
            read_text(path).encode("utf-8"), parser=lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
        )
    except (etree.LxmlError, ValueError) as error:
        raise Unreadable(Fault.CORRUPT) from error
    reader = _HtmlReader()
    reader.walk(root, hidden=False, depth=0)
    reader.flush()
    yield (
        1,
        ParsedPage(
            PageText(1, tuple(reader.lines), headings=tuple(reader.headings), hidden=tuple(reader.hidden_lines)),
            tuple(reader.emphasis),
        ),
    )


class _HtmlReader:
    """Walks a document and writes down its blocks as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.headings: list[Heading] = []
        self.emphasis: list[Emphasis] = []
        self.hidden_lines: list[int] = []
        self._parts: list[str] = []
        self._bold: list[str] = []
        self._level = 0
        self._hidden = False

    def walk(self, node: lxml.html.HtmlElement, *, hidden: bool, depth: int) -> None:
        tag = node.tag if isinstance(node.tag, str) else ""
        if not tag or tag in _SKIPPED or depth > _DEEPEST:
            if tag == "math" or (tag and depth > _DEEPEST):
                self._parts.append(" ".join(node.itertext()))
            self._parts.append(node.tail or "")
            return
        hidden = hidden or bool(_HIDDEN.search(node.get("style", ""))) or node.get("hidden") is not None
        block = tag in _BLOCKS or tag == "br"
        if block:
            self.flush()
            self._hidden = hidden
            self._level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0
        mark = len(self._parts)
        self._parts.append(node.text or "")
        for child in node:
            self.walk(child, hidden=hidden, depth=depth + 1)
        if tag in _STRONG_TAGS or node.get("data-type") == "term":
            words = " ".join("".join(self._parts[mark:]).split())
            if words:
                self._bold.append(words)
        if block:
            self.flush()
        self._parts.append(node.tail or "")

    def flush(self) -> None:
        text = " ".join("".join(self._parts).split())
        bold, self._parts, self._bold = self._bold, [], []
        level, self._level = self._level, 0
        if not text:
            return
        self.lines.append(text)
        at = len(self.lines)
        if self._hidden:
            self.hidden_lines.append(at)
        elif level:
            self.headings.append(Heading(at, text, level))
        elif bold == [text] and len(text.split()) <= 12:
            self.headings.append(Heading(at, text, 4))
        else:
            self.emphasis += [Emphasis(at, words) for words in bold]


def _stands_alone(lines: tuple[str, ...], at: int) -> bool:
    """A short line without a stop, between empty lines, or between paragraphs that are one long line each."""
    line = lines[at].strip()
    words = line.split()
    if not 0 < len(words) <= 12 or not line[:1].isalpha() or line[:1].islower() or line[-1] in ".,;:?!،":
        return False
    before = lines[at - 1].strip() if at else ""
    after = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if not before and not after:
        return True
    return all(not beside or len(beside) > _PARAGRAPH or beside[:1] in "•-" for beside in (before, after)) and (
        len(after) > _PARAGRAPH or after[:1] in "•-"
    )
