"""LAPACK's routines in the form that JAX called up to 0.4.30: scalars as operands, info and scratch memory as results.

The calls, their operands and the tests of their results are those of the typed form (lapack_calls.py). The order of
operands and results is that of jaxlib 0.4.30, jaxlib/lapack.py.
"""

import math

import numpy as np

from lapack_call import shape_of, with_layout
from lapack_calls import Routines
from lapack_test import LapackCases

from spec_tests.nightly import nightly
from spec_tests.tools.command_line import CliTest

SCRATCH = 7  # elements; LAPACK's number does not matter
LETTER = {"L": 1, "U": 0, "R": 0, "N": 0, "T": 1, "C": 2}


def letter(call, key):
    """Returns a flag of the typed form, as a letter."""
    return chr(int(call.config[key].split()[0]))


class UntypedCall:
    """The untyped form of a typed call."""

    def __init__(self, typed, letter_of_type, scalars_are_parameters):
        self.typed, self.scalars_are_parameters = typed, scalars_are_parameters
        self.routine = typed.name.removeprefix(f"lapack_{letter_of_type}").removesuffix("_ffi")
        self.is_real = letter_of_type in "sd"
        prefix = "blas" if self.routine == "trsm" else "lapack"
        self.name = f"{prefix}_{letter_of_type}{self.routine}"
        self.config = typed.config
        scalars, self.places, results = self.form()
        self.scalars = [value if isinstance(value, str) else f"s32[] constant({value})" for value in scalars]
        self.results = results
        own = [np.int32(value) for value in scalars if not isinstance(value, str)] if scalars_are_parameters else []
        self.operands = [*map(np.asarray, own), *typed.operands]

    def form(self):
        """Returns the scalars, the place of each typed result among the results, and the shapes of all results."""
        call, matrix = self.typed, self.typed.operands[-1 if self.routine == "trsm" else 0]
        *batch, m, n = matrix.shape
        b, results, routine = math.prod(batch), call.results, self.routine
        info = f"s32[{','.join(map(str, batch))}]"
        scratch = f"{shape_of(matrix).split('[')[0]}[{SCRATCH}]"
        flag = lambda key: LETTER[letter(call, key)]
        code = lambda key: f"u8[] constant({ord(letter(call, key))})"
        if routine == "trsm":
            one = f"{scratch.split('[')[0]}[] constant({'1' if self.is_real else '(1, 0)'})"
            diagonal = int(letter(call, "diag") == "U")
            return [flag("side"), flag("uplo"), flag("trans_x"), diagonal, m, n, b, one], None, results
        if routine == "getrf":
            return [b, m, n], [0, 1, 2], results
        if routine == "geqrf":
            return [b, m, n, SCRATCH], [0, 1], [*results, info, scratch]
        if routine in ("orgqr", "ungqr"):
            return [b, m, n, call.operands[1].shape[-1], SCRATCH], [0], [*results, info, scratch]
        if routine == "potrf":
            return [flag("uplo"), b, n], [0, 1], results
        if routine == "gesdd":
            mode = letter(call, "mode")
            return [int(mode == "A"), int(mode != "N"), b, m, n, SCRATCH], [0, 1, 2, 3, 4], [*results, "s32[3]", scratch]
        if routine in ("syevd", "heevd"):
            return [flag("uplo"), b, n], [0, 1, 2], [*results, scratch, "s32[3]"]
        if routine == "geev":
            square = f"{scratch.split('[')[0]}[{n},{n}]"
            before = [square] * 3 if self.is_real else [square, f"{results[0].split('[')[0]}[{2 * n}]"]
            places = [len(before) + i for i in range(len(results))]
            return [b, n, code("compute_left"), code("compute_right")], places, [*before, *results]
        if routine == "gees":
            form, vectors, *values, selected, done = results
            scratches = [] if self.is_real else [f"{scratch.split('[')[0]}[{n}]"]
            places = [0, 3, 1, 2, 4, 5] if self.is_real else [0, 3, 2, 4, 5]
            return [b, n, code("mode"), code("sort")], places, [form, *scratches, *values, vectors, selected, done]
        if routine == "gehrd":
            low, high = (int(call.config[key].split()[0]) for key in ("low", "high"))
            return [n, low, high, n, b, SCRATCH], [0, 1, 2], [*results, scratch]
        if routine in ("sytrd", "hetrd"):
            return [n, flag("uplo"), max(1, n), b, SCRATCH], [0, 1, 2, 3, 4], [*results, scratch]
        return None, None, None

    def text(self, number, first_parameter):
        """Returns the lines of the call and the shape of its result."""
        lines, names, next_parameter = [], [], first_parameter
        matrix_rank = max(operand.ndim for operand in self.typed.operands)
        for i, scalar in enumerate(self.scalars):
            names.append(f"s{number}_{i}")
            if self.scalars_are_parameters and scalar.startswith("s32"):
                scalar, next_parameter = f"s32[] parameter({next_parameter})", next_parameter + 1
            lines.append(f"  {names[-1]} = {scalar}")
        for operand in self.typed.operands:
            names.append(f"a{next_parameter}")
            lines.append(f"  {names[-1]} = {shape_of(operand)} parameter({next_parameter})")
            next_parameter += 1
        results = [with_layout(result, matrix_rank) for result in self.results]
        result = results[0] if self.places is None else f"({', '.join(results)})"
        lines.append(f"  r{number} = {result} custom-call({', '.join(names)}), custom_call_target=\"{self.name}\", "
                     "api_version=API_VERSION_STATUS_RETURNING")  # fmt: skip
        return lines, result

    @property
    def check(self):
        """The typed call's test of the results, which stand at other places here."""
        if self.typed.check is None:
            return None

        def check(case, got):
            typed = got if self.places is None else [got[place] for place in self.places]
            self.typed.check(case, typed)
            if self.routine in ("geqrf", "orgqr", "ungqr"):
                case.assertFalse(np.any(got[len(typed)]), "info")

        return check


