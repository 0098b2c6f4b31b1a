"""Arrays of any element type: their bytes, bits, and words as golden files have them (docs/golden_format.md)."""

import dataclasses
import itertools
import math
import re
from fractions import Fraction

import numpy as np

from golden.witness.element_types import BITS, COMPLEX, DTYPES, component, is_float, limits, stored_type, width_of

LONG_RUN = 8


@dataclasses.dataclass
class Array:
    """An array of an element type, by its HLO name, and its values in the numpy type that holds them."""

    type: str
    values: np.ndarray
    sizes: dict = dataclasses.field(default_factory=dict)  # run-time sizes below the bounds, by dimension

    @property
    def shape(self):
        """Returns the shape in HLO's form, without a layout."""
        return f"{self.type}[{','.join(map(str, self.values.shape))}]"

    def is_float(self):
        """True if its components are floats."""
        return is_float(component(self.type))

    def bytes(self):
        """Returns the bytes in Array JSON."""
        return self.values.astype(stored_type(self.type)).tobytes()

    @staticmethod
    def from_bytes(shape, data):
        """Returns the array of a shape that has these bytes in Array JSON."""
        kind, dimensions = parse_shape(shape)
        values = np.frombuffer(data, stored_type(kind))
        return Array(kind, values.astype(DTYPES[kind]).reshape(dimensions))

    def bits(self):
        """Returns one unsigned integer for each component."""
        values = components(self).astype(stored_type(component(self.type)))
        return np.ascontiguousarray(values).view(BITS[values.dtype.itemsize])

    def digest(self):
        """Returns FNV-1a, 64 bits, of the bytes of all components; every NaN counts as the positive quiet one."""
        values = self.values.astype(stored_type(self.type))
        if self.is_float():
            parts = components(Array(self.type, values)).copy()
            parts[is_nan(parts)] = np.nan
            values = parts
        value = 0xCBF29CE484222325
        for byte in values.tobytes():
            value = (value ^ byte) * 0x100000001B3 % 2**64
        return value

    def same(self, other):
        """True if the shapes are equal, and all components have equal bits or are both NaN."""
        if self.shape != other.shape:
            return False
        equal = self.bits() == other.bits()
        if self.is_float():
            equal |= is_nan(components(self)) & is_nan(components(other))
        return bool(np.all(equal))


@dataclasses.dataclass
class Digest:
    """The description of a large array in a golden file: its shape, and FNV-1a of its bytes
    (docs/golden_format.md#values)."""

    shape: str
    value: int

    def digest(self):
        """Returns the digest itself."""
        return self.value

    def same(self, other):
        """True if an array has the shape and the digest."""
        return self.shape == other.shape and self.value == other.digest()


def components(array):
    """Returns the values in a row; a complex number is its real part, then its imaginary one."""
    flat = np.ascontiguousarray(array.values).reshape(-1)
    return flat.view(DTYPES[COMPLEX[array.type]]) if array.type in COMPLEX else flat


def one_or_tuple(values):
    """Returns the value of a result: of several arrays a tuple."""
    return values[0] if len(values) == 1 else values


def is_nan(values):
    """Returns a mask of the NaNs of any float type; numpy has no such function for all of them."""
    with np.errstate(invalid="ignore"):  # A signaling NaN is a NaN, too.
        return np.isnan(values.astype(np.float64))


def parse_shape(text):
    """Returns element type and dimensions of an array shape, with or without a layout."""
    match = re.fullmatch(r"(\w+)\[([\d,]*)\](?:\{.*\})?", text)
    if match is None or match[1] not in DTYPES:
        raise ValueError(f"{text} is not an array shape")
    kind, dimensions = match.groups()
    return kind, tuple(int(d) for d in dimensions.split(",") if d)


