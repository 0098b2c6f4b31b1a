"""Layouts of the binary interface of PJRT (backends/pjrt/abi), against two descriptions of others: the tables of
pypjrt, and the C header of the wheel xla-cpu-pjrt, where that is installed. CXX is the compiler."""

import ctypes
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(__file__).parents[2]
# The rows of each table of functions, by the line that includes it.
TABLES = {f'#include "backends/pjrt/abi/{path.name}"\n':
          re.findall(r"^ASSAY_(\w+)\((\w+)(?:, (.*?))?\)$", path.read_text(), re.M | re.S)
          for path in (ROOT / "backends/pjrt/abi").glob("*.inc")}  # fmt: skip


def arguments(function, rows):
    """The struct of the arguments of a function, as api.h makes it of a row of the table."""
    name = f"PJRT_{function}_Args"
    lines = [f"Sized<{name}> sized{{}};", *(" ".join(row.split()) + ";" for row in rows.split(";")[:-1])]
    return f"struct {name} {{\n" + "".join(f"  {line}\n" for line in lines) + "};\n"


OWN = "".join(path.read_text() for path in sorted((ROOT / "backends/pjrt/abi").glob("*.h")))
ROWS = [row for table in TABLES.values() for row in table]
OWN += "".join(arguments(name, rows) for kind, name, rows in ROWS if kind != "NO_FUNCTION")
# An array element, and a struct whose size is in its base.
WITHOUT_SIZE = {"PJRT_LogicalDeviceIds", "PJRT_Layouts_Extension", "PJRT_Shardings_Extension"}
# The fields that a struct shares with most others, and the functions of the tables, as the header would have them.
SIZED = "  std::size_t struct_size;\n  PJRT_Extension_Base* extension_start;\n"
WHOLE = re.sub(r"  Sized<\w+> sized\{\};\n", SIZED, OWN)
for include, functions in TABLES.items():
    WHOLE = WHOLE.replace(include, "".join(f"  void* PJRT_{name}{{}};\n" for _, name, _ in functions))
WHOLE = re.sub("^#.*\n", "", WHOLE, flags=re.M)
STRUCTS = re.findall(r"^struct (PJRT_\w+) \{(.*?)^\};", WHOLE, re.M | re.S)


def fields(body):
    """The names of the fields of a struct of the header, those of a union in it too."""
    names = (re.search(r"\(\*(\w+)\)|(\w+)(?: = [^;]*|\{\})?;$", line) for line in body.splitlines())
    return [name[1] or name[2] for name in names if name]


def own(struct, field):
    """The field of a struct in our header."""
    return f"sized.{field}" if f"Sized<{struct}>" in OWN and field in SIZED else field


def compiles(text, *options):
    command = [*shlex.split(os.environ["CXX"]), "-std=c++20", "-fsyntax-only", f"-I{ROOT}", *options, "-x", "c++", "-"]
    run = subprocess.run(command, input=text, text=True, capture_output=True)
    return run.stderr if run.returncode else ""


def asserts(rows):
    """A source that holds each row, (an expression, the number that it must be)."""
    lines = [f'static_assert({expression} == {number}, "{expression}");' for expression, number in rows]
    return '#include "backends/pjrt/abi/api.h"\nusing namespace assay::pjrt;\n' + "\n".join(lines)


class PypjrtTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not importlib.util.find_spec("pypjrt"):
            raise unittest.SkipTest("no pypjrt here; tools/dev installs it")
        from pypjrt._abi import pjrt_0_114

        cls.theirs = pjrt_0_114

    def test_the_header_is_read(self):
        self.assertGreater(len(STRUCTS), 100)
        self.assertEqual(fields(dict(STRUCTS)["PJRT_NamedValue"])[2:6], ["name", "name_size", "type", "string_value"])
        self.assertEqual(len(fields(dict(STRUCTS)["PJRT_Api"])), 3 + len(self.theirs.SLOT))

    def test_structs(self):
        rows = []
        for name, body in STRUCTS:
            struct = getattr(self.theirs, name)
            if name not in WITHOUT_SIZE:
                self.assertEqual(fields(body)[0], "struct_size")
            rows.append((f"sizeof({name})", ctypes.sizeof(struct)))
            rows += [(f"offsetof({name}, {own(name, field)})", getattr(struct, field).offset)
                     for field in fields(body) if hasattr(struct, field)]
        self.assertEqual(compiles(asserts(rows)), "")
        # The test sees a wrong number.
        self.assertNotEqual(compiles(asserts([("sizeof(PJRT_Api)", 8)])), "")

    def test_every_field_is_there(self):
        for name, body in STRUCTS:
            theirs = [field[0] for field in getattr(self.theirs, name)._fields_ if not field[0].startswith("_anon")]
            self.assertEqual([field for field in theirs if field not in fields(body)], [], name)

    def test_enumerators(self):
        rows = re.findall(r"^  (PJRT_\w+) = (\d+),$", OWN, re.M)
        self.assertGreater(len(rows), 50)
        for name, number in rows:
            self.assertEqual(getattr(self.theirs, name), int(number), name)

    def test_version(self):
        numbers = dict(re.findall(r"^inline constexpr int (k\w+Version) = (\d+);", OWN, re.M))
        self.assertEqual((int(numbers["kMajorVersion"]), int(numbers["kMinorVersion"])),
                         (self.theirs.PJRT_API_MAJOR, self.theirs.PJRT_API_MINOR))

    def test_compile_options(self):
        """The numbers of fields of the one message that host and plugin exchange beside modules."""
        text = (ROOT / "backends/pjrt/compile_options.cc").read_text()
        for message, start, end in (("CompileOptionsProto", "// Fields of CompileOptionsProto", "// Fields of an entry"),
                                    ("ExecutableBuildOptionsProto", "// Fields of ExecutableBuildOptionsProto", "\n\n")):
            part = text[text.index(start):]
            for name, number in re.findall(r'"(\w+)", (\d+),', part[:part.index(end)]):
                self.assertEqual(self.theirs.PROTO_FIELDS[message][name], int(number), name)


class HeaderTest(unittest.TestCase):
    """The header of an older version: what it has lies where ours has it."""

    def test_layouts(self):
        pattern = ".venv-xla-cpu-pjrt/lib/python3*/site-packages/xla_plugins/xla_cpu_pjrt/include/pjrt_c_api.h"
        header = next(ROOT.glob(pattern), None)
        if not header:
            self.skipTest("no xla-cpu-pjrt here; tools/dev peer xla-cpu-pjrt installs it (63 MB)")
        theirs = header.read_text()
        rows = []
        for name, body in STRUCTS:
            found = re.search(rf"^(?:typedef )?struct {name} \{{(.*?)^\}}", theirs, re.M | re.S)
            known = set(re.findall(r"(\w+)(?:;|\)$)", re.sub(r"//.*", "", found[1]))) if found else set()
            rows += [(f"offsetof(assay::pjrt::{name}, {own(name, field)})", f"offsetof(::{name}, {field})")
                     for field in fields(body) if field in known]
        self.assertGreater(len(rows), 100)
        includes = f'#include <cstddef>\n#include "{header}"\n#include "backends/pjrt/abi/api.h"\n'
        text = includes + asserts(rows).replace("using namespace assay::pjrt;", "")
        self.assertEqual(compiles(text), "")
