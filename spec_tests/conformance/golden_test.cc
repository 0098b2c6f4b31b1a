#include "conformance/cases/golden.h"

#include <bit>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/reports/type_matrix.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

const std::string kHeaders = "//! clause ops/add.md\n//! provenance derived\n//! oracle hand\n";

std::string ErrorOf(const std::string& text) {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/f32.hlo", text);
  return file ? "" : file.error().message;
}

// Returns the error of one directive inside the first case, which starts on line 4.
std::string ErrorOfLine(const std::string& line) {
  return ErrorOf(kHeaders + "//! case one because\n" + line + "\n//! want s32[] 0\n");
}

Literal ValueOf(const std::string& values) {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/f32.hlo", kHeaders + "//! case a b\n//! want " + values);
  REQUIRE(file);
  return file->cases[0].want[0].value;
}

}  // namespace

TEST_CASE("golden: a file names its op, clause, provenance, oracle and tags") {
  const std::string text = kHeaders +
                           "//! tags add f32 level1\n"
                           "HloModule m\n"
                           "// a plain comment\n"
                           "//! case first the reason of it\n"
                           "//! arg f32[2] 1 2\n"
                           "//! arg f32[] -0\n"
                           "//! want f32[2] 1 2\n"
                           "//! case second another\n"
                           "//! want f32[2] 3 4\n"
                           "//! want s32[0]\n";
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/f32.hlo", text);
  REQUIRE(file);
  CHECK(file->op == "add");
  CHECK(file->expanded.text == text);
  CHECK(file->clause == "ops/add.md");
  CHECK(file->provenance == "derived");
  CHECK(file->oracle == "hand");
  CHECK(file->tags == "add f32 level1");
  REQUIRE(file->cases.size() == 2);
  CHECK(file->cases[0].name == "add/f32/first");
  CHECK(file->cases[0].reason == "the reason of it");
  CHECK(file->cases[0].line == 7);
  CHECK(file->cases[0].arguments.size() == 2);
  CHECK(file->cases[0].want.size() == 1);
  CHECK(file->cases[1].arguments.empty());
  CHECK(file->cases[1].want.size() == 2);
}

TEST_CASE("golden: values are bits, exact decimals or integers") {
  const Literal floats = ValueOf("f32[5] x3f800000 -0 inf 0.15625 nan");
  CHECK(floats.values<float>()[0] == 1.0f);
  CHECK(std::bit_cast<std::uint32_t>(floats.values<float>()[1]) == 0x80000000u);
  CHECK(std::bit_cast<std::uint32_t>(floats.values<float>()[2]) == 0x7f800000u);
  CHECK(floats.values<float>()[3] == 0.15625f);
  CHECK(floats.values<float>()[4] != floats.values<float>()[4]);
  const Literal complex = ValueOf("c64[1] 1 -2");
  CHECK(reinterpret_cast<const float*>(complex.data())[0] == 1.0f);
  CHECK(reinterpret_cast<const float*>(complex.data())[1] == -2.0f);
  const Literal bytes = ValueOf("u8[2] 0 255");
  CHECK(bytes.IntegerAt(1) == 255);
  const Literal nibbles = ValueOf("s4[2] -8 7");
  CHECK(nibbles.IntegerAt(0) == -8);
  const Literal flags = ValueOf("pred[2] 0 1");
  CHECK(flags.IntegerAt(0) == 0);
  CHECK(flags.IntegerAt(1) == 1);
}

TEST_CASE("golden: a repeated value is written once") {
  const Literal values = ValueOf("s8[6] 3*-1 7 2*0");
  const std::int64_t want[] = {-1, -1, -1, 7, 0, 0};
  for (int i = 0; i < 6; ++i) CHECK(values.IntegerAt(i) == want[i]);
  CHECK(ErrorOfLine("//! arg s8[3] 4*1") == "golden/add/f32.hlo:5: s8[3] has more than 3 values");
  CHECK(ErrorOfLine("//! arg s8[3] 9223372036854775807*1") == "golden/add/f32.hlo:5: s8[3] has more than 3 values");
  CHECK(ErrorOfLine("//! arg s8[3] 2*1") == "golden/add/f32.hlo:5: s8[3] needs 3 values, found 2");
  CHECK(ErrorOfLine("//! arg s8[3] 0*1 3*1") == "golden/add/f32.hlo:5: 0*1 does not say how often");
  CHECK(ErrorOfLine("//! arg s8[3] *1") == "golden/add/f32.hlo:5: *1 does not say how often");
}

