"""The form that jaxlib prints a program in is the same program as the generic form that it prints.

The texts hold every operation; constants of all element types come in the list and in the hexadecimal form.
"""

import os
import pathlib
import random
import subprocess
import tempfile
import unittest

try:
    from jaxlib.mlir import ir

    from backends.adapters.xla_peers import jaxlib_api
except ImportError:
    ir = None

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent / "models"
STABLEHLO_DUMP = os.environ["STABLEHLO_DUMP"]
# Types of numbers whose lists jaxlib prints as bytes once they are long.
REAL_TYPES = ["bf16", "f16", "f32", "f64", "f8E3M4", "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2",
              "f8E5M2FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]  # fmt: skip
INTEGER_BITS = [2, 4, 8, 16, 32, 64]


def dumps(texts):
    """Returns the programs of the texts, as text with all that they have."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{i}.mlir" for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([STABLEHLO_DUMP, *map(str, paths)], capture_output=True, text=True, check=False, timeout=600)
    return done.stdout.split("\f\n")[: len(texts)]


def long_constants():
    """Constants of more than a hundred elements in the form of a list, each in a module."""
    draw = random.Random(1)
    lists = {"i1": ["true" if draw.random() < 0.5 else "false" for _ in range(101)]}
    for bits in INTEGER_BITS:
        lists[f"i{bits}"] = [str(draw.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1))) for _ in range(101)]
        lists[f"ui{bits}"] = [str(draw.randrange(2**bits)) for _ in range(101)]
    for name in REAL_TYPES:
        lists[name] = [repr(draw.uniform(-5, 5)) for _ in range(101)]
    lists["f8E8M0FNU"] = [repr(2.0 ** draw.randrange(-6, 6)) for _ in range(101)]
    for part in ("f32", "f64"):
        lists[f"complex<{part}>"] = [f"({draw.uniform(-5, 5)!r}, {draw.uniform(-5, 5)!r})" for _ in range(101)]
    for name, elements in lists.items():
        value = f"dense<[{', '.join(elements)}]> : tensor<101x{name}>"
        yield f"module {{\n  func.func @f() {{\n    %0 = stablehlo.constant {value}\n    return\n  }}\n}}\n"


@unittest.skipIf(ir is None, "jaxlib is not installed")
class TextForms(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.context = ir.Context()
        jaxlib_api.load_dialects(cls.context)

    def printed(self, text, **options):
        return ir.Module.parse(text, self.context).operation.get_asm(**options)

    def assert_all_same(self, first, second):
        got = dumps(first + second)
        for text, one, other in zip(first, got[: len(first)], got[len(first) :]):
            with self.subTest(text=text[:200]):
                self.assertTrue(one.startswith(" = builtin.module"), one)
                self.assertEqual(one, other)

    def assert_forms_are_same(self, texts):
        for has_locations in (True, False):
            self.assert_all_same([self.printed(text, enable_debug_info=has_locations) for text in texts],
                                 [self.printed(text, enable_debug_info=has_locations, print_generic_op_form=True)
                                  for text in texts])  # fmt: skip

    def test_every_operation(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted((HERE / "texts").glob("*.mlir"))]
        self.assertGreaterEqual(len(texts), 4)
        self.assert_forms_are_same(texts)

    def test_texts_are_those_that_jaxlib_prints(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted((HERE / "texts").glob("*.mlir"))]
        # jaxlib gives an operation without a location its place in the text.
        self.assert_all_same(texts, [self.printed(text, enable_debug_info="loc(" in text) for text in texts])

    def test_real_programs(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted(MODELS.rglob("*.mlir"))]
        self.assertGreaterEqual(len(texts), 6)
        self.assert_forms_are_same(texts)

    def test_long_constants(self):
        texts = list(long_constants())
        printed = [self.printed(text) for text in texts]
        for text in printed:
            self.assertIn('dense<"0x', text)
        self.assert_all_same(texts, printed)
