"""The adapter of XLA:CPU, which also reports the parts of its processor time: `timed_adapter.py FILE`.

After each reply FILE holds the seconds of the whole process, of its requests, and of their calls of jaxlib: XLA's
compiler, the compiled programs, and the conversions between XLA's forms of a module.
"""

import json
import pathlib
import sys
import time

from backends.adapters.xla_peers import jaxlib_api, session
from backends.adapters.xla_peers.pjrt import Pjrt

PARTS = {
    "compile_module": "compile",
    "execute": "run",
    "hlo_module_from_text": "convert",
    "hlo_to_stablehlo": "convert",
    "stablehlo_to_hlo": "convert",
}
SECONDS = dict.fromkeys([*PARTS.values(), "requests", "process"], 0.0)


def timed(name, function):
    """Returns the function; adds the processor time of its calls to the entry `name`."""

    def call(*arguments):
        start = time.process_time()
        try:
            return function(*arguments)
        finally:
            SECONDS[name] += time.process_time() - start

    return call


def main():
    """Answers requests. Each process of a check writes its own file, because a peer that crashed is started anew."""
    file = pathlib.Path(f"{sys.argv[1]}.{time.time_ns()}")
    for function, part in PARTS.items():
        setattr(jaxlib_api, function, timed(part, getattr(jaxlib_api, function)))
    answer = timed("requests", session.Session.answer)

    def answer_and_write(self, request):
        reply = answer(self, request)
        SECONDS["process"] = time.process_time()
        file.write_text(json.dumps(SECONDS))
        return reply

    session.Session.answer = answer_and_write
    session.serve(Pjrt)


if __name__ == "__main__":
    main()
