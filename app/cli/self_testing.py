"""The program's own check (``--self-test``): does everything it ships with work on this machine?"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from app.cli.call import Call
from app.cli.speech import CHECK_FOUND
from app.models.catalogue import Role
from app.models.chat import Message
from app.reading.process import events
from app.reading.wire import PageRead
from app.wiring import House, open_house

Shoot = Callable[[House, Path], list[Path]]
_COURSE = "plasma_membranes.pdf"
_FORMULA = r"\Delta G = RT \ln \frac{c_1}{c_2}"
_TOKENS = 5


def self_test(call: Call, shoot: Shoot) -> int:
    """Try a chat model (where there is one), a file, a formula and the window, in a folder that is gone afterwards.

    Prints one JSON document; 1 when something did not work.
    """
    with tempfile.TemporaryDirectory(prefix="retiens-self-test-") as folder:
        house = open_house(replace(call.folders, data=Path(folder)), call.clock)
        try:
            parts = {
                "model": _tried(lambda: _model(house)),
                "reader": _tried(_read),
                "formula": _tried(_formula),
                "window": _tried(lambda: _window(house, shoot, Path(folder) / "pictures")),
            }
        finally:
            house.close()
    ok = all(part["ok"] for part in parts.values())
    call.json = True
    call.print({"ok": ok, **parts})
    return 0 if ok else CHECK_FOUND


def _tried(part: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a part says of itself, and how long it took; any fault is a result here."""
    began = time.perf_counter()
    try:
        found = {"ok": True, **part()}
    except Exception as error:
        found = {"ok": False, "fault": f"{type(error).__name__}: {error}"}
    return {**found, "seconds": round(time.perf_counter() - began, 2)}


def _model(house: House) -> dict[str, Any]:
    model = house.engines.chat()
    if model is None:
        return {"installed": False, "role": Role.CHAT.value}
    answer = model.generate([Message("user", "Say hello.")], max_tokens=_TOKENS)
    text = "".join(answer)
    return {"installed": True, "name": model.path.name, "text": text, "ok": bool(text)}


def _read() -> dict[str, Any]:
    with resources.as_file(resources.files("resources").joinpath("sample", _COURSE)) as path:
        pages = sum(isinstance(event, PageRead) for event in events(path, "en"))
    return {"pages": pages, "ok": pages > 0}


def _formula() -> dict[str, Any]:
    from ziamath.zmath import Latex  # noqa: PLC0415 (0.2 s that no other command should pay)

    svg = Latex(_FORMULA).svg()
    return {"characters": len(svg), "ok": svg.startswith("<svg")}


def _window(house: House, shoot: Shoot, folder: Path) -> dict[str, Any]:
    pictures = shoot(house, folder)
    return {"pictures": len(pictures), "ok": bool(pictures)}
