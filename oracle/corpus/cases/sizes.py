"""Real sizes: one more and one less than what vectors, tiles, threads and pages take, in golden/<op>/sizes.hlo.

A backend that is right on eight elements may still leave out the last one of an odd row. Arguments are seeded, results
are digests.
"""

from oracle.corpus.modules import add_family
from oracle.corpus.values import Sample, combiner, order

ORACLE = "exact arithmetic"
LONG = (129, 1025)
# Where threads share the work, or a page ends.
VERY_LONG = (8193, 65537)
MATRICES = ((129, 5), (5, 129), (1025, 3), (3, 1025), (65, 33))

# Functions and the numbers that they are asked for, made of numbers from -1 to 1.
ANY, POSITIVE, FROM_ONE = "a", "abs", "cosh"
FUNCTIONS = {
    ANY: ("abs", "acos", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cosh", "cosine", "erf", "exponential",
          "exponential-minus-one", "floor", "log-plus-one", "logistic", "negate", "round-nearest-afz",
          "round-nearest-even", "sign", "sine", "sinh", "tan", "tanh"),
    POSITIVE: ("log", "rsqrt", "sqrt"),
    FROM_ONE: ("acosh",),
}
OF_TWO_FLOATS = ("add", "atan2", "divide", "maximum", "minimum", "multiply", "remainder", "subtract")
OF_TWO_INTEGERS = ("add", "and", "divide", "maximum", "minimum", "mulhi", "multiply", "or", "power", "remainder",
                   "shift-left", "shift-right-arithmetic", "shift-right-logical", "subtract", "xor")
OF_ONE_INTEGER = ("abs", "count-leading-zeros", "negate", "not", "popcnt", "sign")
CONVERSIONS = (("f32", "s32"), ("s32", "f32"), ("f32", "bf16"), ("bf16", "f32"), ("s8", "s32"), ("f32", "f64"))
REDUCERS = ("add", "maximum")


def shape(kind, *dimensions):
    """KIND[D0,D1,...]"""
    return f"{kind}[{','.join(map(str, dimensions))}]"


def sample(parameters, root, body=(), computations=()):
    """Arguments are seeded, each parameter by its number."""
    return Sample(parameters, root, [f"{p} seeded {i + 1}" for i, p in enumerate(parameters)], body, computations,
                  reason="a size of " + ", ".join(p[p.index("["):] for p in parameters or [root.split()[0]]))


def add_to(corpus):
    """A file for each op."""
    families = {}
    for make in (functions, of_two, of_integers, other_elements, movement, slices, folds, products, gathers, orders):
        for op, name, made in make():
            families.setdefault(op, {})[name] = made
    for op, samples in families.items():
        add_family(corpus, f"{op}/sizes", samples, ORACLE, digests=True)
    devices(corpus)


def functions():
    """f32 functions of one operand."""
    for made_by, ops in FUNCTIONS.items():
        for op in ops:
            for n in LONG:
                array = shape("f32", n)
                body = [] if made_by == ANY else [f"p = {array} {made_by}(a)"]
                yield op, f"f32_{n}", sample([array], f"{array} {op}({'p' if body else 'a'})", body)


def of_two(kind="f32"):
    """f32 arithmetic, compare, select, clamp and complex."""
    for n in (*LONG, 8193):
        array, pred, whole = shape(kind, n), shape("pred", n), shape("c64", n)
        if n != 8193:
            for op in OF_TWO_FLOATS:
                yield op, f"f32_{n}", sample([array, array], f"{array} {op}(a, b)")
            yield "power", f"f32_{n}", sample([array, array], f"{array} power(p, b)", [f"p = {array} abs(a)"])
            yield "complex", f"f32_{n}", sample([array, array], f"{whole} complex(a, b)")
            for op in ("real", "imag"):
                yield op, f"c64_{n}", sample([whole], f"{array} {op}(a)")
            yield "is-finite", f"f32_{n}", sample([array], f"{pred} is-finite(a)")
            yield "reduce-precision", f"f32_{n}", sample(
                [array], f"{array} reduce-precision(a), exponent_bits=5, mantissa_bits=7")
        yield "compare", f"f32_{n}", sample([array, array], f"{pred} compare(a, b), direction=LT")
        yield "select", f"f32_{n}", sample([pred, array, array], f"{array} select(a, b, c)")
        yield "clamp", f"f32_{n}", sample([array, array, array], f"{array} clamp(a, b, c)")


