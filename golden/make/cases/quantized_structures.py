"""Quantized StableHLO programs, golden/quantized/*.mlir, of operations that are not element-wise: indices, control flow,
scatters, normalizations, matrices, devices, and blocks. Their values are those of golden/witness/quantized.py."""

import dataclasses
import itertools
from fractions import Fraction

import mpmath
import numpy as np

from golden.make.cases.quantized import (
    COARSE, COUNT, I4, I8, I16, REGION, U16, Irrational, Program, add_programs, dequantized, quantized, shape_of, walk,
)  # fmt: skip
from golden.witness.quantized import Quantized, rounded

# The classes of storage types that each operation has a program of.
CLASSES = (("i8", I8), ("u16", U16))
NARROW = Quantized("i8", "f32", ("0.5",), (3,))  # exact numbers in f32, as those of HALVES in f64
HALVES = Quantized("u16", "f64", ("0.5",), (1000,))
EXACT = (("i8", NARROW), ("u16", HALVES))


def indexing(kind):
    """Returns a program that finds and replaces elements, with sizes in attributes and in operands."""
    whole = np.array(walk(kind, 1)).reshape(4, 6)
    program = Program()
    a, update = program.argument(kind, whole), np.array(walk(kind, 5)[:4]).reshape(2, 2)
    u, z = program.argument(kind, update), program.constant("z", kind, kind.zero_points)
    one, two, nine = (program.constant(name, "i32", [number]) for name, number in (("one", 1), ("two", 2), ("nine", 9)))
    rows = program.constant("rows", "i32", [3, 0], 2, 1)
    slices, low, high, inner, flat, many = (
        program.constant(name, "i32", row, len(row))
        for name, row in (("slice", (1, 6)), ("low", (0, 1)), ("high", (1, 0)), ("inner", (0, 0)), ("flat", (2, 12)),
                          ("many", (2, 4, 6))))  # fmt: skip
    replaced, padded = whole.copy(), np.full((5, 7), kind.zero_points[0])
    replaced[2:, 4:], padded[:4, 1:] = update, whole
    numbers_of_gather = ("#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
                         "index_vector_dim = 1>")
    program.op("gather", [a, rows], kind, whole[[3, 0]],
               attributes=f"{{dimension_numbers = {numbers_of_gather}, slice_sizes = array<i64: 1, 6>}}")
    program.op("dynamic_gather", [a, rows, slices], kind, whole[[3, 0]],
               attributes=f"{{dimension_numbers = {numbers_of_gather}}}")
    for name, operands, attributes, value in (
            ("dynamic_slice", [a, one, nine], ", sizes = [2, 3]", whole[1:3, 3:]),
            ("dynamic_update_slice", [a, u, two, nine], "", replaced),
            ("dynamic_pad", [a, z, low, high, inner], "", padded),
            ("dynamic_reshape", [a, flat], "", whole.reshape(2, 12)),
            ("dynamic_broadcast_in_dim", [a, many], ", dims = [1, 2]", np.broadcast_to(whole, (2, 4, 6)))):
        program.result(f"stablehlo.{name} {', '.join(operands)}{attributes}", kind, value, of=operands)
    program.op("sort", [a], kind, np.sort(whole, axis=1)[:, ::-1],
               attributes=f"{SORTING.format(kind.element())} {{dimension = 1 : i64}}")
    program.result(f"stablehlo.optimization_barrier {a} : {{}}", kind, whole)
    bits = int(kind.storage[1:])
    program.result(f"stablehlo.bitcast_convert {a}", f"i{bits}",
                   [int(q) - (1 << bits if q >= 1 << (bits - 1) else 0) for q in whole.flat], 4, 6, of=[a])
    program.lines.append(f"  %size = stablehlo.get_dimension_size {a}, dim = 1 : ({kind.tensor(4, 6)}) -> tensor<i32>")
    program.result("stablehlo.reshape %size : (tensor<i32>) -> {}", "i32", [6])
    return program


SORTING = """({{
  ^bb0(%x: tensor<{0}>, %y: tensor<{0}>):
    %s = stablehlo.compare GT, %x, %y : (tensor<{0}>, tensor<{0}>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }})"""
NEGATION = """{{
    %n = stablehlo.negate {0} : {1}
    stablehlo.return %n : {1}
  }}"""


