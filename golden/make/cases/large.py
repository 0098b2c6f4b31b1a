"""Real sizes: one more and one less than the sizes of vectors, tiles, threads and pages, in golden/<op>/large.hlo.

A backend that is right on eight elements may still omit the last one of an odd row. Arguments are seeded, results are
digests.
"""

from golden.make.modules import add_family
from golden.make.values import Sample, called, combiner, order

ORACLE = "exact arithmetic"
LONG = (129, 1025)
# Sizes at which threads share the work, or a page ends.
VERY_LONG = (8193, 65537)
MATRICES = ((129, 5), (5, 129), (1025, 3), (3, 1025), (65, 33))

# Functions and their domains, computed from numbers from -1 to 1 by exact ops only: a case judges its root on the
# reference's operands.
ANY, POSITIVE, FROM_ONE = range(3)
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
# With the identity of each: other initial values may be folded more than once.
REDUCERS = {"add": 0, "maximum": -(2**31)}


def shape(kind, *dimensions):
    """Returns KIND[D0,D1,...]."""
    return f"{kind}[{','.join(map(str, dimensions))}]"


def sample(signature, rest, body=(), computations=(), last=None):
    """Returns a Sample with seeded arguments, each parameter by its number, except for `last` if it is given."""
    parameters = signature.partition("->")[0].split()
    arguments = [f"{p} seeded {i + 1}" for i, p in enumerate(parameters)]
    if last is not None:
        arguments[-1] = [last]
    sizes = ", ".join(p[p.index("["):] for p in parameters or [signature.partition("->")[2] or rest.split()[0]])
    return Sample(signature, rest, arguments, body, computations, f"a size of {sizes}")


def add_to(corpus):
    """Adds a file for each op."""
    families = {}
    for make in (functions, of_two, of_integers, other_elements, movement, slices, folds, products, gathers, orders,
                 passed_on, controlled, matrices, normalized):
        for op, name, made in make():
            families.setdefault(op, {})[name] = made
    for op, samples in families.items():
        add_family(corpus, f"{op}/large", samples, ORACLE, digests=True)
    devices(corpus)


def functions():
    """f32 functions of one operand."""
    for made_by, ops in FUNCTIONS.items():
        for op in ops:
            for n in LONG:
                array = shape("f32", n)
                body = [f"m = {array} abs(a)", "one = f32[] constant(1)",
                        f"ones = {array} broadcast(one), dimensions={{}}", f"p = {array} add(m, ones)"]
                operand = ("a", "m", "p")[made_by]
                yield op, f"f32_{n}", sample(array, f"{array} {op}({operand})", body[:(0, 1, 4)[made_by]])


def of_two(kind="f32"):
    """f32 arithmetic, compare, select, clamp and complex."""
    for n in (*LONG, 8193):
        array, pred, whole = shape(kind, n), shape("pred", n), shape("c64", n)
        if n != 8193:
            for op in OF_TWO_FLOATS:
                yield op, f"f32_{n}", sample(f"{array} {array} -> {array}", "")
            yield "power", f"f32_{n}", sample(f"{array} {array}", f"{array} power(p, b)", [f"p = {array} abs(a)"])
            yield "complex", f"f32_{n}", sample(f"{array} {array} -> {whole}", "")
            for op in ("real", "imag"):
                yield op, f"c64_{n}", sample(f"{whole} -> {array}", "")
            bits = shape("s32", n)
            yield "is-finite", f"f32_{n}", sample(
                bits, f"{pred} is-finite(q)",
                # Eight times this is infinity.
                ["c = s32[] constant(267386880)", f"m = {bits} broadcast(c), dimensions={{}}",
                 f"p = {bits} multiply(a, m)", f"q = {array} bitcast-convert(p)"])
            yield "reduce-precision", f"f32_{n}", sample(f"{array} -> {array}", "exponent_bits=5, mantissa_bits=7")
        yield "compare", f"f32_{n}", sample(f"{array} {array} -> {pred}", "direction=LT")
        yield "select", f"f32_{n}", sample(f"{pred} {array} {array} -> {array}", "")
        yield "clamp", f"f32_{n}", sample(f"{array} {array} {array} -> {array}", "")


def of_integers():
    """s32 arithmetic, which wraps, and bits."""
    for n in LONG:
        array = shape("s32", n)
        for op in OF_TWO_INTEGERS:
            yield op, f"s32_{n}", sample(f"{array} {array} -> {array}", "")
        for op in OF_ONE_INTEGER:
            yield op, f"s32_{n}", sample(f"{array} {array}", f"{array} {op}(c)", [f"c = {array} multiply(a, b)"])
        yield "stochastic-convert", f"f32_{n}", sample(f"f32[{n}] u32[{n}] -> s8[{n}]", "")
    for n in VERY_LONG:
        array = shape("s32", n)
        yield "add", f"s32_{n}", sample(f"{array} {array} -> {array}", "")
        yield "multiply", f"s8_{n}", sample(f"s8[{n}] s8[{n}] -> s8[{n}]", "")


