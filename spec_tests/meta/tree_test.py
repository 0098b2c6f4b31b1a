"""The rules of the tree: one way for includes, and one place for an op, a rule and a freedom."""

import functools
import re
import unittest

from spec_tests.tools.command_line import ROOT, each, ran


# The folders that each folder may include besides itself: docs/architecture.md draws them.
CORE = ["interpreter/types", "interpreter/numerics", "interpreter/hlo"]
JUDGE = ["interpreter/evaluator", "interpreter/acceptance"]
ARROWS = {
    "interpreter/types": [],
    "interpreter/numerics": ["interpreter/types"],
    "interpreter/hlo": ["interpreter/types", "interpreter/numerics"],
    "interpreter/ops": CORE,
    "interpreter/kernels": CORE + ["interpreter/ops"],
    "interpreter/acceptance/ops": CORE + ["interpreter/ops", "interpreter/kernels"],
    "interpreter/builder": CORE,
    "interpreter/proto": ["interpreter/types", "interpreter/hlo"],
    "interpreter/stablehlo": CORE + ["interpreter/proto"],
    "interpreter/custom_calls": CORE + ["interpreter/ops", "interpreter/kernels", "interpreter/acceptance/ops"],
    "interpreter/evaluator": ["interpreter/types", "interpreter/hlo", "interpreter/ops", "interpreter/kernels"],
    "interpreter/acceptance": CORE + ["interpreter/acceptance/ops", "interpreter/evaluator"],
    "backends": CORE + JUDGE + ["interpreter/kernels", "interpreter/acceptance/ops", "interpreter/stablehlo", "interpreter/proto"],
    "backends/pjrt/device": ["interpreter/types", "interpreter/hlo", "interpreter/stablehlo", "interpreter/proto",
               "interpreter/custom_calls", "backends"],
    "fuzz/generate": CORE + ["interpreter/builder"],
    "conformance": CORE + JUDGE + [
        "interpreter/acceptance/ops", "interpreter/builder", "interpreter/stablehlo", "interpreter/proto", "backends"
    ],
    "conformance/diagnosis": CORE + JUDGE + ["backends", "conformance"],
    "fuzz": ["interpreter/types", "interpreter/hlo", "interpreter/stablehlo", "interpreter/proto"] + JUDGE + ["backends", "fuzz/generate", "conformance", "conformance/diagnosis"],
    "fuzz/measure": ["interpreter/types", "interpreter/hlo", "interpreter/builder", "interpreter/acceptance/ops"] + JUDGE
               + ["backends", "fuzz/generate", "conformance", "fuzz"],
    "tools": CORE + JUDGE + [
        "interpreter/acceptance/ops", "interpreter/proto", "interpreter/stablehlo", "interpreter/custom_calls", "backends",
        "backends/pjrt/device", "conformance", "conformance/diagnosis", "fuzz", "fuzz/measure"
    ],
}
LAYERS = list(ARROWS)

# Quoted words that are spelled like an op and mean something else.
OTHER_MEANINGS = {
    ("interpreter/types", "tuple"),  # the element type of tuple shapes
    ("interpreter/hlo", "pad"),  # a field of window={...}
    # Attributes.
    ("interpreter/hlo", "domain"),
    ("interpreter/hlo", "scatter"),
    ("interpreter/hlo", "select"),
    ("interpreter/hlo", "slice"),
    ("interpreter/proto", "domain"),
    ("interpreter/proto", "slice"),
    # Keys of the backend_config of LAPACK's gees and ormqr.
    ("interpreter/custom_calls", "sort"),
    ("interpreter/custom_calls", "transpose"),
    ("interpreter/custom_calls", "add"),  # an operation of cuDNN's serialized graphs
    ("backends", "tuple"),  # a key of the JSON form of values
    ("interpreter/acceptance", "complex"),  # a family of element types, in a profile
    ("fuzz/generate", "constant"),  # a class of values
    ("tools", "complex"),  # a family of element types
    ("tools", "compare"),  # a command
    ("tools", "reduce"),  # a command, and a sum whose order is found
    ("tools", "infeed"),  # a key of the JSON form of what the host has
    ("conformance", "infeed"), ("conformance", "outfeed"),  # directives of golden files
    ("conformance", "cosine"),  # a metric
}

