"""The second evaluator against values worked out by hand, where no random module of the *_oracle_test.py beside this file
and no golden that the audit derives has the case."""

import unittest


from golden.witness.arrays import array_of, line_of
from golden.witness.evaluator import random_bits
from golden.witness.evaluator.devices import Devices
from golden.witness.evaluator.evaluator import CALLERS, Evaluator
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rules import FAMILIES, RULES
from golden.witness.program import flatten, op_table

ADD = "add {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}\n"
# Ops that are evaluated and have no rule here: they need another device's program.
WITHOUT_RULE = {
    "send", "send-done", "recv", "recv-done", "parameter",
}  # fmt: skip


def module(root, parameters, computations="", body=()):
    lines = [f"  {name} = {p.split()[0]} parameter({i})" for i, (name, p) in enumerate(zip("abcdef", parameters))]
    return "\n".join(["HloModule m", computations, "ENTRY main {", *lines, *body, f"  ROOT r = {root}", "}"])


class EvaluatorTest(unittest.TestCase):
    def assert_gives(self, root, parameters, *want, computations="", body=()):
        """Checks one module: the root of the entry, the values of a, b, c ..., the values of the result's leaves."""
        result = Evaluator(module(root, parameters, computations, body)).run(list(map(array_of, parameters)))
        self.assertEqual([line_of(leaf) for leaf in flatten(result)], [line_of(array_of(w)) for w in want], root)

    def assert_not_derived(self, why, root, parameters, **options):
        with self.assertRaisesRegex(NotDerived, why):
            self.assert_gives(root, parameters, **options)


class BoundLater(EvaluatorTest):
    def test_an_update_binds_operands_behind_those_of_the_start(self):
        less = "less {\n  x = s32[2] parameter(0)\n  y = s32[2] parameter(1)\n  ROOT z = s32[2] subtract(x, y)\n}\n"
        steps = ["  s = ((s32[2]), s32[2], u32[]) async-start(a), calls=less",
                 "  u = ((s32[2], s32[2]), s32[2], u32[]) async-update(s, b)"]
        self.assert_gives("s32[2] async-done(u)", ["s32[2] 5 1", "s32[2] 3 9"], "s32[2] 2 -8", computations=less,
                          body=steps)

    def test_run_time_sizes_become_values_and_return(self):
        sized = ["  v = s32[<=3] set-dimension-size(a, b), dimensions={0}",
                 '  p = (s32[3], s32[]) custom-call(v), custom_call_target="PadToStatic"',
                 "  n = s32[] get-tuple-element(p), index=1"]
        self.assert_gives("s32[] copy(n)", ["s32[3] 1 2 3", "s32[] 2"], "s32[] 2", body=sized)


class Elements(EvaluatorTest):
    def test_a_change_of_sign_makes_a_nan_quiet(self):
        negated = ["  n = f32[3] negate(a)"]
        self.assert_gives("u32[3] bitcast-convert(n)", ["f32[3] x7f800001 xff800000 0"],
                          "u32[3] 4290772993 2139095040 2147483648", body=negated)  # xffc00001 x7f800000 x80000000
        self.assert_gives("f32[2] log(a)", ["f32[2] 1 0"], "f32[2] 0 -inf")


class Movement(EvaluatorTest):
    def test_pad_of_a_run_time_size_ends_behind_it(self):
        # {1, 2} between a 7 on either side: 7 + 1 + 2 + 7.
        sized = ["  d = f32[<=4] set-dimension-size(a, b), dimensions={0}", "  v = f32[] constant(7)",
                 "  p = f32[<=6] pad(d, v), padding=1_1", "  z = f32[] constant(0)"]
        self.assert_gives("f32[] reduce(p, z), dimensions={0}, to_apply=add", ["f32[4] 1 2 3 4", "s32[] 2"], "f32[] 17",
                          computations=ADD, body=sized)
        self.assert_gives("s32[2,2]{0,1} bitcast(a)", ["s32[2,2]{1,0} 1 2 3 4"], "s32[2,2] 1 3 2 4")


