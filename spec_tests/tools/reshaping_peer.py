"""A peer of the process protocol that runs entries of exponential and reshape of f32, and reshapes wrongly.

usage: reshaping_peer.py whole|alone|right|sometimes
Its exponential returns the farther neighbour for the first element, which is lawful. `alone`: each reshape exchanges the elements
1 and 2. `whole`: only a reshape of an exponential does, so that every instruction alone is right. `sometimes`: only
every third run of a module is wrong like `alone`. `right`: none is.
"""

import re
import sys

import numpy as np
from peer_loop import serve

SHAPE = re.compile(r"f32\[([\d,]*)\]")
LINE = re.compile(r"\s*(?:ROOT )?%?([\w.-]+) = (\(.*?\)|\S+) ([a-z-]+)\((.*?)\)")


def sizes(shape):
    return [int(size) for size in SHAPE.match(shape)[1].split(",") if size]


class Peer:
    def __init__(self, fault):
        self.fault, self.runs = fault, 0

    def evaluate(self, hlo, inputs):
        """Returns the values of the entry's instructions, and the name of its root."""
        self.runs += 1
        entry = hlo[hlo.index("ENTRY") :].splitlines()[1:]
        values, made_by, root = {}, {}, None
        for line in entry:
            if not (found := LINE.match(line)):
                continue
            name, shape, op, operands = found.groups()
            given = [operand.split()[-1].lstrip("%") for operand in operands.split(",")]
            made_by[name], root = op, name if "ROOT" in line else root
            if op == "parameter":
                values[name] = inputs[int(operands)]
            elif op == "exponential":
                values[name] = np.exp(values[given[0]].astype(np.float64)).astype(np.float32)
                values[name].reshape(-1)[:1].view(np.uint32)[...] ^= 1
            elif op == "reshape":
                values[name] = values[given[0]].reshape(sizes(shape)).copy()
                if self.is_wrong(made_by[given[0]]):
                    values[name].reshape(-1)[[1, 2]] = values[name].reshape(-1)[[2, 1]]
            elif op == "tuple":
                values[name] = tuple(values[operand] for operand in given)
            else:
                raise NotImplementedError(f"no {op}")
        return values[root]

    def is_wrong(self, maker):
        if self.fault == "sometimes":
            return self.runs % 3 == 0
        return self.fault == "alone" or (self.fault == "whole" and maker == "exponential")


def decoded(value):
    return np.frombuffer(bytes.fromhex(value["data_hex"]), np.float32).reshape(sizes(value["shape"]))


def encoded(value):
    if isinstance(value, tuple):
        return {"tuple": [encoded(part) for part in value]}
    return {"shape": f"f32[{','.join(map(str, value.shape))}]", "data_hex": value.tobytes().hex()}


def main():
    peer = Peer(sys.argv[1])

    def answer(request):
        try:
            output = peer.evaluate(request["hlo"], [decoded(value) for value in request["inputs"][0]])
            return {"status": "ok", "outputs": [encoded(output)]}
        except (KeyError, NotImplementedError, TypeError) as error:
            return {"status": "unsupported", "message": str(error)}

    serve(answer, name="reshaping", max_devices=1)


if __name__ == "__main__":
    main()
