"""The reference does what docs/decisions.md says: at least one run for each of its sections.

Expected values come from the page's own reasons: two's complement, IEEE 754, exact sums by hand, bits of XLA:CPU.
"""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).parents[2]
ASSAY = os.environ["ASSAY"]
COMPUTATIONS = """
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
subtract { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] subtract(x, y) }
less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=LT }
not_less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=GE }
second { x = f32[] parameter(0) ROOT y = f32[] parameter(1) }
first_branch { x = s32[] parameter(0) ROOT r = s32[] negate(x) }
last_branch { ROOT x = s32[] parameter(0) }
"""


def evaluate(instructions, arguments):
    """Returns the output of `assay run` for an entry of these instructions: its values, or its error."""
    module = f"HloModule m\n{COMPUTATIONS}\nENTRY e {{\n{instructions}\n}}\n"
    inputs = [word for argument in arguments for word in ("--input", argument)]
    run = subprocess.run([ASSAY, "run", "-", *inputs], input=module, capture_output=True, text=True)
    return " ".join(run.stdout.split()) if run.returncode == 0 else f"refused: {run.stderr}"


def op(name, result, arguments, attributes=""):
    """Returns an instruction of parameters of the arguments' shapes, with the arguments."""
    shapes = [argument.split(" ")[0] for argument in arguments]
    lines = [f"p{i} = {shape} parameter({i})" for i, shape in enumerate(shapes)]
    operands = ", ".join(f"p{i}" for i in range(len(shapes)))
    return "\n".join([*lines, f"ROOT r = {result} {name}({operands}){attributes}"]), arguments


def sums(result, arguments, attributes):
    return op("reduce", result, arguments, f", dimensions={{0}}, {attributes}")


def custom_call(target, result, argument, config=""):
    return op("custom-call", result, [argument], f', custom_call_target="{target}", backend_config={{{config}}}')


def sizes_kept(size):
    """Returns the size that a dimension of six has after set-dimension-size."""
    lines = ["a = f32[6] parameter(0)", "n = s32[] parameter(1)"]
    lines.append("d = f32[<=6] set-dimension-size(a, n), dimensions={0}")
    lines.append("ROOT r = s32[] get-dimension-size(d), dimensions={0}")
    return "\n".join(lines), ["f32[6] {1, 2, 3, 4, 5, 6}", f"s32[] {size}"]


def bits_of(instructions, arguments):
    """Returns the same, its result read as u32."""
    return instructions.replace("ROOT r", "q") + "\nROOT r = u32[1] bitcast-convert(q)", arguments


DOT = ", lhs_contracting_dims={0}, rhs_contracting_dims={0}"
SCATTER = ", update_window_dims={%s}, inserted_window_dims={%s}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"
GATHER = ", offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={%d}"
CONVOLUTION = ", window={size=2 pad=1_1}, dim_labels=bf0_io0->bf0"