def of_integers():
    """s32 arithmetic, which wraps, and bits."""
    for n in LONG:
        array = shape("s32", n)
        for op in OF_TWO_INTEGERS:
            yield op, f"s32_{n}", sample([array, array], f"{array} {op}(a, b)")
        for op in OF_ONE_INTEGER:
            yield op, f"s32_{n}", sample([array], f"{array} {op}(a)")
        for op in ("stochastic-convert",):
            yield op, f"f32_{n}", sample([shape("f32", n), shape("u32", n)], f"{shape('s8', n)} {op}(a, b)")
    for n in VERY_LONG:
        array = shape("s32", n)
        yield "add", f"s32_{n}", sample([array, array], f"{array} add(a, b)")
        yield "multiply", f"s8_{n}", sample([shape("s8", n)] * 2, f"{shape('s8', n)} multiply(a, b)")


def other_elements():
    """Conversions, iota, and ops that pass a value on."""
    for n in LONG:
        for before, after in CONVERSIONS:
            yield "convert", f"{before}_{after}_{n}", sample([shape(before, n)], f"{shape(after, n)} convert(a)")
        yield "bitcast-convert", f"f32_{n}", sample([shape("f32", n)], f"{shape('u32', n)} bitcast-convert(a)")
        yield "iota", f"s32_{n}", sample([], f"{shape('s32', n)} iota(), iota_dimension=0")
        square = f"square_{n} {{\n  x = {shape('s32', n)} parameter(0)\n  ROOT y = {shape('s32', n)} multiply(x, x)\n}}"
        for op, rest in (("call", f"to_apply=square_{n}"), ("fusion", f"kind=kLoop, calls=square_{n}")):
            yield op, f"s32_{n}", sample([shape("s32", n)], f"{shape('s32', n)} {op}(a), {rest}", computations=[square])
        yield "map", f"s32_{n}", sample(
            [shape("s32", n)] * 2, f"{shape('s32', n)} map(a, b), dimensions={{0}}, to_apply=subtract_s32",
            computations=[combiner("subtract", "s32")])
    for n in (*LONG, *VERY_LONG):
        for op in ("copy", "opt-barrier"):
            yield op, f"s32_{n}", sample([shape("s32", n)], f"{shape('s32', n)} {op}(a)")
        yield "broadcast", f"s32_{n}", sample([shape("s32")], f"{shape('s32', n)} broadcast(a), dimensions={{}}")
        yield "reverse", f"s32_{n}", sample([shape("s32", n)], f"{shape('s32', n)} reverse(a), dimensions={{0}}")


def movement():
    """Ops that move the elements of matrices."""
    for m, n in MATRICES:
        array, turned, size = shape("s32", m, n), shape("s32", n, m), f"s32_{m}x{n}"
        yield "transpose", size, sample([array], f"{turned} transpose(a), dimensions={{1,0}}")
        yield "reshape", size, sample([array], f"{turned} reshape(a)")
        yield "broadcast", f"{size}_rows", sample([shape("s32", n)], f"{array} broadcast(a), dimensions={{1}}")
        yield "broadcast", f"{size}_columns", sample([shape("s32", m)], f"{array} broadcast(a), dimensions={{0}}")
        yield "reverse", size, sample([array], f"{array} reverse(a), dimensions={{1}}")
        yield "iota", size, sample([], f"{array} iota(), iota_dimension=1")
        yield "concatenate", f"{size}_rows", sample(
            [array, shape("s32", 2, n)], f"{shape('s32', m + 2, n)} concatenate(a, b), dimensions={{0}}")
        yield "concatenate", f"{size}_columns", sample(
            [array, shape("s32", m, 2)], f"{shape('s32', m, n + 2)} concatenate(a, b), dimensions={{1}}")
        yield "pad", size, sample([array, "s32[]"], f"{shape('s32', 2 * m + 2, n)} pad(a, b), padding=2_1_1x1_-1")
        yield "tuple", size, sample([array, turned], f"({array}, {turned}) tuple(a, b)")


