"""Quantized StableHLO programs, golden/quantized/*.mlir: a file for each operation. Their values are those of
golden/witness/quantized.py, exact fractions, and not those of the reference."""

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np

from golden.witness.quantized import Quantized, rounded

I8, FINE, COARSE = (Quantized("i8", "f32", (scale,), (zero,)) for scale, zero in (("0.1", -30), ("0.07", 0), ("0.3", 20)))
U8 = Quantized("u8", "bf16", ("0.1",), (100,), (10, 240))
I4 = Quantized("i4", "f16", ("0.3",), (1,))
I16 = Quantized("i16", "f32", ("0.002",), (-700,))
U16 = Quantized("u16", "f64", ("0.001",), (32768,))
I32 = Quantized("i32", "f64", ("0.0001",), (12345,))
SUMS = Quantized("i32", "f32", ("0.007",))
# The types of operands and of the result of an element-wise operation: of one storage and one expressed type.
TYPES = {
    "i8": (I8, FINE, COARSE),
    "u8": (U8, Quantized("u8", "bf16", ("0.5",), (20,), (10, 240)), Quantized("u8", "bf16", ("0.3",), (128,), (10, 240))),
    "i4": (I4, Quantized("i4", "f16", ("0.125",)), Quantized("i4", "f16", ("0.5",), (-2,))),
    "i16": (I16, Quantized("i16", "f32", ("0.003",)), Quantized("i16", "f32", ("0.25",), (5,))),
    "u16": (U16, U16, Quantized("u16", "f64", ("0.01",), (7,))),
    "i32": (I32, Quantized("i32", "f64", ("0.01",)), Quantized("i32", "f64", ("0.1",), (-7,))),
}
OTHERS = ("u8", "i16", "u16")
COUNT = 24
SCALAR = "quantized as a whole"


@dataclasses.dataclass
class Irrational:
    """A function of fractions that returns 500 bits of an irrational number."""

    function: object

    def __call__(self, *numbers):
        number = self.function(*(mpmath.mpf(x.numerator) / x.denominator for x in numbers))
        return Fraction(int(mpmath.ldexp(number, 500))) / 2**500


def away(number):
    """Rounds to the nearest integer, ties away from zero."""
    return int(math.copysign(math.floor(abs(number) + Fraction(1, 2)), number))


def modulo(x, y):
    """Returns the remainder of the quotient that is cut to an integer."""
    return x - y * int(x / y)


UNARY = {
    "abs": abs, "cbrt": Irrational(lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x))), "ceil": math.ceil, "cosine": Irrational(mpmath.cos),
    "exponential": Irrational(mpmath.exp), "exponential_minus_one": Irrational(mpmath.expm1), "floor": math.floor,
    "logistic": Irrational(lambda x: 1 / (1 + mpmath.exp(-x))), "negate": lambda x: -x, "round_nearest_afz": away,
    "round_nearest_even": round, "sign": lambda x: (x > 0) - (x < 0), "sine": Irrational(mpmath.sin),
    "tan": Irrational(mpmath.tan), "tanh": Irrational(mpmath.tanh),
}  # fmt: skip
# Functions of positive numbers.
POSITIVE = {"log": Irrational(mpmath.log), "log_plus_one": Irrational(mpmath.log1p), "rsqrt": Irrational(lambda x: 1 / mpmath.sqrt(x)),
            "sqrt": Irrational(mpmath.sqrt)}  # fmt: skip
POWERS = {"power": Irrational(mpmath.power)}
BINARY = {"add": lambda x, y: x + y, "maximum": max, "minimum": min, "multiply": lambda x, y: x * y,
          "subtract": lambda x, y: x - y}  # fmt: skip
# Functions whose divisors are not zero.
QUOTIENTS = {"atan2": Irrational(mpmath.atan2), "divide": lambda x, y: x / y, "remainder": modulo}
DIRECTIONS = {"EQ": lambda x, y: x == y, "GE": lambda x, y: x >= y, "LT": lambda x, y: x < y}


