"""Files of StableHLO with several programs: `assay run` runs them all, and --function names one."""

from spec_tests.tools.command_line import CliTest

FUNCTION = """func.func @{name}() -> tensor<i32> {{
  %x = stablehlo.constant dense<{value}> : tensor<i32>
  return %x : tensor<i32>
}}
"""
# Three programs: two functions; one whose check fails; one that cannot be read; one with an unused function.
SEVERAL = "".join([
    FUNCTION.format(name="f", value=3), FUNCTION.format(name="g", value=4), "// -----\n",
    FUNCTION.format(name="f", value=5).replace("  return", "  check.expect_eq_const %x, dense<0> : tensor<i32>\n  return"),
    "// -----\n\nfunc.func f(\n// -----\n",
    FUNCTION.format(name="h", value=6),
    "func.func @i(%x: tensor<i32>) -> tensor<i32> {\n  return %x : tensor<i32>\n}\n",
])  # fmt: skip


class Programs(CliTest):
    def test_several_public_functions_are_named(self):
        path = self.file("m.mlir", "".join(FUNCTION.format(name=name, value=1) for name in ("f", "g")))
        done = self.assay("print", path, code=2)
        self.assertIn("a program starts at its function @main, or at its only public one: found @f, @g; "
                      "name one of them by --function NAME", done.stderr)  # fmt: skip

    def test_verify_takes_each_program(self):
        path = self.file("m.mlir", SEVERAL)
        done = self.assay("verify", path, code=2)
        legal = "".join(f"{path} @{name}: legal, 1 computation, {count} instruction{'s' if count > 1 else ''}\n"
                        for name, count in (("f", 1), ("g", 1), ("f", 3), ("h", 1)))  # fmt: skip
        self.assertEqual(done.stdout, legal)
        self.assertIn("m.mlir:17:11: cannot be converted", done.stderr)

    def test_functions_with_arguments_are_programs_if_none_is_without(self):
        add = ("func.func private @{name}(%x: tensor<2xi32>) -> tensor<2xi32> {{\n  %y = {op} : tensor<2xi32>\n"
               "  return %y : tensor<2xi32>\n}}\n")  # fmt: skip
        path = self.file("m.mlir", add.format(name="f", op="stablehlo.subtract %x, %x") +
                         add.format(name="inner", op="stablehlo.add %x, %x") +
                         add.format(name="g", op="func.call @inner(%x) : (tensor<2xi32>) -> tensor<2xi32> //"))  # fmt: skip
        self.assertEqual(self.assay("run", path).stdout.splitlines()[:3], ["@f", "{0, 0}", "@g"])

    def test_programs_of_a_text(self):
        done = self.assay("run", self.file("m.mlir", SEVERAL))
        self.assertEqual((done.returncode, done.stdout), (2, "@f\n3\n@g\n4\n@f\n@h\n6\n"), done.stderr)
        self.assertIn("m.mlir:12:3: error: check.expect_eq: element 0 of s32[] is 5, expected 0", done.stderr)
        self.assertIn("m.mlir:17:11: cannot be converted", done.stderr)
        self.assertIn("3 of 5 programs ran to their end, 1 could not run", done.stderr)

    def test_a_function_of_several_programs(self):
        path = self.file("m.mlir", SEVERAL)
        self.assertEqual(self.assay("run", path, "--function", "h").stdout, "6\n")
        self.assertEqual(self.assay("verify", path, "--function", "g").returncode, 0)
        for command, function, message in [
            ("print", "", "it holds 4 programs, which `assay run` runs: name the function of one by --function NAME"),
            ("run", "f", "the function @f must be that of one of its 4 programs, found 2"),
            ("run", "nothing", "the function @nothing must be that of one of its 4 programs, found 0"),
        ]:
            done = self.assay(command, path, *(["--function", function] if function else []), code=2)
            self.assertIn(message, done.stderr)
        done = self.assay("run", path, "--format", "json", code=2)
        self.assertIn("holds 5 programs: name the function of one by --function NAME to pass", done.stderr)

    def test_a_wrong_function(self):
        path = self.file("m.mlir", FUNCTION.format(name="f", value=1) + FUNCTION.format(name="main", value=2))
        self.assertEqual(self.assay("run", path).stdout, "2\n")
        self.assertEqual(self.assay("run", path, "--function", "f").stdout, "1\n")
        for command in ("run", "verify", "print", "explain"):
            done = self.assay(command, path, "--function", "g", code=2)
            self.assertIn("there is no function @g: found @f, @main", done.stderr)
