"""Settings: only what the student set, kept as one small JSON file and written atomically."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from memory.faults import DiskFull, Unwritable


@dataclass(frozen=True, slots=True)
class Values:
    """What can be set. ``None`` means: as the program decides.

    ``chat_model`` and ``embedder`` are catalogue names or, for a chat model, a path to a GGUF file; ``text_size`` is
    in percent; ``night_hour`` a local hour; ``network`` is ``never`` or ``ask``.
    """

    language: str | None = None
    timezone: str | None = None
    theme: str = "system"
    text_size: int = 100
    chat_model: str | None = None
    embedder: str | None = None
    night_hour: int = 2
    network: str = "ask"
    daily_reviews: int = 20


class Settings:
    """Reads and changes the settings file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values = _read(path)

    def get(self) -> Values:
        """The settings as they are."""
        return self._values

    def change(self, **values: Any) -> Values:
        """Set some of them. Raises TypeError for an unknown name, Unwritable and DiskFull."""
        self._values = replace(self._values, **values)
        plain = Values()
        kept = {key: value for key, value in asdict(self._values).items() if value != getattr(plain, key)}
        part = self._path.with_name(self._path.name + ".part")
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(kept, file, ensure_ascii=False, indent=2)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self._path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise (DiskFull if error.errno == 28 else Unwritable)(self._path, error.strerror or "") from error
        return self._values


def _read(path: Path) -> Values:
    """What the file says; a value of the wrong type, an unknown name or a broken file counts as not set."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return Values()
    if not isinstance(raw, dict):
        return Values()
    plain = Values()
    kept: dict[str, Any] = {}
    for field in fields(Values):
        value = raw.get(field.name)
        wanted = type(getattr(plain, field.name))
        if value is not None and (isinstance(value, str) if wanted is type(None) else type(value) is wanted):
            kept[field.name] = value
    return Values(**kept)