# The builder's functions have their own names for the ops, a backend computes ops
# in its own way, mutants break them, and drawn instructions that are not element-wise have a function for each op.
MAY_NAME_OPS = {
    "interpreter/builder",
    "interpreter/kernels",  # which op a kernel computes
    "interpreter/stablehlo",  # the operations of StableHLO and VHLO
    "backends/lawful/algorithms",
    "backends/pjrt/device/dimension_origins.cc",  # the dimensions that a result continues
    "backends/pjrt/entry.cc",  # what builds the values of an entry from arrays
    "backends/mutant",
    "backends/mutant/operators",  # which ops a mutant is equivalent of, and the conversions that operators put in
    "backends/simd",
    "backends/simd/loops",
    "backends/cuda/kernels",  # which expression an op is
    "backends/cuda/execution",  # control flow, and what hands values on
    "fuzz/float_programs.cc",  # what it writes programs of
    "fuzz/pattern_program.cc",
    "fuzz/quantized_programs.cc",
    "fuzz/quantized_steps.cc",
    "fuzz/self/settings_fuzzer.cc",  # what it asks profiles for
    "fuzz/program_features.cc",  # which ops compilers see through
    "fuzz/mutations",  # which ops a mutation puts in
    "fuzz/rewrites",  # which ops a rewrite applies to, and which it puts in
    "conformance/cases/mixed_precision.cc",  # the conversions that it puts in
    "conformance/diagnosis/calls.cc",  # loops and choices, which it takes apart
    "conformance/orders/sum_programs.cc",  # the sums that it writes
    "conformance/judging/joined_devices.cc",  # what collectives are on one device
    "conformance/judging/joined_values.cc",  # parts of it
    "conformance/tracing/named_ops.cc",  # sums, poles of functions, loops
    "fuzz/generate/families.cc",
    "fuzz/generate/ops",
}

# Definitions, kernels, acceptance, and calls that represent ops.
SEE_RECORDS = {"interpreter/ops", "interpreter/kernels", "interpreter/acceptance/ops", "interpreter/custom_calls"}

# Who judges, measures and reports goes by an op's record. An attribute that a rule needs is a field of the record.
GO_BY_THE_RECORD = ["interpreter/acceptance", "backends", "conformance", "fuzz", "tools"]
READ_ATTRIBUTES = {"interpreter/acceptance/ops", "interpreter/acceptance/ops/common", "backends/lawful/algorithms", "backends/mutant", "backends/mutant/operators", "backends/simd", "backends/simd/loops",
                   "backends/cuda/kernels", "backends/cuda/execution",
                   "backends/pjrt/device/dimension_origins.cc",
                   "conformance/diagnosis/calls.cc",  # loops and choices, which it takes apart
                   "fuzz/rewrites",  # loops and products, which they put otherwise
                   "conformance/judging/joined_devices.cc",  # groups, pairs and dimensions of collectives
                   "conformance/pairs/alignment.cc",  # channels, which name the origin of an instruction
                   "conformance/judging/self_consistency.cc",  # loops, turn by turn
                   "conformance/cases/fan_in.cc"}  # where values go: no verdict hangs on it
ATTRIBUTE_READ = re.compile(r'\b(?:Int64s?|Float|Bool|String|Computations?|Has|FindAttribute|Find<[\w:]+>)\("(\w+)"\)')
COUNTED_CALLS = re.compile(r"CalledComputations\(\)(?:\.(?:size|empty)\(|\[)")

CODE = {".cc", ".h"}


