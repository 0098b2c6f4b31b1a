"""Quantized arithmetic by the definitions of StableHLO's specification ("Quantization computations"), in fractions:
every step of the expressed type is an exact operation and one rounding."""

import dataclasses
from fractions import Fraction

from golden.witness.arrays import Array
from golden.witness.evaluator.rounding import floor_log2

# The precision of the expressed types, in bits. Values here stay inside their exponents.
PRECISION = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}


def rounded(number, expressed):
    """Rounds a fraction to the nearest number of a floating type, ties to even."""
    number = Fraction(number)
    if number == 0:
        return number
    unit = Fraction(2) ** (floor_log2(abs(number)) + 1 - PRECISION[expressed])
    return round(number / unit) * unit  # round() of a Fraction rounds ties to even


@dataclasses.dataclass(frozen=True)
class Quantized:
    """A quantized type; several scales are those of the slices of a dimension, or of blocks in row-major order."""
    storage: str = "i8"
    expressed: str = "f32"
    scales: tuple = ("0.5",)
    zero_points: tuple = (0,)
    limits: tuple = ()
    dimension: int = None
    blocks: tuple = ()  # of dimensions and sizes of a block in them
    counts: tuple = ()  # of the blocks in each dimension

    def element(self):
        """Returns the text of the type."""
        limits = f"<{self.limits[0]}:{self.limits[1]}>" if self.limits else ""
        parameters = [f"{scale}:{zero_point}" for scale, zero_point in zip(self.scales, self.zero_points)]
        pairs = ", ".join(parameters)
        if self.counts:
            sizes = ", ".join(f"{dimension}:{size}" for dimension, size in self.blocks)
            for count in reversed(self.counts):
                parameters = [f"{{{', '.join(parameters[i : i + count])}}}" for i in range(0, len(parameters), count)]
            return f"!quant.uniform<{self.storage}{limits}:{self.expressed}:{{{sizes}}}, {parameters[0]}>"
        if self.dimension is None:
            return f"!quant.uniform<{self.storage}{limits}:{self.expressed}, {pairs}>"
        return f"!quant.uniform<{self.storage}{limits}:{self.expressed}:{self.dimension}, {{{pairs}}}>"

    def tensor(self, *sizes):
        """Returns the text of a tensor of it."""
        return f"tensor<{''.join(f'{size}x' for size in sizes)}{self.element()}>"

    def range(self):
        """Returns the least and the largest integer."""
        bits = int(self.storage[1:])
        whole = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if self.storage[0] == "i" else (0, 2**bits - 1)
        return self.limits or whole

    def block(self, index):
        """Returns the number of the block of an element, for the other functions."""
        sizes, number = dict(self.blocks), 0
        for dimension, (place, count) in enumerate(zip(index, self.counts)):
            number = number * count + (place // sizes[dimension] if dimension in sizes else 0)
        return number

    def scale(self, slice_=0):
        """Returns a scale, rounded to the expressed type."""
        return rounded(Fraction(self.scales[slice_]), self.expressed)

    def dequantize(self, integer, slice_=0):
        """Returns the number that an integer represents."""
        steps = rounded(integer - self.zero_points[slice_], self.expressed)
        return rounded(steps * self.scale(slice_), self.expressed)

    def quantize(self, number, slice_=0):
        """Returns the integer that represents a number of the expressed type."""
        least, largest = (rounded(limit, self.expressed) for limit in self.range())
        scaled = rounded(number / self.scale(slice_), self.expressed)
        shifted = rounded(scaled + rounded(self.zero_points[slice_], self.expressed), self.expressed)
        integer = round(min(max(shifted, least), largest))
        bits = int(self.storage[1:])
        whole = dataclasses.replace(self, limits=()).range()
        assert bits <= 32
        return min(max(integer, whole[0]), whole[1])  # the conversion to the storage type saturates


def numbers_of(output):
    """Returns the numbers of an output of `assay run --format json`, in row-major order; truth values as integers."""
    array = Array.from_bytes(output["shape"], bytes.fromhex(output["data_hex"]))
    return [Fraction(float(value)) if array.is_float() else int(value) for value in array.values.flat]
