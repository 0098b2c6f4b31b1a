"""The reference does what docs/decisions.md says: at least one run for each of its sections.

Expected values come from the page's own reasons: two's complement, IEEE 754, exact sums by hand, bits of XLA:CPU.
"""

import re
import unittest

from spec_tests.tools.command_line import ASSAY, ROOT, each, ran

COMPUTATIONS = """
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
subtract { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] subtract(x, y) }
less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=LT }
not_less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=GE }
second { x = f32[] parameter(0) ROOT y = f32[] parameter(1) }
first_branch { x = s32[] parameter(0) ROOT r = s32[] negate(x) }
last_branch { ROOT x = s32[] parameter(0) }
"""


# By section: an operation of arguments, or instructions, and what a run prints. An indented line goes on with a row.
CASES = r"""
## Rounding
f32[1] add(f32[1] {1e-40}; f32[1] {0}) -> {9.99995e-41}
f32[1] add(f32[1] {-0}; f32[1] {0}) -> {0}
ROOT r = f32[2] constant({-0, 0}) -> {-0, 0}
ROOT r = s32[3] constant(7) -> {7, 0, 0}
ROOT r = u64[] constant(-1) -> 18446744073709551615
ROOT r = c64[2] constant({(-nan, 2), (1, nan(0x5))}) -> {(-nan, -nan), (1, nan)}
c64[] copy(c64[] (nan,2)) -> (nan, 2)
## Floating-point types
f32[1] add(f32[1] {1}; bf16[1] {1}) -> refused
f32[1] maximum(f32[1] {1}; bf16[1] {1}) -> refused
f32[] dot(f32[1] {1}; bf16[1] {2}), lhs_contracting_dims={0}, rhs_contracting_dims={0} -> 2
f8e8m0fnu[4] convert(f32[4] {0, -500, nan, 448}) -> {nan, nan, nan, 5.1e+02}
f4e2m1fn[4] convert(f32[4] {nan, inf, -inf, 7}) -> {-0, 6, -6, 6}
f8e4m3fn[1] add(f8e4m3fn[1] {448}; f8e4m3fn[1] {448}) -> {nan}
pred[2] compare(f8e4m3fnuz[2] {nan, 1}; f8e4m3fnuz[2] {-240, nan}), direction=LT, type=TOTALORDER -> {1, 0}
## NaN
x = f32[1] constant({0}); q = f32[1] divide(x, x); ROOT r = u32[1] bitcast-convert(q) -> {2143289344}
f32[2] power(f32[2] {1, nan}; f32[2] {nan, 0}) -> {1, 1}
## Integers
s32[3] divide(s32[3] {5, -2147483648, -5}; s32[3] {0, -1, 0}) -> {-1, -2147483648, -1}
s32[3] remainder(s32[3] {5, -2147483648, -5}; s32[3] {0, -1, 0}) -> {5, 0, -5}
u32[1] power(u32[1] {3}; u32[1] {4294967295}) -> {2863311531}
s32[7] power(s32[7] {0, 0, 2, 1, -1, -1, 3}; s32[7] {0, -1, -1, -5, -1, -2, -2}) -> {1, 0, 0, 1, -1, 1, 0}
s32[3] shift-left(s32[3] {1, 1, -8}; s32[3] {31, 32, -1}) -> {-2147483648, 0, 0}
u8[2] shift-right-arithmetic(u8[2] {129, 129}; u8[2] {1, 255}) -> {192, 255}
f32[1] shift-left(f32[1] {1}; f32[1] {1}) -> refused
f32[1] mulhi(f32[1] {1}; f32[1] {1}) -> refused
pred[1] add(pred[1] {1}; pred[1] {1}) -> {1}
pred[1] subtract(pred[1] {1}; pred[1] {1}) -> refused
s8[1] abs(s8[1] {-128}) -> {-128}
s4[2] popcnt(s4[2] {-8, -1}) -> {1, 4}
## Conversions
s32[5] convert(f32[5] {inf, -inf, nan, 2147483648, -1.9}) -> {2147483647, -2147483648, 0, 2147483647, -1}
s8[3] convert(s32[3] {300, -129, 128}) -> {44, 127, -128}
f16[1] convert(f64[1] {65519.99999999}) -> {65504}
pred[3] convert(f32[3] {1e-40, 0, nan}) -> {1, 0, 1}
pred[2] convert(c64[2] {(0, 1), (0, 0)}) -> {1, 0}
s32[3] stochastic-convert(f32[3] {1.5, -1.5, nan}; u32[3] {0, 2147483648, 1}) -> {2, -1, 0}
f32[5] reduce-precision(f32[5] {240, 248, 1.0625, 0.0078125, -0.001}), exponent_bits=4, mantissa_bits=3 -> {240,
    inf, 1, 0, -0}
u4[2,2] bitcast-convert(u8[2] {33, 67}) -> { { 1, 2 }, { 3, 4 } }
u8[2] bitcast-convert(pred[2] {1, 0}) -> {1, 0}
f32[4] reduce-precision(f32[4] {1.5, 3, 6, 0.75}), exponent_bits=8, mantissa_bits=0 -> {2, 2, 8, 0.5}
s8[2] stochastic-convert(f32[2] {200, -300}; u32[2] {0, 0}) -> {127, -128}
## Order
f32[4] maximum(f32[4] {1, nan, -0, 0}; f32[4] {nan, 1, 0, -0}) -> {nan, nan, 0, 0}
c64[1] maximum(c64[1] {(1, 1)}; c64[1] {(1, 1)}) -> refused
c64[3] clamp(c64[] (0, 5); c64[3] {(0, 4), (1, 9), (2, 1)}; c64[] (2, 0)) -> {(0, 5), (1, 9), (2, 0)}
c64[1] remainder(c64[1] {(1, 1)}; c64[1] {(1, 1)}) -> refused
pred[1] compare(c64[1] {(1, 1)}; c64[1] {(1, 1)}), direction=LT -> refused
f32[1] clamp(f32[1] {0}; f32[1] {-0}; f32[1] {1}) -> {0}
f32[2] clamp(f32[2] {nan, 5}; f32[2] {0.5, 3}; f32[2] {1, 1}) -> {nan, 1}
(f32[3], s32[3]) topk(f32[5] {1, nan, 3, 3, -inf}), k=3, largest=true -> ( {nan, 3, 3}, {1, 2, 3} )
f32[10] sort(f32[10] {nan, -0, 0, -nan, inf, -inf, 1, -1, -0, nan}), dimensions={0}, is_stable=true, to_apply=less
    -> {nan, -inf, -1, -0, 0, -nan, -0, 1, inf, nan}
f32[6] select-and-scatter(f32[6] {1, 1, 1, nan, 2, 2}; f32[3] {1, 10, 100}; f32[] 0), window={size=2 stride=2},
    select=not_less, scatter=add -> {1, 0, 0, 10, 100, 0}
## Functions
f32[1] rsqrt(f32[1] {-0}) -> {-inf}
f32[2] sign(f32[2] {-0, 1e-45}) -> {-0, 1}
f32[4] remainder(f32[4] {-5, inf, 5, 5}; f32[4] {3, 2, inf, 0}) -> {-2, nan, 5, nan}
## Complex numbers
f32[2] abs(c64[2] {(inf, nan), (nan, inf)}) -> {inf, inf}
c64[2] exponential(c64[2] {(-inf, inf), (inf, nan)}) -> {(0, 0), (inf, nan)}
c64[2] sqrt(c64[2] {(-1, -0), (-1, 0)}) -> {(0, -1), (0, 1)}
c64[2] multiply(c64[2] {(1e38, 1e38), (inf, inf)}; c64[2] {(1e38, 1e38), (nan, 1)}) -> {(0, inf), (-inf, inf)}
c64[2] divide(c64[2] {(1, 1), (0, 0)}; c64[2] {(0, 0), (0, 0)}) -> {(inf, inf), (nan, nan)}
c64[3] power(c64[3] {(4, -0), (2, -0), (-2, 0)}; c64[3] {(2, 0), (3, -0), (2, 0)}) -> {(16, 0), (8, -0), (4, 0)}
c64[3] power(c64[3] {(0, 0), (0, 0), (0, 0)}; c64[3] {(0, 0), (1, 1), (-1, 0)}) -> {(1, 0), (0, 0), (nan, nan)}
c64[1] sign(c64[1] {(0, -0)}) -> {(0, -0)}
## Sums
f32[] reduce(f32[3] {3e38, 3e38, -3e38}; f32[] 0), dimensions={0}, to_apply=add -> 3e+38
f32[] reduce(f32[4] {1, 2, 3, 4}; f32[] 0), dimensions={0}, to_apply=subtract -> -10
f32[] reduce(f32[0] {}; f32[] 7), dimensions={0}, to_apply=add -> 7
f32[2] reduce(f32[2] {1, 2}; f32[] 10), dimensions={}, to_apply=add -> {11, 12}
f32[] reduce(f32[2] {-0, -0}; f32[] 0), dimensions={0}, to_apply=add -> 0
f32[] reduce(f32[2] {-0, -0}; f32[] -0), dimensions={0}, to_apply=add -> -0
f32[3] reduce-window(f32[3] {1, 2, 3}; f32[] 1), window={size=3 pad=1_1}, to_apply=add -> {4, 7, 6}
f32[] dot(f32[3] {16777216, 1, -16777216}; f32[3] {1, 1, 1}), lhs_contracting_dims={0}, rhs_contracting_dims={0} -> 1
f32[] dot(f32[1] {-0}; f32[1] {1}), lhs_contracting_dims={0}, rhs_contracting_dims={0} -> -0
f32[] dot(f32[0] {}; f32[0] {}), lhs_contracting_dims={0}, rhs_contracting_dims={0} -> 0
s32[] dot(f32[2] {1.5, 1.5}; s32[2] {2, 2}), lhs_contracting_dims={0}, rhs_contracting_dims={0} -> 4
f32[1,1,2] convolution(f32[1,1,1] {{{-0}}}; f32[1,1,2] {{{inf, 1}}}), window={size=2 pad=1_1},
    dim_labels=bf0_io0->bf0 -> { { { 0, nan } } }
f32[3,1] ragged-dot(f32[3,1] {{1}, {1}, {1}}; f32[2,1,1] {{{2}}, {{3}}}; s32[2] {1, 1}), lhs_contracting_dims={1},
    rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0} -> { {2}, {3}, {0} }
## Indices
f32[1] dynamic-slice(f32[3] {1, 2, 3}; u8[] 200), dynamic_slice_sizes={1} -> {3}
f32[1] dynamic-slice(f32[3] {1, 2, 3}; s8[] -1), dynamic_slice_sizes={1} -> {1}
f32[0] dynamic-slice(f32[3] {1, 2, 3}; s8[] 1), dynamic_slice_sizes={0} -> {}
f32[2] dynamic-update-slice(f32[2] {1, 2}; f32[0] {}; s8[] 1) -> {1, 2}
f32[2] gather(f32[4] {1, 2, 3, 4}; s32[2] {0, 1}), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=1, slice_sizes={0} -> refused
f32[2] gather(f32[4] {1, 2, 3, 4}; s32[2] {0, 1}), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=1, slice_sizes={1} -> {1, 2}
f32[0] gather(f32[4] {1, 2, 3, 4}; s32[0] {}), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=1, slice_sizes={0} -> {}
f32[6] scatter(f32[6] {0, 0, 0, 0, 0, 0}; s32[4,1] {{-1}, {0}, {4}, {3}}; f32[4,3] {{1, 1, 1}, {10, 10, 10}, {100,
    100, 100}, {1000, 1000, 1000}}), update_window_dims={1}, inserted_window_dims={},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add -> {10, 10, 10, 1000, 1000, 1000}
f32[3] scatter(f32[3] {0, 0, 0}; s32[3,1] {{0}, {0}, {0}}; f32[3] {1, 2, 3}), update_window_dims={},
    inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second -> {3, 0, 0}
s32[] conditional(s32[] -1; s32[] 7; s32[] 7), branch_computations={first_branch, last_branch} -> 7
s32[] conditional(s32[] 9; s32[] 7; s32[] 7), branch_computations={first_branch, last_branch} -> 7
i = f16[65521] iota(), iota_dimension=0; ROOT r = f16[2] slice(i), slice={[65519:65521]} -> {65504, inf}
i = s8[129] iota(), iota_dimension=0; ROOT r = s8[2] slice(i), slice={[127:129]} -> {127, -128}
a = f32[6] constant({1, 2, 3, 4, 5, 6}); n = s32[] constant(4); d = f32[<=6] set-dimension-size(a, n),
    dimensions={0}; ROOT r = s32[] get-dimension-size(d), dimensions={0} -> 4
a = f32[6] constant({1, 2, 3, 4, 5, 6}); n = s32[] constant(9); d = f32[<=6] set-dimension-size(a, n),
    dimensions={0}; ROOT r = s32[] get-dimension-size(d), dimensions={0} -> 6
a = f32[6] constant({1, 2, 3, 4, 5, 6}); n = s32[] constant(-3); d = f32[<=6] set-dimension-size(a, n),
    dimensions={0}; ROOT r = s32[] get-dimension-size(d), dimensions={0} -> 0
## Matrices
f32[2,2] cholesky(f32[2,2] {{1, 2}, {2, 1}}), lower=true -> { { nan, nan }, { nan, nan } }
f32[2,2] cholesky(f32[2,2] {{4, 99}, {2, 5}}), lower=true -> { { 2, 0 }, { 1, 2 } }
c64[1,1] cholesky(c64[1,1] {{(4, 1)}}), lower=true -> { {(2, 0)} }
f32[2,1] triangular-solve(f32[2,2] {{0, 0}, {1, 1}}; f32[2,1] {{1}, {1}}), left_side=true, lower=true,
    transpose_a=NO_TRANSPOSE -> { {inf}, {-inf} }
## Fourier transforms
f32[4] fft(c64[3] {(10, 5), (-2, 2), (-2, 7)}), fft_type=IRFFT, fft_length={4} -> {1, 2, 3, 4}
c64[2] fft(c64[2] {(0.1, 0), (0.1, 0)}), fft_type=IFFT, fft_length={2} -> {(0.1, 0), (0, 0)}
c64[2] fft(f32[2] {1, inf}), fft_type=RFFT, fft_length={2} -> {(nan, nan), (nan, nan)}
c64[2] fft(c64[2] {(1, 0), (1, 0)}), fft_type=FFT, fft_length={1} -> refused
f32[0] fft(c64[0] {}), fft_type=IRFFT, fft_length={0} -> {}
## Batch normalization
(f32[4,1], f32[1], f32[1]) batch-norm-training(f32[4,1] {{1}, {3}, {5}, {7}}; f32[1] {2}; f32[1] {1}), epsilon=4,
    feature_index=1 -> ( { {-1}, {0.333333343}, {1.66666663}, {3} }, {4}, {5} )
(f32[0,1], f32[1], f32[1]) batch-norm-grad(f32[0,1] {}; f32[1] {2}; f32[1] {1}; f32[1] {1}; f32[0,1] {}), epsilon=4,
    feature_index=1 -> ( { }, {0}, {0} )
(f32[2,1], f32[1], f32[1]) batch-norm-grad(f32[2,1] {{1}, {-0.25}}; f32[1] {1}; f32[1] {0}; f32[1] {0}; f32[2,1]
    {{1}, {2}}), epsilon=0, feature_index=1 -> ( { {-inf}, {inf} }, {inf}, {3} )
## Random numbers
(u64[2], u32[4]) rng-bit-generator(u64[2] {1, 2}), algorithm=rng_default -> ( {1, 3}, {2100602697, 2847456232,
    2074354647, 800269529} )
(u32[4], u32[8]) rng-bit-generator(u32[4] {1, 2, 3, 4}), algorithm=rng_philox -> refused
(u64[3], u32[8]) rng-bit-generator(u64[3] {1, 2, 3}), algorithm=rng_three_fry -> refused
## Custom calls
f32[2] custom-call(f32[2] {1, 2}), custom_call_target="nobody", backend_config={} -> refused
(f32[2,2], s32[]) custom-call(f32[2,2] {{1, 2}, {2, 1}}), custom_call_target="lapack_spotrf_ffi",
    backend_config={uplo = 76 : ui8} -> ( { { 1, 2 }, { 2, 1 } }, 2 )
(f32[1,1], s32[1], s32[]) custom-call(f32[1,1] {{inf}}), custom_call_target="lapack_sgetrf_ffi", backend_config={}
    -> ( { {nan} }, {0}, 0 )
(f32[0,2], s32[0], s32[]) custom-call(f32[0,2] {}), custom_call_target="lapack_sgetrf_ffi", backend_config={} -> ( {
    }, {}, 0 )
## Devices and the host
t = token[] after-all(); i = ((), token[]) infeed(t); ROOT r = () get-tuple-element(i), index=0 -> ( )
t = token[] after-all(); ROOT i = ((f32[], (f32[])), token[]) infeed(t) -> refused
t = token[] after-all(); ROOT i = (token[], token[]) infeed(t) -> refused
## Legality
(f32[]) select(pred[] 1; (f32[]) (1); (f32[]) (2)) -> refused
f32[2] sort(f32[2] {1, 2}), to_apply=less -> refused
pred[1] compare(c64[1] {(1, 1)}; c64[1] {(1, 1)}), direction=GE -> refused
c64[1] fft(c64[1] {(1, 1)}), fft_type=FFT, fft_length={-1} -> refused
f32[2,1] broadcast(f32[2,2] {{1, 2}, {3, 4}}), dimensions={0,0} -> refused
f32[2] broadcast(bf16[] 1), dimensions={} -> refused
f32[3] bitcast(f32[2] {1, 2}) -> refused
f32[1] negate(f32[1] {1}), origin={({"a"})} -> refused
f32[1] negate(f32[1] {1}), origin={{"a"}} -> {-1}
"""