// The first numbers of SplitMix64 for the seed 0 are e220a8397b1dcdaf and 6e789e6aa1b965f4.
TEST_CASE("golden: seeded values follow SplitMix64") {
  const Literal flags = ValueOf("pred[2] seeded 0");
  CHECK(flags.IntegerAt(0) == 1);
  CHECK(flags.IntegerAt(1) == 0);
  const Literal integers = ValueOf("s32[2] seeded 0");
  CHECK(integers.IntegerAt(0) == static_cast<std::int64_t>(0xe220a8397b1dcdafu % 17) - 8);
  CHECK(integers.IntegerAt(1) == static_cast<std::int64_t>(0x6e789e6aa1b965f4u % 17) - 8);
  const Literal reals = ValueOf("f64[1] seeded 0");
  CHECK(reals.values<double>()[0] == static_cast<double>(0xe220a8397b1dcdafu >> 11) / 4503599627370496.0 - 1.0);
}

TEST_CASE("golden: errors name file and line") {
  CHECK(ErrorOf("//! want s32[] 0\n") == "golden/add/f32.hlo:1: want before the first case");
  CHECK(ErrorOf("\n//! arg s32[] 0\n") == "golden/add/f32.hlo:2: arg before the first case");
  CHECK(ErrorOf("//! provenance hearsay\n") == "golden/add/f32.hlo:1: provenance is seed or derived, not hearsay");
  CHECK(ErrorOf("//! oracle\n") == "golden/add/f32.hlo:1: oracle says nothing");
  CHECK(ErrorOf("//! clause a\n//! clause b\n") == "golden/add/f32.hlo:2: duplicate clause");
  CHECK(ErrorOf("//! case\n") == "golden/add/f32.hlo:1: a case needs a name");
  CHECK(ErrorOf("//! case one\n") == "golden/add/f32.hlo:1: the case add/f32/one gives no reason");
  CHECK(ErrorOfLine("//! case one again") == "golden/add/f32.hlo:5: duplicate case add/f32/one");
  CHECK(ErrorOfLine("//! tags late") == "golden/add/f32.hlo:5: tags after the first case");
  CHECK(ErrorOf("//! entry main\n") == "golden/add/f32.hlo:1: entry before the first case");
  CHECK(ErrorOfLine("//! entry") == "golden/add/f32.hlo:5: entry says nothing");
  CHECK(ErrorOfLine("//! entry a\n//! entry b") == "golden/add/f32.hlo:6: duplicate entry");
  CHECK(ErrorOfLine("//! wnat s32[] 0") ==
        "golden/add/f32.hlo:5: unknown directive wnat: expected case, entry, arg, want, columns, row, infeed, outfeed, "
        "refused, neighbour, clause, provenance, oracle, tags, for or end");
}

TEST_CASE("golden: the host's side of a case") {
  const std::string module =
      "HloModule m\n"
      "ENTRY e {\n"
      "  t = token[] after-all()\n"
      "  i = ((f32[2], s32[]), token[]) infeed(t)\n"
      "  p = (f32[2], s32[]) get-tuple-element(i), index=0\n"
      "  u = token[] get-tuple-element(i), index=1\n"
      "  x = f32[2] get-tuple-element(p), index=0\n"
      "  ROOT o = token[] outfeed(x, u), outfeed_shape=f32[2]\n"
      "}\n";
  const auto run = [&](const std::string& directives) -> std::string {
    const Result<GoldenFile> file =
        ParseGoldenFile("golden/infeed/f32.hlo", kHeaders + module + "//! case a because\n" + directives);
    if (!file) return file.error().message;
    CHECK(file->cases[0].has_host());
    const auto read = ReadGoldenModule(*file, "");
    REQUIRE(read);
    const auto values = EvaluateGolden(*file, file->cases[0], **read, {});
    return values ? "" : values.error().message;
  };
  CHECK(run("//! infeed f32[2] 1 nan | s32[] 3\n//! outfeed f32[2] 1 nan") == "");
  CHECK(run("//! infeed f32[2] 1 2 | s32[] 3\n//! outfeed f32[2] 1 3") ==
        "golden/infeed/f32.hlo:13: case infeed/f32/a: the reference does not give the host what the golden says");
  CHECK(run("//! infeed f32[2] 1 2 | s32[]\n//! outfeed f32[2] 1 2") ==
        "golden/infeed/f32.hlo:14: s32[] needs 1 values, found 0");
  CHECK(run("//! infeed f32[2] 1 2 | s32[] 3\n//! outfeed f32[2] 1 2\n//! refused it") ==
        "golden/infeed/f32.hlo: the case infeed/f32/a must be refused: it has no arg and no want");
}

