"""Short programs in the form of this package's modules, and their golden files."""

import dataclasses
import re

import numpy as np

from golden.make.values import called
from golden.witness import arrays
from golden.witness.arrays import Array, to_array
from golden.witness.element_types import COMPLEX, ELEMENT_TYPES, FORMATS, is_float, limits

INF, NAN = float("inf"), float("nan")
FLOATS = ("f32", "f64", "bf16", "f16")
ALL_FLOATS = (*FLOATS, "f8e5m2", "f8e4m3fn")
SIGNED = ("s8", "s16", "s32", "s64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = ("s8", "u8", "s32", "u32", "s64", "u64")
MOVED = ("f32", "s8", "bf16", "u64", "c64", "pred")  # One of each width and kind, for ops that only move elements.
ORACLE = "exact arithmetic, XLA:CPU"
# The forms of a program, and their text in the reason of a case.
FORMS = {"parameters": "", "constants": "; all operands constant", "mixed": "; some operands constant"}


@dataclasses.dataclass
class Program:
    """A program for several element types.

    `lines`: one instruction each, "NAME = SHAPE op(...)", the last one the root. In them T is the element type, and
    other letters are the other keys of a row of `kinds`. A shape without dimensions has those of the first operand, and
    "NAME = SHAPE splat NUMBER" is a constant broadcast to it. `operands` is "x:T[2,3] i:s32[]". `values` is a row of
    numbers for each operand, or a function from the kinds to the rows. `fixed`: the operands that are constants in the
    form `mixed`; `fixed_kinds`: the types of that form, if not all. `folds`: true if there is a form with constants
    only. `more`: further cases; None in place of values omits the case.
    """

    name: str
    reason: str
    kinds: tuple
    operands: str
    lines: str
    values: object
    fixed: str = ""
    computations: str = ""
    folds: bool = True
    fixed_kinds: tuple = ()
    more: dict = dataclasses.field(default_factory=dict)  # further values, by the ends of the cases' names


def maximum(kind):
    """Returns the largest finite number of a float type."""
    return float(FORMATS[kind].max_finite)


def least(kind):
    """Returns the least normal number."""
    return 2.0 ** FORMATS[kind].least_exponent


def bits(kind):
    """Returns the number of significant bits of a float type."""
    return FORMATS[kind].mantissa_bits + 1


def specials(kind):
    """Returns ten numbers of a float type at which identities of real numbers fail."""
    big = maximum(kind)
    infinities = [INF, -INF] if FORMATS[kind].has_infinity else [big, -big]
    return [NAN, *infinities, 0.0, -0.0, big, -big, 1.0, -2.0, 3.0]


def ends(kind):
    """Returns eight numbers of an integer type: its ends and their neighbors, zero and ones."""
    low, high = limits(kind)
    return [low, low + 1, high, high - 1, 0, 1, -1 if low else 2, 5]


def literal(array):
    """Returns the array as a constant in HLO text."""
    def word(value):
        if array.type in COMPLEX:
            return f"({float(value.real)!r}, {float(value.imag)!r})"
        if array.type == "pred":
            return "true" if value else "false"
        return repr(float(value)) if is_float(array.type) else str(int(value))

    def nested(values):
        return word(values) if values.ndim == 0 else "{" + ", ".join(map(nested, values)) + "}"

    return nested(array.values if array.values.ndim else np.asarray(array.values))


def filled(text, kinds):
    """Returns the text with the element types in place of their letters."""
    for letter, kind in kinds.items():
        text = re.sub(rf"(?<![A-Za-z0-9]){letter}(?![A-Za-z0-9])", kind, text)
    return text


def instruction(line, dimensions, is_root):
    """Returns the text of a line of a program: one instruction, or two for a splat."""
    name, rest = (part.strip() for part in line.split(" = ", 1))
    shape, rest = re.match(r"(\(.*?\)(?= \w)|\S+) (.*)", rest).groups()
    if re.fullmatch(r"\w+", shape):
        shape += dimensions
    root = "ROOT " if is_root else ""
    if not rest.startswith("splat "):
        return f"  {root}{name} = {shape} {rest}\n"
    kind = shape.split("[")[0]
    return (f"  {name}.0 = {kind}[] constant({rest.removeprefix('splat ')})\n"
            f"  {root}{name} = {shape} broadcast({name}.0), dimensions={{}}\n")


def computation(program, kinds, name, constants):
    """Returns the text of the computation `name`; `constants` are the arrays of operands that are not parameters, by
    name."""
    operands = [operand.split(":") for operand in filled(program.operands, kinds).split()]
    text, place = f"{name} {{\n", 0
    for operand, shape in operands:
        if operand in constants:
            text += f"  {operand} = {shape} constant({literal(constants[operand])})\n"
        else:
            text += f"  {operand} = {shape} parameter({place})\n"
            place += 1
    dimensions = re.search(r"\[[^\]]*\]", operands[0][1]).group() if operands else "[]"
    lines = [line for line in filled(program.lines, kinds).strip().splitlines() if line.strip()]
    for line in lines:
        text += instruction(line, dimensions, line is lines[-1])
    return text + "}"


def operands_of(program, kinds, values):
    """Returns the Arrays of the operands, by name."""
    shapes = [operand.split(":") for operand in filled(program.operands, kinds).split()]
    return {name: row if isinstance(row, Array) else arrays.array_of(f"{shape} {row}") if isinstance(row, str) else
            to_array(shape, row) for (name, shape), row in zip(shapes, values, strict=True)}


def types_of(kinds):
    """Returns the element types among the values of letters."""
    return [kind for kind in kinds.values() if kind in ELEMENT_TYPES]


def cases_of(program, kinds):
    """Returns the ends of the cases' names, and their values."""
    for end, rows in {"": program.values, **program.more}.items():
        values = rows(*types_of(kinds)) if callable(rows) else rows
        if values is not None:
            yield f"_{end}" if end else "", values


def blocks_of(program):
    """Returns the computations of a file, and its cases: (name, form, entry, arguments)."""
    blocks, cases = [], []
    for row in program.kinds:
        kinds = row if isinstance(row, dict) else {"T": row}
        name = "_".join(types_of(kinds))
        texts = filled(program.computations, kinds).strip().split("\n\n")
        blocks += [text for text in texts if text and text not in blocks]
        is_fixed = not program.fixed_kinds or kinds["T" if "T" in kinds else "I"] in program.fixed_kinds
        for end, values in cases_of(program, kinds):
            operands = operands_of(program, kinds, values)
            for form in FORMS:
                # All operands constant: in two types only, since most peers fold the program before they run it.
                if (form == "constants" and (not program.folds or row not in (program.kinds[0], program.kinds[-1])) or
                        form == "mixed" and not (program.fixed and is_fixed)):
                    continue
                chosen = {"parameters": (), "constants": operands, "mixed": program.fixed.split()}[form]
                constants = {n: operands[n] for n in chosen}
                case = name + end + {"parameters": ""}.get(form, f"_{form}")
                entry = f"on_{case if constants else name}"
                text = computation(program, kinds, entry, constants)
                if text not in blocks:
                    blocks.append(text)
                cases.append((case, form, entry, [a for n, a in operands.items() if n not in constants]))
    return blocks, cases


def add_program(corpus, folder, clause, program):
    """Adds the file of a program to the corpus."""
    blocks, cases = blocks_of(program)
    first = next(i for i, block in enumerate(blocks) if block.startswith("on_"))
    blocks[first] = "ENTRY " + blocks[first]
    text = f"HloModule {program.name}\n\n" + "\n\n".join(blocks)
    kinds = dict.fromkeys(t for row in program.kinds for t in types_of(row if isinstance(row, dict) else {"T": row}))
    add = corpus.file(f"{folder}/{program.name}", text, f"{folder} {' '.join(kinds)} level1", ORACLE, clause=clause)
    for name, form, entry, values in cases:
        add(name, program.reason + FORMS[form], *values, entry=entry)


def combiner(op, attributes=""):
    """A computation of two scalars, op_T, that is one op."""
    result = "pred" if op == "compare" else "T"
    return called(f"{op}_T", "x:T[] y:T[]", f"ROOT z = {result}[] {op}(x, y){attributes}")


def order(direction, name="order"):
    """A comparison of two scalars, NAME_T."""
    return combiner("compare", f", direction={direction}").replace("compare_T", f"{name}_T")


def with_literal(number, kinds, letter="L"):
    """Returns rows of kinds in which a letter is a number that depends on the type."""
    return tuple({"T": kind, letter: str(number(kind))} for kind in kinds)


def in_pairs(*pairs):
    """Returns rows of kinds: T and U."""
    return tuple({"T": first, "U": second} for first, second in pairs)