@dataclasses.dataclass
class Program:
    """Lines of a program, its arguments and its results with their values: those of its devices, one after the other."""

    functions: str = ""  # before @main
    devices: int = 1
    host: dict = dataclasses.field(default_factory=dict)  # what the host gives and takes
    lines: list = dataclasses.field(default_factory=list)
    parameters: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    results: list = dataclasses.field(default_factory=list)
    want: list = dataclasses.field(default_factory=list)
    types: dict = dataclasses.field(default_factory=dict)  # of the values, by their names

    def argument(self, kind, integers, *sizes):
        """Adds an argument; returns its name. `integers` has those of all devices, or is an array of one."""
        sizes = sizes or self.sizes_of(integers)
        name = f"%{chr(ord('a') + len(self.parameters))}"
        self.types[name] = type_of(kind, sizes)
        self.parameters.append(f"{name}: {type_of(kind, sizes)}")
        self.arguments.append(self.by_device(kind, integers, sizes))
        return name

    def scalar(self, name, kind, integer):
        """Adds a scalar whose integer is an argument; returns its name."""
        argument = self.argument(kind, [integer])
        self.types[f"%{name}"] = kind.tensor()
        self.lines.append(f"  %{name} = stablehlo.reshape {argument} : ({kind.tensor(1)}) -> {kind.tensor()}")
        return f"%{name}"

    def constant(self, name, kind, integers, *sizes):
        """Adds a constant, without sizes a scalar; returns its name. Integers of unsigned types are signless in MLIR."""
        storage = "i" + kind.storage[1:] if isinstance(kind, Quantized) else kind
        bits = int(storage[1:])
        words = np.array([(int(n) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) for n in integers]).reshape(sizes)
        value = f"dense<{words.tolist()}> : {type_of(storage, sizes)}"
        self.types[f"%{name}"] = type_of(kind, sizes)
        self.lines.append(f'  %{name} = "stablehlo.constant"() {{value = {value}}} : () -> {type_of(kind, sizes)}')
        return f"%{name}"

    def result(self, line, kind, numbers, *sizes, of=()):
        """Adds an operation whose text has a {} for the type of its result, and what it returns on all devices. If `of`
        names its operands, the text gets their types and that of the result."""
        line += f" : ({', '.join(self.types[name] for name in of)}) -> {{}}" if of else ""
        sizes = sizes or self.sizes_of(numbers)
        name = f"%r{len(self.results)}"
        self.types[name] = type_of(kind, sizes)
        self.lines.append(f"  {name} = {line.replace('{}', type_of(kind, sizes))}")
        self.results.append((name, type_of(kind, sizes)))
        self.want.append(self.by_device(kind, numbers, sizes))

    def op(self, name, operands, kind, numbers, *sizes, attributes=""):
        """Adds an operation in MLIR's generic form; `attributes` has its regions, too."""
        self.result(f'"stablehlo.{name}"({", ".join(operands)}) {attributes}'.rstrip(), kind, numbers, *sizes, of=operands)

    def sizes_of(self, numbers):
        """Returns the sizes on one device: those of an array, or of a list for all devices."""
        return numbers.shape if isinstance(numbers, np.ndarray) else (len(numbers) // self.devices,)

    def by_device(self, kind, numbers, sizes):
        """Returns the array of each device."""
        words, count = words_of(kind, np.ravel(numbers)), math.prod(sizes)
        return [(shape_of(kind, sizes), words[i : i + count]) for i in range(0, len(words), count)]

    @staticmethod
    def of_devices(values):
        """Returns the values of the first device, then those of the next one."""
        return [value for device in zip(*values) for value in device]

    def text(self):
        """Returns the module."""
        names, types = (", ".join(words) for words in zip(*self.results))
        inner = "\n".join(self.lines)
        main = (f"{self.functions}func.func @main({', '.join(self.parameters)}) -> ({types}) {{\n{inner}\n"
                f"  return {names} : {types}\n}}\n")
        if self.devices == 1:
            return main
        return f"module @devices attributes {{mhlo.num_replicas = {self.devices} : i32}} {{\n{main}}}\n"


def type_of(kind, sizes):
    """Returns the type of a tensor: of a quantized type, or of an element type by name."""
    return kind.tensor(*sizes) if isinstance(kind, Quantized) else f"tensor<{''.join(f'{s}x' for s in sizes)}{kind}>"


def shape_of(kind, sizes):
    """Returns its shape in HLO."""
    name = kind.storage if isinstance(kind, Quantized) else {"i1": "pred", "i32": "i32"}.get(kind, kind)
    return f"{name.replace('i', 's') if name[0] == 'i' else name}[{','.join(map(str, sizes))}]"


def words_of(kind, numbers):
    """Returns elements as Corpus.file takes them; floats are exact."""
    return [int(number) if isinstance(kind, Quantized) or kind[0] == "i" else float(number) for number in numbers]


def walk(kind, shift, keep=lambda x: True):
    """Returns integers of the whole range of a type, its ends and its zero point among them."""
    least, largest = kind.range()
    some = [least + (i * 7 + shift) % COUNT * (largest - least) // COUNT for i in range(COUNT)]
    kept = [q for q in [*some, kind.zero_points[0], least, largest] if keep(kind.dequantize(q))]
    return [kept[i % len(kept)] for i in range(COUNT)]


def dequantized(kind, integers):
    """Returns the numbers that integers represent."""
    return [kind.dequantize(int(q)) for q in integers]


def quantized(kind, expressed, numbers):
    """Returns the integers of exact results, which are rounded to the expressed type first."""
    return [kind.quantize(rounded(number, expressed)) for number in numbers]


def element_wise_programs():
    """Yields the name, the reason and the program of element-wise operations."""
    for table, operands, keep in ((UNARY, 1, lambda x: True), (POSITIVE, 1, lambda x: x > 0), (POWERS, 2, lambda x: x > 0),
                                  (BINARY, 2, lambda x: True), (QUOTIENTS, 2, lambda x: x != 0)):
        for name, function in table.items():
            # The numbers of i32 are beyond those of most functions.
            others = OTHERS if isinstance(function, Irrational) else (*OTHERS, "i32")
            for file, names in (("i8", ("i8",)), ("i4", ("i4",)), ("others", others)):
                yield f"{name}_{file}", f"integers of {', '.join(names)}", element_wise(name, function, operands, keep, names)


def element_wise(name, function, operands, keep, names):
    """Returns a program of one operation on several types."""
    program = Program()
    for types in (TYPES[kind] for kind in names):
        given, result = types[:operands], types[2]
        rows = [walk(kind, 3 * i + 1, keep) for i, kind in enumerate(given)]
        numbers = zip(*(dequantized(kind, row) for kind, row in zip(given, rows)))
        values = [program.argument(kind, row) for kind, row in zip(given, rows)]
        program.op(name, values, result, quantized(result, result.expressed, [function(*row) for row in numbers]))
    return program


def chosen(first, second, third):
    """Returns a program that compares, and one that clamps."""
    program = Program()
    a, b = walk(first, 1), walk(second, 4)
    x, y = dequantized(first, a), dequantized(second, b)
    names = program.argument(first, a), program.argument(second, b)
    for direction, function in DIRECTIONS.items():
        program.result(f"stablehlo.compare {direction}, {', '.join(names)}, FLOAT", "i1",
                       [function(n, m) for n, m in zip(x, y)], of=names)
    program.op("select", ["%r2", *names], third, [third.quantize(n if n < m else m) for n, m in zip(x, y)])
    program.op("is_finite", names[:1], "i1", [1] * COUNT)
    clamp = Program()
    c, d = walk(second, 2), walk(second, 9)
    rows = [[min(p, q) for p, q in zip(c, d)], a, [max(p, q) for p, q in zip(c, d)]]
    kinds = (second, first, second)
    low, number, high = (dequantized(kind, row) for kind, row in zip(kinds, rows))
    clamp.op("clamp", [clamp.argument(kind, row) for kind, row in zip(kinds, rows)], third,
             [third.quantize(min(max(n, m), o)) for m, n, o in zip(low, number, high)])
    return program, clamp


def chosen_programs():
    """Yields programs that compare and choose."""
    for suffix, kinds in (("", (I8, FINE, COARSE)), ("_i4", TYPES["i4"])):
        compare, clamp = chosen(*kinds)
        yield f"compare{suffix}", "comparisons of numbers, and choices by them", compare
        yield f"clamp{suffix}", "numbers between others of another scale", clamp


def conversion_programs():
    """Yields programs that quantize, dequantize and requantize."""
    for expressed, scale in (("f32", "0.35"), ("f16", "1.25"), ("bf16", "2.5"), ("f64", "0.15")):
        plain = Quantized("i8", expressed, (scale,), (-7,))
        sliced = Quantized("i8", expressed, ("0.25", scale, "3.0"), (1, 0, -128), (), 1)
        given = [-128, -1, 0, 1, 64, 127]
        numbers = [rounded(Fraction(n), expressed) for n in ("-700", "-0.875", "-0.7", "0", "1.3125", "95")]
        program = Program()
        q, x = program.argument(plain, given, 2, 3), program.argument(expressed, numbers, 2, 3)
        requantized = [sliced.quantize(plain.dequantize(n), i % 3) for i, n in enumerate(given)]
        program.result(f"stablehlo.uniform_quantize {q}", sliced, requantized, 2, 3, of=[q])
        program.result("stablehlo.uniform_dequantize %r0", expressed,
                       [sliced.dequantize(n, i % 3) for i, n in enumerate(requantized)], 2, 3, of=["%r0"])
        for kind in (plain, sliced, Quantized("u8", expressed, (scale,), (128,), (16, 235))):
            program.result(f"stablehlo.uniform_quantize {x}", kind,
                           [kind.quantize(n, i % 3 if kind.dimension else 0) for i, n in enumerate(numbers)], 2, 3, of=[x])
        yield f"uniform_{expressed}", f"to and from {expressed}, with one scale and with one for each slice", program


def moved(kind):
    """Returns a program that moves integers of one scale."""
    whole = np.array(walk(kind, 1)).reshape(2, 3, 4)
    program = Program()
    a, z = program.argument(kind, whole), program.scalar("z", kind, kind.zero_points[0])
    padded = np.full((3, 3, 7), kind.zero_points[0])
    padded[1:, :, ::2] = whole
    for line, of, value in (
            (f"reshape {a}", [a], whole.reshape(4, 6)),
            (f"transpose {a}, dims = [2, 0, 1]", [a], whole.transpose(2, 0, 1)),
            (f"slice {a} [0:2:1, 1:3:1, 0:4:2]", [a], whole[:, 1:, ::2]),
            (f"reverse {a}, dims = [0, 2] : {{}}", (), whole[::-1, :, ::-1]),
            (f"concatenate {a}, {a}, dim = 1", [a, a], np.concatenate([whole, whole], 1)),
            (f"pad {a}, {z}, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 1]", [a, z], padded),
            (f"broadcast_in_dim {a}, dims = [1, 2, 3]", [a], np.broadcast_to(whole, (2, 2, 3, 4)))):
        program.result(f"stablehlo.{line}", kind, value, of=of)
    return program


def movement_programs():
    """Yields programs that move integers, with one scale and with one for each slice."""
    yield "movement", SCALAR, moved(I8)
    yield "movement_u16", SCALAR, moved(U16)
    whole = np.array(walk(I8, 1)).reshape(2, 3, 4)
    axis = [Quantized("i8", "f32", ("0.5", "0.25", "2.0"), (3, 0, -1), (), d) for d in range(3)]
    program = Program()
    b = program.argument(axis[1], whole)
    program.result(f"stablehlo.transpose {b}, dims = [1, 0, 2]", axis[0], whole.transpose(1, 0, 2), of=[b])
    program.result(f"stablehlo.reshape {b}", axis[1], whole.reshape(2, 3, 2, 2), of=[b])
    program.result(f"stablehlo.broadcast_in_dim {b}, dims = [0, 2, 3]", axis[2],
                   np.broadcast_to(whole[:, None], (2, 2, 3, 4)), of=[b])
    yield "movement_per_axis", "a scale for each slice of a dimension", program


REGION = """({{
  ^bb0(%x: tensor<{0}>, %y: tensor<{0}>):
    %s = stablehlo.{1} %x, %y : tensor<{0}>
    stablehlo.return %s : tensor<{0}>
  }})"""


def fold_programs():
    """Yields folds by a computation on quantized scalars: each step is requantized, and saturates."""
    rows = np.array(walk(COARSE, 1)).reshape(4, 6)
    add, largest = (REGION.format(COARSE.element(), name) for name in ("add", "maximum"))

    def total(integers):
        result = 20
        for q in integers:
            result = COARSE.quantize(rounded(COARSE.dequantize(result) + COARSE.dequantize(q), "f32"))
        return result

    program = Program()
    given = program.argument(COARSE, rows), program.scalar("z", COARSE, 20)
    program.op("reduce", given, COARSE, [max(20, *map(int, row)) for row in rows],
               attributes=f"{largest} {{dimensions = array<i64: 1>}}")
    program.op("reduce_window", given, COARSE, [max(20, *map(int, row[i : i + 2])) for row in rows for i in range(5)], 4, 5,
               attributes=f"{largest} {{window_dimensions = array<i64: 1, 2>}}")
    wide = Quantized("i32", "f32", ("0.3",))
    program.op("reduce", given, wide, [sum(int(q) - 20 for q in column) for column in rows.T],
               attributes=f'{REGION.format(wide.element(), "add")} {{dimensions = array<i64: 0>}}')
    yield "folds", "the largest integers, and exact sums of 32 bits", program
    saturating = Program()
    column = [127, 127, -128, -128, 5]
    saturating.op("reduce", [saturating.argument(COARSE, column, 5, 1), saturating.scalar("z", COARSE, 20)], COARSE,
                  [total(column)], attributes=f"{add} {{dimensions = array<i64: 0>}}")
    yield "folds_that_saturate", "each step returns an integer of 8 bits", saturating


def products(kinds, result, x, w, sizes):
    """Returns the integers of a product of matrices; the right one may have a scale for each column."""
    rows, inner, columns = sizes
    left, right = kinds

    def element(i, j):
        column = j if right.dimension == 1 else 0
        total = sum((left.dequantize(x[i * inner + k]) if isinstance(left, Quantized) else x[i * inner + k]) *
                    right.dequantize(w[k * columns + j], column) for k in range(inner))
        number = rounded(total, right.expressed)
        return result.quantize(number, j if result.dimension == 1 else 0) if isinstance(result, Quantized) else number

    return [element(i, j) for i in range(rows) for j in range(columns)]


def product_programs():
    """Yields products of matrices and convolutions: quantized as a whole, by columns, and of floats and integers."""
    sizes = rows, inner, columns = 3, 8, 4
    weights = Quantized("i8", "f32", ("0.01",), (0,), (-127, 127))
    by_column = Quantized("i8", "f32", ("0.01", "0.02", "0.005", "0.03"), (0,) * 4, (-127, 127), 1)
    sums = Quantized("i32", "f32", ("0.001", "0.002", "0.0005", "0.003"), (0,) * 4, (), 1)
    x, w = walk(I8, 1), [(i * 37 + 11) % 255 - 127 for i in range(inner * columns)]
    numbers = [Fraction(i * 29 % 64 - 32, 16) for i in range(rows * inner)]
    for right, result, form in ((weights, I8, "i8"), (weights, SUMS, "i32"), (by_column, sums, "per_axis_i32"),
                                (by_column, I8, "per_axis_i8")):
        program, window = Program(), Program()
        a, name = program.argument(I8, x, rows, inner), program.argument(right, w, inner, columns)
        image = window.argument(I8, x, rows, 1, 1, inner)
        found = products((I8, right), result, x, w, sizes)
        program.result(f"stablehlo.dot_general {a}, {name}, contracting_dims = [1] x [0]", result, found, rows, columns,
                       of=[a, name])
        kernel, output = (dataclasses.replace(kind, dimension=3) if kind.dimension else kind for kind in (right, result))
        name = window.argument(kernel, w, 1, 1, inner, columns)
        window.result(f"stablehlo.convolution({image}, {name}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
                      "window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}",
                      output, found, rows, 1, 1, columns, of=[image, name])
        yield f"dot_general_{form}", f"products into {result.storage}", program
        yield f"convolution_{form}", f"products into {result.storage} as windows of one element", window
    program = Program()
    f, columns_of = program.argument("f32", numbers, rows, inner), program.argument(by_column, w, inner, columns)
    program.result(f"stablehlo.dot_general {f}, {columns_of}, contracting_dims = [1] x [0]", "f32",
                   products(("f32", by_column), None, numbers, w, sizes), rows, columns, of=[f, columns_of])
    yield "dot_general_hybrid", "floats with integers of a scale for each column", program
    yield "convolution_windows", "windows of several elements, with padding", convolved()


def convolved():
    """Returns a convolution of a row of integers by a kernel of three: padding is the number 0, the zero point."""
    program, count = Program(), 8
    kernel = Quantized("i8", "f32", ("0.02",), (0,), (-127, 127))
    x, w = walk(I8, 5)[:count], [90, -127, 35]
    line = [Fraction(0), *dequantized(I8, x), Fraction(0)]
    totals = [sum(line[i + k] * tap for k, tap in enumerate(dequantized(kernel, w))) for i in range(count)]
    a, b = program.argument(I8, x, 1, count, 1), program.argument(kernel, w, 3, 1, 1)
    for result in (I8, SUMS):
        program.result(f"stablehlo.convolution({a}, {b}) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
                       "window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}", result,
                       quantized(result, "f32", totals), 1, count, 1, of=[a, b])
    return program


def add_programs(corpus, *generators):
    """Adds a file for each program."""
    for name, reason, program in (program for programs in generators for program in programs()):
        case = corpus.file(f"quantized/{name}", program.text(), "quantized level1", "exact fractions",
                           clause="quantized.md", suffix=".mlir")
        arguments, want = map(program.of_devices, (program.arguments, program.want))
        case("values", reason, *arguments, want=want, **program.host)


def add_to(corpus):
    """Adds all files of this module."""
    add_programs(corpus, element_wise_programs, chosen_programs, conversion_programs, movement_programs, fold_programs,
                 product_programs)