def control(kind):
    """Returns a program of regions and functions: each negates or doubles numbers."""
    row, limit = walk(kind, 2), kind.quantize(kind.dequantize(kind.range()[1]) / 2)
    negated = [kind.quantize(-x) for x in dequantized(kind, row)]
    start = found = kind.quantize(kind.dequantize(kind.range()[1]) / 20)
    while kind.dequantize(found) < kind.dequantize(limit):
        found = kind.quantize(rounded(2 * kind.dequantize(found), kind.expressed))
    of, one = kind.tensor(COUNT), kind.tensor(1)
    program = Program(functions=f"func.func private @negation(%x: {of}) -> {of} {{\n  %n = stablehlo.negate %x : {of}\n"
                                f"  return %n : {of}\n}}\n")
    a, b, c = program.argument(kind, row), program.argument(kind, [start]), program.argument(kind, [limit])
    program.lines += ["  %p = stablehlo.constant dense<false> : tensor<i1>", "  %i = stablehlo.constant dense<1> : tensor<i32>"]
    same, other = f"{{\n    stablehlo.return {a} : {of}\n  }}", NEGATION.format(a, of)
    program.result(f"""stablehlo.while(%x = {b}) : {one}
  cond {{
    %l = stablehlo.compare LT, %x, {c} : ({one}, {one}) -> tensor<1xi1>
    %t = stablehlo.reshape %l : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }} do {{
    %d = stablehlo.add %x, %x : {one}
    stablehlo.return %d : {one}
  }}""", kind, [found])
    program.result(f'"stablehlo.if"(%p) ({same}, {other}) : (tensor<i1>) -> {{}}', kind, negated)
    program.result(f'"stablehlo.case"(%i) ({same}, {other}, {same}) : (tensor<i32>) -> {{}}', kind, negated)
    scalar = kind.tensor()
    applied = f"({{\n  ^bb0(%x: {scalar}):\n    %n = stablehlo.negate %x : {scalar}\n    stablehlo.return %n : {scalar}\n  }})"
    program.op("map", [a], kind, negated, attributes=f"{applied} {{dimensions = array<i64: 0>}}")
    program.result(f"func.call @negation({a})", kind, negated, of=[a])
    return program


def windowed(kind, kernel):
    """Returns a program of folds, and of a convolution whose padding is an operand."""
    rows, taps, count = np.array(walk(kind, 1)).reshape(4, 6), walk(kernel, 3)[:3], 8
    program = Program()
    a, k = program.argument(kind, rows), program.argument(kernel, taps, 3, 1, 1)
    least, largest = program.constant("z", kind, [kind.range()[0]]), REGION.format(kind.element(), "maximum")
    program.op("reduce", [a, least], kind, [max(map(int, row)) for row in rows],
               attributes=f"{largest} {{dimensions = array<i64: 1>}}")
    program.op("reduce_window", [a, least], kind, [max(map(int, row[i : i + 2])) for row in rows for i in range(5)], 4, 5,
               attributes=f"{largest} {{window_dimensions = array<i64: 1, 2>}}")
    image, padding = [int(q) for q in rows.flat[:count]], program.constant("padding", "i32", [1, 1], 1, 2)
    line = [Fraction(0), *dequantized(kind, image), Fraction(0)]
    x = program.argument(kind, image, 1, count, 1)
    totals = [sum(line[i + j] * tap for j, tap in enumerate(dequantized(kernel, taps))) for i in range(count)]
    program.op("dynamic_conv", [x, k, padding], kind, quantized(kind, kind.expressed, totals), 1, count, 1,
               attributes="{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
                          "batch_group_count = 1 : i64, feature_group_count = 1 : i64}")
    return program


def structure_programs():
    """Yields programs of indices, windows and control flow."""
    for name, kind, kernel in (("i8", I8, Quantized("i8", "f32", ("0.02",))), ("i16", I16, Quantized("i16", "f32", ("0.01",)))):
        yield f"windows_{name}", "the largest integers, and windows of three elements", windowed(kind, kernel)
    for name, kind in CLASSES:
        yield f"indexing_{name}", "elements that are found, replaced, sorted or moved", indexing(kind)
        yield f"control_{name}", "numbers through loops, branches and functions", control(kind)


