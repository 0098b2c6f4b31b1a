"""Writes self-checking modules for `stablehlo-translate --interpret`: one for each decided case on one device.

    python interpret.py OUT [--suite FOLDER] [--filter TEXT]
    for f in $(find OUT -name '*.mlir'); do stablehlo-translate --interpret $f || echo $f; done

A module has its inputs as constants. It computes for each number of the results whether it is accepted, and checks that
all are, with check.expect_eq_const. The suite must have the format stablehlo or pytest.
"""

import argparse
import collections
import pathlib
import re

import numpy as np
import suite_cases


class Text:
    """The body of a function in MLIR's generic form."""

    def __init__(self):
        self.lines, self.count = [], 0

    def add(self, name, operands, result, attributes="", types=()):
        """Appends an operation with one result and returns its name."""
        value, self.count = f"%v{self.count}", self.count + 1
        self.lines.append(f'    {value} = "{name}"({", ".join(operands)}) {attributes} : ({", ".join(types)}) -> {result}')
        return value

    def constant(self, array, kind):
        """Appends a constant; `kind` is the type of an element in MLIR."""
        shape = "".join(f"{size}x" for size in array.shape)
        words = array.tolist() if kind == "i1" else None
        data = str(words).lower() if words is not None else '"0x' + np.ascontiguousarray(array).tobytes().hex().upper() + '"'
        data = "" if array.size == 0 else data
        return self.add("stablehlo.constant", [], f"tensor<{shape}{kind}>", f"{{value = dense<{data}> : tensor<{shape}{kind}>}}")


def element_of(tensor):
    """Returns the element type of a tensor type."""
    return re.fullmatch(r"tensor<(?:\d+x)*(.*)>", tensor)[1]


def keys(kind, bits):
    """Returns unsigned integers in the order of the numbers with these bits: -0 is before +0."""
    bits = bits.astype(np.uint64)
    sign = np.uint64(kind.sign)
    if kind.is_signed:
        return bits ^ sign
    if not (kind.is_float and kind.has_sign):
        return bits
    return np.where(bits & sign != 0, ~bits & np.uint64(kind.mask), bits | sign)


def bounds(kind, want, output):
    """Returns a list of (low, high) arrays of keys, and an array that is True where NaN is accepted."""
    exact = keys(kind, kind.bits(want))
    is_nan = kind.nans(want).copy()
    rows = collections.defaultdict(list)
    for element, part, _, low, high in output["accept"]:
        i = element * kind.parts + part
        if low == "nan":
            is_nan[i] = True
        else:
            ends = keys(kind, np.array([int(low, 16) & kind.mask, int(high, 16) & kind.mask], np.uint64))
            rows[i].append((ends[0], ends[1]))
    count = max([len(row) for row in rows.values()], default=0)
    pairs = [(exact.copy(), exact.copy()) for _ in range(count + 1)]
    for i, row in rows.items():
        for k, (low, high) in enumerate(row):
            pairs[k + 1][0][i], pairs[k + 1][1][i] = low, high
    return pairs, is_nan


def checked_part(text, value, tensor, kind, pairs, is_nan, shape):
    """Appends the check of one part of an array. Returns the value that is true where the number is accepted."""
    dims = "".join(f"{size}x" for size in shape)
    logical, word = f"tensor<{dims}i1>", f"ui{max(8, kind.width) if not kind.is_float else kind.width}"
    bits = f"tensor<{dims}{word}>"
    if kind.is_float and kind.width >= 4:
        number = text.add("stablehlo.bitcast_convert", [value], bits, types=[tensor])
    else:
        number = text.add("stablehlo.convert", [value], bits, types=[tensor])
    words = np.dtype(f"u{max(8, kind.width) // 8}")
    constant = lambda array: text.constant(np.asarray(array).astype(words).reshape(shape), word)
    full = lambda number: constant(np.full(shape, number))
    if kind.is_float and kind.has_sign:
        sign = full(kind.sign)
        positive = text.add("stablehlo.or", [number, sign], bits, types=[bits] * 2)
        negative = text.add("stablehlo.not", [number], bits, types=[bits])
        compare = "{comparison_direction = #stablehlo<comparison_direction %s>}"
        has_sign = text.add("stablehlo.compare", [number, sign], logical, compare % "GE", [bits] * 2)
        number = text.add("stablehlo.select", [has_sign, negative, positive], bits, types=[logical, bits, bits])
    elif kind.is_signed:
        low = full(kind.mask)
        number = text.add("stablehlo.and", [number, low], bits, types=[bits] * 2)
        number = text.add("stablehlo.xor", [number, full(kind.sign)], bits, types=[bits] * 2)
    accepted = None
    for low, high in pairs:
        compare = "{comparison_direction = #stablehlo<comparison_direction %s>}"
        above = text.add("stablehlo.compare", [number, constant(low)], logical, compare % "GE", [bits] * 2)
        below = text.add("stablehlo.compare", [number, constant(high)], logical, compare % "LE", [bits] * 2)
        inside = text.add("stablehlo.and", [above, below], logical, types=[logical] * 2)
        accepted = inside if accepted is None else text.add("stablehlo.or", [accepted, inside], logical, types=[logical] * 2)
    if not kind.is_float:
        return accepted
    compare = "{comparison_direction = #stablehlo<comparison_direction NE>}"
    got_nan = text.add("stablehlo.compare", [value, value], logical, compare, [tensor] * 2)
    may_be_nan = text.constant(is_nan.reshape(shape), "i1")
    nan = text.add("stablehlo.and", [got_nan, may_be_nan], logical, types=[logical] * 2)
    return text.add("stablehlo.or", [accepted, nan], logical, types=[logical] * 2)


