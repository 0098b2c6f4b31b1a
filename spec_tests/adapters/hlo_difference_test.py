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


class SameMeaning(unittest.TestCase):
    def assert_same(self, sent, received):
        self.assertEqual(difference(sent, received), "")

    def test_names_metadata_and_order(self):
        sum = "ROOT r = f32[2,3] add(n, s)"
        self.assert_same(
            [A, "n = f32[2,3] negate(a), metadata={op_name=\"n\"}", "s = f32[2,3] sine(a)", sum],
            ["p = f32[2,3] parameter(0)", "s = f32[2,3] sine(p)", "n = f32[2,3] negate(p)", sum],
        )  # fmt: skip

    def test_layouts(self):
        self.assert_same([A, "ROOT r = f32[2,3]{0,1} copy(a)"], [A, "ROOT r = f32[2,3]{1,0} copy(a)"])

    def test_a_scalar_in_every_element(self):
        scalar, everywhere = "c = f32[] constant(0)", "b = f32[6] broadcast(c), dimensions={}"
        self.assert_same([scalar, everywhere, "ROOT r = f32[2,3] reshape(b)"],
                         [scalar, "ROOT r = f32[2,3] broadcast(c), dimensions={}"])  # fmt: skip
        self.assert_same([scalar, "b = f32[1] broadcast(c), dimensions={}", "ROOT r = f32[] reshape(b)"],
                         ["ROOT c = f32[] constant(0)"])  # fmt: skip

    def test_the_order_of_a_custom_calls_attributes(self):
        call = 'ROOT r = f32[2,3] custom-call(a), custom_call_target="t", api_version=API_VERSION_TYPED_FFI'
        self.assert_same([A, call + ", backend_config={x = 1 : ui8, y = 2 : ui8}"],
                         [A, call + ", backend_config={y = 2 : ui8, x = 1 : ui8}"])  # fmt: skip
        self.assert_same([A, call], [A, call + ", backend_config={}"])
        self.assertIn("x = 1", difference([A, call + ", backend_config={x = 1 : ui8}"],
                                          [A, call + ", backend_config={x = 2 : ui8}"]))  # fmt: skip

    def test_the_nesting_of_tuples(self):
        self.assert_same(
            [A, "t = (f32[2,3]) tuple(a)", "u = ((f32[2,3])) tuple(t)", "v = (f32[2,3]) get-tuple-element(u), index=0",
             "w = f32[2,3] get-tuple-element(v), index=0", "ROOT r = f32[2,3] negate(w)"],
            [A, "ROOT r = f32[2,3] negate(a)"],
        )  # fmt: skip

    def test_views(self):
        for sent, received in {
            "transpose(a), dimensions={0,1}": "reshape(a)",
            "broadcast(a), dimensions={0,1}": "reshape(a)",
            "slice(a), slice={[0:2], [0:3]}": "reshape(a)",
            "pad(a, k), padding=0_0x0_0": "reshape(a)",
            "concatenate(a), dimensions={1}": "reshape(a)",
            "convert(a)": "reshape(a)",
            "bitcast(a)": "reshape(a)",
        }.items():
            with self.subTest(sent):
                k = "k = f32[] constant(0)"
                self.assert_same([A, k, f"ROOT r = f32[2,3] {sent}"], [A, k, f"ROOT r = f32[2,3] {received}"])

    def test_a_bitcast_in_its_layouts(self):
        # Column-major memory is row-major memory of the transpose.
        self.assert_same(
            [A, "ROOT r = f32[3,2]{0,1} bitcast(a)"], [A, "ROOT r = f32[3,2]{1,0} transpose(a), dimensions={1,0}"]
        )

    def test_constants_of_one_value(self):
        self.assert_same(
            ["ROOT r = f32[2] constant({3, 3})"],
            ["k = f32[] constant(3)", "ROOT r = f32[2] broadcast(k), dimensions={}"],
        )

    def test_iota(self):
        self.assert_same(
            ["ROOT r = s32[2,3] iota(), iota_dimension=1"],
            ["i = s32[3] iota(), iota_dimension=0", "ROOT r = s32[2,3] broadcast(i), dimensions={1}"],
        )

    def test_operands_of_a_branch(self):
        branches = "t { x = f32[2,3] parameter(0) ROOT z = s32[] constant(3) }\nf { ROOT x = s32[] parameter(0) }\n"
        captured = branches.replace("x = f32[2,3] parameter(0)", "x = () parameter(0)")
        p = ["p = pred[] parameter(1)", "c = s32[] parameter(2)"]
        root = "ROOT r = s32[] conditional(p, {}, c), true_computation=t, false_computation=f"
        self.assert_same(
            module(A, *p, root.format("a"), computations=branches),
            module(A, *p, "u = () tuple()", root.format("u"), computations=captured),
        )

    def test_a_call_is_its_body(self):
        text = """half { x = f32[2,3] parameter(0) y = f32[2,3] parameter(1) n = f32[2,3] negate(y)
                         ROOT t = (f32[2,3], f32[2,3]) tuple(n, x) }
                  both { x = f32[2,3] parameter(0) ROOT c = (f32[2,3], f32[2,3]) call(x, x), to_apply=half }
               """
        lines = ["l = f32[2,3] get-tuple-element(c), index=0", "m = f32[2,3] get-tuple-element(c), index=1",
                 "ROOT r = f32[2,3] subtract(l, m)"]  # fmt: skip
        self.assert_same(
            module(A, "c = (f32[2,3], f32[2,3]) call(a), to_apply=both", *lines, computations=text),
            module(A, "n = f32[2,3] negate(a)", "ROOT r = f32[2,3] subtract(n, a)"),
        )
        self.assertIn("became", difference(
            module(A, B, "c = (f32[2,3], f32[2,3]) call(a, b), to_apply=half", *lines, computations=text),
            module(A, B, "c = (f32[2,3], f32[2,3]) call(b, a), to_apply=half", *lines, computations=text),
        ))  # fmt: skip

    def test_a_call_draws_anew_each_time(self):
        text = """draw { a = f32[] constant(0) b = f32[] constant(1)
                         ROOT x = f32[2] rng(a, b), distribution=rng_uniform }
               """
        twice = ["x = f32[2] call(), to_apply=draw", "y = f32[2] call(), to_apply=draw"]
        self.assert_same(*[module(*twice, "ROOT r = f32[2] subtract(x, y)", computations=text)] * 2)
        self.assertIn("became", difference(
            module(*twice, "ROOT r = f32[2] subtract(x, y)", computations=text),
            module(*twice, "ROOT r = f32[2] subtract(x, x)", computations=text),
        ))  # fmt: skip

    def test_values_that_a_loop_keeps(self):
        text = """c { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0
                      k = s32[] constant(4) ROOT l = pred[] compare(i, k), direction=LT }
                  b { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0
                      k = s32[] constant(1) n = s32[] add(i, k) v = f32[2] get-tuple-element(s), index=1
                      ROOT t = (s32[], f32[2]) tuple(n, v) }
               """
        lines = [
            "i = s32[] parameter(0)", "v = f32[2] parameter(1)", "s = (s32[], f32[2]) tuple(i, v)",
            "w = (s32[], f32[2]) while(s), condition=c, body=b", "g = s32[] get-tuple-element(w), index=0",
        ]  # fmt: skip
        kept = "h = f32[2] get-tuple-element(w), index=1"
        self.assert_same(
            module(*lines, kept, "ROOT r = (s32[], f32[2]) tuple(g, h)", computations=text),
            module(*lines, "ROOT r = (s32[], f32[2]) tuple(g, v)", computations=text),
        )
        self.assertIn("became", difference(
            module(*lines, "ROOT r = (s32[], f32[2]) tuple(g, v)", computations=text),
            module(*lines, "ROOT r = (s32[], f32[2]) tuple(i, v)", computations=text),
        ))  # fmt: skip

    def test_the_place_of_a_value_that_a_loop_keeps(self):
        def loop(kept, changing, initial="v = f32[2] parameter(0)"):
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
            return module(
                initial, f"a = f32[2,2] parameter({1 if 'parameter' in initial else 0})",
                f"s = {tuple} tuple({', '.join(names)})", f"w = {tuple} while(s), condition=c, body=b",
                f"ROOT r = f32[2,2] get-tuple-element(w), index={changing}", computations=text,
            )  # fmt: skip

        self.assert_same(loop(0, 1), loop(1, 0))
        self.assert_same(loop(0, 1, initial="v = f32[2] constant({1, 2})"),
                         loop(1, 0, initial="v = f32[2] constant({1, 2})"))  # fmt: skip
        self.assertIn("became", difference(
            loop(0, 1, initial="v = f32[2] constant({1, 2})"), loop(1, 0, initial="v = f32[2] constant({1, 3})")
        ))  # fmt: skip

    def test_a_loop_that_never_runs_and_a_comparison_with_true(self):
        text = "c { s = pred[] parameter(0) ROOT f = pred[] constant(false) }\nb { ROOT s = pred[] parameter(0) }\n"
        p = "p = pred[] parameter(0)"
        self.assert_same(
            module(p, "ROOT w = pred[] while(p), condition=c, body=b", computations=text),
            module("ROOT p = pred[] parameter(0)"),
        )
        self.assert_same(
            [p, "t = pred[] constant(true)", "ROOT r = pred[] compare(p, t), direction=EQ"],
            ["ROOT p = pred[] parameter(0)"],
        )
        self.assertIn("became", difference(
            [p, "t = pred[] constant(false)", "ROOT r = pred[] compare(p, t), direction=EQ"],
            ["ROOT p = pred[] parameter(0)"],
        ))  # fmt: skip

    def test_a_function_of_complex_numbers_spelled_out(self):
        z = "z = c64[2] parameter(0)"
        self.assert_same(
            [z, "ROOT r = c64[2] exponential(z)"],
            [z, "x = f32[2] real(z)", "y = f32[2] imag(z)", "e = f32[2] exponential(x)", "c = f32[2] cosine(y)",
             "s = f32[2] sine(y)", "u = f32[2] multiply(e, c)", "v = f32[2] multiply(e, s)",
             "ROOT r = c64[2] complex(u, v)"],
        )  # fmt: skip


    def test_the_order_of_integers(self):
        lines = ["a = s32[4] parameter(0)", "k = s32[4] parameter(1)"]
        self.assert_same([*lines, "ROOT r = s32[4] xor(a, k)"], [*lines, "ROOT r = s32[4] xor(k, a)"])

    def test_groups_as_a_count(self):
        gather = "ROOT r = f32[4,3] all-gather(a), channel_id=1, dimensions={0}, replica_groups="
        self.assert_same([A, gather + "[2,2]<=[4]"], [A, gather + "{{0,1},{2,3}}"])
        self.assert_same([A, gather + "[2,2]<=[2,2]T(1,0)"], [A, gather + "{{0,2},{1,3}}"])
        self.assertIn("became", difference([A, gather + "[2,2]<=[4]"], [A, gather + "{{0,2},{1,3}}"]))

    def test_a_fusion_is_its_body(self):
        text = "f { x = f32[2,3] parameter(0) ROOT n = f32[2,3] negate(x) }\n"
        fusion = "ROOT r = f32[2,3] fusion(a), kind=kCustom, calls=f, backend_config={\"kind\":\"library\"}"
        self.assert_same(module(A, fusion, computations=text), module(A, "ROOT r = f32[2,3] negate(a)"))