def to_array(shape, words):
    """Returns an array of `words`: numbers, or strings as in the file; one for each component."""
    kind, dimensions = parse_shape(shape)
    if len(words) != math.prod(dimensions) * (2 if kind in COMPLEX else 1):
        raise ValueError(f"{len(words)} words for {shape}")
    part = component(kind)
    values = np.zeros(len(words), DTYPES[part])
    are_bits = np.array([isinstance(word, str) and word.startswith("x") for word in words], bool)
    values[are_bits] = of_bits(part, [int(word[1:], 16) for word in itertools.compress(words, are_bits)])
    numbers = list(itertools.compress(words, ~are_bits))
    values[~are_bits] = floats_of(part, numbers) if is_float(part) else integers_of(part, numbers)
    return Array(kind, values.view(DTYPES[kind]).reshape(dimensions))


def of_bits(kind, patterns):
    """Returns an array of the numbers with these bits."""
    for bits in patterns:
        if bits >> max(8, width_of(kind)):
            raise ValueError(f"x{bits:x} is wider than {kind}")
    stored = np.dtype(stored_type(kind))
    return np.array(patterns, BITS[stored.itemsize]).view(stored).astype(DTYPES[kind])


def floats_of(kind, words):
    """Returns an array of the numbers of decimal words, which must be exact."""
    wanted = np.array([float(word) for word in words])
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = wanted.astype(DTYPES[kind])
        is_exact = np.isnan(wanted) | (numbers.astype(np.float64) == wanted)
    if not is_exact.all():
        raise ValueError(f"cannot read {words[np.flatnonzero(~is_exact)[0]]} as {kind}")
    return numbers


def integers_of(kind, words):
    """Returns the numbers of words, which must be in the range."""
    low, high = (0, 1) if kind == "pred" else limits(kind)
    numbers = [int(word) for word in words]
    for word, number in zip(words, numbers):
        if not low <= number <= high:
            raise ValueError(f"cannot read {word} as {kind}")
    return numbers


def float_word(value, bits, width, nan_bits):
    """Returns the shortest word that is exactly the number: a decimal, or the bits."""
    number = float(value)
    if number != number:
        return "nan" if bits == nan_bits else f"x{bits:0{width // 4}x}"
    text = f"{number:.7g}"
    # Fractions are slow, and few words need them: whole numbers of seven digits are exact.
    is_exact = number in (float("inf"), float("-inf")) or float(text) == number and (
        abs(number) < 1e7 and number.is_integer() or Fraction(text) == Fraction(number))
    return text if is_exact and len(text) <= 9 else f"x{bits:0{width // 4}x}"


def words(array):
    """Returns a word for each component."""
    values = components(array)
    if not array.is_float():
        return [str(int(v)) for v in values]
    nan_bits = np.array([np.nan], values.dtype).view(BITS[values.dtype.itemsize])[0]
    width = max(8, width_of(component(array.type)))
    return [float_word(v, b, width, nan_bits) for v, b in zip(values, array.bits())]


def seeded(shape, seed):
    """Returns the values of `seeded`; docs/golden_format.md has the same in ten lines for any program."""
    kind, dimensions = parse_shape(shape)
    part = np.dtype(DTYPES[component(kind)])
    count = math.prod(dimensions) * (2 if kind in COMPLEX else 1)
    z = np.uint64(seed) + (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    if kind == "pred":
        values = z >> np.uint64(63) == 1
    elif is_float(component(kind)):
        values = ((z >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0).astype(part)
    else:
        values = (z % np.uint64(17)).astype(np.int64) - (0 if kind.startswith("u") else 8)
    return Array(kind, values.astype(part).view(DTYPES[kind]).reshape(dimensions))


def array_of(text):
    """Returns the array of a line: a shape and words, runs as COUNT*WORD, or a shape and `seeded N`."""
    shape, *rest = text.split()
    if rest and rest[0] == "seeded":
        return seeded(shape, int(rest[1]))
    runs = [word.split("*") if "*" in word else ("1", word) for word in rest]
    return to_array(shape, [word for count, word in runs for _ in range(int(count))])


def line_of(array):
    """Returns shape and words, long runs as COUNT*WORD."""
    line = [array.shape]
    for word, run in itertools.groupby(words(array)):
        count = len(list(run))
        line += [f"{count}*{word}"] if count > LONG_RUN else [word] * count
    return " ".join(line)