def slices():
    """Slices and updates, their starts beyond the array too."""
    for m, n in MATRICES:
        array, size = shape("s32", m, n), f"s32_{m}x{n}"
        cut = shape("s32", m - 1, n - 2)
        yield "slice", size, sample([array], f"{cut} slice(a), slice={{[1:{m}], [1:{n - 1}]}}")
        yield "slice", f"{size}_steps", sample(
            [array], f"{shape('s32', (m + 1) // 2, (n + 2) // 3)} slice(a), slice={{[0:{m}:2], [0:{n}:3]}}")
        starts = ["s32[]", "s32[]"]
        yield "dynamic-slice", size, sample(
            [array, *starts], f"{cut} dynamic-slice(a, b, c), dynamic_slice_sizes={{{m - 1},{n - 2}}}")
        yield "dynamic-update-slice", size, sample([array, cut, *starts], f"{array} dynamic-update-slice(a, b, c, d)")


def folds():
    """Reductions along each dimension and all, of integers, whose order does not matter, and of floats."""
    for m, n in MATRICES:
        array, size = shape("s32", m, n), f"{m}x{n}"
        for op in REDUCERS:
            for name, kept, along in (("rows", (m,), "1"), ("columns", (n,), "0"), ("all", (), "0,1")):
                yield "reduce", f"s32_{op}_{size}_{name}", sample(
                    [array, "s32[]"],
                    f"{shape('s32', *kept)} reduce(a, b), dimensions={{{along}}}, to_apply={op}_s32",
                    computations=[combiner(op, "s32")])
        yield "reduce", f"f32_add_{size}_rows", sample(
            [shape("f32", m, n), "f32[]"], f"{shape('f32', m)} reduce(a, b), dimensions={{1}}, to_apply=add_f32",
            computations=[combiner("add", "f32")])
        yield "reduce-window", f"s32_add_{size}", sample(
            [array, "s32[]"], f"{array} reduce-window(a, b), window={{size=2x3 pad=1_0x1_1}}, to_apply=add_s32",
            computations=[combiner("add", "s32")])
    for n in (1025, *VERY_LONG):
        yield "reduce", f"s32_add_{n}", sample([shape("s32", n), "s32[]"],
                                               "s32[] reduce(a, b), dimensions={0}, to_apply=add_s32",
                                               computations=[combiner("add", "s32")])
    for m, n in ((129, 5), (3, 1025)):
        array = shape("s32", m, n)
        greater = order("s32", "GE")
        yield "select-and-scatter", f"s32_{m}x{n}", sample(
            [array, array, "s32[]"],
            f"{array} select-and-scatter(a, b, c), window={{size=1x3 pad=0_0x1_1}}, select=order_s32, scatter=add_s32",
            computations=[greater, combiner("add", "s32")])