def cases():
    """Yields the section, the instructions, the arguments and the output of each row."""
    section = ""
    for row in CASES.replace("\n    ", " ").strip().splitlines():
        if row.startswith("## "):
            section = row.removeprefix("## ")
            continue
        text, _, expected = row.rpartition(" -> ")
        arguments, instructions = [], text.replace("; ", "\n")
        call = re.fullmatch(r"(\(.*?\)|\S+) ([a-z-]+)\((.*?)\)(|, [a-z_]+=.*)", text)
        if call:
            arguments = call[3].split("; ")
            lines = [f"p{i} = {argument.split(' ')[0]} parameter({i})" for i, argument in enumerate(arguments)]
            operands = ", ".join(f"p{i}" for i in range(len(arguments)))
            instructions = "\n".join([*lines, f"ROOT r = {call[1]} {call[2]}({operands}){call[4]}"])
        yield section, instructions, arguments, expected


def evaluate(instructions, arguments):
    """Returns the output of `assay run` for an entry of these instructions: its values, or its error."""
    module = f"HloModule m\n{COMPUTATIONS}\nENTRY e {{\n{instructions}\n}}\n"
    inputs = [word for argument in arguments for word in ("--input", argument)]
    run = ran(ASSAY, "run", "-", *inputs, input=module)
    return " ".join(run.stdout.split()) if run.returncode == 0 else f"refused: {run.stderr}"


class Decisions(unittest.TestCase):
    @each(cases())
    def test_runs_agree_with_the_page(self, section, instructions, arguments, expected):
        self.assertRegex(evaluate(instructions, arguments),
                         "^" + re.escape(expected) + (":" if expected == "refused" else "$"))  # fmt: skip

    def test_every_section_has_a_case(self):
        sections = re.findall(r"^## (.+)$", (ROOT / "docs/decisions.md").read_text(), re.M)
        self.assertEqual(sections, list(dict.fromkeys(section for section, *_ in cases())))