def other_elements():
    """Conversions, iota, and ops that forward a value."""
    for n in LONG:
        for before, after in CONVERSIONS:
            yield "convert", f"{before}_{after}_{n}", sample(f"{before}[{n}] -> {after}[{n}]", "")
        yield "bitcast-convert", f"f32_{n}", sample(f"f32[{n}] -> u32[{n}]", "")
        yield "iota", f"s32_{n}", sample(f"-> s32[{n}]", "iota_dimension=0")
        square = f"square_{n} {{\n  x = s32[{n}] parameter(0)\n  ROOT y = s32[{n}] multiply(x, x)\n}}"
        for op, rest in (("call", f"to_apply=square_{n}"), ("fusion", f"kind=kLoop, calls=square_{n}")):
            yield op, f"s32_{n}", sample(f"s32[{n}] -> s32[{n}]", rest, computations=[square])
        yield "map", f"s32_{n}", sample(f"s32[{n}] s32[{n}] -> s32[{n}]", "dimensions={0}, to_apply=subtract_s32",
                                        computations=[combiner("subtract", "s32")])
    for n in (*LONG, *VERY_LONG):
        for op in ("copy", "opt-barrier"):
            yield op, f"s32_{n}", sample(f"s32[{n}] -> s32[{n}]", "")
        yield "broadcast", f"s32_{n}", sample(f"s32[] -> s32[{n}]", "dimensions={}")
        yield "reverse", f"s32_{n}", sample(f"s32[{n}] -> s32[{n}]", "dimensions={0}")


def movement():
    """Ops that move the elements of matrices."""
    for m, n in MATRICES:
        array, turned, size = shape("s32", m, n), shape("s32", n, m), f"s32_{m}x{n}"
        yield "transpose", size, sample(f"{array} -> {turned}", "dimensions={1,0}")
        yield "reshape", size, sample(f"{array} -> {turned}", "")
        yield "broadcast", f"{size}_rows", sample(f"s32[{n}] -> {array}", "dimensions={1}")
        yield "broadcast", f"{size}_columns", sample(f"s32[{m}] -> {array}", "dimensions={0}")
        yield "reverse", size, sample(f"{array} -> {array}", "dimensions={1}")
        yield "iota", size, sample(f"-> {array}", "iota_dimension=1")
        yield "concatenate", f"{size}_rows", sample(f"{array} s32[2,{n}] -> s32[{m + 2},{n}]", "dimensions={0}")
        yield "concatenate", f"{size}_columns", sample(f"{array} s32[{m},2] -> s32[{m},{n + 2}]", "dimensions={1}")
        yield "pad", size, sample(f"{array} s32[] -> s32[{2 * m + 2},{n}]", "padding=2_1_1x1_-1")
        yield "tuple", size, sample(f"{array} {turned} -> ({array}, {turned})", "")


def slices():
    """Slices and updates, their starts beyond the array too."""
    for m, n in MATRICES:
        array, size = shape("s32", m, n), f"s32_{m}x{n}"
        cut = shape("s32", m - 1, n - 2)
        yield "slice", size, sample(f"{array} -> {cut}", f"slice={{[1:{m}], [1:{n - 1}]}}")
        yield "slice", f"{size}_steps", sample(f"{array} -> {shape('s32', (m + 1) // 2, (n + 2) // 3)}",
                                               f"slice={{[0:{m}:2], [0:{n}:3]}}")
        yield "dynamic-slice", size, sample(f"{array} s32[] s32[] -> {cut}", f"dynamic_slice_sizes={{{m - 1},{n - 2}}}")
        yield "dynamic-update-slice", size, sample(f"{array} {cut} s32[] s32[] -> {array}", "")


