// The programs of a text, and the functions at which they start.
#include "interpreter/stablehlo/programs.h"

#include <string>

#include "spec_tests/catch.h"

namespace assay::stablehlo {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("lines of dashes end a program, and empty programs are omitted", "[stablehlo]") {
  const auto programs = ReadPrograms(R"(// a comment

// -----
func.func @f() { return }
// ----- also with a comment
func.func @g() { return } // ----- no line of its own
func.func @h() { return })");
  REQUIRE(programs.size() == 2);
  REQUIRE(programs[0]);
  CHECK(FunctionNames(*programs[0]) == Names{"f"});
  REQUIRE(programs[1]);
  CHECK(FunctionNames(*programs[1]) == Names{"g", "h"});
}

TEST_CASE("a text without operations is one program", "[stablehlo]") {
  for (const std::string text : {"", "// -----\n", "// a\n// -----\n// b\n"}) {
    const auto programs = ReadPrograms(text);
    REQUIRE(programs.size() == 1);
    REQUIRE(programs[0]);
    CHECK(FunctionNames(*programs[0]).empty());
  }
}

TEST_CASE("each module of a text is a program", "[stablehlo]") {
  const auto programs = ReadPrograms(R"(module @a { func.func @main() { return } }
module @b { func.func @main() { return } })");
  REQUIRE(programs.size() == 2);
  REQUIRE(programs[1]);
  CHECK(FunctionNames(*programs[1]) == Names{"main"});
}

TEST_CASE("the error of a program has its place in the whole text", "[stablehlo]") {
  const auto programs = ReadPrograms("func.func @f() { return }\n// -----\n\nfunc.func f\n");
  REQUIRE(programs.size() == 2);
  CHECK(programs[0]);
  REQUIRE(!programs[1]);
  CHECK(programs[1].error().location.line == 4);
  CHECK(programs[1].error().location.column == 11);
}

TEST_CASE("a program without an entry starts at its functions without arguments", "[stablehlo]") {
  const auto names = [](const std::string& text) {
    const auto program = ParseText(text);
    REQUIRE(program);
    const auto entries = EntryNames(*program);
    return entries ? *entries : Names{entries.error().message};
  };
  CHECK(names("func.func @main() { return } func.func @f() { return }") == Names{"main"});
  CHECK(names("func.func @f(%x: tensor<f32>) { return }") == Names{"f"});
  CHECK(names(R"(func.func @f() { return } func.func @g(%x: tensor<f32>) { return }
      func.func private @unused() { return }
      func.func private @called() { return }
      func.func @h() { call @called() : () -> () return })") == Names{"f", "unused", "h"});
}

}  // namespace
}  // namespace assay::stablehlo
