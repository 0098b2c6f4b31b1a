#include <string>

#include "conformance/cases/golden.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

// Parses a case whose directives begin on line 5.
Result<GoldenFile> ParseCase(const std::string& directives) {
  return ParseGoldenFile(
      "golden/add/f32.hlo",
      "//! clause ops/add.md\n//! provenance derived\n//! oracle hand\n//! case one because\n" + directives);
}

GoldenCase CaseWith(const std::string& directives) {
  const Result<GoldenFile> file = ParseCase(directives);
  INFO((file ? "" : file.error().message));
  REQUIRE(file);
  return file->cases[0];
}

std::string ErrorOfDirectives(const std::string& directives) {
  const Result<GoldenFile> file = ParseCase(directives);
  REQUIRE(!file);
  CHECK(file.error().code == ErrorCode::kInput);
  return file.error().message;
}

// Checks that the columns are read as the same arguments and results as the lines.
void CheckSameValues(const std::string& columns, const std::string& lines) {
  const GoldenCase got = CaseWith(columns), want = CaseWith(lines);
  REQUIRE(got.arguments.size() == want.arguments.size());
  for (std::size_t i = 0; i < want.arguments.size(); ++i) {
    CHECK(got.arguments[i].shape() == want.arguments[i].shape());
    CHECK(got.arguments[i].BitwiseEqual(want.arguments[i]));
  }
  REQUIRE(got.want.size() == want.want.size());
  for (std::size_t i = 0; i < want.want.size(); ++i) {
    CHECK(got.want[i].shape == want.want[i].shape);
    CHECK(!got.want[i].digest);
    CHECK(got.want[i].value.BitwiseEqual(want.want[i].value));
  }
}

}  // namespace

TEST_CASE("golden columns: a row has an element of each argument and result") {
  CheckSameValues(
      "//! columns f32[3] f32[3] -> pred[3]\n//! row 1 x7fc00001 -> 0\n//! row -0 nan -> 1\n//! row inf 2 -> 0\n",
      "//! arg f32[3] 1 -0 inf\n//! arg f32[3] x7fc00001 nan 2\n//! want pred[3] 0 1 0\n");
  CheckSameValues(
      "//! columns s8[2,2] -> s4[2,2] u16[2,2]\n//! row 1 -> -8 9\n//! row 2 -> 7 10\n"
      "//! row 3 -> 0 11\n//! row 4 -> 1 xffff\n",
      "//! arg s8[2,2] 1 2 3 4\n//! want s4[2,2] -8 7 0 1\n//! want u16[2,2] 9 10 11 65535\n");
}

TEST_CASE("golden columns: a complex element is two words") {
  CheckSameValues("//! columns c64[2] f32[2] -> c64[2]\n//! row 1 2 5 -> 3 4\n//! row -1 -2 -5 -> -3 x80000000\n",
                  "//! arg c64[2] 1 2 -1 -2\n//! arg f32[2] 5 -5\n//! want c64[2] 3 4 -3 -0\n");
}

TEST_CASE("golden columns: they join the other values of the case in order") {
  CheckSameValues(
      "//! arg s32[] 7\n//! columns s32[2] -> s32[2]\n//! row 1 -> 2\n\n// a comment\n//! row 3\t->  4 \r\n"
      "//! arg s32[1] 8\n//! columns -> s32[1]\n//! row -> 9\n//! want s32[] 5\n",
      "//! arg s32[] 7\n//! arg s32[2] 1 3\n//! arg s32[1] 8\n//! want s32[2] 2 4\n//! want s32[1] 9\n"
      "//! want s32[] 5\n");
  CheckSameValues("//! columns s8[0] -> s32[0]\n", "//! arg s8[0]\n//! want s32[0]\n");
}