def scattered(kind, wide):
    """Returns a program of scatters, into the same type and into another one."""
    row, more = walk(kind, 3)[:6], walk(kind, 8)[:3]
    program = Program()
    a, b = program.argument(kind, row), program.argument(kind, more)
    z, i = program.constant("z", kind, kind.zero_points), program.constant("i", "i32", [4, 0, 3], 3, 1)
    zero = kind.dequantize(kind.zero_points[0])
    numbers = "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    select = REGION.format(kind.element(), "compare GE,").replace(f"%y : tensor<{kind.element()}>",
                                                                  f"%y : ({kind.tensor()}, {kind.tensor()}) -> tensor<i1>")
    select = select.replace(f"%s : tensor<{kind.element()}>", "%s : tensor<i1>")
    for result in (kind, wide):
        into = [result.quantize(x) if result != kind else q for q, x in zip(row, dequantized(kind, row))]
        given = [result.quantize(x) if result != kind else q for q, x in zip(more, dequantized(kind, more))]
        start = result.quantize(zero) if result != kind else kind.zero_points[0]

        def total(p, q, result=result):
            return result.quantize(rounded(result.dequantize(p) + result.dequantize(q), result.expressed))

        added = list(into)
        for place, q in zip((4, 0, 3), given):
            added[place] = total(into[place], q)
        body = REGION.format(result.element(), "add")
        program.op("scatter", [a, i, b], result, added, attributes=f"{body} {{scatter_dimension_numbers = {numbers}}}")
        chosen = [start] * 6
        for window, q in enumerate(given):
            first = 2 * window
            place = first if kind.dequantize(row[first]) >= kind.dequantize(row[first + 1]) else first + 1
            chosen[place] = total(start, q)
        program.op("select_and_scatter", [a, b, z], result, chosen,
                   attributes=f"({select[1:-1]}, {body[1:-1]}) {{window_dimensions = array<i64: 2>, "
                              "window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>}")
    return program


def scatter_programs():
    """Yields scatters of 8 and of 4 bits."""
    yield "scatters_i8", "sums into 8 and into 32 bits", scattered(COARSE, Quantized("i32", "f32", ("0.1",)))
    yield "scatters_i8_other_scale", "sums into 8 bits of another scale", scattered(COARSE, I8)
    yield "scatters_i4", "sums into 4 and into 8 bits", scattered(I4, Quantized("i8", "f16", ("0.125",), (1,)))


def square_root(number):
    """Returns 500 bits of a square root."""
    return Irrational(mpmath.sqrt)(number)


def normalized(kind, result):
    """Returns a program of the normalizations of 4x2 numbers: a mean and a variance for each column."""
    rows, columns, epsilon = 4, 2, Fraction(1, 8)
    program = Program()
    positive = [q for q in walk(kind, 2) if kind.dequantize(q) > 0]
    given = {"x": walk(kind, 1)[: rows * columns], "scale": walk(kind, 4)[:2], "offset": walk(kind, 6)[:2],
             "mean": walk(kind, 9)[:2], "variance": positive[:2], "gradient": walk(kind, 11)[: rows * columns]}  # fmt: skip
    names = {name: program.argument(kind, q, *((rows, columns) if len(q) > 2 else (2,))) for name, q in given.items()}
    x, scale, offset, mean, variance, gradient = (dequantized(kind, q) for q in given.values())
    wide, vector = kind.tensor(rows, columns), kind.tensor(2)
    attributes = f"{{epsilon = {float(epsilon)} : f32, feature_index = 1 : i64}}"

    def normal(means, variances):
        return [(x[i] - means[i % 2]) / square_root(variances[i % 2] + epsilon) * scale[i % 2] + offset[i % 2] for i in range(8)]

    def column_mean(numbers):
        return [sum(numbers[j::2], Fraction(0)) / rows for j in range(2)]

    def add(line, *results):
        types = [f"{result.tensor(*(() if len(n) == 1 else (rows, columns) if len(n) > 2 else (2,)))}" for n in results]
        first = len(program.results)
        program.lines.append(f"  %n{first}:{len(results)} = {line} -> ({', '.join(types)})")
        for i, numbers in enumerate(results):
            sizes = (rows, columns) if len(numbers) > 2 else (2,)
            program.result(f"stablehlo.optimization_barrier %n{first}#{i} : {{}}", result,
                           quantized(result, kind.expressed, numbers), *sizes)

    program.op("batch_norm_inference", list(names.values())[:5], result,
               quantized(result, kind.expressed, normal(mean, variance)), rows, columns, attributes=attributes)
    means = column_mean(x)
    variances = column_mean([(x[i] - means[i % 2]) ** 2 for i in range(8)])
    add(f'"stablehlo.batch_norm_training"({names["x"]}, {names["scale"]}, {names["offset"]}) {attributes} : '
        f"({wide}, {vector}, {vector})", normal(means, variances), means, variances)
    centered = [x[i] - mean[i % 2] for i in range(8)]
    products_ = column_mean([gradient[i] * centered[i] for i in range(8)])
    rest = column_mean(gradient)
    of_operand = [scale[i % 2] / square_root(variance[i % 2] + epsilon) *
                  (gradient[i] - rest[i % 2] - centered[i] * products_[i % 2] / (variance[i % 2] + epsilon)) for i in range(8)]
    of_scale = [rows * products_[j] / square_root(variance[j] + epsilon) for j in range(2)]
    add(f'"stablehlo.batch_norm_grad"({names["x"]}, {names["scale"]}, {names["mean"]}, {names["variance"]}, '
        f'{names["gradient"]}) {attributes} : ({wide}, {vector}, {vector}, {vector}, {wide})', of_operand, of_scale,
        [rows * r for r in rest])
    return program