def files(suffixes, *folders):
    """Yields the files of folders; some of these are inside of others."""
    paths = dict.fromkeys(path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    yield from (path for path in paths if path.suffix in suffixes and "texts" not in path.parts)


def layer_of(name):
    return max((layer for layer in LAYERS if name.startswith(layer + "/")), key=len, default=None)


def listed(path, name):
    """Returns the names of a list in a meson.build."""
    return re.findall(r"'(\w+)'", re.search(rf"^{name} = \[(.*?)^\]", (ROOT / path).read_text(), re.M | re.S)[1])


def listed_ops():
    return listed("interpreter/ops/meson.build", "ops")


@functools.cache
def mnemonics():
    records = ((ROOT / f"interpreter/ops/{op}.cc").read_text() for op in listed_ops())
    return [re.search(r'^    \.name = "([^"]+)"', record, re.M)[1] for record in records]


class Layers(unittest.TestCase):
    def test_includes_follow_the_arrows(self):
        seen = set()
        for path in files(CODE, *LAYERS):
            own = layer_of(str(path.relative_to(ROOT)))
            for included in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
                layer = layer_of(included)
                self.assertIsNotNone(layer, f"{path}: {included} is in no layer")
                self.assertIn(layer, [own, *ARROWS[own]], f"{path} includes {included}")
                seen.add((own, layer))
        allowed = {(own, other) for own, others in ARROWS.items() for other in others}
        self.assertEqual(allowed - seen, set(), "arrows that nothing follows")

    def test_the_root_has_one_folder_for_each_part(self):
        done = ran("git", "-C", ROOT, "ls-files", "*/*")
        if done.returncode or not done.stdout:
            self.skipTest("no git checkout")
        folders = {name.partition("/")[0] for name in done.stdout.splitlines()}
        self.assertEqual({name for name in folders if not name.startswith(".")},
                         {"backends", "conformance", "docs", "fuzz", "golden", "interpreter", "python", "spec_tests", "tools"})

    def test_arrows_point_one_way(self):
        for own, others in ARROWS.items():
            for other in others:
                self.assertLess(LAYERS.index(other), LAYERS.index(own))

    def test_op_files_do_not_see_the_parser(self):
        for path in files(CODE, "interpreter/ops"):
            for included in re.findall(r'^#include "interpreter/hlo/([^"]+)"', path.read_text(), re.M):
                self.assertNotRegex(included, "parser|lexer|printer|verif", f"{path}")

    def test_only_ops_and_the_calls_that_stand_for_ops_see_records(self):
        symbols = {f"op_{op}" for op in listed_ops()}
        for path in files(CODE, *LAYERS):
            if layer_of(str(path.relative_to(ROOT))) in SEE_RECORDS:
                continue
            used = symbols & set(re.findall(r"\bop_\w+", path.read_text()))
            self.assertFalse(used, f"{path}")


# Their files are compiled one by one: interpreter/meson.build says why others are not.
ONE_FILE_AN_OBJECT = ("backends/simd/", "tools/bench/")
LOCAL_NAMES = re.compile(
    r"^(?:(?:struct|class|union|enum(?: class)?) (?P<type>\w+)(?: final)? ?[:{]|using (?P<alias>\w+) =|"
    r"(?!using|return|namespace|template|#|//|})(?:[\w:]+(?:<.*>)?[&*]* )+[&*]*(?P<name>\w+)(?:\(| = |\[\w*\] = |\{|;))")


def local_names(text):
    """Returns the names that a source defines in its anonymous namespaces."""
    names = set()
    for body in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        for line in body.splitlines():
            if found := LOCAL_NAMES.match(line):
                names.add(found["type"] or found["alias"] or found["name"])
            if line.startswith("const"):  # several in one declaration
                names.update(re.findall(r"\b(k[A-Z]\w*)(?: =|\[)", line))
    return names


class Chunks(unittest.TestCase):
    def test_no_two_files_of_a_layer_have_a_local_name_in_common(self):
        homes = {}
        for path in files({".cc"}, *LAYERS):
            name = str(path.relative_to(ROOT))
            if name.startswith(ONE_FILE_AN_OBJECT):
                continue
            for local in local_names(path.read_text()):
                home = homes.setdefault((layer_of(name), local), name)
                self.assertEqual(home, name, f"one object may hold both files: give their {local} two names")

    def test_no_two_tests_of_a_folder_have_a_local_name_in_common(self):
        lists = re.findall(r"^  '(\w+)': \[\n(.*?)^  \]", (ROOT / "spec_tests/meson.build").read_text(), re.M | re.S)
        self.assertGreater(len(lists), 15)
        for folder, sources in lists:
            homes = {}
            for name in re.findall(r"'([\w/]+\.cc)'", sources):
                for local in local_names((ROOT / "spec_tests" / name).read_text()):
                    home = homes.setdefault(local, name)
                    self.assertEqual(home, name, f"one object may hold both tests of {folder}: give their {local} two names")

    def test_local_names_are_recognized(self):
        text = ("struct Outside {};\nnamespace {\n\nstruct Row {\n  int inner = 0;\n};\nusing Clock = std::chrono::steady_clock;\n"
                "constexpr std::int64_t kBlock = 2, kLine = 3;\nconstexpr Row kRows[] = {\n};\ntemplate <class T>\n"
                "std::vector<T> Twice(const T& x) {\n  return Other(x);\n}\nconst Row& First() { return kRows[0]; }\n"
                "}  // namespace\nint After();\n")
        self.assertEqual(local_names(text), {"Row", "Clock", "kBlock", "kLine", "kRows", "Twice", "First"})


class Threads(unittest.TestCase):
    def test_have_the_stack_of_the_one_helper(self):
        for path in files(CODE, *LAYERS):
            if path.name != "thread.cc":
                code = re.sub(r"//.*", "", path.read_text())
                self.assertNotRegex(code, r"std::j?thread\b(?!::)|pthread_create|std::async", f"{path}: interpreter/types/thread.h")


RETURNS_SUBRANGE = re.compile(r"\branges::(?:rotate|unique|remove|remove_if|partition|stable_partition|search|search_n|find_end|"
                              r"find_last|equal_range|subrange)\b")


class Compilers(unittest.TestCase):
    def test_clang_of_debian_compiles_what_the_fuzzers_are_built_of(self):
        for path in files(CODE, *LAYERS):
            code = re.sub(r"//.*", "", path.read_text())
            self.assertNotRegex(code, r"\bviews::", f"{path}: clang 14 refuses the views of gcc's library (tools/dev fuzz-self)")
            self.assertNotRegex(code, RETURNS_SUBRANGE, f"{path}: clang 14 refuses the subranges of gcc's library")
            self.assertNotIn("__builtin_shuffle(", code, f"{path}: clang has __builtin_shufflevector, and so has gcc 12")


# Words of memory access. A definition uses indices and elements; `ops/plain/` connects the two.
MACHINE_WORDS = re.compile(r"\b(?:std::byte|memcpy|mutable_data|Parallel\w+|StorageBytes|RowMajorStrides|Strided\w+|"
                           r"\w+_strides|threads?|lanes?)\b|(?<!text->)\bdata\(\)")


class Definitions(unittest.TestCase):
    def test_ops_speak_of_indices_and_elements(self):
        found = set()
        for path in files(CODE, "interpreter/ops"):
            code = re.sub(r"//.*", "", path.read_text())
            if path.parent.name != "plain" and MACHINE_WORDS.search(code):
                found.add(path.stem)
        self.assertEqual(found, set())

    def test_words_of_memory_access_are_recognized(self):
        for code in ["std::memcpy(", "operand.data() +", "ParallelFor(", "const StridedCopy copy(", "from_strides[d]", "int lanes"]:
            self.assertRegex(code, MACHINE_WORDS)
        for code in ["slice[d].stride", "execution_thread", "text->data()", "Bytes"]:
            self.assertNotRegex(code, MACHINE_WORDS)


class OpList(unittest.TestCase):
    def test_is_sorted_and_names_every_file_once(self):
        ops = listed_ops()
        self.assertGreaterEqual(len(ops), 133)
        self.assertEqual(ops, sorted(set(ops)))
        present = [path.stem for path in (ROOT / "interpreter/ops").glob("*.cc") if path.stem != "op_table"]
        self.assertEqual(sorted(present), ops)

    def test_files_are_named_after_the_mnemonic(self):
        self.assertEqual([name.replace("-", "_") for name in mnemonics()], listed_ops())

    def test_no_mnemonic_is_named_elsewhere(self):
        names = set(mnemonics())
        for path in files(CODE, *LAYERS):
            name = str(path.relative_to(ROOT))
            layer = layer_of(name)
            if layer == "interpreter/ops" or MAY_NAME_OPS & {layer, name, str(path.relative_to(ROOT).parent)}:
                continue
            code = re.sub(r"//.*", "", path.read_text())
            for word in names & set(re.findall(r'"([a-z0-9-]+)"', code)):
                self.assertIn((layer, word), OTHER_MEANINGS, f"{path} names an op")


class Records(unittest.TestCase):
    def test_are_what_the_judge_and_the_tools_go_by(self):
        for path in files(CODE, *GO_BY_THE_RECORD):
            name = path.relative_to(ROOT)
            if {str(name), str(name.parent)} & READ_ATTRIBUTES:
                continue
            code = re.sub(r"//.*", "", path.read_text())
            self.assertEqual(ATTRIBUTE_READ.findall(code), [], f"{path} reads attributes of an op")
            self.assertIsNone(COUNTED_CALLS.search(code), f"{path} finds an op by what it calls")

    def test_readings_are_recognized(self):
        read = set()
        for path in files(CODE, "interpreter/ops", "interpreter/acceptance/ops"):
            read |= set(ATTRIBUTE_READ.findall(path.read_text()))
        self.assertLessEqual({"dimensions", "is_stable", "to_apply", "dim_labels", "channel_id"}, read)
        for text in ['op.FindAttribute("is_associative")', 'fft.Int64s("fft_length")', 'rng.String("distribution")']:
            self.assertTrue(ATTRIBUTE_READ.search(text), text)
        self.assertTrue(COUNTED_CALLS.search("instruction.CalledComputations().size() > 1"))


class RulesAndFreedoms(unittest.TestCase):
    @each({"rules": ("rules", 12, "Rule rule", "| rule |", "**`ulp`.**"),
           "freedoms": ("freedoms", 6, "FreedomRecord freedom", "| freedom | a backend may |",
                        "**A new freedom**")})  # fmt: skip
    def test_have_a_file_each_and_a_row_of_the_page(self, kind, least, record, begin, end):
        names = listed("interpreter/acceptance/meson.build", kind)
        self.assertGreaterEqual(len(names), least)
        folder = ROOT / "interpreter/acceptance" / kind
        self.assertEqual(sorted(path.stem for path in files({".cc"}, folder)), sorted(names))
        for name in names:
            text = (folder / f"{name}.cc").read_text()
            self.assertTrue(kind == "freedoms" or text.startswith(f"// {name}"),
                            f"the first line of {name}.cc says what it is")  # fmt: skip
            self.assertIn(f'const {record}_{name} = {{\n    .name = "{name}",', text)
        page = (ROOT / "docs/verdicts.md").read_text()
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", page[page.index(begin) : page.index(end)], re.M), names)


class Acceptances(unittest.TestCase):
    # Not of one op.
    OTHERS = {"rows", "table", "value_set"}

    def test_are_listed_and_named_after_their_op(self):
        acceptances = listed("interpreter/acceptance/ops/meson.build", "acceptances")
        self.assertGreaterEqual(len(acceptances), 29)
        present = {path.stem for path in (ROOT / "interpreter/acceptance/ops").glob("*.cc")}
        self.assertEqual(acceptances, sorted(present - self.OTHERS))
        for op in acceptances:
            text = (ROOT / f"interpreter/acceptance/ops/{op}.cc").read_text()
            self.assertRegex(text, rf"const OpAcceptance acceptance_{op} = {{\s*\.op = &op_{op},")

    def test_rows_are_those_of_the_other_ops_in_the_order_of_their_names(self):
        rows = re.findall(r"\.op = &op_(\w+)", (ROOT / "interpreter/acceptance/ops/rows.cc").read_text())
        own = listed("interpreter/acceptance/ops/meson.build", "acceptances")
        self.assertEqual(rows, [op for op in listed_ops() if op not in own])


class Freedoms(unittest.TestCase):
    def test_are_named_by_their_own_files_alone(self):
        for path in files(CODE, "interpreter", "backends"):
            if path.parent != ROOT / "interpreter/acceptance/freedoms":
                self.assertNotRegex(path.read_text(), r"\bFreedom::k", path)
