"""A peer of the process protocol that answers as `assay serve` does, except for what it declines.

usage: partial_peer.py ASSAY BEHAVIOUR
    adds      declines every module with another operation than add
    second    declines every second module, by its text
    value     answers "unsupported" to every module, with the right value beside it
    raises    answers every module with an error
"""

import json
import re
import subprocess
import sys
import zlib


def only_adds(hlo):
    """True if the module adds its parameters and has no other operation."""
    ops = set(re.findall(r"^  .*? = (?:\(.*?\)|\S+) ([a-z][a-z-]*)\(", hlo, re.M))
    return ops == {"parameter", "add"}


def answer(behaviour, request, ask):
    """Returns the reply of a behaviour to a request; `ask` returns the right one."""
    declined = {"id": request["id"], "status": "unsupported", "message": "not this one"}
    if behaviour == "adds":
        return ask(request) if only_adds(request["hlo"]) else declined
    if behaviour == "second":
        return ask(request) if zlib.crc32(request["hlo"].encode()) % 2 else declined
    if behaviour == "value":
        return {**ask(request), "status": "unsupported", "message": "not this one"}
    return {"id": request["id"], "status": "error", "message": "NotImplementedError"}


def main():
    """Answers until the messages end."""
    program, behaviour = sys.argv[1:]
    with subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:

        def ask(message):
            print(json.dumps(message), file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())

        for request in map(json.loads, sys.stdin):
            if "bye" in request:
                break
            if "hello" in request:
                reply = {**ask({"hello": 1}), "name": behaviour}
            else:
                reply = answer(behaviour, request, ask)
            print(json.dumps(reply), flush=True)
        server.stdin.close()


if __name__ == "__main__":
    main()