def products():
    """Products of integers, exact in any order, and of floats."""
    for m, k, n in ((33, 17, 5), (5, 129, 7), (129, 3, 2), (3, 5, 129), (1, 1025, 1), (1025, 2, 1), (1, 2, 1025)):
        for kind in ("s32", "f32"):
            yield "dot", f"{kind}_{m}x{k}x{n}", sample(
                [shape(kind, m, k), shape(kind, k, n)],
                f"{shape(kind, m, n)} dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}")
    for batch in (3, 129):
        yield "dot", f"s32_batch_{batch}", sample(
            [shape("s32", batch, 2, 3), shape("s32", batch, 3, 2)],
            f"{shape('s32', batch, 2, 2)} dot(a, b), lhs_batch_dims={{0}}, lhs_contracting_dims={{2}},"
            " rhs_batch_dims={0}, rhs_contracting_dims={1}")
    for n, inputs, outputs in ((129, 3, 2), (1025, 1, 1), (17, 33, 5), (9, 5, 65)):
        for kind in ("s32", "f32"):
            yield "convolution", f"{kind}_{n}_{inputs}to{outputs}", sample(
                [shape(kind, 1, n, inputs), shape(kind, 3, inputs, outputs)],
                f"{shape(kind, 1, n, outputs)} convolution(a, b), window={{size=3 pad=1_1}}, dim_labels=b0f_0io->b0f")


def gathers():
    """Rows by their numbers; seeded ones are below 17, and clamped where they are negative."""
    for rows, width in ((17, 65), (9, 1025), (1025, 3)):
        table, size = shape("s32", rows, width), f"s32_{rows}x{width}"
        for count in (33, 129):
            taken = shape("s32", count, width)
            yield "gather", f"{size}_{count}", sample(
                [table, shape("s32", count)],
                f"{taken} gather(a, b), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}},"
                f" index_vector_dim=1, slice_sizes={{1,{width}}}")
        few = shape("s32", 33, width)
        yield "scatter", size, sample(
            [table, "s32[33]", few],
            f"{table} scatter(a, b, c), update_window_dims={{1}}, inserted_window_dims={{0}},"
            " scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32",
            computations=[combiner("add", "s32")])


def orders():
    """Sorts with many ties, which stable ones keep in order, and the largest elements."""
    for n in LONG:
        for kind in ("s32", "f32"):
            array = shape(kind, n)
            yield "sort", f"{kind}_{n}", sample(
                [array], f"{array} sort(a), dimensions={{0}}, is_stable=true, to_apply=order_{kind}",
                computations=[order(kind)])
            yield "topk", f"{kind}_{n}", sample([array], f"({kind}[65], s32[65]) topk(a), k=65, largest=true")
    for m, n in ((5, 129), (129, 5)):
        array = shape("s32", m, n)
        yield "sort", f"s32_{m}x{n}", sample(
            [array], f"{array} sort(a), dimensions={{0}}, is_stable=true, to_apply=order_s32",
            computations=[order("s32")])


def devices(corpus):
    """Collectives of two replicas whose values differ in every element."""
    for op, result, attributes in (
        ("all-gather", 2, "replica_groups={}, dimensions={0}"),
        ("all-reduce", 1, "replica_groups={}, to_apply=add_s32"),
        ("collective-permute", 1, "source_target_pairs={{0,1},{1,0}}"),
        ("collective-broadcast", 1, "replica_groups={{1,0}}"),
    ):
        blocks = [combiner("add", "s32")] if "to_apply" in attributes else []
        for i, n in enumerate((*LONG, 8193)):
            blocks.append(("ENTRY " if i == 0 else "") + f"on_{n} {{\n  x = s32[{n}] parameter(0)\n"
                          f"  ROOT r = s32[{result * n}] {op}(x), {attributes}\n}}")
        text = f"HloModule {op.replace('-', '_')}_sizes, replica_count=2\n\n" + "\n\n".join(blocks)
        case = corpus.file(f"{op}/sizes", text, f"{op} sizes level1", ORACLE, digests=True)
        for n in (*LONG, 8193):
            case(f"s32_{n}", f"a size of [{n}], other values on each replica", f"s32[{n}] seeded 1",
                 f"s32[{n}] seeded 2", entry=f"on_{n}")