def folds():
    """Reductions along each dimension and all, of integers, whose order does not matter, and of floats."""
    for m, n in MATRICES:
        array, size = shape("s32", m, n), f"{m}x{n}"
        for op, identity in REDUCERS.items():
            for name, kept, along in (("rows", (m,), "1"), ("columns", (n,), "0"), ("all", (), "0,1")):
                yield "reduce", f"s32_{op}_{size}_{name}", sample(f"{array} s32[] -> {shape('s32', *kept)}",
                                                                  f"dimensions={{{along}}}, to_apply={op}_s32",
                                                                  computations=[combiner(op, "s32")], last=identity)
        yield "reduce", f"f32_add_{size}_rows", sample(f"f32[{m},{n}] f32[] -> f32[{m}]",
                                                       "dimensions={1}, to_apply=add_f32",
                                                       computations=[combiner("add", "f32")], last=0)
        yield "reduce-window", f"s32_add_{size}", sample(f"{array} s32[] -> {array}",
                                                         "window={size=2x3 pad=1_0x1_1}, to_apply=add_s32",
                                                         computations=[combiner("add", "s32")], last=0)
    for n in (1025, *VERY_LONG):
        yield "reduce", f"s32_add_{n}", sample(f"s32[{n}] s32[] -> s32[]", "dimensions={0}, to_apply=add_s32",
                                               computations=[combiner("add", "s32")], last=0)
    for m, n in ((129, 5), (3, 1025)):
        array = shape("s32", m, n)
        greater = order("s32", "GE")
        yield "select-and-scatter", f"s32_{m}x{n}", sample(
            f"{array} {array} s32[] -> {array}", "window={size=1x3 pad=0_0x1_1}, select=order_s32, scatter=add_s32",
            computations=[greater, combiner("add", "s32")], last=0)


