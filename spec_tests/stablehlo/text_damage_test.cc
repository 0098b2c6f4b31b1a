// Damaged and hostile texts of StableHLO: parsing returns an error with a place, or a program, without a crash and with
// bounded memory.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/ascii.h"
#include "spec_tests/catch.h"

namespace assay::stablehlo {
namespace {

std::vector<std::string> TextsOfPrograms() {
  const char* const goldens = std::getenv("ASSAY_GOLDENS");
  const std::filesystem::path root = std::filesystem::path(goldens == nullptr ? "golden" : goldens).parent_path();
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(root / "spec_tests" / "stablehlo" / "texts")) {
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

bool IsPartOfWord(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '.'; }

// Splits a text into words, runs of blanks, and single other characters.
std::vector<std::string> PiecesOf(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (IsPartOfWord(text[at])) {
      while (end < text.size() && IsPartOfWord(text[end])) ++end;
    }
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

std::string JoinedPieces(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

bool ParsesOrHasPlace(const std::string& text) {
  const auto program = ParseText(text);
  return program.has_value() || (program.error().code == ErrorCode::kParse && program.error().location.line > 0);
}

std::string MessageOf(const std::string& text) {
  const auto program = ParseText(text);
  return program ? "a program" : program.error().message;
}

std::string Repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

// Parses a changed text for about every `count`-th piece.
TEST_CASE("a text with a token dropped, doubled or replaced is a program or an error") {
  constexpr std::size_t kCount = 600;
  const auto texts = TextsOfPrograms();
  REQUIRE(texts.size() >= 4);
  for (const std::string& text : texts) {
    REQUIRE(ParseText(text).has_value());
    const std::vector<std::string> pieces = PiecesOf(text);
    for (std::size_t i = 0; i < pieces.size(); i += 1 + pieces.size() / kCount) {
      for (const std::string& other : {std::string(), pieces[i] + pieces[i], pieces[(i * 31 + 7) % pieces.size()]}) {
        std::vector<std::string> damaged = pieces;
        damaged[i] = other;
        INFO("piece " << i << ", '" << pieces[i] << "' as '" << other << "'");
        CHECK(ParsesOrHasPlace(JoinedPieces(damaged)));
      }
    }
    for (std::size_t end = 0; end < text.size(); end += 1 + text.size() / kCount) {
      CHECK(ParsesOrHasPlace(text.substr(0, end)));
    }
  }
}

TEST_CASE("nesting without end is an error") {
  constexpr int kDepth = 100'000;
  const std::string too_deep = "this nests deeper than 200 levels";
  CHECK(MessageOf("module attributes {a = " + Repeated("[", kDepth)) == too_deep);
  CHECK(MessageOf("module attributes {a = " + Repeated("{a = ", kDepth)) == too_deep);
  CHECK(MessageOf("module attributes {a = " + Repeated("tuple<", kDepth)) == too_deep);
  CHECK(MessageOf("module attributes {a = " + Repeated("() -> (", kDepth)) == too_deep);
  CHECK(MessageOf("module attributes {a = " + Repeated("#sdy.a<a = ", kDepth)) == too_deep);
  CHECK(MessageOf("module {} loc(" + Repeated("callsite(", kDepth)) == too_deep);
  CHECK(MessageOf(Repeated("module {", kDepth)) == too_deep);
  CHECK(MessageOf(Repeated("\"a.b\"() ({", kDepth)) == too_deep);
  const std::string list = Repeated("[", 250);
  CHECK(MessageOf("module attributes {a = dense<" + list + Repeated("]", 250) + "> : tensor<" + Repeated("1x", 250) +
                  "i8>} {}") == too_deep);
}

TEST_CASE("aliases that double at every step are an error") {
  std::string lists = "#a0 = [0, 0]\n", locations = "#a0 = loc(\"f\":1:1)\n";
  for (int i = 1; i < 60; ++i) {
    const std::string name = "#a" + std::to_string(i), previous = "#a" + std::to_string(i - 1);
    lists += name + " = [" + previous + ", " + previous + "]\n";
    locations += name + " = loc(callsite(" + previous + " at " + previous + "))\n";
  }
  const std::string too_many = "the aliases and resources of this text expand to too many attributes";
  CHECK(MessageOf(lists + "module attributes {a = #a59} {}") == too_many);
  CHECK(MessageOf(locations + "module {} loc(#a59)") == too_many);
}

TEST_CASE("sizes beyond memory are errors or splats") {
  CHECK(MessageOf("module attributes {a = dense<1> : tensor<9223372036854775807x9xi8>} {}") == "a program");
  CHECK(MessageOf("module attributes {a = dense<[1]> : tensor<9223372036854775807x9xi8>} {}") != "a program");
  CHECK(MessageOf("module attributes {a = tensor<99999999999999999999xi8>} {}") ==
        "the size 99999999999999999999 is out of range");
  CHECK(MessageOf("%0:2000000000 = \"a.b\"() : () -> ()") ==
        "expected a number of results in [1, 100000], found 2000000000");
}

TEST_CASE("bytes that are no text are errors") {
  CHECK(MessageOf(std::string("module {}\0", 10)) == "a NUL byte");
  CHECK(MessageOf("module \xFF{}") == "this character starts no token");
  CHECK(MessageOf("\"builtin.module") == "this string does not end in its line");
  CHECK(MessageOf("{-# dialect_resources: {builtin: {a: \"0x\"}}") ==
        "expected ',' or '#-}', found the end of the text");
}

}  // namespace
}  // namespace assay::stablehlo