def can_check(case):
    """Returns True if a module can check itself. StableHLO cannot read the bits of types of 6 bits."""
    values = case.get("inputs", []) + case.get("outputs", [])
    has_six_bits = any(value["shape"].startswith("f6") for value in values)
    return not (has_six_bits or "undecided" in case or "refused" in case or "devices" in case)


def self_checking(suite, case, end="check"):
    """Returns the module of a case with a `main` without arguments. It ends with check.expect_eq_const if `end` is "check";
    otherwise it returns the arrays of truth values."""
    module = (suite / case["module"]).read_text()
    kind = re.search(r'function_type = (\(.*?\) -> \(?.*?\)?), sym_name = "main"', module)[1]
    takes, gives = (re.findall(r"tensor<(?:[^<>]|<[^<>]*>)*>", side) for side in kind.split(" -> "))
    text = Text()
    inputs = [text.constant(suite_cases.read_array(value)[1], element_of(tensor)) for value, tensor in zip(case["inputs"], takes)]
    results = [f"%r{i}" for i in range(len(gives))]
    text.lines.append(f'    {", ".join(results)} = "func.call"({", ".join(inputs)}) {{callee = @case}} : ({", ".join(takes)}) -> ({", ".join(gives)})')
    accepted = []
    for value, tensor, output in zip(results, gives, case["outputs"]):
        number, want = suite_cases.read_array(output)
        pairs, is_nan = bounds(number, want, output)
        for part in range(number.parts):
            array, shape = tensor, want.shape
            if number.parts == 2:
                array = tensor.replace(element_of(tensor), f"f{number.width}")
                of_part = text.add(["stablehlo.real", "stablehlo.imag"][part], [value], array, types=[tensor])
            else:
                of_part = value
            own = [(low[part :: number.parts], high[part :: number.parts]) for low, high in pairs]
            accepted.append((checked_part(text, of_part, array, number, own, is_nan[part :: number.parts], shape), shape))
    types = ["tensor<" + "".join(f"{size}x" for size in shape) + "i1>" for _, shape in accepted]
    if end == "check":
        for (value, shape), tensor in zip(accepted, types):
            data = "" if 0 in shape else "true"
            text.lines.append(f'    "check.expect_eq_const"({value}) {{value = dense<{data}> : {tensor}}} : ({tensor}) -> ()')
    returned = [value for value, _ in accepted] if end != "check" else []
    kinds = ", ".join(types if end != "check" else [])
    text.lines.append(f'    "func.return"({", ".join(returned)}) : ({kinds}) -> ()')
    main = f'  "func.func"() ({{\n  ^bb0:\n' + "\n".join(text.lines) + f'\n  }}) {{function_type = () -> ({kinds}), sym_name = "main"}} : () -> ()\n'
    module = module.replace('sym_name = "main"', 'sym_name = "case", sym_visibility = "private"')
    end_of_module = module.rindex("})")
    return module[:end_of_module] + main.lstrip("\n") + module[end_of_module:]


def main():
    """Writes the modules."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path, help="the folder of the modules")
    parser.add_argument("--suite", type=pathlib.Path, default=pathlib.Path(__file__).parent, help="the suite's folder")
    parser.add_argument("--filter", default="", help="only cases whose names contain this text")
    options = parser.parse_args()
    if problem := suite_cases.wrong_file(options.suite):
        parser.error(problem)
    written = 0
    for case in suite_cases.cases_of(options.suite, options.filter):
        if not can_check(case):
            continue
        path = options.out / (case["name"] + ".mlir")
        if not path.resolve().is_relative_to(options.out.resolve()):
            raise SystemExit(f"{case['name']}: the name of a case must stay in the folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self_checking(options.suite, case))
        written += 1
    if not written:
        parser.error(f"no case with {options.filter!r} in its name has a form that checks itself")
    print(f"{written} modules")


if __name__ == "__main__":
    main()
