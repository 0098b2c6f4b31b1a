"""Runs the program as a child that replies to requests (docs/process_protocol.md), and keeps such children."""

from __future__ import annotations

import atexit
import collections
import contextlib
import fcntl
import functools
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

from . import _program
from ._progress import TICK, ProgressLine
from ._values import SpareFiles
from .errors import Error, error_of

# A child that has not replied this many seconds after its time limit is ended.
GRACE = 5.0
PATIENCE = 2.0  # seconds to wait for its end
PATIENCE_AT_START = 60.0
STANDARD_MEMORY = 4 << 30
MOST_IDLE = 8
MOST_COMPILED = 256
ACTIONS = {"judge": "judging", "run": "evaluating", "trace_events": "tracing", "load": "reading", "compile": "reading"}


def shared_memory() -> str | None:
    """Returns the folder for large arrays: a folder in memory if there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


def all_memory() -> int:
    """Returns the limit on the arrays of a child, in bytes; each call has its own limit."""
    return max(STANDARD_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


PREFIX = "assay-arrays-"


def make_folder() -> tuple[str, int]:
    """Makes a folder for the arrays of a child, and a lock on it while it is in use. Returns both."""
    folder = tempfile.mkdtemp(prefix=PREFIX, dir=shared_memory())
    lock = os.open(os.path.join(folder, "lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


@functools.cache
def sweep() -> None:
    """Removes the arrays of processes that were killed: this user's folders that are not locked."""
    for folder in pathlib.Path(shared_memory() or tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid != os.getuid():
                continue
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def remove(process: subprocess.Popen[bytes], folder: str, lock: int) -> None:
    """Ends a child and removes its arrays. On SIGTERM the child removes its peers and their files."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


class Session:
    """One child. It answers one request at a time, so it has one user at a time."""

    def __init__(self) -> None:
        sweep()
        self.folder, lock = make_folder()
        self.said = tempfile.TemporaryFile()
        words = ["serve", "--judge", "--files", self.folder, "--memory-limit", str(all_memory())]
        try:
            # A session of its own: Ctrl-C reaches only Python, which ends the child if it is busy.
            self.process = subprocess.Popen([str(_program.find()), *words], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=self.said, bufsize=0,
                                            env=_program.environment(), start_new_session=True)  # fmt: skip
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(lock)
            raise Error(*_program.blamed(f"the program assay cannot be started: {error}")) from error
        self.close = weakref.finalize(self, remove, self.process, self.folder, lock)
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.ready = select.poll()
        self.ready.register(self.replies, select.POLLIN | select.POLLHUP)
        self.rest = b""
        self.count = 0
        self.spare = SpareFiles()
        self.kept: collections.OrderedDict[Any, tuple[str, Any]] = collections.OrderedDict()
        self.open_modules: set[Any] = set()  # the keys of modules whose sizes depend on their inputs
        try:
            self.greet()
        except BaseException:
            self.close()
            raise

    def greet(self) -> None:
        """Exchanges the first messages. Raises Error if the child is another program."""
        try:
            self.write(json.dumps({"hello": 1, "versions": [1, 2]}).encode() + b"\n")
            reply = self.read_line(time.monotonic() + PATIENCE_AT_START, PATIENCE_AT_START)
            if isinstance(found := json.loads(reply), dict) and found.get("judges") is True:
                return
            error = Error("backend", f"it answered {reply[:100]!r} in place of a hello")
        except ValueError:
            error = Error("backend", "it answered in place of a hello what is not JSON")
        except Error as raised:
            error = raised
        raise Error(*_program.blamed(f"expected the program assay of this version; {error.rule}"))

    def is_alive(self) -> bool:
        """True if the child can take a request."""
        return self.close.alive and self.process.poll() is None

    def died(self) -> Error:
        """Returns the error of a child that ended without a reply."""
        status = self.process.wait()
        self.said.seek(0)
        end = self.said.read().decode(errors="replace").strip()[-2000:]
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return Error("backend", f"the program assay ended with {how} in the middle of a request" + (end and f": {end}"))

    def ask(self, request: dict[str, Any], seconds: float | None = None, module: str | None = None) -> dict[str, Any]:
        """Sends a request and returns the reply. Raises Error if the reply is an error or the child has crashed.

        Any exception before the reply ends the child, including KeyboardInterrupt: the reply is not wanted any more.
        """
        self.count += 1
        line = json.dumps({"id": self.count, **request}).encode() + b"\n"
        deadline = None if seconds is None else time.monotonic() + seconds + GRACE
        try:
            self.write(line)
            action = next((action for name, action in ACTIONS.items() if name in request), "working")
            with ProgressLine(action, request.get("progress_file")) as progress:
                reply: dict[str, Any] = json.loads(self.read_line(deadline, seconds, progress))
        except BaseException:
            self.close()
            raise
        if reply.get("status") != "ok":
            raise error_of(reply, module)
        return reply

    def write(self, line: bytes) -> None:
        """Sends a line."""
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self.requests, rest) :]
        except BrokenPipeError:
            raise self.died() from None

    def read_line(self, deadline: float | None, seconds: float | None, progress: ProgressLine | None = None) -> bytes:
        """Returns the next line that the child writes."""
        parts = [self.rest]
        while b"\n" not in parts[-1]:
            while not self.ready.poll(TICK * 1000):
                if deadline is not None and time.monotonic() > deadline:
                    raise Error("limit", f"no answer in {seconds} s")
                if progress:
                    progress.step()
            part = os.read(self.replies, 1 << 20)
            if not part:
                raise self.died()
            parts.append(part)
        line, self.rest = b"".join(parts).split(b"\n", 1)
        return line

    def recall(self, key: Any) -> Any:
        """Returns the handle and the value that were kept for the key; None if there are none."""
        if key in self.kept:
            self.kept.move_to_end(key)
        return self.kept.get(key)

    def keep(self, key: Any, handle: str, value: Any) -> tuple[str, Any]:
        """Keeps the handle of a compiled module and a value. Releases the one that was used longest ago if there are
        too many."""
        self.kept[key] = handle, value
        if len(self.kept) > MOST_COMPILED:
            _, (oldest, _) = self.kept.popitem(last=False)
            self.write(json.dumps({"release": oldest}).encode() + b"\n")
        return handle, value


_idle: list[Session] = []
_lock = threading.Lock()


@contextlib.contextmanager
def session() -> Iterator[Session]:
    """Yields a child for one caller: the one used last, or a new one."""
    with _lock:
        mine = _idle.pop() if _idle else None
    if mine is None or not mine.is_alive():
        mine = Session()
    try:
        yield mine
    finally:
        if mine.is_alive():
            with _lock:
                _idle.append(mine)
                spare = _idle.pop(0) if len(_idle) > MOST_IDLE else None
            if spare:
                spare.close()


def close_all() -> None:
    """Ends all children that are idle."""
    with _lock:
        ended = _idle[:]
        _idle.clear()
    for one in ended:
        one.close()


def _forget() -> None:
    """Runs in a forked process: the children belong to the parent."""
    global _lock
    _lock = threading.Lock()
    for one in _idle:
        one.close.detach()
    _idle.clear()


atexit.register(close_all)
os.register_at_fork(after_in_child=_forget)