class AnotherMeaning(unittest.TestCase):
    def assert_different(self, sent, received, *words):
        found = difference(sent, received)
        self.assertIn("became", found)
        for word in words:
            self.assertIn(word, found)

    def test_a_bitcast_that_lost_its_layouts(self):
        self.assert_different(
            [A, "ROOT r = f32[2,3]{0,1} bitcast(a)"], [A, "ROOT r = f32[2,3]{1,0} bitcast(a)"], "{0,1} bitcast"
        )
        self.assert_different(
            [A, "c = f32[2,3]{0,1} copy(a)", "ROOT r = f32[6] bitcast(c)"],
            [A, "c = f32[2,3]{1,0} copy(a)", "ROOT r = f32[6] bitcast(c)"],
        )

    def test_an_operand_an_attribute_a_shape_a_constant(self):
        add = "ROOT r = f32[2,3] add({})"
        self.assert_different([A, B, add.format("a, a")], [A, B, add.format("a, b")], "parameter f32[2,3] 1")
        self.assert_different([A, B, "ROOT r = f32[2,3] add(a, b)"], [A, B, "ROOT r = f32[2,3] add(b, a)"])
        self.assert_different([A, B, "ROOT r = f32[2,3] divide(a, b)"], [A, B, "ROOT r = f32[2,3] divide(b, a)"])
        reverse = "ROOT r = f32[2,3] reverse(a), dimensions={{{}}}"
        self.assert_different([A, reverse.format(0)], [A, reverse.format(1)], "dimensions={0}", "dimensions={1}")
        self.assert_different([A, "ROOT r = f64[2,3] convert(a)"], [A, "ROOT r = f16[2,3] convert(a)"])
        self.assert_different(["ROOT r = f32[2] constant({1, 2})"], ["ROOT r = f32[2] constant({2, 1})"])
        self.assert_different([A, "ROOT r = f32[2,3] negate(a)"], [A, "ROOT r = f32[2,3] sine(a)"], "negate", "sine")

    def test_a_called_computation(self):
        reduce = ["k = f32[] constant(0)", "ROOT r = f32[2] reduce(a, k), dimensions={1}, to_apply=add"]
        self.assert_different(
            module(A, *reduce, computations=ADD), module(A, *reduce, computations=MULTIPLY), "add(", "multiply("
        )

    def test_a_formula_in_something_else(self):
        z = ["z = c64[2] parameter(0)", "w = c64[2] parameter(1)"]
        self.assert_different(
            [*z, "ROOT r = c64[2] exponential(z)"],
            [*z, "x = f32[2] real(z)", "y = f32[2] imag(w)", "ROOT r = c64[2] complex(x, y)"],
        )

    def test_the_layout_of_a_custom_call_and_where_its_operands_end(self):
        call = 'ROOT r = f32[2,3]{%s} custom-call(a), custom_call_target="t", operand_layout_constraints={f32[2,3]{0,1}}'
        self.assert_different([A, call % "0,1"], [A, call % "1,0"], "{0,1} custom-call")
        pair = "t = (f32[2,3], f32[2,3]) tuple(a, a)"
        self.assert_different([A, pair, 'ROOT r = f32[2] custom-call(t), custom_call_target="t"'],
                              [A, 'ROOT r = f32[2] custom-call(a, a), custom_call_target="t"'])  # fmt: skip

    def test_random_numbers_drawn_once_and_twice(self):
        ends = ["a = f32[] constant(0)", "b = f32[] constant(1)", "x = f32[2] rng(a, b), distribution=rng_uniform"]
        self.assert_different(
            [*ends, "y = f32[2] rng(a, b), distribution=rng_uniform", "ROOT r = f32[2] subtract(x, y)"],
            [*ends, "ROOT r = f32[2] subtract(x, x)"],
        )

    def test_at_the_end_of_a_long_chain(self):
        def chain(first):
            lines = [f"x{i + 1} = f32[2,3] negate(x{i})" for i in range(5000)]
            return [A, f"x0 = f32[2,3] {first}(a)", *lines, "ROOT r = f32[2,3] copy(x5000)"]

        self.assert_different(chain("sine"), chain("cosine"), "sine(", "cosine(")

    def test_a_number_of_results(self):
        self.assert_different([A, "ROOT r = (f32[2,3], f32[2,3]) tuple(a, a)"], [A, "ROOT r = (f32[2,3]) tuple(a)"])


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