def factored(kind):
    """Returns a program of the factor of a matrix, and of the solution of a system, with exact numbers."""
    lower, unknowns = np.array([[2, 0, 0], [1, 4, 0], [-1, 2, 1]]), np.array([[3, -1], [2, 5], [-4, 7]])
    program = Program()

    def integers(matrix):
        return [kind.quantize(Fraction(int(n))) for n in matrix.flat]

    a, b = program.argument(kind, integers(lower @ lower.T), 3, 3), program.argument(kind, integers(lower @ unknowns), 3, 2)
    square = kind.tensor(3, 3)
    program.lines.append(f'  %l = "stablehlo.cholesky"({a}) {{lower = true}} : ({square}) -> {square}')
    program.types["%l"] = square
    for column in range(3):
        program.result(f"stablehlo.slice %l [{column}:3, {column}:{column + 1}]", kind,
                       integers(lower[column:, column : column + 1]), 3 - column, 1, of=["%l"])
    program.op("triangular_solve", ["%l", b], kind, integers(unknowns), 3, 2,
               attributes="{left_side = true, lower = true, unit_diagonal = false, "
                          "transpose_a = #stablehlo<transpose NO_TRANSPOSE>}")
    return program


def made(kind):
    """Returns a program of numbers that are counted, and of ones with fewer bits."""
    program = Program()
    row = walk(kind, 1)
    a, sizes = program.argument(kind, row), program.constant("sizes", "i32", [2, 3], 2)
    counted = quantized(kind, kind.expressed, [Fraction(i % 3) for i in range(6)])
    program.result("stablehlo.iota dim = 1 : {}", kind, counted, 2, 3)
    program.result(f"stablehlo.dynamic_iota {sizes}, dim = 1", kind, counted, 2, 3, of=[sizes])
    program.result(f"stablehlo.reduce_precision {a}, format = e8m7 : {{}}", kind,
                   [kind.quantize(rounded(x, "bf16")) for x in dequantized(kind, row)])
    return program


def numeric_programs():
    """Yields programs of normalizations, matrices, and numbers from nothing."""
    for name, kind, result in (("i8", I8, COARSE), ("i16", I16, Quantized("i16", "f32", ("0.01",), (5,)))):
        yield f"normalizations_{name}", "normalizations, with a mean and a variance for each column", normalized(kind, result)
    for name, kind in EXACT:
        yield f"matrices_{name}", "a factor and a solution, with exact numbers", factored(kind)
    for name, kind in CLASSES:
        yield f"made_{name}", "numbers of an iota, and numbers of 8 significant bits", made(kind)