class Folds(EvaluatorTest):
    def test_windows_over_a_run_time_size(self):
        # Prefix sums of {1, 2, 3}, added up: 1 + 3 + 6. The fourth element is beyond the run-time size.
        sized = ["  d = s32[<=4] set-dimension-size(a, b), dimensions={0}", "  z = s32[] constant(0)",
                 "  c = s32[<=4] reduce-window(d, z), window={size=4 pad=3_0}, to_apply=plus"]
        plus = ADD.replace("add {", "plus {").replace("f32", "s32")
        total = "s32[] reduce(c, z), dimensions={0}, to_apply=plus"
        self.assert_gives(total, ["s32[4] 1 2 3 4", "s32[] 3"], "s32[] 10", computations=plus, body=sized)

    def test_sums_side_by_side(self):
        both = ("both {\n  v = f32[] parameter(0)\n  w = f32[] parameter(1)\n  x = f32[] parameter(2)\n"
                "  y = f32[] parameter(3)\n  m = f32[] add(x, v)\n  n = f32[] OP(w, y)\n"
                "  ROOT t = (f32[], f32[]) tuple(m, n)\n}\n")
        root = "(f32[], f32[]) reduce(a, b, c, d), dimensions={0}, to_apply=both"
        arguments = ["f32[2] 1 1", "f32[2] 1 1", "f32[] 16777216", "f32[] 16777216"]
        self.assert_gives(root, arguments, "f32[] 16777218", "f32[] 16777218", computations=both.replace("OP", "add"))
        # Beside another op each step rounds, to 2^24.
        self.assert_gives(root, arguments, "f32[] 16777216", "f32[] 16777216",
                          computations=both.replace("OP", "multiply"))

    def test_an_associative_scan(self):
        step = ("step {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  s = f32[] add(x, y)\n"
                "  ROOT t = (f32[], f32[]) tuple(s, s)\n}\n")
        root = "(f32[2], f32[]) scan(a, b), dimensions={0}, num_carries=1, to_apply=step"
        arguments = ["f32[2] 1 1", "f32[] 16777216"]
        self.assert_gives(root, arguments, "f32[2] 16777216 16777216", "f32[] 16777216", computations=step)
        self.assert_gives(root + ", is_associative=true", arguments, "f32[2] 16777216 16777218", "f32[] 16777218",
                          computations=step)

    def test_a_reversed_window(self):
        last = "last {\n  x = f32[] parameter(0)\n  ROOT y = f32[] parameter(1)\n}\n"
        for reversal, want in ((0, "f32[2] 2 3"), (1, "f32[2] 1 2")):
            self.assert_gives(f"f32[2] reduce-window(a, b), window={{size=2 rhs_reversal={reversal}}}, to_apply=last",
                              ["f32[3] 1 2 3", "f32[] 0"], want, computations=last)


class SpecialValues(EvaluatorTest):
    def test_complex_numbers(self):
        self.assert_gives("c64[2] multiply(a, b)", ["c64[2] inf nan 0 1", "c64[2] 2 3 0 1"],
                          "c64[2] inf inf -1 0")
        self.assert_gives("c64[2] divide(a, b)", ["c64[2] 1 -2 3 4", "c64[2] 0 0 0 2"], "c64[2] inf -inf 2 -1.5")
        # The limits from above and below the cut, and of an even function beside the axis.
        self.assert_gives("c64[2] sqrt(a)", ["c64[2] -4 0 -4 -0"], "c64[2] 0 2 0 -2")
        self.assert_gives("c64[2] cosine(a)", ["c64[2] 0 0 -0 0"], "c64[2] 1 -0 1 0")
        # b / (1 + a^2) of a tiny b; -i log(...) of angles that differ by 2^-900.
        self.assert_gives("c128[1] atan(a)", ["c128[1] 0 x07b0000000000000"], "c128[1] 0 x07b0000000000000")

    def test_several_steps(self):
        shapes = ["f32[1,3] 2 2 3", "f32[3] 1 1 -0", "f32[3] 0 0 -0", "f32[3] 1 1 1", "f32[3] -0.5 -1 3.5"]
        self.assert_gives("f32[1,3] batch-norm-inference(a, b, c, d, e), epsilon=0.5, feature_index=1", shapes,
                          "f32[1,3] inf nan 0")
        self.assert_gives("f32[2,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE",
                          ["f32[2,2] 0 nan 1 2", "f32[2,1] 1 5"], "f32[2,1] inf -inf")
        self.assert_gives("f32[2,2] cholesky(a), lower=true", ["f32[2,2] 4 0 -0 9"], "f32[2,2] 2 0 -0 3")

    def test_small_numbers(self):
        self.assert_gives("f64[1,1] cholesky(a), lower=true", ["f64[1,1] x0000000000000004"],
                          "f64[1,1] x1e70000000000000")
        self.assert_gives("f8e8m0fnu[2] constant({5.9e-39, 8.9e-39})", [], "f8e8m0fnu[2] x00 x01")