TEST_CASE("golden: a case that must be refused has no values, and the reference must refuse it with these words") {
  const std::string module =
      "HloModule m\n"
      "ENTRY longer {\n"
      "  x = f32[2] parameter(0)\n"
      "  ROOT r = f32[3] negate(x)\n"
      "}\n"
      "right {\n"
      "  x = f32[2] parameter(0)\n"
      "  ROOT r = f32[2] negate(x)\n"
      "}\n";
  const auto read = [&](const std::string& directives) -> std::string {
    const Result<GoldenFile> file =
        ParseGoldenFile("golden/negate/f32.hlo",
                        kHeaders + module + "//! case a because\n" + directives + "\n//! neighbour negate/types/f32");
    if (!file) return file.error().message;
    const auto refused = ReadRefusedModule(*file, file->cases[0]);
    return refused ? (*refused)->entry->name : refused.error().message;
  };
  CHECK(read("//! refused declared f32[3], inferred f32[2]") == "longer");
  CHECK(read("//! refused too long") ==
        "golden/negate/f32.hlo:13: case negate/f32/a: the reference refuses the module for another reason: r: negate: "
        "declared f32[3], inferred f32[2]");
  CHECK(read("//! entry right\n//! refused declared") ==
        "golden/negate/f32.hlo:13: case negate/f32/a: the reference does not refuse the module");
  CHECK(read("//! refused") == "golden/negate/f32.hlo:14: refused says nothing");
  CHECK(read("//! refused declared\n//! want f32[2] 0 0") ==
        "golden/negate/f32.hlo: the case negate/f32/a must be refused: it has no arg and no want");
}

TEST_CASE("golden: a case that must be refused names a legal neighbour, and no other case does") {
  CHECK(ErrorOf("//! clause a\n//! provenance seed\n//! oracle o\n//! case one why\n//! refused it\n") ==
        "golden/add/f32.hlo: the case add/f32/one must be refused: it needs a neighbour, the name of a legal case");
  CHECK(ErrorOf("//! clause a\n//! provenance seed\n//! oracle o\n//! case one why\n//! want f32[1] 0\n"
                "//! neighbour add/f32/two\n") ==
        "golden/add/f32.hlo: the case add/f32/one has a neighbour: only a case that must be refused has one");
}

TEST_CASE("golden: values that are none, too few or too many") {
  CHECK(ErrorOfLine("//! arg s8[1] 128") == "golden/add/f32.hlo:5: cannot read 128 as s8");
  CHECK(ErrorOfLine("//! arg u8[1] -1") == "golden/add/f32.hlo:5: cannot read -1 as u8");
  CHECK(ErrorOfLine("//! arg pred[1] 2") == "golden/add/f32.hlo:5: cannot read 2 as pred");
  CHECK(ErrorOfLine("//! arg f32[1] 0.1") == "golden/add/f32.hlo:5: cannot read 0.1 as f32");
  CHECK(ErrorOfLine("//! arg f8e4m3fn[1] inf") == "golden/add/f32.hlo:5: cannot read inf as f8e4m3fn");
  CHECK(ErrorOfLine("//! arg f16[1] x10000") == "golden/add/f32.hlo:5: cannot read x10000 as f16");
  CHECK(ErrorOfLine("//! arg f16[1] x12g4") == "golden/add/f32.hlo:5: cannot read x12g4 as f16");
  CHECK(ErrorOfLine("//! arg s32[3] 1 2") == "golden/add/f32.hlo:5: s32[3] needs 3 values, found 2");
  CHECK(ErrorOfLine("//! arg s32[1] 1 2") == "golden/add/f32.hlo:5: s32[1] has more than 1 values");
  CHECK(ErrorOfLine("//! arg c64[1] 1") == "golden/add/f32.hlo:5: c64[1] needs 2 values, found 1");
  CHECK(ErrorOfLine("//! arg s32[2] seeded 1 2") == "golden/add/f32.hlo:5: nothing may follow the seed");
  CHECK(ErrorOfLine("//! arg  s33[1] 1") == "golden/add/f32.hlo:5:10: expected a shape, found 's33'");
  CHECK(ErrorOfLine("//! arg (s32[]) 1") == "golden/add/f32.hlo:5: (s32[]) is not an array shape");
}

