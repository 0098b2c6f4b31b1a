"""Golden files as text (docs/golden_format.md): arrays to words and back."""

import dataclasses
import itertools
import pathlib
import re
from fractions import Fraction

import ml_dtypes
import numpy as np

from backends.adapters.xla_peers.values import DTYPES as PEER_DTYPES

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Those that the peers lack too.
DTYPES = PEER_DTYPES | {"s1": np.int8, "u1": np.uint8, "f6e3m2fn": ml_dtypes.float6_e3m2fn,
                        "f6e2m3fn": ml_dtypes.float6_e2m3fn}
COMPONENT = {"c64": "f32", "c128": "f64"}
LONG_RUN = 8
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


# In memory, as Array JSON has it, an element narrower than a byte is a byte with its sign extended.
BYTE_TYPES = {"s1": np.int8, "u1": np.uint8, "s2": np.int8, "s4": np.int8, "u2": np.uint8, "u4": np.uint8}


@dataclasses.dataclass
class Array:
    type: str
    values: np.ndarray

    @property
    def shape(self):
        return f"{self.type}[{','.join(map(str, self.values.shape))}]"

    def is_float(self):
        return is_float(component(self.type))

    def bytes(self):
        values = self.values.astype(BYTE_TYPES[self.type]) if self.type in BYTE_TYPES else self.values
        return values.tobytes()

    @staticmethod
    def from_bytes(shape, data):
        kind, dimensions = parse_shape(shape)
        values = np.frombuffer(data, BYTE_TYPES.get(kind, DTYPES[kind]))
        return Array(kind, values.astype(DTYPES[kind]).reshape(dimensions))

    def bits(self):
        """One unsigned integer for each component."""
        values = components(self)
        if self.type in BYTE_TYPES:
            values = values.astype(BYTE_TYPES[self.type])
        return np.ascontiguousarray(values).view(BITS[values.dtype.itemsize])

    def same(self, other):
        """Equal shapes, and bits equal or both NaN in every component."""
        if self.shape != other.shape:
            return False
        equal = self.bits() == other.bits()
        if self.is_float():
            equal |= np.isnan(components(self).astype(np.float64)) & np.isnan(components(other).astype(np.float64))
        return bool(np.all(equal))


def component(kind):
    return COMPONENT.get(kind, kind)


def width_of(kind):
    """Bits of an element; a pred counts as one."""
    return 1 if kind == "pred" else int(re.search(r"\d+", kind).group())


def is_float(kind):
    return re.match(r"b?f\d", kind) is not None


def components(array):
    flat = np.ascontiguousarray(array.values).reshape(-1)
    return flat.view(DTYPES[COMPONENT[array.type]]) if array.type in COMPONENT else flat


def parse_shape(text):
    kind, dimensions = re.fullmatch(r"(\w+)\[([\d,]*)\](?:\{.*\})?", text).groups()
    return kind, tuple(int(d) for d in dimensions.split(",") if d)


def to_array(shape, words):
    """`words`: numbers, or strings as in the file; one a component."""
    kind, dimensions = parse_shape(shape)
    part = np.dtype(DTYPES[component(kind)])
    values = np.zeros(len(words), part)
    for i, word in enumerate(words):
        if isinstance(word, str) and word.startswith("x"):
            bits = int(word[1:], 16)
            values[i : i + 1] = np.array([bits], BITS[part.itemsize]).view(part)
        elif is_float(component(kind)):
            values[i] = np.float64(word).astype(part)
            value = float(word)
            if value == value and float(values[i]) != value:
                raise ValueError(f"{word} is no value of {kind}")
        else:
            values[i] = int(word)
    return Array(kind, values.view(DTYPES[kind]).reshape(dimensions))


def float_word(value, bits, width, nan_bits):
    number = float(value)
    if number != number:
        return "nan" if bits == nan_bits else f"x{bits:0{width // 4}x}"
    text = f"{number:.7g}"
    is_exact = number in (float("inf"), float("-inf")) or Fraction(text) == Fraction(number)
    return text if is_exact and len(text) <= 9 else f"x{bits:0{width // 4}x}"