def on_devices(kind, wide):
    """Returns a program of collectives on two devices."""
    program = Program(devices=2)
    rows = np.array([walk(kind, 1)[:4], walk(kind, 5)[:4]])
    (one, other), flat = rows, list(rows.flat)
    a, groups = program.argument(kind, flat), "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
    handle = "channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>"
    x, y = dequantized(wide, [wide.quantize(n) for n in dequantized(kind, one)]), dequantized(
        wide, [wide.quantize(n) for n in dequantized(kind, other)])
    total = [wide.quantize(rounded(n + m, wide.expressed)) for n, m in zip(x, y)]
    largest = [max(int(p), int(q)) for p, q in zip(one, other)]
    zero = [kind.zero_points[0]] * 4
    body, same = REGION.format(wide.element(), "add"), REGION.format(kind.element(), "maximum")
    for name, attributes, result, numbers in (
            ("all_gather", f"{{all_gather_dim = 0 : i64, {groups}, {handle}}}", kind, flat * 2),
            ("all_to_all", "{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
                           f"{groups}, {handle}}}", kind, [*one[:2], *other[:2], *one[2:], *other[2:]]),
            ("all_reduce", f"{body} {{{groups}, {handle}}}", wide, total * 2),
            ("all_reduce", f"{same} {{{groups}, {handle}}}", kind, largest * 2),
            ("reduce_scatter", f"{body} {{scatter_dimension = 0 : i64, {groups}, {handle}}}", wide, total),
            ("collective_broadcast", "{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}", kind, [*other, *other]),
            ("collective_permute", "{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}", kind, [*zero, *one]),
            # Two groups of one device each: elsewhere HLO returns the operand, and StableHLO zeros.
            ("collective_reduce", f"{same} {{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, {handle}}}", kind, flat)):
        program.op(name, [a], result, numbers, attributes=attributes)
    future = f"!stablehlo.future<{kind.tensor(8)}>"
    gathering = f'"stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {groups}, {handle}}}'
    program.lines.append(f"""  %f = "stablehlo.async_start"({a}) ({{
  ^bb0(%x: {kind.tensor(4)}):
    %g = {gathering} : ({kind.tensor(4)}) -> {kind.tensor(8)}
    stablehlo.return %g : {kind.tensor(8)}
  }}) : ({kind.tensor(4)}) -> {future}""")
    program.result(f'"stablehlo.async_done"(%f) : ({future}) -> {{}}', kind, flat * 2, 8)
    return program


def on_host(kind):
    """Returns a program that exchanges integers with the host, in both ways."""
    row, more, of, token = walk(kind, 2)[:4], walk(kind, 6)[:4], kind.tensor(4), "!stablehlo.token"
    negated = [kind.quantize(-x) for x in dequantized(kind, row)]
    a, b, c = ((shape_of(kind, (4,)), words) for words in (row, more, negated))
    program = Program(host={"infeed": [[a, b], b], "outfeed": [[c, a], b]})  # infeeds and outfeeds are tuples
    transfer = "channel_handle = #stablehlo.channel_handle<handle = {}, type = {}>, is_host_transfer = true"
    program.lines += [
        f"  %t = stablehlo.create_token : {token}",
        f'  %f:3 = "stablehlo.infeed"(%t) {{infeed_config = "", layout = [[0], [0]]}} : ({token}) -> ({of}, {of}, {token})',
        f"  %n = stablehlo.negate %f#0 : {of}",
        f'  %o = "stablehlo.outfeed"(%n, %f#0, %f#2) {{outfeed_config = ""}} : ({of}, {of}, {token}) -> {token}',
        f'  %v:2 = "stablehlo.recv"(%o) {{{transfer.format(2, 3)}}} : ({token}) -> ({of}, {token})',
        f'  %s = "stablehlo.send"(%v#0, %v#1) {{{transfer.format(1, 2)}}} : ({of}, {token}) -> {token}',
    ]
    program.result("stablehlo.negate %v#0 : {}", kind, [kind.quantize(-x) for x in dequantized(kind, more)])
    return program


def device_programs():
    """Yields collectives on two devices, and transfers to and from the host."""
    for name, kind in CLASSES:
        yield f"host_{name}", "integers from the host and back", on_host(kind)
    yield "devices_i8", "two devices that exchange and add up integers", on_devices(COARSE, Quantized("i32", "f32", ("0.3",)))
    yield "devices_i16", "two devices that exchange and add up integers", on_devices(I16, I16)