TEST_CASE("golden columns: an error in a row names file, line and column") {
  const auto error = [](const std::string& rows) {
    return ErrorOfDirectives("//! columns f32[2] c64[2] -> s8[2]\n" + rows);
  };
  CHECK(error("//! row 1 2 3 -> 128\n") == "golden/add/f32.hlo:6:18: cannot read 128 as s8");
  CHECK(error("//! row 1 2 3 -> 4\n//! row 0.1 2 3 -> 4\n") == "golden/add/f32.hlo:7:9: cannot read 0.1 as f32");
  CHECK(error("//! row 2*1 2 3 -> 4\n") == "golden/add/f32.hlo:6:9: cannot read 2*1 as f32");
  CHECK(error("//! row 1 2 -> 4\n") == "golden/add/f32.hlo:6:13: expected an element of c64[2], found ->");
  CHECK(error("//! row 1 2 3 4 -> 5\n") == "golden/add/f32.hlo:6:15: expected ->, found 4");
  CHECK(error("//! row 1 2 3\n") == "golden/add/f32.hlo:6:14: expected ->, found the end of the line");
  CHECK(error("//! row 1 2 3 ->\n") ==
        "golden/add/f32.hlo:6:17: expected an element of s8[2], found the end of the line");
  CHECK(error("//! row 1 2 3 -> 4 5\n") == "golden/add/f32.hlo:6:20: expected the end of the line, found 5");
  const std::string row = "//! row 1 2 3 -> 4\n";
  CHECK(error(row + row + row) == "golden/add/f32.hlo:8:9: f32[2] has more than 2 rows");
}

TEST_CASE("golden columns: missing rows are an error of the columns directive") {
  CHECK(ErrorOfDirectives("//! columns f32[2] -> f32[2]\n") == "golden/add/f32.hlo:5:13: f32[2] needs 2 rows, found 0");
  for (const char* next : {"//! want s32[] 0\n", "//! columns s8[1] -> s8[1]\n", "//! case two because\n"}) {
    CHECK(ErrorOfDirectives(std::string("//! columns f32[2] -> f32[2]\n//! row 1 -> 2\n") + next) ==
          "golden/add/f32.hlo:5:13: f32[2] needs 2 rows, found 1");
  }
}

TEST_CASE("golden columns: shapes are arrays of the same dimensions, with a result") {
  CHECK(ErrorOfDirectives("//! columns f32[2] f32[3] -> f32[2]\n") ==
        "golden/add/f32.hlo:5:20: columns must have the same dimensions: expected those of f32[2], found f32[3]");
  CHECK(ErrorOfDirectives("//! columns f32[2] -> f32[2,1]\n") ==
        "golden/add/f32.hlo:5:23: columns must have the same dimensions: expected those of f32[2], found f32[2,1]");
  CHECK(ErrorOfDirectives("//! columns (f32[2]) -> f32[2]\n") ==
        "golden/add/f32.hlo:5:13: (f32[2]) is not an array shape");
  CHECK(ErrorOfDirectives("//! columns f32[2]\n") ==
        "golden/add/f32.hlo:5:19: expected -> and the shapes of the results, found the end of the line");
  CHECK(ErrorOfDirectives("//! columns f32[2] ->\n") ==
        "golden/add/f32.hlo:5:22: expected the shape of a result, found the end of the line");
  const Result<GoldenFile> unknown = ParseCase("//! columns f32[2] -> f33[2]\n");
  REQUIRE(!unknown);
  CHECK(unknown.error().code == ErrorCode::kParse);
  CHECK(unknown.error().message == "golden/add/f32.hlo:5:23: expected a shape, found 'f33'");
  CHECK(!ParseCase("//! columns -> -> f32[2]\n"));
}

TEST_CASE("golden columns: a row belongs to columns, and columns to a case") {
  const std::string expected = ": row without columns: expected columns SHAPE... -> SHAPE... before it";
  CHECK(ErrorOfDirectives("//! row 1 -> 2\n") == "golden/add/f32.hlo:5" + expected);
  CHECK(ErrorOfDirectives("//! columns s8[1] -> s8[1]\n//! row 1 -> 2\n//! arg s8[] 1\n//! row 1 -> 2\n") ==
        "golden/add/f32.hlo:8" + expected);
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/f32.hlo", "//! columns s8[1] -> s8[1]\n");
  REQUIRE(!file);
  CHECK(file.error().message == "golden/add/f32.hlo:1: columns before the first case");
}

}  // namespace assay
