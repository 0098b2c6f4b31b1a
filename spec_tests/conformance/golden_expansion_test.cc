// The repeated parts of golden files (docs/golden_format.md#repeated-parts): what is written out, and errors with their
// lines.
#include "conformance/cases/golden_expansion.h"

#include <string>
#include <vector>

#include "conformance/cases/golden.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

const std::string kFile =
    "//! tags add level1\n"                          // 1
    "HloModule m\n"                                  // 2
    "\n"                                             // 3
    "//! for $T $N: s8 2, s16 2\n"                   // 4
    "//! for $T $N: f32 2\n"                         // 5
    "ENTRY on_$T {\n"                                // 6
    "  a = $T[$N] parameter(0)\n"                    // 7
    "  ROOT r = $T[$N] add(a, a)\n"                  // 8
    "}\n"                                            // 9
    "//! end\n"                                      // 10
    "\n"                                             // 11
    "//! for $T: s8, s16, f32\n"                     // 12
    "//! case $T |x| of $T\n"                        // 13
    "//! columns $T[2] -> $T[2]\n"                   // 14
    "//! row 1 -> 2; 100|-100|0.5 -> -56|-200|1\n"   // 15
    "//! end\n"                                      // 16
    "//! case more another case of a computation\n"  // 17
    "//! entry on_s8\n"                              // 18
    "//! arg s8[2] 3 4\n"                            // 19
    "//! want s8[2] 6 8\n";                          // 20

std::string MessageOf(const std::string& text) {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/types.hlo", text);
  return file ? "no error" : file.error().message;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("repeated parts are written out for each value", "[golden]") {
  const Result<ExpandedText> expanded = ExpandGolden(kFile);
  REQUIRE(expanded);
  CHECK(HasRepeatedParts(kFile));
  CHECK_FALSE(HasRepeatedParts(expanded->text));
  CHECK(expanded->text ==
        "//! tags add level1\nHloModule m\n\n"
        "ENTRY on_s8 {\n  a = s8[2] parameter(0)\n  ROOT r = s8[2] add(a, a)\n}\n"
        "on_s16 {\n  a = s16[2] parameter(0)\n  ROOT r = s16[2] add(a, a)\n}\n"
        "on_f32 {\n  a = f32[2] parameter(0)\n  ROOT r = f32[2] add(a, a)\n}\n"
        "\n"
        "//! case s8 |x| of s8\n//! columns s8[2] -> s8[2]\n//! row  1 -> 2\n//! row  100 -> -56\n"
        "//! case s16 |x| of s16\n//! columns s16[2] -> s16[2]\n//! row  1 -> 2\n//! row  -100 -> -200\n"
        "//! case f32 |x| of f32\n//! columns f32[2] -> f32[2]\n//! row  1 -> 2\n//! row  0.5 -> 1\n"
        "//! case more another case of a computation\n//! entry on_s8\n//! arg s8[2] 3 4\n//! want s8[2] 6 8\n");
  const std::vector<SourceLine>& lines = expanded->lines;
  CHECK(lines[3].number == 6);
  CHECK_FALSE(lines[3].is_as_written);
  CHECK(lines[6].number == 9);
  CHECK(lines[6].is_as_written);
  CHECK(lines.back().number == 20);
}

TEST_CASE("the cases of repeated parts have names, entries, values and lines", "[golden]") {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/types.hlo", kFile);
  REQUIRE(file);
  REQUIRE(file->cases.size() == 4);
  const GoldenCase& of_s16 = file->cases[1];
  CHECK(of_s16.name == "add/types/s16");
  CHECK(of_s16.reason == "|x| of s16");
  CHECK(of_s16.entry == "on_s16");
  CHECK(of_s16.line == 13);
  CHECK(of_s16.arguments[0].values<std::int16_t>()[1] == -100);
  CHECK(of_s16.want[0].value.values<std::int16_t>()[1] == -200);
  CHECK(file->cases[2].arguments[0].values<float>()[1] == 0.5F);
  CHECK(file->cases[3].entry == "on_s8");
  for (const GoldenCase& golden : file->cases) {
    const auto module = ReadGoldenModule(*file, golden.entry);
    REQUIRE(module);
    CHECK(EvaluateGolden(*file, golden, **module, {}).has_value());
  }
}

TEST_CASE("a file without headers says what most files do", "[golden]") {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/types.hlo", kFile);
  REQUIRE(file);
  CHECK(file->clause == "ops/add.md");
  CHECK(file->provenance == "derived");
  CHECK(file->oracle == "exact arithmetic, XLA:CPU");
  CHECK(ParseGoldenFile("golden/programs/types.hlo", kFile)->clause == "programs.md");
  CHECK(ParseGoldenFile("golden/add/seed.hlo", "//! provenance seed\n" + kFile)->oracle ==
        "the specification's example");
}

TEST_CASE("errors in repeated parts have the line in the file", "[golden]") {
  const std::string path = "golden/add/types.hlo";
  CHECK(MessageOf(Replaced(kFile, "//! end\n", "")) == path + ":11: for inside of the for of line 4");
  CHECK(MessageOf(kFile + "//! for $T: s8\n") == path + ":21: for without end");
  CHECK(MessageOf(kFile + "//! end\n") == path + ":21: end without for");
  const std::string names = "for needs different names such as $T, a colon and their values";
  for (const char* heading :
       {"//! for T: s8", "//! for $T $T: s8 s8", "//! for : s8", "//! for $T s8", "//! for $t: s8"}) {
    CHECK(MessageOf(kFile + heading + "\n//! end\n") == path + ":21: " + names);
  }
  CHECK(MessageOf(Replaced(kFile, "$T $N: f32 2", "$T: f32")) == path + ":5: expected the names $T $N, found $T");
  CHECK(MessageOf(Replaced(kFile, "f32 2", "f32")) == path + ":5: expected 2 words for $T $N, found f32");
  CHECK(MessageOf(Replaced(kFile, "f32 2", "f32 2 2")) == path + ":5: expected 2 words for $T $N, found f32 2 2");
  CHECK(MessageOf(Replaced(kFile, "[$N] add", "[$M] add")) == path + ":8: $M has no value: expected $T or $N");
  CHECK(MessageOf(Replaced(kFile, "|0.5", "")) == path + ":15: expected 3 alternatives, found 100|-100");
  CHECK(MessageOf(Replaced(kFile, "100|", "1000|")) == path + ":15: cannot read 1000 as s8");
  std::string large = "//! for $T: s8";
  for (int i = 0; i < 10'000; ++i) large += ", s8";
  large += "\n" + std::string(10'000, '/') + "\n//! end\n";
  CHECK(MessageOf(large) == path + ":2: the file has more than 67108864 bytes, with its repeated parts written out");
  const Result<GoldenFile> file = ParseGoldenFile(path, Replaced(kFile, "add(a, a)", "add(a, b)"));
  REQUIRE(file);
  const auto module = ReadGoldenModule(*file, "on_s8");
  REQUIRE_FALSE(module);
  CHECK(module.error().message.starts_with(path + ":8: "));
}

}  // namespace
}  // namespace assay