def by_blocks(storage, zeros):
    """Returns a program of tensors and weights with blocks: MLIR's sub-channel types."""
    rows, inner, columns = 3, 8, 4
    scales = ("0.5", "0.25", "1.0", "0.125", "2.0", "0.75", "0.375", "1.5")
    image = Quantized(storage, "f32", scales[:6], zeros[:6], (), None, ((0, 2), (1, 2)), (2, 3))
    turned = dataclasses.replace(image, scales=tuple(scales[i] for i in (0, 3, 1, 4, 2, 5)), counts=(3, 2),
                                 zero_points=tuple(zeros[i] for i in (0, 3, 1, 4, 2, 5)))
    halved = dataclasses.replace(image, blocks=((0, 1), (2, 2)), counts=(2, 1, 3))
    repeated = dataclasses.replace(image, blocks=((1, 2), (2, 2)), counts=(1, 2, 3))
    weights = Quantized(storage, "f32", scales, (0,) * 8, (), None, ((0, 4), (1, 1)), (2, 4))
    whole = Quantized(storage, "f32", ("0.5",), (1,))
    program = Program()
    numbers = [Fraction(i * 29 % 64 - 32, 16) for i in range(24)]
    places = list(itertools.product(range(4), range(6)))
    x, q = program.argument("f32", numbers, 4, 6), [image.quantize(n, image.block(p)) for n, p in zip(numbers, places)]
    program.result(f"stablehlo.uniform_quantize {x}", image, q, 4, 6, of=[x])
    real = [image.dequantize(n, image.block(p)) for n, p in zip(q, places)]
    for line, kind, elements, *sizes in (
            ("uniform_dequantize %r0", "f32", real, 4, 6),
            ("uniform_quantize %r0", whole, [whole.quantize(n) for n in real], 4, 6),
            ("transpose %r0, dims = [1, 0]", turned, np.array(q).reshape(4, 6).T, 6, 4),
            ("reshape %r0", halved, q, 2, 2, 6),
            ("broadcast_in_dim %r0, dims = [1, 2]", repeated, q * 2, 2, 4, 6)):
        program.result(f"stablehlo.{line}", kind, elements, *sizes, of=["%r0"])
    program.op("add", ["%r0", "%r2"], image,
               [image.quantize(rounded(n + whole.dequantize(whole.quantize(n)), "f32"), image.block(p))
                for n, p in zip(real, places)], 4, 6)  # fmt: skip
    left = program.argument("f32", numbers, rows, inner)
    w = [(i * 5 + 3) % 15 - 7 for i in range(inner * columns)] if storage[0] == "i" else [i * 5 % 15 for i in range(inner * columns)]
    right = [weights.dequantize(n, weights.block(divmod(i, columns))) for i, n in enumerate(w)]
    total = [rounded(sum(numbers[i * inner + k] * right[k * columns + j] for k in range(inner)), "f32")
             for i in range(rows) for j in range(columns)]  # fmt: skip
    b = program.argument(weights, w, inner, columns)
    program.result(f"stablehlo.dot_general {left}, {b}, contracting_dims = [1] x [0]", "f32", total, rows, columns,
                   of=[left, b])
    kernel = dataclasses.replace(weights, blocks=((1, 4), (2, 1)), counts=(1, 2, 4))
    program.result(f"stablehlo.reshape {left}", "f32", numbers, rows, 1, inner, of=[left])
    program.result(f"stablehlo.reshape {b}", kernel, w, 1, inner, columns, of=[b])
    program.result("stablehlo.convolution(%r8, %r9) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} "
                   "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}", "f32", total, rows, 1, columns,
                   of=["%r8", "%r9"])
    return program


def block_programs():
    """Yields programs of blocks."""
    yield "blocks_i8", "a scale for each block of two dimensions", by_blocks("i8", (3, 0, -1, 7, 0, -20))
    yield "blocks_u4", "a scale for each block of two dimensions", by_blocks("u4", (3, 0, 15, 7, 0, 8))


def add_to(corpus):
    """Adds all files of this module."""
    add_programs(corpus, structure_programs, scatter_programs, numeric_programs, device_programs, block_programs)
