"""The documents are kept true: what they name exists, and what exists is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.cli.arguments import build_parser

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def commands() -> set[str]:
    parser = build_parser()
    (group,) = [action for action in parser._actions if action.dest == "command"]
    assert group.choices is not None
    return set(group.choices)


def test_every_module_is_named_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    modules = {path.stem for room in ("memory", "app") for path in (ROOT / room).rglob("*.py")} - {"__init__"}
    assert {module for module in modules if f"`{module}`" not in text} == set()


def test_every_module_the_architecture_names_exists() -> None:
    named = set(re.findall(r"`([a-z_]+)`", (ROOT / "ARCHITECTURE.md").read_text("utf-8")))
    known = {path.stem for room in ("memory", "app", "ui", "resources") for path in (ROOT / room).rglob("*")}
    assert named - known - {"memory", "app", "ui", "resources"} == set()


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert {name for name in commands() if not re.search(rf"`[^`]*\b{name}\b[^`]*`", text)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_verifier_that_the_chain_document_shows_is_the_one_that_is_tested() -> None:
    (shown,) = re.findall(r"```python\n(.+?)```", (ROOT / "docs" / "chain.md").read_text("utf-8"), re.DOTALL)
    assert shown == (ROOT / "tests" / "verifier.py").read_text("utf-8")
    assert len(shown.splitlines()) <= 60