TEST_CASE("golden: a file without a case, or a case without a want, is an error") {
  CHECK(ErrorOf(kHeaders) == "golden/add/f32.hlo: no case");
  CHECK(ErrorOf(kHeaders + "//! case a b\n") == "golden/add/f32.hlo: the case add/f32/a has no want");
}

TEST_CASE("golden: a case may run another computation than the entry") {
  const std::string text = kHeaders +
                           "HloModule m\n\n"
                           "twice { x = s8[] parameter(0) ROOT y = s8[] add(x, x) }\n"
                           "on_s8 { x = s8[] parameter(0) ROOT y = s8[] call(x), to_apply=twice }\n"
                           "ENTRY on_u8 { x = u8[2] parameter(0) ROOT y = u8[2] add(x, x) }\n"
                           "//! case u8 first\n//! arg u8[2] 1 2\n//! want u8[2] 2 4\n"
                           "//! case s8 second\n//! entry on_s8\n//! arg s8[] 1\n//! want s8[] 2\n"
                           "//! case none third\n//! entry on_s9\n//! arg s8[] 1\n//! want s8[] 2\n";
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/types.hlo", text);
  REQUIRE(file);
  const auto printed = [&](int i) {
    const auto module = ReadGoldenModule(*file, file->cases[i].entry);
    return module ? PrintHloModule(**module) : module.error().message;
  };
  CHECK(printed(0).find("entry_computation_layout={(u8[2]{0})->u8[2]{0}}") != std::string::npos);
  CHECK(printed(0).find("s8") == std::string::npos);
  CHECK(printed(1).find("entry_computation_layout={(s8[])->s8[]}") != std::string::npos);
  CHECK(printed(1).find("twice") != std::string::npos);
  CHECK(printed(1).find("u8[2]") == std::string::npos);
  CHECK(printed(2) == "the module has no computation on_s9");
  // Modules of one reading are equal, but each caller owns its own.
  GoldenModules modules(*file);
  for (int i : {0, 1, 2, 1, 0}) {
    const auto module = modules.WithEntry(file->cases[i].entry);
    CHECK((module ? PrintHloModule(**module) : module.error().message) == printed(i));
    if (module) (*module)->entry->root->name = "changed";
  }
}

TEST_CASE("type matrix: each type has the worst verdict of its cases") {
  TypeMatrix matrix;
  matrix.Add("add", F32, Verdict::kExact);
  matrix.Add("add", F32, Verdict::kFail);
  matrix.Add("add", F32, Verdict::kLegal);
  matrix.Add("add", S8, Verdict::kExact);
  matrix.Add("tan", F64, Verdict::kUnsupported);
  const std::string text = matrix.ToText();
  CHECK(text.find("add                          EXACT: s8 FAIL: f32\n") != std::string::npos);
  CHECK(text.find("UNSUPPORTED in every type: tan\n") != std::string::npos);
  CHECK(matrix.ToJson().dump() == R"({"add":{"f32":{"cases":3,"verdict":"FAIL"},"s8":{"cases":1,"verdict":"EXACT"}},)"
                                  R"("tan":{"f64":{"cases":1,"verdict":"UNSUPPORTED"}}})");
}

TEST_CASE("type matrix: a case tests the types of operand 0 and of the result") {
  const std::string text = kHeaders +
                           "HloModule m\n\n"
                           "ENTRY main {\n"
                           "  i = u16[2] iota(), iota_dimension=0\n"
                           "  c = s8[2] convert(i)\n"
                           "  t = (s8[2], u16[2]) tuple(c, i)\n"
                           "  ROOT g = s8[2] get-tuple-element(t), index=0\n}\n"
                           "//! case a b\n//! want s8[2] 0 1\n";
  const Result<GoldenFile> file = ParseGoldenFile("golden/convert/f.hlo", text);
  REQUIRE(file);
  const auto module = ReadGoldenModule(*file, "");
  REQUIRE(module);
  CHECK(TypesTested("iota", **module) == std::set<PrimitiveType>{U16});
  CHECK(TypesTested("convert", **module) == std::set<PrimitiveType>{S8, U16});
  CHECK(TypesTested("get-tuple-element", **module) == std::set<PrimitiveType>{S8, TUPLE});
  CHECK(TypesTested("add", **module).empty());
}

TEST_CASE("golden: a corpus without goldens is an error") {
  const Result<std::vector<std::string>> files = FindGoldenFiles("no-such-folder");
  REQUIRE(!files);
  CHECK(files.error().code == ErrorCode::kIo);
}

}  // namespace assay