# By section: an instruction with its arguments, and what a run prints.
CASES = {
    "Rounding": [
        (op("add", "f32[1]", ["f32[1] {1e-40}", "f32[1] {0}"]), "{9.99995e-41}"),
        (op("add", "f32[1]", ["f32[1] {-0}", "f32[1] {0}"]), "{0}"),
        (("ROOT r = f32[2] constant({-0, 0})", []), "{-0, 0}"),
        (("ROOT r = s32[3] constant(7)", []), "{7, 0, 0}"),
        (("ROOT r = u64[] constant(-1)", []), "18446744073709551615"),
        (("ROOT r = c64[2] constant({(-nan, 2), (1, nan(0x5))})", []), "{(-nan, -nan), (1, nan)}"),
        (op("copy", "c64[]", ["c64[] (nan,2)"]), "(nan, 2)"),
    ],
    "Floating-point types": [
        (op("add", "f32[1]", ["f32[1] {1}", "bf16[1] {1}"]), "refused"),
        (op("maximum", "f32[1]", ["f32[1] {1}", "bf16[1] {1}"]), "refused"),
        (op("dot", "f32[]", ["f32[1] {1}", "bf16[1] {2}"], DOT), "2"),
        (op("convert", "f8e8m0fnu[4]", ["f32[4] {0, -500, nan, 448}"]), "{nan, nan, nan, 5.1e+02}"),
        (op("convert", "f4e2m1fn[4]", ["f32[4] {nan, inf, -inf, 7}"]), "{-0, 6, -6, 6}"),
        (op("add", "f8e4m3fn[1]", ["f8e4m3fn[1] {448}", "f8e4m3fn[1] {448}"]), "{nan}"),
        (
            op(
                "compare",
                "pred[2]",
                ["f8e4m3fnuz[2] {nan, 1}", "f8e4m3fnuz[2] {-240, nan}"],
                ", direction=LT, type=TOTALORDER",
            ),
            "{1, 0}",
        ),
    ],
    "NaN": [
        (bits_of(*op("divide", "f32[1]", ["f32[1] {0}", "f32[1] {0}"])), "{%d}" % 0x7FC00000),
        (op("power", "f32[2]", ["f32[2] {1, nan}", "f32[2] {nan, 0}"]), "{1, 1}"),
    ],
    "Integers": [
        (op("divide", "s32[3]", ["s32[3] {5, -2147483648, -5}", "s32[3] {0, -1, 0}"]), "{-1, -2147483648, -1}"),
        (op("remainder", "s32[3]", ["s32[3] {5, -2147483648, -5}", "s32[3] {0, -1, 0}"]), "{5, 0, -5}"),
        (op("power", "u32[1]", ["u32[1] {3}", "u32[1] {4294967295}"]), "{2863311531}"),
        (
            op("power", "s32[7]", ["s32[7] {0, 0, 2, 1, -1, -1, 3}", "s32[7] {0, -1, -1, -5, -1, -2, -2}"]),
            "{1, 0, 0, 1, -1, 1, 0}",
        ),
        (op("shift-left", "s32[3]", ["s32[3] {1, 1, -8}", "s32[3] {31, 32, -1}"]), "{-2147483648, 0, 0}"),
        (op("shift-right-arithmetic", "u8[2]", ["u8[2] {129, 129}", "u8[2] {1, 255}"]), "{192, 255}"),
        (op("shift-left", "f32[1]", ["f32[1] {1}", "f32[1] {1}"]), "refused"),
        (op("mulhi", "f32[1]", ["f32[1] {1}", "f32[1] {1}"]), "refused"),
        (op("add", "pred[1]", ["pred[1] {1}", "pred[1] {1}"]), "{1}"),
        (op("subtract", "pred[1]", ["pred[1] {1}", "pred[1] {1}"]), "refused"),
        (op("abs", "s8[1]", ["s8[1] {-128}"]), "{-128}"),
        (op("popcnt", "s4[2]", ["s4[2] {-8, -1}"]), "{1, 4}"),
    ],
    "Conversions": [
        (
            op("convert", "s32[5]", ["f32[5] {inf, -inf, nan, 2147483648, -1.9}"]),
            "{2147483647, -2147483648, 0, 2147483647, -1}",
        ),
        (op("convert", "s8[3]", ["s32[3] {300, -129, 128}"]), "{44, 127, -128}"),
        (op("convert", "f16[1]", ["f64[1] {65519.99999999}"]), "{65504}"),
        (op("convert", "pred[3]", ["f32[3] {1e-40, 0, nan}"]), "{1, 0, 1}"),
        (op("convert", "pred[2]", ["c64[2] {(0, 1), (0, 0)}"]), "{1, 0}"),
        (op("stochastic-convert", "s32[3]", ["f32[3] {1.5, -1.5, nan}", "u32[3] {0, 2147483648, 1}"]), "{2, -1, 0}"),
        (
            op(
                "reduce-precision",
                "f32[5]",
                ["f32[5] {240, 248, 1.0625, 0.0078125, -0.001}"],
                ", exponent_bits=4, mantissa_bits=3",
            ),
            "{240, inf, 1, 0, -0}",
        ),
        (op("bitcast-convert", "u4[2,2]", ["u8[2] {33, 67}"]), "{ { 1, 2 }, { 3, 4 } }"),
        (op("bitcast-convert", "u8[2]", ["pred[2] {1, 0}"]), "{1, 0}"),
        (
            op("reduce-precision", "f32[4]", ["f32[4] {1.5, 3, 6, 0.75}"], ", exponent_bits=8, mantissa_bits=0"),
            "{2, 2, 8, 0.5}",
        ),
        (op("stochastic-convert", "s8[2]", ["f32[2] {200, -300}", "u32[2] {0, 0}"]), "{127, -128}"),
    ],
    "Order": [
        (op("maximum", "f32[4]", ["f32[4] {1, nan, -0, 0}", "f32[4] {nan, 1, 0, -0}"]), "{nan, nan, 0, 0}"),
        (op("maximum", "c64[1]", ["c64[1] {(1, 1)}", "c64[1] {(1, 1)}"]), "refused"),
        (
            op("clamp", "c64[3]", ["c64[] (0, 5)", "c64[3] {(0, 4), (1, 9), (2, 1)}", "c64[] (2, 0)"]),
            "{(0, 5), (1, 9), (2, 0)}",
        ),
        (op("remainder", "c64[1]", ["c64[1] {(1, 1)}", "c64[1] {(1, 1)}"]), "refused"),
        (op("compare", "pred[1]", ["c64[1] {(1, 1)}", "c64[1] {(1, 1)}"], ", direction=LT"), "refused"),
        (op("clamp", "f32[1]", ["f32[1] {0}", "f32[1] {-0}", "f32[1] {1}"]), "{0}"),
        (op("clamp", "f32[2]", ["f32[2] {nan, 5}", "f32[2] {0.5, 3}", "f32[2] {1, 1}"]), "{nan, 1}"),
        (
            op("topk", "(f32[3], s32[3])", ["f32[5] {1, nan, 3, 3, -inf}"], ", k=3, largest=true"),
            "( {nan, 3, 3}, {1, 2, 3} )",
        ),
        (
            op(
                "sort",
                "f32[10]",
                ["f32[10] {nan, -0, 0, -nan, inf, -inf, 1, -1, -0, nan}"],
                ", dimensions={0}, is_stable=true, to_apply=less",
            ),
            "{nan, -inf, -1, -0, 0, -nan, -0, 1, inf, nan}",
        ),
        (
            op(
                "select-and-scatter",
                "f32[6]",
                ["f32[6] {1, 1, 1, nan, 2, 2}", "f32[3] {1, 10, 100}", "f32[] 0"],
                ", window={size=2 stride=2}, select=not_less, scatter=add",
            ),
            "{1, 0, 0, 10, 100, 0}",
        ),
    ],
    "Functions": [
        (op("rsqrt", "f32[1]", ["f32[1] {-0}"]), "{-inf}"),
        (op("sign", "f32[2]", ["f32[2] {-0, 1e-45}"]), "{-0, 1}"),
        (op("remainder", "f32[4]", ["f32[4] {-5, inf, 5, 5}", "f32[4] {3, 2, inf, 0}"]), "{-2, nan, 5, nan}"),
    ],
    "Complex numbers": [
        (op("abs", "f32[2]", ["c64[2] {(inf, nan), (nan, inf)}"]), "{inf, inf}"),
        (op("exponential", "c64[2]", ["c64[2] {(-inf, inf), (inf, nan)}"]), "{(0, 0), (inf, nan)}"),
        (op("sqrt", "c64[2]", ["c64[2] {(-1, -0), (-1, 0)}"]), "{(0, -1), (0, 1)}"),
        (
            op("multiply", "c64[2]", ["c64[2] {(1e38, 1e38), (inf, inf)}", "c64[2] {(1e38, 1e38), (nan, 1)}"]),
            "{(0, inf), (-inf, inf)}",
        ),
        (op("divide", "c64[2]", ["c64[2] {(1, 1), (0, 0)}", "c64[2] {(0, 0), (0, 0)}"]), "{(inf, inf), (nan, nan)}"),
        (
            op("power", "c64[3]", ["c64[3] {(4, -0), (2, -0), (-2, 0)}", "c64[3] {(2, 0), (3, -0), (2, 0)}"]),
            "{(16, 0), (8, -0), (4, 0)}",
        ),
        (
            op("power", "c64[3]", ["c64[3] {(0, 0), (0, 0), (0, 0)}", "c64[3] {(0, 0), (1, 1), (-1, 0)}"]),
            "{(1, 0), (0, 0), (nan, nan)}",
        ),
        (op("sign", "c64[1]", ["c64[1] {(0, -0)}"]), "{(0, -0)}"),
    ],
    "Sums": [
        (sums("f32[]", ["f32[3] {3e38, 3e38, -3e38}", "f32[] 0"], "to_apply=add"), "3e+38"),
        (sums("f32[]", ["f32[4] {1, 2, 3, 4}", "f32[] 0"], "to_apply=subtract"), "-10"),
        (sums("f32[]", ["f32[0] {}", "f32[] 7"], "to_apply=add"), "7"),
        (op("reduce", "f32[2]", ["f32[2] {1, 2}", "f32[] 10"], ", dimensions={}, to_apply=add"), "{11, 12}"),
        (sums("f32[]", ["f32[2] {-0, -0}", "f32[] 0"], "to_apply=add"), "0"),
        (sums("f32[]", ["f32[2] {-0, -0}", "f32[] -0"], "to_apply=add"), "-0"),
        (
            op("reduce-window", "f32[3]", ["f32[3] {1, 2, 3}", "f32[] 1"], ", window={size=3 pad=1_1}, to_apply=add"),
            "{4, 7, 6}",
        ),
        (op("dot", "f32[]", ["f32[3] {16777216, 1, -16777216}", "f32[3] {1, 1, 1}"], DOT), "1"),
        (op("dot", "f32[]", ["f32[1] {-0}", "f32[1] {1}"], DOT), "-0"),
        (op("dot", "f32[]", ["f32[0] {}", "f32[0] {}"], DOT), "0"),
        (op("dot", "s32[]", ["f32[2] {1.5, 1.5}", "s32[2] {2, 2}"], DOT), "4"),
        (
            op("convolution", "f32[1,1,2]", ["f32[1,1,1] {{{-0}}}", "f32[1,1,2] {{{inf, 1}}}"], CONVOLUTION),
            "{ { { 0, nan } } }",
        ),
        (
            op(
                "ragged-dot",
                "f32[3,1]",
                ["f32[3,1] {{1}, {1}, {1}}", "f32[2,1,1] {{{2}}, {{3}}}", "s32[2] {1, 1}"],
                ", lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
            ),
            "{ {2}, {3}, {0} }",
        ),
    ],
    "Indices": [
        (op("dynamic-slice", "f32[1]", ["f32[3] {1, 2, 3}", "u8[] 200"], ", dynamic_slice_sizes={1}"), "{3}"),
        (op("dynamic-slice", "f32[1]", ["f32[3] {1, 2, 3}", "s8[] -1"], ", dynamic_slice_sizes={1}"), "{1}"),
        (op("dynamic-slice", "f32[0]", ["f32[3] {1, 2, 3}", "s8[] 1"], ", dynamic_slice_sizes={0}"), "{}"),
        (op("dynamic-update-slice", "f32[2]", ["f32[2] {1, 2}", "f32[0] {}", "s8[] 1"]), "{1, 2}"),
        (op("gather", "f32[2]", ["f32[4] {1, 2, 3, 4}", "s32[2] {0, 1}"], GATHER % 0), "refused"),
        (op("gather", "f32[2]", ["f32[4] {1, 2, 3, 4}", "s32[2] {0, 1}"], GATHER % 1), "{1, 2}"),
        (op("gather", "f32[0]", ["f32[4] {1, 2, 3, 4}", "s32[0] {}"], GATHER % 0), "{}"),
        (
            op(
                "scatter",
                "f32[6]",
                [
                    "f32[6] {0, 0, 0, 0, 0, 0}",
                    "s32[4,1] {{-1}, {0}, {4}, {3}}",
                    "f32[4,3] {{1, 1, 1}, {10, 10, 10}, {100, 100, 100}, {1000, 1000, 1000}}",
                ],
                SCATTER % ("1", "") + ", to_apply=add",
            ),
            "{10, 10, 10, 1000, 1000, 1000}",
        ),
        (
            op(
                "scatter",
                "f32[3]",
                ["f32[3] {0, 0, 0}", "s32[3,1] {{0}, {0}, {0}}", "f32[3] {1, 2, 3}"],
                SCATTER % ("", "0") + ", to_apply=second",
            ),
            "{3, 0, 0}",
        ),
        (
            op(
                "conditional",
                "s32[]",
                ["s32[] -1", "s32[] 7", "s32[] 7"],
                ", branch_computations={first_branch, last_branch}",
            ),
            "7",
        ),
        (
            op(
                "conditional",
                "s32[]",
                ["s32[] 9", "s32[] 7", "s32[] 7"],
                ", branch_computations={first_branch, last_branch}",
            ),
            "7",
        ),
        (
            ("i = f16[65521] iota(), iota_dimension=0\nROOT r = f16[2] slice(i), slice={[65519:65521]}", []),
            "{65504, inf}",
        ),
        (("i = s8[129] iota(), iota_dimension=0\nROOT r = s8[2] slice(i), slice={[127:129]}", []), "{127, -128}"),
        *((sizes_kept(size), kept) for size, kept in [(4, "4"), (9, "6"), (-3, "0")]),
    ],
    "Matrices": [
        (op("cholesky", "f32[2,2]", ["f32[2,2] {{1, 2}, {2, 1}}"], ", lower=true"), "{ { nan, nan }, { nan, nan } }"),
        (op("cholesky", "f32[2,2]", ["f32[2,2] {{4, 99}, {2, 5}}"], ", lower=true"), "{ { 2, 0 }, { 1, 2 } }"),
        (op("cholesky", "c64[1,1]", ["c64[1,1] {{(4, 1)}}"], ", lower=true"), "{ {(2, 0)} }"),
        (
            op(
                "triangular-solve",
                "f32[2,1]",
                ["f32[2,2] {{0, 0}, {1, 1}}", "f32[2,1] {{1}, {1}}"],
                ", left_side=true, lower=true, transpose_a=NO_TRANSPOSE",
            ),
            "{ {inf}, {-inf} }",
        ),
    ],
    "Fourier transforms": [
        (
            op("fft", "f32[4]", ["c64[3] {(10, 5), (-2, 2), (-2, 7)}"], ", fft_type=IRFFT, fft_length={4}"),
            "{1, 2, 3, 4}",
        ),
        (op("fft", "c64[2]", ["c64[2] {(0.1, 0), (0.1, 0)}"], ", fft_type=IFFT, fft_length={2}"), "{(0.1, 0), (0, 0)}"),
        (op("fft", "c64[2]", ["f32[2] {1, inf}"], ", fft_type=RFFT, fft_length={2}"), "{(nan, nan), (nan, nan)}"),
        (op("fft", "c64[2]", ["c64[2] {(1, 0), (1, 0)}"], ", fft_type=FFT, fft_length={1}"), "refused"),
        (op("fft", "f32[0]", ["c64[0] {}"], ", fft_type=IRFFT, fft_length={0}"), "{}"),
    ],
    "Batch normalization": [
        (
            op(
                "batch-norm-training",
                "(f32[4,1], f32[1], f32[1])",
                ["f32[4,1] {{1}, {3}, {5}, {7}}", "f32[1] {2}", "f32[1] {1}"],
                ", epsilon=4, feature_index=1",
            ),
            "( { {-1}, {0.333333343}, {1.66666663}, {3} }, {4}, {5} )",
        ),
        (
            op(
                "batch-norm-grad",
                "(f32[0,1], f32[1], f32[1])",
                ["f32[0,1] {}", "f32[1] {2}", "f32[1] {1}", "f32[1] {1}", "f32[0,1] {}"],
                ", epsilon=4, feature_index=1",
            ),
            "( { }, {0}, {0} )",
        ),
        (
            op(
                "batch-norm-grad",
                "(f32[2,1], f32[1], f32[1])",
                ["f32[2,1] {{1}, {-0.25}}", "f32[1] {1}", "f32[1] {0}", "f32[1] {0}", "f32[2,1] {{1}, {2}}"],
                ", epsilon=0, feature_index=1",
            ),
            "( { {-inf}, {inf} }, {inf}, {3} )",
        ),
    ],
    "Random numbers": [
        (
            op("rng-bit-generator", "(u64[2], u32[4])", ["u64[2] {1, 2}"], ", algorithm=rng_default"),
            "( {1, 3}, {2100602697, 2847456232, 2074354647, 800269529} )",
        ),
        (op("rng-bit-generator", "(u32[4], u32[8])", ["u32[4] {1, 2, 3, 4}"], ", algorithm=rng_philox"), "refused"),
        (op("rng-bit-generator", "(u64[3], u32[8])", ["u64[3] {1, 2, 3}"], ", algorithm=rng_three_fry"), "refused"),
    ],
    "Custom calls": [
        (custom_call("nobody", "f32[2]", "f32[2] {1, 2}"), "refused"),
        (
            custom_call("lapack_spotrf_ffi", "(f32[2,2], s32[])", "f32[2,2] {{1, 2}, {2, 1}}", "uplo = 76 : ui8"),
            "( { { 1, 2 }, { 2, 1 } }, 2 )",
        ),
        (
            custom_call("lapack_sgetrf_ffi", "(f32[1,1], s32[1], s32[])", "f32[1,1] {{inf}}"),
            "( { {nan} }, {0}, 0 )",
        ),
        (
            custom_call("lapack_sgetrf_ffi", "(f32[0,2], s32[0], s32[])", "f32[0,2] {}"),
            "( { }, {}, 0 )",
        ),
    ],
    "Devices and the host": [
        (("t = token[] after-all()\ni = ((), token[]) infeed(t)\nROOT r = () get-tuple-element(i), index=0", []), "( )"),
        (("t = token[] after-all()\nROOT i = ((f32[], (f32[])), token[]) infeed(t)", []), "refused"),
        (("t = token[] after-all()\nROOT i = (token[], token[]) infeed(t)", []), "refused"),
    ],
    "Legality": [
        (op("select", "(f32[])", ["pred[] 1", "(f32[]) (1)", "(f32[]) (2)"]), "refused"),
        (op("sort", "f32[2]", ["f32[2] {1, 2}"], ", to_apply=less"), "refused"),
        (op("compare", "pred[1]", ["c64[1] {(1, 1)}", "c64[1] {(1, 1)}"], ", direction=GE"), "refused"),
        (op("fft", "c64[1]", ["c64[1] {(1, 1)}"], ", fft_type=FFT, fft_length={-1}"), "refused"),
        (op("broadcast", "f32[2,1]", ["f32[2,2] {{1, 2}, {3, 4}}"], ", dimensions={0,0}"), "refused"),
        (op("broadcast", "f32[2]", ["bf16[] 1"], ", dimensions={}"), "refused"),
        (op("bitcast", "f32[3]", ["f32[2] {1, 2}"]), "refused"),
        (op("negate", "f32[1]", ["f32[1] {1}"], ', origin={({"a"})}'), "refused"),
        (op("negate", "f32[1]", ["f32[1] {1}"], ', origin={{"a"}}'), "{-1}"),
    ],
}


class Decisions(unittest.TestCase):
    def test_runs_agree_with_the_page(self):
        for section, cases in CASES.items():
            for (instructions, arguments), expected in cases:
                with self.subTest(section=section, instructions=instructions):
                    self.assertRegex(
                        evaluate(instructions, arguments),
                        "^" + re.escape(expected) + (":" if expected == "refused" else "$"),
                    )

    def test_every_section_has_a_case(self):
        sections = re.findall(r"^## (.+)$", (ROOT / "docs/decisions.md").read_text(), re.M)
        self.assertEqual(sections, list(CASES))
