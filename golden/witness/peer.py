"""XLA:CPU as a witness of the audit: a peer of the process protocol (docs/process_protocol.md) in a process of its own,
which a module may end."""

import contextlib
import json
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

from golden.witness.hlo.module import by_device, grid_of
from golden.witness.program import ROOT, flatten, from_json, to_json

XLA_CPU = (sys.executable, str(ROOT / "backends" / "adapters" / "xla_adapter.py"))
# The limit of a request and of the greeting, for a process that hangs. The slowest module takes some seconds.
SECONDS = 300
ENDING = 10
# The characters of a process that a reason shows.
SHOWN = 120
FATAL = re.compile(r"^F\d{4} [\d:.]+ +\d+ (.*)|(LLVM ERROR.*)|(.*Assertion.*)", re.M)
LOGGED = re.compile(r"[IW]\d{4} ")


class Died(Exception):
    """Raised for a request on which the process ended, gave no reply in time, or broke the protocol."""


class Refused(Exception):
    """Raised for a module that the peer rejects as wrong."""


class Declined(Exception):
    """Raised for a module that the peer does not support."""


class Peer:
    """A peer on a pipe. It is started again after each request that ends it."""

    def __init__(self, command=XLA_CPU, seconds=SECONDS):
        """Starts the peer; a peer that does not reply to the greeting is a RuntimeError."""
        self.command, self.seconds = command, seconds
        self._start()

    def run(self, text, arguments):
        """Returns the results of a module, of all devices, concatenated."""
        inputs = [list(map(to_json, device)) for device in by_device(text, arguments)]
        reply = self._ask(text, {"hlo": text, "inputs": inputs})
        try:
            return [array for output in reply["outputs"] for array in flatten(from_json(output))]
        except (KeyError, TypeError, ValueError) as error:
            raise Refused(f"the outputs are no arrays: {error}") from None

    def check(self, text):
        """Compiles a module that may be illegal."""
        reply = self._ask(text, {"compile": text})
        with contextlib.suppress(BrokenPipeError):  # the next request finds the process ended
            self._write({"release": reply["executable"]})

    def close(self):
        """Ends the process. Returns its exit status, and what it said on standard error."""
        self.process.kill()
        self.process.communicate()
        with self.errors as errors:
            errors.seek(0)
            return self.process.returncode, errors.read().decode(errors="replace").strip()

    def _start(self):
        self.errors, self.served = tempfile.TemporaryFile(), 0
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        try:
            self._exchange({"hello": 1, "versions": [1, 2]}, SECONDS)
        except Died as error:
            raise RuntimeError(f"no witness {shlex.join(self.command)}: {error}") from None

    def _ask(self, text, request):
        """Returns the reply to a request on a module. A process that served other requests may have been damaged by
        them: if it dies, a new one gets the request."""
        replicas, partitions = grid_of(text)
        had_served, self.served = self.served, self.served + 1
        try:
            request = {"id": self.served, **request, "replicas": replicas, "partitions": partitions}
            reply = self._exchange(request, self.seconds)
        except Died:
            self._start()
            if not had_served:
                raise
            return self._ask(text, request)
        if reply["status"] != "ok":
            raise (Declined if reply["status"] == "unsupported" else Refused)(reply["message"])
        return reply

    def _exchange(self, request, seconds):
        """Returns the reply to a request. Ends a process that gives none, and raises Died."""
        ends_at = time.monotonic() + seconds
        timer = threading.Timer(seconds, self.process.kill)
        timer.start()
        try:
            self._write(request)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and reply.get("id") == request.get("id") and {"hello", "status"} & reply.keys():
            return reply
        if not line:  # the process is ending, by itself unless it has only closed the pipe
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDING)
        is_late = time.monotonic() >= ends_at
        cause = _cause(line, *self.close())
        raise Died(f"no reply in {seconds} s" if is_late else cause)

    def _write(self, request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()


def _cause(line, status, said):
    """Returns the reason of a death, from the last line of the process, its exit status and its standard error."""
    if line:
        return f"replied {line[:SHOWN]!r}"
    fatal = FATAL.search(said)
    lines = [*filter(None, fatal.groups())] if fatal else [s for s in said.splitlines() if not LOGGED.match(s)]
    ended = f"signal {-status}" if status < 0 else f"exit status {status}"
    return ": ".join([ended, *(line[:SHOWN].strip() for line in lines[-1:])])
