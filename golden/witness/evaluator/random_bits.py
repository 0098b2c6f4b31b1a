"""rng-bit-generator: Philox and Threefry, and the order in which XLA assigns their words to elements.

J. Salmon, M. Moraes, R. Dror and D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011.
"""

import math
import random
import re
from fractions import Fraction

import mpmath
import numpy as np

from golden.witness.arrays import Array, parse_shape
from golden.witness.element_types import BITS, DTYPES, is_float, is_integer, width_of
from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rounding import encode, rounded

M32, M64 = 2**32 - 1, 2**64 - 1
ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)


def philox(counter, key):
    """Runs ten rounds of two multiplications on four words. The key increases by the golden ratio and sqrt(3) - 1."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(c[0] * 0xD2511F53, 2**32)
        high1, low1 = divmod(c[2] * 0xCD9E8D57, 2**32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def three_fry(counter, key):
    """Runs twenty rounds of add, rotate, xor on two words. After every four rounds, key words and a counter are
    added."""
    keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA]
    a, b = (counter[0] + keys[0]) & M32, (counter[1] + keys[1]) & M32
    for r in range(20):
        a = (a + b) & M32
        b = ((b << ROTATIONS[r % 8]) | (b >> (32 - ROTATIONS[r % 8]))) & M32
        b ^= a
        if r % 4 == 3:
            s = r // 4 + 1
            a, b = (a + keys[s % 3]) & M32, (b + keys[(s + 1) % 3] + s) & M32
    return [a, b]


def words_of(number):
    """Returns the low and the high word of 64 bits."""
    return [number & M32, number >> 32 & M32]


def philox_bits(state, is_wide, shape):
    """Returns words for each element, in order, and the next state. The low word of a wide element comes first."""
    count = math.prod(shape)
    blocks = -(-count // (2 if is_wide else 4))
    # Without a third word, the high half of the counter is the key.
    first = state[1] + ((state[2] if len(state) == 3 else state[0]) << 64)
    words = []
    for counter in range(first, first + blocks):
        words += philox(words_of(counter & M64) + words_of(counter >> 64 & M64), words_of(state[0]))
    if is_wide:
        words = [low | high << 32 for low, high in zip(words[::2], words[1::2])]
    after = state[1] + (state[2] << 64 if len(state) == 3 else 0) + blocks
    return words[:count], [state[0], after & M64, after >> 64 & M64][: len(state)]


def three_fry_bits(state, is_wide, shape):
    """Returns words and the next state. The two words of a block are neighbors along the first dimension of an even
    size, or the largest one."""

    def block(i):
        return three_fry(words_of((state[1] + i) & M64), words_of(state[0]))

    if is_wide:
        blocks = math.prod(shape)
        words = [low | high << 32 for low, high in map(block, range(blocks))]
    else:
        sizes = shape or (1,)
        split = next((d for d, n in enumerate(sizes) if n % 2 == 0), sizes.index(max(sizes)))
        numbers = np.arange(math.prod(halved(sizes, split))).reshape(halved(sizes, split))
        blocks, words = numbers.size, []
        for index in np.ndindex(*sizes):
            pair = tuple(i // 2 if d == split else i for d, i in enumerate(index))
            words.append(block(int(numbers[pair]))[index[split] % 2])
    return words, [state[0], (state[1] + blocks) & M64]


def halved(sizes, split):
    """Returns the sizes with one of them halved, rounded up."""
    return [-(-n // 2) if d == split else n for d, n in enumerate(sizes)]


def rng_bit_generator(instruction, state):
    """Returns the next state and the bits: an element has the low bits of its word."""
    kind, shape = parse_shape(re.findall(r"\w+\[[\d,]*\]", instruction.shape)[-1])
    algorithm = instruction.text("algorithm")
    # The specification leaves rng_default open; here it is Philox, as on XLA:CPU.
    make = {"rng_three_fry": three_fry_bits, "rng_philox": philox_bits, "rng_default": philox_bits}.get(algorithm)
    if make is None:
        raise NotDerived(f"rng-bit-generator of {algorithm}")
    words, after = make([int(v) for v in state.values], width_of(kind) == 64, shape)
    bits = bits_array(kind, words, shape)
    return [integers("u64", after, (len(after),)), bits] if instruction.shape.startswith("(") else bits


def bits_array(kind, words, shape):
    """Returns an array whose elements have the low bits of the words."""
    if is_integer(kind):
        return integers(kind, words, shape)
    dtype = np.dtype(DTYPES[kind])
    mask = (1 << width_of(kind)) - 1
    return Array(kind, np.array([w & mask for w in words], BITS[dtype.itemsize]).view(dtype).reshape(shape))


GENERATOR = random.Random(4)


def rng(instruction, low, high):
    """Returns lawful numbers of a generator that no implementation uses: a golden may only pin properties of all of
    them."""
    kind, shape = parse_shape(instruction.shape)
    count = math.prod(shape)
    if not is_float(kind):
        first, last = int(low.values.item()), int(high.values.item()) - 1
        return integers(kind, [GENERATOR.randint(first, max(first, last)) for _ in range(count)], shape)
    a, b = float(low.values.item()), float(high.values.item())
    if instruction.text("distribution") == "rng_normal":
        drawn = [rounded(kind, mpmath.mpf(a) + mpmath.mpf(b) * GENERATOR.gauss(0, 1)) for _ in range(count)]
    else:
        drawn = [uniform(kind, a, b) for _ in range(count)]
    return Array(kind, encode(kind, drawn).reshape(shape))


def uniform(kind, a, b):
    """Returns a number of [a, b), even after rounding; a if there is none."""
    while a < b:
        number = rounded(kind, Fraction(a) + (Fraction(b) - Fraction(a)) * Fraction(GENERATOR.random()))
        if a <= number < b:
            return number
    return a


OPS = {"rng-bit-generator": rng_bit_generator, "rng": rng}
