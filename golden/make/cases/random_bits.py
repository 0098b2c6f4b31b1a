"""Goldens of rng-bit-generator: ten keys for each algorithm and each type of the bits."""

from golden.make.modules import add_family
from golden.make.values import Sample

KEYS = [0, 1, 2, 42, 0xFFFFFFFF, 1 << 32, (1 << 63) + 5, 2**64 - 1, 0x0123456789ABCDEF, 0xFEDCBA9876543210]
COUNTERS = [0, 0, 1, 7, 2**32 - 1, 2**64 - 1, 12345678901234567890, 2**64 - 2, 1 << 63, 3]
HIGH_COUNTERS = [0, 5, 2**64 - 1, 0, 1, 2**64 - 1, 7, 2**32, 9, 1]
TYPES = ("u32", "u64", "u8", "u16", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64")


def add_to(corpus):
    """Adds all files of this module."""
    for algorithm, words, name in (("rng_three_fry", 2, "three_fry"), ("rng_philox", 3, "philox"),
                                   ("rng_philox", 2, "philox_two_words"), ("rng_default", 3, "default")):
        states = [state[:words] for state in zip(KEYS, COUNTERS, HIGH_COUNTERS)]
        samples = {}
        for kind in TYPES if name in ("three_fry", "philox") else ("u32", "u64", "u8"):
            samples[kind] = Sample(f"u64[{words}] -> (u64[{words}], {kind}[7])", f"algorithm={algorithm}", [states[0]],
                                   reason="the bits and the next state are those of the algorithm",
                                   more={f"_key{i}": [state] for i, state in enumerate(states[1:], 1)})
        for shape in ("2,5", "3,2,2", "0", "1", "33", ""):
            samples[f"u32_shape_{shape.replace(',', 'x') or 'scalar'}"] = Sample(
                f"u64[{words}] -> (u64[{words}], u32[{shape}])", f"algorithm={algorithm}", [states[6]],
                reason="a shape")
        add_family(corpus, f"rng-bit-generator/{name}", samples, oracle="XLA:CPU")
