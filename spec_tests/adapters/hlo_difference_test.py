"""Tests which pairs of modules the adapter considers equal, and that it compares the module that XLA:CPU compiles.

The specification of the operations decides whether two modules have the same meaning.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


ADAPTERS = pathlib.Path(__file__).parents[2] / "backends" / "adapters"
from jaxlib import _hlo

from backends.adapters.xla_peers import hlo_difference
from backends.adapters.xla_peers.stablehlo_module import Module


ADD = "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }\n"
MULTIPLY = ADD.replace("add(x", "multiply(x")
A, B = "a = f32[2,3] parameter(0)", "b = f32[2,3] parameter(1)"


def module(*instructions, computations=""):
    return _hlo.hlo_module_from_text("\n".join(["HloModule m", computations + "ENTRY e {", *instructions, "}"]))


def difference(sent, received):
    return hlo_difference.difference(*(module(*side) if isinstance(side, list) else side for side in (sent, received)))


SUM = "ROOT r = f32[2,3] add(n, s)"
SCALAR, ZEROS = "c = f32[] constant(0)", "b = f32[6] broadcast(c), dimensions={}"
CALL = 'ROOT r = f32[2,3] custom-call(a), custom_call_target="t", api_version=API_VERSION_TYPED_FFI'
LAID_OUT = 'ROOT r = f32[2,3]{%s} custom-call(a), custom_call_target="t", operand_layout_constraints={f32[2,3]{0,1}}'
BRANCHES = "t { x = f32[2,3] parameter(0) ROOT z = s32[] constant(3) }\nf { ROOT x = s32[] parameter(0) }\n"
NO_OPERANDS = BRANCHES.replace("x = f32[2,3] parameter(0)", "x = () parameter(0)")
CHOICE = "ROOT r = s32[] conditional(p, {}, c), true_computation=t, false_computation=f"
P = ["p = pred[] parameter(1)", "c = s32[] parameter(2)"]
HALF = """half { x = f32[2,3] parameter(0) y = f32[2,3] parameter(1) n = f32[2,3] negate(y)
               ROOT t = (f32[2,3], f32[2,3]) tuple(n, x) }
          both { x = f32[2,3] parameter(0) ROOT c = (f32[2,3], f32[2,3]) call(x, x), to_apply=half }
       """
HALVES = ["l = f32[2,3] get-tuple-element(c), index=0", "m = f32[2,3] get-tuple-element(c), index=1",
          "ROOT r = f32[2,3] subtract(l, m)"]
DRAW = """draw { a = f32[] constant(0) b = f32[] constant(1)
               ROOT x = f32[2] rng(a, b), distribution=rng_uniform }
       """
DRAWS = ["x = f32[2] call(), to_apply=draw", "y = f32[2] call(), to_apply=draw"]
ENDS = ["a = f32[] constant(0)", "b = f32[] constant(1)", "x = f32[2] rng(a, b), distribution=rng_uniform"]
COUNT = """c { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0
              k = s32[] constant(4) ROOT l = pred[] compare(i, k), direction=LT }
          b { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0
              k = s32[] constant(1) n = s32[] add(i, k) v = f32[2] get-tuple-element(s), index=1
              ROOT t = (s32[], f32[2]) tuple(n, v) }
       """
COUNTED = ["i = s32[] parameter(0)", "v = f32[2] parameter(1)", "s = (s32[], f32[2]) tuple(i, v)",
           "w = (s32[], f32[2]) while(s), condition=c, body=b", "g = s32[] get-tuple-element(w), index=0"]
NEVER = "c { s = pred[] parameter(0) ROOT f = pred[] constant(false) }\nb { ROOT s = pred[] parameter(0) }\n"
FLAG = "p = pred[] parameter(0)"
Z = ["z = c64[2] parameter(0)", "w = c64[2] parameter(1)"]
INTEGERS = ["a = s32[4] parameter(0)", "k = s32[4] parameter(1)"]
GATHER = "ROOT r = f32[4,3] all-gather(a), channel_id=1, dimensions={0}, replica_groups="
NEGATION = "f { x = f32[2,3] parameter(0) ROOT n = f32[2,3] negate(x) }\n"
FUSION = 'ROOT r = f32[2,3] fusion(a), kind=kCustom, calls=f, backend_config={"kind":"library"}'
ONE_TWO = "v = f32[2] constant({1, 2})"
FOLD = ["k = f32[] constant(0)", "ROOT r = f32[2] reduce(a, k), dimensions={1}, to_apply=add"]


def loop(kept, changing, initial="v = f32[2] parameter(0)"):
    """Returns a loop whose state has a value that it keeps and one that it changes, at these places."""
    elements = [None, None]
    elements[kept], elements[changing] = "f32[2]", "f32[2,2]"
    tuple = f"({', '.join(elements)})"
    names = ["v", "v"]
    names[changing] = "n"
    text = f"""c {{ s = {tuple} parameter(0) a = f32[2,2] get-tuple-element(s), index={changing}
                    x = f32[1,1] slice(a), slice={{[0:1],[0:1]}} y = f32[] reshape(x) k = f32[] constant(9)
                    ROOT l = pred[] compare(y, k), direction=LT }}
               b {{ s = {tuple} parameter(0) a = f32[2,2] get-tuple-element(s), index={changing}
                    v = f32[2] get-tuple-element(s), index={kept}
                    w = f32[2,2] broadcast(v), dimensions={{1}} n = f32[2,2] add(a, w)
                    ROOT t = {tuple} tuple({', '.join(names)}) }}
            """
    names[changing] = "a"
    return module(initial, f"a = f32[2,2] parameter({1 if 'parameter' in initial else 0})",
                  f"s = {tuple} tuple({', '.join(names)})", f"w = {tuple} while(s), condition=c, body=b",
                  f"ROOT r = f32[2,2] get-tuple-element(w), index={changing}", computations=text)


def chain(first):
    lines = [f"x{i + 1} = f32[2,3] negate(x{i})" for i in range(5000)]
    return [A, f"x0 = f32[2,3] {first}(a)", *lines, "ROOT r = f32[2,3] copy(x5000)"]


SAME = [
    ("names, metadata and order", [A, 'n = f32[2,3] negate(a), metadata={op_name="n"}', "s = f32[2,3] sine(a)", SUM],
     ["p = f32[2,3] parameter(0)", "s = f32[2,3] sine(p)", "n = f32[2,3] negate(p)", SUM]),
    ("layouts", [A, "ROOT r = f32[2,3]{0,1} copy(a)"], [A, "ROOT r = f32[2,3]{1,0} copy(a)"]),
    ("a scalar in every element", [SCALAR, ZEROS, "ROOT r = f32[2,3] reshape(b)"],
     [SCALAR, "ROOT r = f32[2,3] broadcast(c), dimensions={}"]),
    ("a scalar there and back", [SCALAR, "b = f32[1] broadcast(c), dimensions={}", "ROOT r = f32[] reshape(b)"],
     ["ROOT c = f32[] constant(0)"]),
    ("the order of a custom call's attributes", [A, CALL + ", backend_config={x = 1 : ui8, y = 2 : ui8}"],
     [A, CALL + ", backend_config={y = 2 : ui8, x = 1 : ui8}"]),
    ("no attributes of a custom call", [A, CALL], [A, CALL + ", backend_config={}"]),
    ("the nesting of tuples",
     [A, "t = (f32[2,3]) tuple(a)", "u = ((f32[2,3])) tuple(t)", "v = (f32[2,3]) get-tuple-element(u), index=0",
      "w = f32[2,3] get-tuple-element(v), index=0", "ROOT r = f32[2,3] negate(w)"], [A, "ROOT r = f32[2,3] negate(a)"]),
    *((f"the view {view}", [A, "k = f32[] constant(0)", f"ROOT r = f32[2,3] {view}"],
       [A, "k = f32[] constant(0)", "ROOT r = f32[2,3] reshape(a)"])
      for view in ("transpose(a), dimensions={0,1}", "broadcast(a), dimensions={0,1}", "slice(a), slice={[0:2], [0:3]}",
                   "pad(a, k), padding=0_0x0_0", "concatenate(a), dimensions={1}", "convert(a)", "bitcast(a)")),
    # Column-major memory is row-major memory of the transpose.
    ("a bitcast in its layouts", [A, "ROOT r = f32[3,2]{0,1} bitcast(a)"],
     [A, "ROOT r = f32[3,2]{1,0} transpose(a), dimensions={1,0}"]),
    ("constants of one value", ["ROOT r = f32[2] constant({3, 3})"],
     ["k = f32[] constant(3)", "ROOT r = f32[2] broadcast(k), dimensions={}"]),
    ("iota of one number", ["ROOT r = c64[1,3] iota(), iota_dimension=0"],
     ["z = c64[] constant((0, 0))", "ROOT r = c64[1,3] broadcast(z), dimensions={}"]),
    ("iota", ["ROOT r = s32[2,3] iota(), iota_dimension=1"],
     ["i = s32[3] iota(), iota_dimension=0", "ROOT r = s32[2,3] broadcast(i), dimensions={1}"]),
    ("operands of a branch", module(A, *P, CHOICE.format("a"), computations=BRANCHES),
     module(A, *P, "u = () tuple()", CHOICE.format("u"), computations=NO_OPERANDS)),
    ("a call is its body", module(A, "c = (f32[2,3], f32[2,3]) call(a), to_apply=both", *HALVES, computations=HALF),
     module(A, "n = f32[2,3] negate(a)", "ROOT r = f32[2,3] subtract(n, a)")),
    ("a call that draws", *[module(*DRAWS, "ROOT r = f32[2] subtract(x, y)", computations=DRAW)] * 2),
    ("a value that a loop keeps",
     module(*COUNTED, "h = f32[2] get-tuple-element(w), index=1", "ROOT r = (s32[], f32[2]) tuple(g, h)",
            computations=COUNT),
     module(*COUNTED, "ROOT r = (s32[], f32[2]) tuple(g, v)", computations=COUNT)),
    ("the place of a value that a loop keeps", loop(0, 1), loop(1, 0)),
    ("the place of a constant that a loop keeps", *(loop(*at, ONE_TWO) for at in ((0, 1), (1, 0)))),
    ("a loop that never runs", module(FLAG, "ROOT w = pred[] while(p), condition=c, body=b", computations=NEVER),
     ["ROOT p = pred[] parameter(0)"]),
    ("a comparison with true", [FLAG, "t = pred[] constant(true)", "ROOT r = pred[] compare(p, t), direction=EQ"],
     ["ROOT p = pred[] parameter(0)"]),
    ("a function of complex numbers spelled out", [Z[0], "ROOT r = c64[2] exponential(z)"],
     [Z[0], "x = f32[2] real(z)", "y = f32[2] imag(z)", "e = f32[2] exponential(x)", "c = f32[2] cosine(y)",
      "s = f32[2] sine(y)", "u = f32[2] multiply(e, c)", "v = f32[2] multiply(e, s)", "ROOT r = c64[2] complex(u, v)"]),
    ("the order of integers", [*INTEGERS, "ROOT r = s32[4] xor(a, k)"], [*INTEGERS, "ROOT r = s32[4] xor(k, a)"]),
    ("groups as a count", [A, GATHER + "[2,2]<=[4]"], [A, GATHER + "{{0,1},{2,3}}"]),
    ("groups as a transposed count", [A, GATHER + "[2,2]<=[2,2]T(1,0)"], [A, GATHER + "{{0,2},{1,3}}"]),
    ("a fusion is its body", module(A, FUSION, computations=NEGATION), [A, "ROOT r = f32[2,3] negate(a)"]),
]
# With words of the difference.
DIFFERENT = [
    ("an attribute of a custom call", *([A, CALL + f", backend_config={{x = {n} : ui8}}"] for n in (1, 2)), "x = 1"),
    ("the operands of a call", *(module(A, B, f"c = (f32[2,3], f32[2,3]) call({operands}), to_apply=half", *HALVES,
                                        computations=HALF) for operands in ("a, b", "b, a"))),
    ("a call draws anew each time",
     *(module(*DRAWS, f"ROOT r = f32[2] subtract(x, {y})", computations=DRAW) for y in "yx")),
    ("a value that a loop changes", *(module(*COUNTED, f"ROOT r = (s32[], f32[2]) tuple({i}, v)", computations=COUNT)
                                      for i in "gi")),
    ("another constant that a loop keeps", loop(0, 1, ONE_TWO), loop(1, 0, ONE_TWO.replace("2}", "3}"))),
    ("a comparison with false", [FLAG, "t = pred[] constant(false)", "ROOT r = pred[] compare(p, t), direction=EQ"],
     ["ROOT p = pred[] parameter(0)"]),
    ("groups of a count", [A, GATHER + "[2,2]<=[4]"], [A, GATHER + "{{0,2},{1,3}}"]),
    ("a bitcast that lost its layout", *([A, f"ROOT r = f32[2,3]{{{order}}} bitcast(a)"] for order in ("0,1", "1,0")),
     "{0,1} bitcast"),
    ("a bitcast whose operand lost its layout",
     *([A, f"c = f32[2,3]{{{order}}} copy(a)", "ROOT r = f32[6] bitcast(c)"] for order in ("0,1", "1,0"))),
    ("an operand", *([A, B, f"ROOT r = f32[2,3] add(a, {operand})"] for operand in "ab"), "parameter f32[2,3] 1"),
    ("the order of a sum", *([A, B, f"ROOT r = f32[2,3] add({operands})"] for operands in ("a, b", "b, a"))),
    ("the order of a quotient", *([A, B, f"ROOT r = f32[2,3] divide({operands})"] for operands in ("a, b", "b, a"))),
    ("an attribute", *([A, f"ROOT r = f32[2,3] reverse(a), dimensions={{{d}}}"] for d in (0, 1)), "dimensions={0}",
     "dimensions={1}"),
    ("a type", *([A, f"ROOT r = {kind}[2,3] convert(a)"] for kind in ("f64", "f16"))),
    ("a constant", ["ROOT r = f32[2] constant({1, 2})"], ["ROOT r = f32[2] constant({2, 1})"]),
    ("an operation", *([A, f"ROOT r = f32[2,3] {op}(a)"] for op in ("negate", "sine")), "negate", "sine"),
    ("a called computation", *(module(A, *FOLD, computations=fold) for fold in (ADD, MULTIPLY)), "add(", "multiply("),
    ("a formula of something else", [*Z, "ROOT r = c64[2] exponential(z)"],
     [*Z, "x = f32[2] real(z)", "y = f32[2] imag(w)", "ROOT r = c64[2] complex(x, y)"]),
    ("the layout of a custom call", [A, LAID_OUT % "0,1"], [A, LAID_OUT % "1,0"], "{0,1} custom-call"),
    ("where the operands of a custom call end",
     [A, "t = (f32[2,3], f32[2,3]) tuple(a, a)", 'ROOT r = f32[2] custom-call(t), custom_call_target="t"'],
     [A, 'ROOT r = f32[2] custom-call(a, a), custom_call_target="t"']),
    ("random numbers drawn once and twice",
     [*ENDS, "y = f32[2] rng(a, b), distribution=rng_uniform", "ROOT r = f32[2] subtract(x, y)"],
     [*ENDS, "ROOT r = f32[2] subtract(x, x)"]),
    ("the end of a long chain", chain("sine"), chain("cosine"), "sine(", "cosine("),
    ("a number of results", [A, "ROOT r = (f32[2,3], f32[2,3]) tuple(a, a)"], [A, "ROOT r = (f32[2,3]) tuple(a)"]),
]


class Meaning(unittest.TestCase):
    def test_is_the_same(self):
        for name, sent, received in SAME:
            with self.subTest(name):
                self.assertEqual(difference(sent, received), "")

    def test_is_another(self):
        for name, sent, received, *words in DIFFERENT:
            with self.subTest(name):
                found = difference(sent, received)
                for word in ("became", *words):
                    self.assertIn(word, found)


class WhatIsCompared(unittest.TestCase):
    def test_is_what_is_compiled(self):
        """XLA dumps the module as it gets it, before it does anything to it."""
        hlo = "\n".join(["HloModule m", ADD + "ENTRY e {", A, "k = f32[] constant(0)", "c = c64[2,3] convert(a)",
                         "s = c64[2,3] sqrt(c)", "r = f32[2]{0} reduce(a, k), dimensions={1}, to_apply=add",
                         "ROOT t = (f32[2], c64[2,3]) tuple(r, s)", "}"])  # fmt: skip
        request = {"id": 1, "hlo": hlo, "inputs": [[{"shape": "f32[2,3]", "data_hex": "00" * 24}]]}
        with tempfile.TemporaryDirectory() as folder:
            adapter = [sys.executable, str(ADAPTERS / "xla_adapter.py")]
            environment = os.environ | {"XLA_FLAGS": f"--xla_dump_to={folder} --xla_dump_hlo_as_text"}
            ran = subprocess.run(adapter, input=json.dumps(request), text=True, capture_output=True, env=environment)
            self.assertEqual(json.loads(ran.stdout)["status"], "ok", ran.stdout)
            (dump,) = pathlib.Path(folder).glob("*before_optimizations.txt")
            compiled = dump.read_text(encoding="utf-8")
        self.assertRegex(compiled, r"complex\(")  # spelled out
        self.assertEqual(difference(received_by_xla(hlo), _hlo.hlo_module_from_text(compiled)), "")


class WhatIsKept(unittest.TestCase):
    def test_a_tuple_of_which_a_fusion_reads_one_element(self):
        hlo = """HloModule m
            f { p = (s32[2], s32[3]) parameter(0) g = s32[2] get-tuple-element(p), index=0 ROOT r = s32[2] negate(g) }
            ENTRY e { p = (s32[2], s32[3]) parameter(0) ROOT r = s32[2] fusion(p), kind=kLoop, calls=f }"""
        converted = Module(hlo)
        converted.check_unchanged()
        # XLA refuses a fusion with a parameter that nothing uses.
        self.assertNotIn("fusion(", converted.received().to_string())

    def test_a_module_with_modules_in_its_header(self):
        text = ADAPTERS.parents[1] / "spec_tests" / "hlo" / "texts" / "xla_recovery.hlo"
        Module(text.read_text(encoding="utf-8")).check_unchanged()

    def test_constants_that_the_way_to_hlo_would_fold_with_a_sign(self):
        for start, size in (("u8[] constant(200)", 300), ("u32[] constant(4294967295)", 8)):
            hlo = "\n".join(["HloModule m", "ENTRY e {", f"a = f32[{size}] parameter(0)", f"i = {start}",
                             "ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}", "}"])  # fmt: skip
            with self.subTest(start):
                converted = Module(hlo)
                converted.check_unchanged()
                self.assertIn("dynamic-slice(", converted.received().to_string())

    def test_constants_in_the_body_of_a_loop(self):
        hlo = """HloModule m
            c { s = (s32[], f32[300]) parameter(0) i = s32[] get-tuple-element(s), index=0
                k = s32[] constant(4) ROOT l = pred[] compare(i, k), direction=LT }
            b { s = (s32[], f32[300]) parameter(0) i = s32[] get-tuple-element(s), index=0
                k = s32[] constant(1) n = s32[] add(i, k) v = f32[300] get-tuple-element(s), index=1
                j = u8[] constant(200) x = f32[3] dynamic-slice(v, j), dynamic_slice_sizes={3} z = s32[] constant(0)
                w = f32[300] dynamic-update-slice(v, x, z) ROOT t = (s32[], f32[300]) tuple(n, w) }
            ENTRY e { s = (s32[], f32[300]) parameter(0) ROOT w = (s32[], f32[300]) while(s), condition=c, body=b }"""
        Module(hlo).check_unchanged()

    def test_a_scan_that_stacks_its_outputs(self):
        # As JAX prints it. The way through StableHLO puts the weights, which every turn keeps, behind the outputs.
        state = "(s32[], f32[2,4], f32[4,4], f32[3,2,4])"
        hlo = f"""HloModule jit_f
            c {{ s = {state} parameter(0) i = s32[] get-tuple-element(s), index=0
                k = s32[] constant(3) ROOT l = pred[] compare(i, k), direction=LT }}
            b {{ s = {state} parameter(0) i = s32[] get-tuple-element(s), index=0
                x = f32[2,4] get-tuple-element(s), index=1 w = f32[4,4] get-tuple-element(s), index=2
                ys = f32[3,2,4] get-tuple-element(s), index=3 one = s32[] constant(1) zero = s32[] constant(0)
                next = s32[] add(i, one) d = f32[2,4] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
                y = f32[2,4] tanh(d) u = f32[1,2,4] reshape(y)
                v = f32[3,2,4] dynamic-update-slice(ys, u, i, zero, zero) ROOT t = {state} tuple(next, y, w, v) }}
            ENTRY e {{ x = f32[2,4] parameter(0) w = f32[4,4] parameter(1) i = s32[] constant(0) k = f32[] constant(0)
                ys = f32[3,2,4] broadcast(k), dimensions={{}} s = {state} tuple(i, x, w, ys)
                l = {state} while(s), condition=c, body=b ROOT r = f32[3,2,4] get-tuple-element(l), index=3 }}"""
        Module(hlo).check_unchanged()


def received_by_xla(hlo):
    return Module(hlo).received()
