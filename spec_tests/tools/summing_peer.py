"""A peer of the process protocol that adds the elements of its first input in a known order.

usage: summing_peer.py ORDER
    numpy      np.sum of the type: pairwise down to blocks of 128 in eight lanes
    truncating one after the other, in an accumulator of 24 bits that rounds toward zero
    fused      four at once into an accumulator of f32, as a matrix unit adds: aligned to the largest one, of which
               26 further bits are kept
    kahan      one after the other, with compensation: no tree
    flips      np.sum, and every seventh answer has another last bit
    devices    np.sum on even devices, fused on the others
Floats are f32 or f16; a second input has the factor of each term.
"""

import itertools
import math
import sys
from fractions import Fraction

import numpy as np
from peer_loop import serve

ALIGNED = 26
TYPES = {"f32": np.float32, "f16": np.float16}


def value(json_value):
    """Returns the array of a value of the protocol."""
    name, sizes = json_value["shape"].split("]")[0].split("[")
    array = np.frombuffer(bytes.fromhex(json_value["data_hex"]), TYPES[name])
    return array.reshape([int(size) for size in sizes.split(",") if size])


def toward_zero(exact):
    """Returns the f32 next to a fraction, toward zero."""
    near = np.float32(float(exact))
    return np.nextafter(near, np.float32(0)) if abs(Fraction(float(near))) > abs(exact) else near


def truncating(terms):
    sum = np.float32(0)
    for term in terms:
        sum = toward_zero(Fraction(float(sum)) + Fraction(float(term)))
    return sum


def fused(terms):
    sum = np.float32(0)
    for first in range(0, len(terms), 4):
        addends = [float(sum), *map(float, terms[first:first + 4])]
        place = math.ldexp(1, math.frexp(max(map(abs, addends)))[1] - 1 - ALIGNED)
        sum = np.float32(math.fsum(math.trunc(addend / place) * place for addend in addends))
    return sum


def kahan(terms):
    sum = rest = np.float32(0)
    for term in terms:
        y = np.float32(term - rest)
        t = np.float32(sum + y)
        rest, sum = np.float32(np.float32(t - sum) - y), t
    return sum


SUMS = {"numpy": np.sum, "flips": np.sum, "devices": np.sum, "truncating": truncating, "fused": fused, "kahan": kahan}


def output(order, inputs, is_other):
    """Returns the output of one device for its inputs."""
    names = {type: name for name, type in TYPES.items()}
    terms = inputs[0] if len(inputs) == 1 else (inputs[0].ravel() * inputs[1].ravel()).astype(inputs[0].dtype)
    sum = np.asarray((fused if order == "devices" and is_other else SUMS[order])(terms)).astype(terms.dtype)
    if order == "flips" and is_other:
        sum = np.nextafter(sum, terms.dtype.type(np.inf))
    shape = f"{names[terms.dtype.type]}[{','.join(['1'] * (inputs[0].ndim if len(inputs) > 1 else 0))}]"
    return {"shape": shape, "data_hex": sum.tobytes().hex()}


def main():
    order, numbers = sys.argv[1], itertools.count(1)

    def answer(request):
        is_seventh = next(numbers) % 7 == 0
        outputs = [output(order, list(map(value, inputs)), device % 2 if order == "devices" else is_seventh)
                   for device, inputs in enumerate(request["inputs"])]  # fmt: skip
        return {"status": "ok", "outputs": outputs}

    serve(answer, name=order, max_devices=4)


main()