def words(array):
    """A word a component."""
    values = components(array)
    if not array.is_float():
        return [str(int(v)) for v in values]
    nan_bits = np.array([np.nan], values.dtype).view(BITS[values.dtype.itemsize])[0]
    width = max(8, width_of(component(array.type)))
    return [float_word(v, b, width, nan_bits) for v, b in zip(values, array.bits())]


def seeded(shape, seed):
    """The values that `seeded` stands for; docs/golden_format.md has the same as ten lines for any program."""
    kind, dimensions = parse_shape(shape)
    part = np.dtype(DTYPES[component(kind)])
    count = int(np.prod(dimensions)) * (2 if kind in COMPONENT else 1)
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


@dataclasses.dataclass
class Case:
    name: str
    reason: str
    arguments: list  # Array
    argument_texts: list = dataclasses.field(default_factory=list)
    want: list = dataclasses.field(default_factory=list)
    entry: str = ""  # the computation that is run; empty: the module's entry


@dataclasses.dataclass
class Golden:
    path: str  # op/file
    module: str  # HLO text without directives
    cases: list
    headers: dict

    def module_of(self, case):
        """The module with the case's entry, and without the computations that this does not need."""
        return with_entry(self.module, case.entry) if case.entry else self.module


def grid_of(module):
    """replica_count and num_partitions."""
    header = module[module.index("HloModule") :].split("\n")[0]
    counts = [re.search(f"{name}=(\\d+)", header) for name in ("replica_count", "num_partitions")]
    return [int(count.group(1)) if count else 1 for count in counts]


def by_device(module, values):
    """Lists of as many values for each device."""
    replicas, partitions = grid_of(module)
    each = len(values) // (replicas * partitions)
    return [values[i * each : (i + 1) * each] for i in range(replicas * partitions)]


def with_entry(module, name):
    """A computation is a block of lines of its own; what it calls stands by name in it."""
    head, *blocks = re.split(r"\n\n(?=[^\n]+\{\n)", module)
    texts = {re.match(r"(?:ENTRY )?([\w.-]+)", block).group(1): block.removeprefix("ENTRY ") for block in blocks}
    wanted, found = [name], set()
    while wanted:
        found.add(callee := wanted.pop())
        wanted += {word for word in re.findall(r"[\w.-]+", texts[callee]) if word in texts} - found
    return "\n\n".join([head, *(("ENTRY " if n == name else "") + t for n, t in texts.items() if n in found)])


def array_of(text):
    shape, *rest = text.split()
    if rest and rest[0] == "seeded":
        return seeded(shape, int(rest[1]))
    runs = [word.split("*") if "*" in word else ("1", word) for word in rest]
    return to_array(shape, [word for count, word in runs for _ in range(int(count))])


def read(path):
    headers, cases, module = {}, [], []
    for line in path.read_text().splitlines():
        if not line.startswith("//!"):
            module.append(line)
            continue
        key, _, rest = line[3:].strip().partition(" ")
        rest = rest.strip()
        if key == "case":
            name, _, reason = rest.partition(" ")
            cases.append(Case(name, reason.strip(), []))
        elif key == "entry":
            cases[-1].entry = rest
        elif key == "arg":
            cases[-1].arguments.append(array_of(rest))
            cases[-1].argument_texts.append(rest)
        elif key == "want":
            cases[-1].want.append(array_of(rest))
        else:
            headers[key] = rest
    return Golden(f"{path.parent.name}/{path.stem}", "\n".join(module).strip(), cases, headers)


def line_of(array):
    """Shape and words, long runs as COUNT*WORD."""
    line = [array.shape]
    for word, run in itertools.groupby(words(array)):
        count = len(list(run))
        line += [f"{count}*{word}"] if count > LONG_RUN else [word] * count
    return " ".join(line)


def render(golden):
    lines = [f"//! {key:<10} {value}" for key, value in golden.headers.items()]
    lines += ["", golden.module.strip(), ""]
    for case in golden.cases:
        lines.append(f"//! case {case.name} {case.reason}")
        lines += [f"//! entry {case.entry}"] if case.entry else []
        lines += [f"//! arg  {text}" for text in case.argument_texts]
        lines += [f"//! want {line_of(array)}" for array in case.want]
    return "\n".join(lines) + "\n"
