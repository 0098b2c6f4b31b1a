"""A peer of the process protocol that answers as `assay serve` does, except for what it declines or changes.

usage: partial_peer.py BEHAVIOUR [WORD...]
    adds            declines every module with another operation than add
    second          declines every second module, by its text
    value           answers "unsupported" to every module, with the right value beside it
    raises          answers every module with an error
    declines WORD.. declines requests with one of the words
    dies WORD..     dies of requests with one of the words
    offers OP..     declines nothing, but names these operations alone when it greets
    flips N BYTE    another bit in a byte of each result of N elements of 32 bits
"""

import json
import os
import re
import shlex
import subprocess
import sys
import zlib

from peer_loop import serve

DECLINED = {"status": "unsupported", "message": "not this one"}


def only_adds(hlo):
    """True if the module adds its parameters and has no other operation."""
    ops = set(re.findall(r"^  .*? = (?:\(.*?\)|\S+) ([a-z][a-z-]*)\(", hlo, re.M))
    return ops == {"parameter", "add"}


def has_one(words, request):
    return any(word in json.dumps(request) for word in words)


def flipped(reply, elements, byte):
    for value in reply.get("outputs", []):
        data = bytearray.fromhex(value["data_hex"])
        if len(data) == 4 * int(elements):
            data[int(byte)] ^= 1
        value["data_hex"] = data.hex()
    return reply


# The reply of each behaviour to a request; `ask` returns the right one.
BEHAVIOURS = {
    "adds": lambda request, ask: ask(request) if only_adds(request["hlo"]) else DECLINED,
    "second": lambda request, ask: ask(request) if zlib.crc32(request["hlo"].encode()) % 2 else DECLINED,
    "value": lambda request, ask: {**ask(request), **DECLINED},
    "raises": lambda request, ask: {"status": "error", "message": "NotImplementedError"},
    "declines": lambda request, ask, *words: DECLINED if has_one(words, request) else ask(request),
    "dies": lambda request, ask, *words: sys.exit("never that") if has_one(words, request) else ask(request),
    "offers": lambda request, ask, *ops: ask(request),
    "flips": lambda request, ask, elements, byte: flipped(ask(request), elements, byte),
}


def backend(*arguments):
    """Returns the backend that is this peer."""
    return "process:exec " + shlex.join([sys.executable, __file__, *map(str, arguments)])


def main():
    """Answers until the messages end."""
    behaviour, *words = sys.argv[1:]
    command = [os.environ["ASSAY"], "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:

        def ask(message):
            print(json.dumps(message), file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())

        greeting = {**ask({"hello": 1}), "name": behaviour, "files": False}
        greeting |= {"ops": words} if behaviour == "offers" else {}
        serve(lambda request: BEHAVIOURS[behaviour](request, ask, *words), **greeting)
        server.stdin.close()


if __name__ == "__main__":
    main()