class UntypedCases(LapackCases):
    @classmethod
    def setUpClass(cls):
        typed = [call for call in Routines(cls.letter).all() if not call.is_broken]
        every = [UntypedCall(call, cls.letter, i % 2 == 1) for i, call in enumerate(typed)
                 if cls.has_untyped_form(call)]  # fmt: skip
        cls.calls = every

    @classmethod
    def has_untyped_form(cls, call):
        """True if JAX 0.4.30 called the routine."""
        routine = call.name.removeprefix(f"lapack_{cls.letter}").removesuffix("_ffi")
        if "mode" in call.config and routine in ("syevd", "heevd"):
            return letter(call, "mode") == "V"  # the vectors were always computed
        return routine in ("trsm", "getrf", "geqrf", "orgqr", "ungqr", "potrf", "gesdd", "syevd", "heevd", "geev", "gees",
                           "gehrd", "sytrd", "hetrd")  # fmt: skip

    def test_every_routine_is_called(self):
        self.assertEqual(len({call.name for call in self.calls}), 11)

    # jaxlib 0.10.2 lacks these targets.
    test_xla_cpu_is_judged_legal = None
    test_faults_of_xla_cpu_are_noticed = None


class F32(UntypedCases, CliTest):
    letter = "s"


@nightly
class F64(UntypedCases, CliTest):
    letter = "d"


@nightly
class C64(UntypedCases, CliTest):
    letter = "c"


class C128(UntypedCases, CliTest):
    letter = "z"


GEQRF = """HloModule m
ENTRY e {
  batch = s32[] %s
  rows = s32[] constant(3)
  columns = s32[] constant(2)
  scratch = s32[] constant(8)
  a = %s parameter(0)
  ROOT r = (f32[3,2], f32[2], s32[], f32[8]) custom-call(batch, rows, columns, scratch, a),
    custom_call_target="lapack_sgeqrf", api_version=API_VERSION_STATUS_RETURNING
}"""


ALPHA = """HloModule m
ENTRY e {
  zero = s32[] constant(0)
  one = s32[] constant(1)
  alpha = f32[] constant(2)
  a = f32[1,1] parameter(0)
  b = f32[1,1] parameter(1)
  ROOT r = f32[1,1] custom-call(one, one, zero, zero, one, one, one, alpha, a, b), custom_call_target="blas_strsm"
}"""


class Errors(CliTest):
    def test_calls_that_do_not_fit_their_matrices(self):
        right = GEQRF % ("constant(1)", "f32[3,2]")
        for text, inputs, message in (
            (GEQRF % ("constant(2)", "f32[3,2]"), [],
             "lapack_sgeqrf: operand 0 must be 1, as the shapes of the matrices say, found 2"),
            # Only evaluation shows this size.
            (GEQRF % ("parameter(1)", "f32[3,2]"), ["f32[3,2] {{1,2},{3,4},{5,6}}", "s32[] 5"],
             "operand 0 must be 1, as the shapes of the matrices say, found 5"),
            (GEQRF % ("constant(1)", "f64[3,2]"), [], "must be matrices of f32, found f64[3,2]"),
            (GEQRF % ("constant(1)", "f32[3]"), [], "operand 4 must be matrices, found f32[3]"),
            (right.replace(", s32[], f32[8])", ")"), [],
             "the result must be a tuple of 3 arrays and scratch memory, found (f32[3,2], f32[2])"),
            (ALPHA, [], "operand 7 must be 1: other factors alpha are not evaluated, found another"),
        ):
            with self.subTest(message):
                given = [word for value in inputs for word in ("--input", value)]
                self.assertIn(message, self.assay("run", "-", *given, stdin=text, code=2).stderr)
