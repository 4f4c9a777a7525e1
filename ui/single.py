"""One window for each data folder: a second start hands its files to the first, which comes to the front.

A local socket is named after the folder; no network is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

PATIENCE = 3000
"""Milliseconds that the first window has to answer."""
_TAKEN = b"taken\n"


class Answer(Enum):
    """What a second start finds."""

    NOBODY = auto()
    TAKEN = auto()
    SILENT = auto()


def name_of(data: Path) -> str:
    """The name under which the window of a data folder listens."""
    return "retiens-" + hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:24]


def hand_over(data: Path, files: Sequence[Path], patience: int = PATIENCE) -> Answer:
    """Ask the window that is open on a folder, if any, to come forward and read some files. Blocking."""
    socket = QLocalSocket()
    socket.connectToServer(name_of(data))
    if not socket.waitForConnected(patience):
        return Answer.NOBODY
    socket.write(json.dumps([str(path.absolute()) for path in files]).encode() + b"\n")
    socket.flush()
    while not socket.canReadLine():
        if not socket.waitForReadyRead(patience):
            return Answer.SILENT
    taken = socket.readLine().data() == _TAKEN
    socket.disconnectFromServer()
    return Answer.TAKEN if taken else Answer.SILENT


class Single(QObject):
    """Listens for later starts on the same folder.

    Signals:
        called: another start handed over these paths (perhaps none) and wants the window to come forward.
    """

    called = Signal(list)

    def __init__(self, data: Path) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connect)
        QLocalServer.removeServer(name_of(data))  # what a crash left; whoever answers was asked before
        self.listening = self._server.listen(name_of(data))

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _connect(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            return
        try:
            told = json.loads(bytes(socket.readLine().data()))
        except ValueError:
            told = None
        if isinstance(told, list):
            socket.write(_TAKEN)
            socket.flush()
            self.called.emit([Path(path) for path in told if isinstance(path, str)])
        socket.disconnectFromServer()
