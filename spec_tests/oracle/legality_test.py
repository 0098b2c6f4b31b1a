"""The rules of golden/witness/legality.py: texts that violate them, and every legal module of the corpus."""

import unittest

from golden.witness.hlo import goldens
from golden.witness.legality import broken_rule, part_of, tree
from golden.witness.program import GOLDEN
from spec_tests.nightly import is_nightly


def module(*lines, header=""):
    return "\n".join([f"HloModule m{header}", "ENTRY e {", *(f"  {line}" for line in lines), "}"])


class Shapes(unittest.TestCase):
    def test_trees(self):
        shape = tree("((f32[2,3]{1,0}, s32[]), token[])")
        self.assertEqual(shape, [[("f32", (2, 3)), ("s32", ())], ("token", ())])
        self.assertEqual(part_of(shape, [0, 1]), ("s32", ()))
        self.assertIsNone(part_of(shape, [1, 0]))
        self.assertEqual(tree("f32[<=2]"), ("f32", (2,)))
        self.assertEqual(tree("(b(f32[2]{0}), s32[])"), [("f32", (2,)), ("s32", ())])


class Rules(unittest.TestCase):
    def assert_broken(self, rule, text):
        self.assertRegex(broken_rule(text) or "", rule)

    def test_modules_that_break_them(self):
        x = "x = f32[2,3] parameter(0)"
        self.assert_broken("as many elements", module(x, "ROOT r = f32[8] reshape(x)"))
        self.assertIsNone(broken_rule(module(x, "ROOT r = f32[6] reshape(x)")))
        self.assert_broken("as large as", module(x, "ROOT r = f32[2,4] broadcast(x), dimensions={0,1}"))
        self.assert_broken("ids are u32", module("ROOT r = s32[] replica-id()"))
        self.assert_broken("index is in", module("x = (f32[]) parameter(0)", "ROOT r = f32[] get-tuple-element(x), index=1"))
        self.assert_broken("ends", module(x, "t = token[] after-all()",
                                          "ROOT s = (f32[2,3], u32[], token[]) send(x, t), channel_id=1"))
        send = "s = (f32[2,3], u32[], token[]) send(x, t), channel_id=1"
        done = "ROOT d = token[] send-done(s), channel_id=1"
        self.assert_broken("ends", module(x, "t = token[] after-all()", send + ", is_host_transfer=true", done))
        self.assertIsNone(broken_rule(module(x, "t = token[] after-all()", send, done)))
        pin = 'ROOT b = b(f32[2,3]) custom-call(x), custom_call_target="Pin"'
        self.assert_broken("a pinned buffer", module(x, pin))
        self.assertIsNone(broken_rule(module(x, pin + ", output_to_operand_aliasing={{}: (0, {})}")))
        self.assert_broken("positive", module("ROOT x = f32[] parameter(0)", header=", replica_count=0"))

    def test_no_legal_module_of_the_corpus_breaks_one(self):
        step = 1 if is_nightly("rules of legality on two thirds of the corpus") else 3
        for path in sorted(GOLDEN.rglob("*.hlo"))[::step]:
            if path.parent.name == "refused":
                continue
            golden = goldens.parse(path.stem, path.read_text())
            self.assertIsNone(broken_rule(golden.module_of(golden.cases[0])), path)