class Products(EvaluatorTest):
    def test_integers_are_rounded_to_the_floating_type_of_their_product(self):
        self.assert_gives("f32[1,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                          ["s32[1,1] 16777217", "s32[1,1] 16777217"], "f32[1,1] 281474976710656")


class RandomBits(EvaluatorTest):
    def test_known_answers(self):
        """The answers are from the Random123 library of the paper's authors: kat_vectors, philox4x32 10 and
        threefry2x32 20."""
        self.assertEqual(random_bits.philox([0] * 4, [0] * 2), [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])
        self.assertEqual(random_bits.philox([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2),
                         [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD])
        self.assertEqual(random_bits.three_fry([0] * 2, [0] * 2), [0x6B200159, 0x99BA4EFE])
        self.assertEqual(random_bits.three_fry([0xFFFFFFFF] * 2, [0xFFFFFFFF] * 2), [0x1CB996FC, 0xBB002BE7])

    def test_words_and_states(self):
        self.assert_gives("(u64[3], u8[4]) rng-bit-generator(a), algorithm=rng_philox", ["u64[3] 0 0 0"],
                          "u64[3] 0 1 0", f"u8[4] {0xD5} {0x8D} {0x4C} {0xD8}")
        self.assert_gives("(u64[2], u64[1]) rng-bit-generator(a), algorithm=rng_three_fry", ["u64[2] 0 0"],
                          "u64[2] 0 1", f"u64[1] {0x99BA4EFE6B200159}")


    def test_numbers_of_a_range(self):
        self.assert_gives("s8[3] rng(a, b), distribution=rng_uniform", ["s8[] 5", "s8[] 6"], "s8[3] 5 5 5")
        self.assert_gives("bf16[3] rng(a, b), distribution=rng_uniform", ["bf16[] 1", "bf16[] 1.0078125"],
                          "bf16[3] 1 1 1")
        self.assert_gives("f16[2] rng(a, b), distribution=rng_normal", ["f16[] 3", "f16[] 0"], "f16[2] 3 3")

    def test_the_state_moves_on(self):
        body = ["  s = u64[2] rng-get-and-update-state(), delta=3"]
        self.assert_gives("u64[2] rng-get-and-update-state(), delta=1", [], "u64[2] 117515160 0", body=body)


class RunTimeSizes(EvaluatorTest):
    BODY = ["  d = f32[<=3] set-dimension-size(a, b), dimensions={0}", "  n = f32[<=3] negate(d)"]

    def test_go_through_element_wise_ops(self):
        arguments = ["f32[3] 1 2 4", "s32[] 2", "f32[] 0"]
        self.assert_gives("s32[] get-dimension-size(n), dimensions={0}", arguments, "s32[] 2", body=self.BODY)
        self.assert_gives("f32[] reduce(n, c), dimensions={0}, to_apply=add", arguments, "f32[] -3", body=self.BODY,
                          computations=ADD)

    def test_are_never_dropped(self):
        arguments = ["f32[3] 1 2 4", "s32[] 2"]
        self.assert_gives("f32[1] slice(n), slice={[0:1]}", arguments, "f32[1] -1", body=self.BODY)
        self.assert_not_derived("dynamic-slice of an array whose size is below its bound",
                                "f32[1] dynamic-slice(n, c), dynamic_slice_sizes={1}", [*arguments, "s32[] 0"],
                                body=self.BODY)

    def test_bound_what_an_op_sees(self):
        arguments = ["f32[3] 1 2 4", "s32[] 2"]
        for root, bound, size in (("reverse(n), dimensions={0}", 3, 2), ("concatenate(n, n), dimensions={0}", 6, 4)):
            body = [*self.BODY, f"  r = f32[<={bound}] {root}"]
            self.assert_gives("s32[] get-dimension-size(r), dimensions={0}", arguments, f"s32[] {size}", body=body)
            self.assert_gives("f32[] reduce(r, c), dimensions={0}, to_apply=add", [*arguments, "f32[] 0"],
                              f"f32[] {-3 * size / 2}", body=body, computations=ADD)


class WithAHost(unittest.TestCase):
    TEXT = ("HloModule m\nENTRY e {\n  t = token[] after-all()\n  i = (s32[], token[]) infeed(t)\n"
            "  x = s32[] get-tuple-element(i), index=0\n  u = token[] get-tuple-element(i), index=1\n"
            "  ROOT o = token[] outfeed(x, u), outfeed_shape=s32[]\n}\n")

    def test_values_come_and_go(self):
        module = Evaluator(self.TEXT)
        module.from_host = [[array_of("s32[] 7"), array_of("s32[] 8")]]
        self.assertEqual(module.run([]), [])
        self.assertEqual([int(value.values) for value in module.to_host[0]], [7])
        self.assertEqual(len(module.from_host[0]), 1)

    def test_nothing_is_there(self):
        with self.assertRaisesRegex(NotDerived, "the host has nothing"):
            Evaluator(self.TEXT).run([])


class OnDevices(unittest.TestCase):
    def run_on(self, header, root, arguments):
        text = f"HloModule m, {header}\n{ADD}ENTRY main {{\n  a = f32[2] parameter(0)\n  ROOT r = {root}\n}}\n"
        return [leaf.values.tolist() for leaf in flatten(Devices(text).run(list(map(array_of, arguments))))]

    def test_collectives(self):
        values = ["f32[2] 1 2", "f32[2] 10 20"]
        self.assertEqual(self.run_on("replica_count=2", "f32[2] all-reduce(a), replica_groups={}, to_apply=add",
                                     values), [[11, 22], [11, 22]])
        self.assertEqual(self.run_on("replica_count=2", "f32[4] all-gather(a), replica_groups={{1,0}}, dimensions={0}",
                                     values), [[10, 20, 1, 2]] * 2)
        self.assertEqual(self.run_on("replica_count=2", "f32[2] collective-permute(a), source_target_pairs={{0,1}}",
                                     values), [[0, 0], [1, 2]])

    def test_transfers(self):
        pairs = "channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}"
        text = ("HloModule m, replica_count=2\nENTRY e {\n  a = f32[] parameter(0)\n  t = token[] after-all()\n"
                f"  r = (f32[], u32[], token[]) recv(t), {pairs}\n  s = (f32[], u32[], token[]) send(a, t), {pairs}\n"
                "  d = (f32[], token[]) recv-done(r), channel_id=1\n  ROOT x = f32[] get-tuple-element(d), index=0\n}\n")
        results = flatten(Devices(text).run([array_of("f32[] 1"), array_of("f32[] 2")]))
        self.assertEqual([float(leaf.values) for leaf in results], [2, 1])
        with self.assertRaisesRegex(NotDerived, "nothing is sent to"):
            Devices(text.replace("{{0,1},{1,0}}", "{{0,1}}")).run([array_of("f32[] 1")] * 2)

    def test_permutes(self):
        pairs = "source_target_pairs={{0,1}}"
        text = ("HloModule m, replica_count=2\nENTRY e {\n  a = s32[3] parameter(0)\n  b = s32[3] parameter(1)\n"
                "  i = s32[] parameter(2)\n  j = s32[] parameter(3)\n  p = (s32[]) tuple(i)\n  q = (s32[]) tuple(j)\n"
                f"  ROOT r = s32[3] collective-permute(a, b, p, q), {pairs}, slice_sizes={{{{2}}}}\n}}\n")
        arguments = ["s32[3] 1 2 3", "s32[3] 7 8 9", "s32[] 1", "s32[] 0"]
        results = Devices(text).run([array_of(a) for a in arguments + ["s32[3] 4 5 6", "s32[3] 0 0 0", "s32[] 0", "s32[] 9"]])
        self.assertEqual([line_of(r) for r in results], ["s32[3] 7 8 9", "s32[3] 0 2 3"])

    def test_a_root_that_is_an_operand(self):
        text = ("HloModule m, replica_count=2\n" + ADD + "ENTRY e {\n  a = f32[1] parameter(0)\n"
                "  b = s32[1] parameter(1)\n  ROOT r = f32[1] collective-reduce(a, b), replica_groups={{0,1}}, "
                "has_dynamic_root=true, to_apply=add\n}\n")
        results = Devices(text).run([array_of(a) for a in ("f32[1] 1", "s32[1] 1", "f32[1] 2", "s32[1] 0")])
        self.assertEqual([line_of(r) for r in results], ["f32[1] 1", "f32[1] 3"])

    def test_loops(self):
        text = ("HloModule m, replica_count=2\n" + ADD
                + "more {\n  p = f32[] parameter(0)\n  n = f32[] constant(20)\n"
                  "  ROOT c = pred[] compare(p, n), direction=LT\n}\n"
                  "step {\n  p = f32[] parameter(0)\n  ROOT s = f32[] all-reduce(p), replica_groups={}, to_apply=add\n}\n"
                  "ENTRY e {\n  a = f32[] parameter(0)\n  ROOT w = f32[] while(a), condition=more, body=step\n}\n")
        results = flatten(Devices(text).run([array_of("f32[] 1"), array_of("f32[] 2")]))
        self.assertEqual([float(leaf.values) for leaf in results], [24, 24])
        with self.assertRaisesRegex(NotDerived, "leave a loop apart"):
            Devices(text).run([array_of("f32[] 1"), array_of("f32[] 30")])

    def test_ids(self):
        self.assertEqual(self.run_on("replica_count=2", "u32[] replica-id()", ["f32[2] 1 2"] * 2), [0, 1])
        text = "HloModule m, replica_count=2\nid {\n  ROOT i = u32[] replica-id()\n}\n" \
               "ENTRY e {\n  ROOT r = u32[] call(), to_apply=id\n}\n"
        self.assertEqual([int(leaf.values) for leaf in flatten(Devices(text).run([]))], [0, 1])


class Rules(EvaluatorTest):
    def test_an_op_without_a_rule_is_not_derived(self):
        self.assert_not_derived("custom-call", 'f32[] custom-call(a), custom_call_target="lapack"', ["f32[] 0"])
        self.assert_not_derived("complex floor", "c64[] floor(a)", ["c64[] 1 1"])

    def test_an_op_has_one_rule(self):
        tables = [family.OPS for family in FAMILIES] + [CALLERS]
        self.assertEqual(sum(map(len, tables)), len(RULES) + len(CALLERS))
        self.assertFalse(set(RULES) & set(CALLERS))

    def test_every_evaluated_op_has_a_rule_or_is_listed(self):
        devices = {name for op in ("all-reduce", "all-gather", "collective-permute")
                   for name in (op, f"{op}-start", f"{op}-done")}  # fmt: skip
        devices |= {"reduce-scatter", "all-to-all", "collective-broadcast", "collective-reduce", "ragged-all-to-all"}
        evaluated = {op["name"] for op in op_table() if op["evaluated"]}
        self.assertEqual(evaluated - set(RULES) - set(CALLERS) - devices, WITHOUT_RULE)
        self.assertFalse((set(RULES) | set(CALLERS)) - evaluated)
