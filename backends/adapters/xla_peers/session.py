"""The process protocol (docs/process_protocol.md) on top of one of the peers."""

import functools
import gc
import itertools
import json
import os
import re
import sys

from .compiler import Options
from .given_module import given_module
from .stablehlo_module import Module
from .values import DTYPES, BadRequest, Unsupported, data_folder, decode, encode

# Phrases of XLA's errors for something that it lacks.
UNSUPPORTED_MESSAGE = (
    "UNIMPLEMENTED|No registered implementation|Unknown opcode|Unexpected bitcast|Unsupported"
    "|is currently only supported|Cannot convert a token-shape buffer|splitted and combined is not supported"
    "|No FFI handler registered|Non-byte-aligned dimension|Invalid type for triangular solve|No supported configs found"
    "|failed to find supported configs|Is called on unsupported shape|is not supported by cublasLt"
    "|Algorithm field set to|OpDynamismSupport::kNoSupport"
)


# Phrases of an older version that has no conversion of an operation of StableHLO, and may run its HLO.
NO_CONVERSION = "can't be translated to XLA HLO|failed to legalize operation"


class Session:
    """A session of requests, with a cache of the last compiled modules."""

    def __init__(self, peer):
        self.peer = peer
        self.executable = functools.lru_cache(maxsize=64)(self._executable)
        self.compiled = {}  # by handle
        self.handles = itertools.count(1)

    def _executable(self, hlo, stablehlo, replicas, partitions, *options):
        given = given_module(stablehlo)
        try:
            if given:
                return given, self.peer.compile(given, replicas, partitions, *options)
        except Exception as error:
            if not re.search(NO_CONVERSION, str(error)):
                raise
        module = Module(hlo)
        return module, self.peer.compile(module, replicas, partitions, *options)

    def hello(self, request):
        """Returns the reply to the greeting."""
        versions = request.get("versions", [1])
        return {"hello": 2 if isinstance(versions, list) and 2 in versions else 1, "name": self.peer.name,
                "version": self.peer.version, "ops": None, "types": sorted(DTYPES),
                "max_devices": self.peer.max_devices, "files": True, "stablehlo": True,
                "options": hasattr(self.peer, "trace")}  # fmt: skip

    def compile(self, request, hlo):
        """Compiles a module. Returns the module, its executable, and the number of devices."""
        replicas, partitions = request.get("replicas", 1), request.get("partitions", 1)
        if not isinstance(hlo, str):
            raise BadRequest("the text of a module must be a string")
        devices = replicas * partitions
        if devices > self.peer.max_devices:
            raise Unsupported(f"{devices} devices; this peer has {self.peer.max_devices}")
        stablehlo = bytes.fromhex(request.get("stablehlo_hex", ""))
        return *self.executable(hlo, stablehlo, replicas, partitions, *options_of(request)), devices

    def trace(self, request):
        """Returns the trace of the compiler on a module."""
        if not hasattr(self.peer, "trace") or not isinstance(request["trace"], str):
            raise BadRequest("no trace of this")
        replicas, partitions = request.get("replicas", 1), request.get("partitions", 1)
        return self.peer.trace(Module(request["trace"]), replicas, partitions, *options_of(request))

    def run(self, compiled, inputs):
        """Returns the outputs of all devices."""
        module, execute, devices = compiled
        if not isinstance(inputs, list) or len(inputs) != devices:
            raise BadRequest(f"expected the inputs of {devices} devices")
        arrays = [decode({"tuple": values}, module.parameters) for values in inputs]
        if arrays and not arrays[0]:
            arrays = [[] for _ in range(devices)]
        folder = data_folder(inputs)
        return [encode(iter(result), module.result, folder) for result in execute(arrays)]

    def serve(self, request):
        """Serves a request. Returns the fields of its reply."""
        if "compile" in request:
            handle = f"e{next(self.handles)}"
            self.compiled[handle] = self.compile(request, request["compile"])
            return {"executable": handle}
        if "trace" in request:
            return self.trace(request)
        if "run" in request:
            if request["run"] not in self.compiled:
                raise BadRequest(f"no executable {request['run']}")
            return {"outputs": self.run(self.compiled[request["run"]], request.get("inputs"))}
        return {"outputs": self.run(self.compile(request, request.get("hlo")), request.get("inputs"))}

    def answer(self, request):
        """Returns the reply to one request; "" for none, None to end the session."""
        if not isinstance(request, dict):
            return {"id": None, "status": "error", "message": "a request is a JSON object"}
        if "hello" in request:
            return self.hello(request)
        if "bye" in request:
            return None
        if "release" in request:
            self.compiled.pop(request["release"], None)
            return ""
        identity = request.get("id")
        try:
            return {"id": identity, "status": "ok", **self.serve(request)}
        except Exception as error:
            message = str(error) or type(error).__name__
            unsupported = isinstance(error, Unsupported) or re.search(UNSUPPORTED_MESSAGE, message)
            return {"id": identity, "status": "unsupported" if unsupported else "error", "message": message}


def options_of(request):
    """Returns the compiler options of a request in a list, empty if there are none. They are hashable."""
    if "options" not in request:
        return []
    options = request["options"]
    passes, settings = options.get("disable_passes", []), options.get("settings", {})
    return [Options(tuple(passes), tuple(sorted(settings.items())))]


def serve(make_peer):
    """Answers requests on standard input until its end, with the peer that make_peer returns."""
    # Libraries print to descriptor 1, where the client expects only protocol lines.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    session = Session(make_peer())
    gc.freeze()  # loaded modules are permanent: collections need not visit them
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            reply = {"id": None, "status": "error", "message": f"not JSON: {error}"}
        else:
            reply = session.answer(request)
        if reply is None:
            break
        if not reply:
            continue
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