def products():
    """Products of integers, exact in any order, and of floats."""
    for m, k, n in ((33, 17, 5), (5, 129, 7), (129, 3, 2), (3, 5, 129), (1, 1025, 1), (1025, 2, 1), (1, 2, 1025)):
        for kind in ("s32", "f32"):
            yield "dot", f"{kind}_{m}x{k}x{n}", sample(f"{kind}[{m},{k}] {kind}[{k},{n}] -> {kind}[{m},{n}]",
                                                       "lhs_contracting_dims={1}, rhs_contracting_dims={0}")
    for batch in (3, 129):
        yield "dot", f"s32_batch_{batch}", sample(f"s32[{batch},2,3] s32[{batch},3,2] -> s32[{batch},2,2]",
                                                  "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                                                  "rhs_contracting_dims={1}")
    for n, inputs, outputs in ((129, 3, 2), (1025, 1, 1), (17, 33, 5), (9, 5, 65)):
        for kind in ("s32", "f32"):
            yield "convolution", f"{kind}_{n}_{inputs}to{outputs}", sample(
                f"{kind}[1,{n},{inputs}] {kind}[3,{inputs},{outputs}] -> {kind}[1,{n},{outputs}]",
                "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f")


def gathers():
    """Rows by their numbers; seeded numbers are below 17, and negative ones are clamped."""
    for rows, width in ((17, 65), (9, 1025), (1025, 3)):
        table, size = shape("s32", rows, width), f"s32_{rows}x{width}"
        for count in (33, 129):
            taken = shape("s32", count, width)
            yield "gather", f"{size}_{count}", sample(
                f"{table} s32[{count}] -> {taken}", f"offset_dims={{1}}, collapsed_slice_dims={{0}}, "
                f"start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1,{width}}}")
        few = shape("s32", 33, width)
        yield "scatter", size, sample(f"{table} s32[33] {few} -> {table}", "update_window_dims={1}, "
                                      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                                      "to_apply=add_s32", computations=[combiner("add", "s32")])


def orders():
    """Sorts with many ties, which stable ones keep in order, and the largest elements."""
    for n in LONG:
        for kind in ("s32", "f32"):
            array = shape(kind, n)
            yield "sort", f"{kind}_{n}", sample(f"{array} -> {array}",
                                                f"dimensions={{0}}, is_stable=true, to_apply=order_{kind}",
                                                computations=[order(kind)])
            longer = shape(kind, n + 9)
            yield "topk", f"{kind}_{n}", sample(f"{longer} -> ({array}, s32[{n}])", f"k={n}, largest=true")
        # Seeded f32 numbers seldom tie.
        for largest in ("true", "false"):
            yield "topk", f"f32_3_of_{n}_{'most' if largest == 'true' else 'least'}", sample(
                f"f32[2,{n}] -> (f32[2,3], s32[2,3])", f"k=3, largest={largest}")
    for m, n in ((5, 129), (129, 5)):
        array = shape("s32", m, n)
        yield "sort", f"s32_{m}x{n}", sample(
            f"{array} -> {array}", "dimensions={0}, is_stable=true, to_apply=order_s32", computations=[order("s32")])


def passed_on():
    """Ops that forward a value, some of them in two steps, and constants."""
    for n in LONG:
        array = shape("s32", n)
        same = f"same_{n} {{\n  x = {array} parameter(0)\n  ROOT y = {array} copy(x)\n}}"
        started = f"s = (({array}), {array}, u32[]) async-start(a), calls=same_{n}"
        yield "add-dependency", f"s32_{n}", sample(array, f"{array} add-dependency(a, t)", ["t = token[] after-all()"])
        for op in ("async-start", "async-done"):
            yield op, f"s32_{n}", sample(array, f"{array} async-done(s)", [started], [same])
        yield "async-update", f"s32_{n}", sample(array, f"{array} async-done(u)",
                                                 [started, f"u = (({array}), {array}, u32[]) async-update(s)"], [same])
        for op in ("copy-start", "copy-done"):
            yield op, f"s32_{n}", sample(array, f"{array} copy-done(s)",
                                         [f"s = ({array}, {array}, u32[]) copy-start(a)"])
        yield "domain", f"s32_{n}", sample(
            array, f'{array} domain(a), domain={{kind="sharding", entry={{replicated}}, exit={{maximal device=0}}}}')
        yield "bitcast", f"s32_{n}x2", sample(f"s32[{n},2] -> s32[2,{n}]", "")
        yield "get-tuple-element", f"s32_{n}", sample(f"{array} s8[]", f"{array} get-tuple-element(v), index=0",
                                                      [f"v = ({array}, s8[]) tuple(a, b)"])
        yield "parameter", f"s32_{n}", sample(array, f"{array} copy(a)")
        yield "custom-call", f"s32_{n}", sample(array, f'{array} custom-call(a), custom_call_target="Sharding"')
        yield "dynamic-reshape", f"s32_{n}x2", Sample(f"s32[{n},2] s32[] s32[] -> s32[2,{n}]", "",
                                                      [f"s32[{n},2] seeded 1", [2], [n]], reason=f"a size of [{n},2]")
        numbers = ", ".join(str(i * i % 251) for i in range(n))
        yield "constant", f"s32_{n}", sample("", f"{array} constant({{{numbers}}})")
        for generator, state in (("three_fry", 2), ("philox", 3)):
            yield "rng-bit-generator", f"{generator}_{n}", sample(f"u64[{state}] -> (u64[{state}], u32[{n}])",
                                                                  f"algorithm=rng_{generator}")


def controlled():
    """Branches, loops and scans that carry a whole array."""
    for n in LONG:
        array = shape("s32", n)
        state = f"(s32[], {array})"
        double = f"double_{n} {{\n  x = {array} parameter(0)\n  ROOT y = {array} add(x, x)\n}}"
        opposite = f"opposite_{n} {{\n  x = {array} parameter(0)\n  ROOT y = {array} negate(x)\n}}"
        yield "conditional", f"s32_{n}", sample(f"pred[] {array} {array} -> {array}",
                                                f"true_computation=double_{n}, false_computation=opposite_{n}",
                                                computations=[double, opposite])
        below = called(f"below_{n}", f"s:{state}", "i = s32[] get-tuple-element(s), index=0", "k = s32[] constant(3)",
                       "ROOT r = pred[] compare(i, k), direction=LT")
        step = called(f"step_{n}", f"s:{state}", "i = s32[] get-tuple-element(s), index=0",
                      f"x = {array} get-tuple-element(s), index=1", "one = s32[] constant(1)", "j = s32[] add(i, one)",
                      f"y = {array} add(x, x)", f"ROOT r = {state} tuple(j, y)")
        yield "while", f"s32_{n}", sample(array, f"{state} while(s), condition=below_{n}, body=step_{n}",
                                          ["zero = s32[] constant(0)", f"s = {state} tuple(zero, a)"], [below, step])
        sums = called("running_s32", "x:s32[] c:s32[]", "s = s32[] add(x, c)", "ROOT r = (s32[], s32[]) tuple(s, s)")
        yield "scan", f"s32_{n}", sample(f"{array} s32[] -> ({array}, s32[])",
                                         "dimensions={0}, num_carries=1, is_associative=true, to_apply=running_s32",
                                         computations=[sums])


def matrices():
    """Products of other kinds, transforms, factors and solutions: many small ones, because large ones are too slow."""
    for n in LONG:
        yield "ragged-dot", f"s32_{n}", Sample(
            f"s32[{n},3] s32[2,3,2] s32[2] -> s32[{n},2]",
            "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
            [f"s32[{n},3] seeded 1", "s32[2,3,2] seeded 2", [n // 3, n - n // 3]], reason=f"a size of [{n},3]")
        yield "scaled-dot", f"s32_{n}", sample(f"s32[{n},2] s32[2,3] s32[{n},1] s32[1,3] -> s32[{n},3]",
                                               "lhs_contracting_dims={1}, rhs_contracting_dims={0}")
        many = shape("f32", n, 1, 1)
        yield "cholesky", f"f32_{n}x1x1", sample(many, f"{many} cholesky(p), lower=true", [f"p = {many} abs(a)"])
        right = shape("f32", 2, n)
        yield "triangular-solve", f"f32_2x{n}", Sample(f"f32[2,2] {right} -> {right}",
                                                       "left_side=true, lower=true, transpose_a=NO_TRANSPOSE",
                                                       [[3, 0, 1, 7], f"{right} seeded 2"], reason=f"a size of [2,{n}]")
        rows = shape("c64", n, 4)
        yield "fft", f"c64_{n}x4", sample(f"{rows} -> {rows}", "fft_type=FFT, fft_length={4}")
    yield "fft", "c64_129", sample("c64[129] -> c64[129]", "fft_type=FFT, fft_length={129}")


def normalized():
    """Batches of two features."""
    for n in LONG:
        array, both = shape("f32", n, 2), "f32[2]"
        variance = [f"v = {both} abs(e)"]
        yield "batch-norm-inference", f"f32_{n}", sample(f"{array} {both} {both} {both} {both}",
                                                         f"{array} batch-norm-inference(a, b, c, d, v), epsilon=0, "
                                                         f"feature_index=1", variance)
        yield "batch-norm-training", f"f32_{n}", sample(f"{array} {both} {both} -> ({array}, {both}, {both})",
                                                        "epsilon=0, feature_index=1")
        yield "batch-norm-grad", f"f32_{n}", sample(f"{array} {both} {both} {array} {both}",
                                                    f"({array}, {both}, {both}) batch-norm-grad(a, b, c, v, d), "
                                                    f"epsilon=0, feature_index=1", variance)


def devices(corpus):
    """Collectives of two replicas whose values differ in every element."""
    add = "replica_groups={}, to_apply=add_s32"
    swap = "source_target_pairs={{0,1},{1,0}}"
    for op, operand, result, attributes in (
        ("all-gather", "{n},3", "{n},6", "replica_groups={}, dimensions={1}"),
        ("all-gather-start", "{n},3", "{n},6", "replica_groups={}, dimensions={1}"),
        ("all-gather-done", "{n},3", "{n},6", "replica_groups={}, dimensions={1}"),
        ("all-reduce", "{n}", "{n}", add),
        ("all-reduce-start", "{n}", "{n}", add),
        ("all-reduce-done", "{n}", "{n}", add),
        ("all-to-all", "{n},2", "{n},2", "replica_groups={{0,1}}, dimensions={1}"),
        ("collective-broadcast", "{n}", "{n}", "replica_groups={{1,0}}"),
        ("collective-permute", "{n}", "{n}", swap),
        ("collective-permute-start", "{n}", "{n}", swap),
        ("collective-permute-done", "{n}", "{n}", swap),
        ("collective-reduce", "{n}", "{n}", "replica_groups={{0,1}}, to_apply=add_s32"),
        ("reduce-scatter", "{n},2", "{n},1", "replica_groups={}, dimensions={1}, to_apply=add_s32"),
    ):
        blocks = [combiner("add", "s32")] if "to_apply" in attributes else []
        for i, n in enumerate((*LONG, 8193)):
            taken, made = f"s32[{operand.format(n=n)}]", f"s32[{result.format(n=n)}]"
            lines = [f"x = {taken} parameter(0)", *collective_lines(op, taken, made, attributes)]
            body = "".join(f"  {line}\n" for line in lines)
            blocks.append(("ENTRY " if i == 0 else "") + f"on_{n} {{\n{body}}}")
        text = f"HloModule {op.replace('-', '_')}_large, replica_count=2\n\n" + "\n\n".join(blocks)
        case = corpus.file(f"{op}/large", text, f"{op} large level1", ORACLE, digests=True)
        for n in (*LONG, 8193):
            taken = f"s32[{operand.format(n=n)}]"
            case(f"s32_{n}", f"a size of {taken[3:]}, other values on each replica", f"{taken} seeded 1",
                 f"{taken} seeded 2", entry=f"on_{n}")


def collective_lines(op, taken, made, attributes):
    """Returns the instruction, or the start and the done of a pair."""
    base = op.removesuffix("-start").removesuffix("-done")
    if base == op:
        return [f"ROOT r = {made} {op}(x), {attributes}"]
    started = {"all-reduce": made, "all-gather": f"({taken}, {made})",
               "collective-permute": f"({taken}, {made}, u32[], u32[])"}[base]
    return [f"s = {started} {base}-start(x), {attributes}", f"ROOT r = {made} {base}-done(s)"]
