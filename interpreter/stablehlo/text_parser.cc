#include "interpreter/stablehlo/text_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace assay::stablehlo {
namespace {

// Returns the change of bracket depth; only definitions at depth 0 are aliases.
int BracketDepth(char c) {
  if (c == '(' || c == '[' || c == '{') return 1;
  return c == ')' || c == ']' || c == '}' ? -1 : 0;
}

bool IsAliasCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

}  // namespace

MlirParser::MlirParser(std::string_view text) : lexer_(text) {
  bindings_.reserve(lexer_.line_count());
  FindAliases();
}

bool MlirParser::Take(std::string_view text) {
  if (!At(text)) return false;
  Next();
  return true;
}

Status MlirParser::Expect(std::string_view text) {
  if (!At(text)) return Expected(fmt::format("'{}'", text));
  Next();
  return {};
}

Status MlirParser::ExpectAll(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) ASSAY_CHECK_OK(Expect(text));
  return {};
}

Error MlirParser::FailAt(std::size_t position, std::string message) const {
  return {ErrorCode::kParse, std::move(message), lexer_.LocationOf(position)};
}

Error MlirParser::Expected(std::string_view what) const {
  if (Is(MlirTokenKind::kInvalid)) return Fail(lexer_.invalid_message());
  if (Is(MlirTokenKind::kEnd)) return Fail(fmt::format("expected {}, found the end of the text", what));
  return Fail(fmt::format("expected {}, found '{}'", what, token().text.substr(0, 60)));
}

Error MlirParser::TooDeep() const { return Fail(fmt::format("this nests deeper than {} levels", Nesting::kMost)); }

Status MlirParser::Expand(std::int64_t nodes) {
  nodes_ += nodes;
  expanded_ += nodes;
  if (expanded_ <= kMostExpanded + static_cast<std::int64_t>(lexer_.text().size())) return {};
  return Fail("the aliases and resources of this text expand to too many attributes");
}

bool MlirParser::IsBefore(std::string_view text) const {
  const std::size_t next = lexer_.SkipBlanks(token().begin + token().text.size());
  return lexer_.text().substr(next).starts_with(text);
}

Result<std::string> MlirParser::ParseString() {
  if (!Is(MlirTokenKind::kString)) return Expected("a string");
  std::string characters;
  if (!UnescapeText(token().text, characters))
    return Fail("a bad escape in this string: expected \\n, \\t, \\\\, \\\" or \\ and two hexadecimal digits");
  Next();
  return characters;
}

Result<std::string> MlirParser::ParseSymbolName() {
  if (!Is(MlirTokenKind::kSymbol)) return Expected("a symbol such as @main");
  std::string name(token().text.substr(1));
  if (name[0] == '"' && !UnescapeText(token().text.substr(1), name)) return Fail("a bad escape in this name");
  Next();
  return name;
}

Result<std::int64_t> MlirParser::ParseInteger() {
  const bool is_negative = Take("-");
  if (!Is(MlirTokenKind::kInteger)) return Expected("an integer");
  const bool is_hex = token().text.starts_with("0x");
  const std::string digits = (is_negative ? "-" : "") + std::string(token().text.substr(is_hex ? 2 : 0));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  if (error != std::errc()) return Fail(fmt::format("{} is out of range for an integer of 64 bits", token().text));
  Next();
  return value;
}

Result<bool> MlirParser::ParseBoolean() {
  const bool value = At("true");
  if (!value && !At("false")) return Expected("true or false");
  Next();
  return value;
}

// Finds the definition of an alias: a name outside of all brackets, followed by "=".
void MlirParser::FindAlias(std::size_t& position) {
  const std::string_view text = lexer_.text();
  const std::size_t begin = position++;
  while (position < text.size() && IsAliasCharacter(text[position])) ++position;
  const std::size_t equals = lexer_.SkipBlanks(position);
  if (position == begin + 1 || text.substr(equals, 1) != "=") return;
  const auto [alias, is_new] = aliases_.try_emplace(text.substr(begin, position - begin));
  if (is_new) alias->second.position = equals + 1;
  position = equals + 1;
}

void MlirParser::FindAliases() {
  const std::string_view text = lexer_.text();
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = std::min(lexer_.SkipString(at), text.size());
    } else if (c == '/' && text.substr(at, 2) == "//") {
      at = lexer_.SkipBlanks(at);
    } else if (depth == 0 && text.substr(at, 3) == "{-#") {
      resources_begin_ = at;
      at = std::min(text.find("#-}", at), text.size() - 3) + 3;
    } else if (depth == 0 && (c == '#' || c == '!')) {
      FindAlias(at);
    } else {
      depth += BracketDepth(c);
      ++at;
    }
  }
}

}  // namespace assay::stablehlo
