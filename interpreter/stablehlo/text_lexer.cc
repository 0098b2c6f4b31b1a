#include "interpreter/stablehlo/text_lexer.h"

#include <algorithm>
#include <array>

namespace assay::stablehlo {
namespace {

enum CharacterClass : unsigned char { kDigit = 1, kLetter = 2, kInName = 4, kBlank = 8, kHexDigit = 16 };

constexpr std::array<unsigned char, 256> MakeCharacterClasses() {
  std::array<unsigned char, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool is_hex_digit = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    classes[c] = (is_digit ? kDigit : 0) | (is_letter ? kLetter : 0) | (is_hex_digit ? kHexDigit : 0) |
                 (is_blank ? kBlank : 0) | (is_digit || is_letter || c == '.' || c == '$' ? kInName : 0);
  }
  return classes;
}
constexpr std::array<unsigned char, 256> kCharacterClasses = MakeCharacterClasses();

bool IsA(char c, CharacterClass kind) { return (kCharacterClasses[static_cast<unsigned char>(c)] & kind) != 0; }

int HexValue(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

char ClosingBracket(char c) { return c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0'; }

}  // namespace

MlirLexer::MlirLexer(std::string_view text) : text_(text), line_begins_{0} {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) line_begins_.push_back(at + 1);
  MoveTo(0);
}

SourceLocation MlirLexer::LocationOf(std::size_t position) const {
  const auto next = std::ranges::upper_bound(line_begins_, position);
  return {static_cast<int>(next - line_begins_.begin()), static_cast<int>(position - *(next - 1)) + 1};
}

std::size_t MlirLexer::SkipBlanks(std::size_t position) const {
  while (position < text_.size()) {
    if (IsA(text_[position], kBlank)) {
      ++position;
    } else if (text_[position] == '/' && text_.substr(position, 2) == "//") {
      position = std::min(text_.find('\n', position), text_.size());
    } else {
      break;
    }
  }
  return position;
}

std::size_t MlirLexer::SkipString(std::size_t position) const {
  for (++position; position < text_.size() && text_[position] != '\n'; ++position) {
    if (text_[position] == '"') return position + 1;
    if (text_[position] == '\\') ++position;
  }
  return text_.npos;
}

std::size_t MlirLexer::SkipBrackets(std::size_t position) const {
  std::string closing;
  while (position < text_.size()) {
    const char c = text_[position];
    if (c == '"') {
      position = SkipString(position);
      if (position == text_.npos) return position;
      continue;
    }
    if (c == '-' && text_.substr(position, 2) == "->") {
      position += 2;
      continue;
    }
    if (const char close = ClosingBracket(c)) {
      closing += close;
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (closing.back() != c) return text_.npos;
      closing.pop_back();
    }
    ++position;
    if (closing.empty()) return position;
  }
  return text_.npos;
}

void MlirLexer::Set(MlirTokenKind kind, std::size_t end) {
  token_.kind = kind;
  token_.text = text_.substr(token_.begin, end - token_.begin);
  end_ = end;
}

void MlirLexer::Invalid(const char* message) {
  Set(MlirTokenKind::kInvalid, std::min(token_.begin + 1, text_.size()));
  invalid_message_ = message;
}

void MlirLexer::MoveTo(std::size_t position) {
  end_ = position;
  Next();
}

void MlirLexer::Next() {
  last_end_ = end_;
  token_.begin = SkipBlanks(end_);
  if (token_.begin == text_.size()) return Set(MlirTokenKind::kEnd, token_.begin);
  const char c = text_[token_.begin];
  if (IsA(c, kLetter)) {
    std::size_t end = token_.begin + 1;
    while (end < text_.size() && IsA(text_[end], kInName)) ++end;
    return Set(MlirTokenKind::kWord, end);
  }
  if (IsA(c, kDigit)) return LexNumber();
  switch (c) {
    case '%':
      return LexName(MlirTokenKind::kValue);
    case '@':
      return LexName(MlirTokenKind::kSymbol);
    case '^':
      return LexName(MlirTokenKind::kBlock);
    case '!':
      return LexName(MlirTokenKind::kBang);
    case '#':
      return text_.substr(token_.begin, 3) == "#-}" ? Set(MlirTokenKind::kPunctuation, token_.begin + 3)
                                                    : LexName(MlirTokenKind::kHash);
    case '"': {
      const std::size_t end = SkipString(token_.begin);
      return end == text_.npos ? Invalid("this string does not end in its line") : Set(MlirTokenKind::kString, end);
    }
    default:
      return LexPunctuation();
  }
}

void MlirLexer::LexNumber() {
  std::size_t end = token_.begin;
  const auto skip = [&](CharacterClass kind) {
    const std::size_t begin = end;
    while (end < text_.size() && IsA(text_[end], kind)) ++end;
    return end - begin;
  };
  if (text_.substr(end, 2) == "0x" && end + 2 < text_.size() && IsA(text_[end + 2], kHexDigit)) {
    end += 2;
    skip(kHexDigit);
    return Set(MlirTokenKind::kInteger, end);
  }
  skip(kDigit);
  if (end >= text_.size() || text_[end] != '.') return Set(MlirTokenKind::kInteger, end);
  ++end;
  skip(kDigit);
  const std::size_t mantissa_end = end;
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    ++end;
    if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
    if (skip(kDigit) == 0) end = mantissa_end;
  }
  Set(MlirTokenKind::kFloat, end);
}

// Reads a name after a sigil. It may contain "-", except in names of attributes and types. A symbol may be a string.
void MlirLexer::LexName(MlirTokenKind kind) {
  const std::size_t begin = token_.begin + 1;
  if (kind == MlirTokenKind::kSymbol && begin < text_.size() && text_[begin] == '"') {
    const std::size_t end = SkipString(begin);
    return end == text_.npos ? Invalid("this string does not end in its line") : Set(kind, end);
  }
  const bool may_have_dash = kind == MlirTokenKind::kValue || kind == MlirTokenKind::kBlock;
  std::size_t end = begin;
  while (end < text_.size() && (IsA(text_[end], kInName) || (may_have_dash && text_[end] == '-'))) ++end;
  if (end == begin) return Invalid("no name follows this character");
  Set(kind, end);
}

void MlirLexer::LexPunctuation() {
  const std::string_view rest = text_.substr(token_.begin);
  for (const std::string_view longer : {"{-#", "...", "->", "::"}) {
    if (rest.starts_with(longer)) return Set(MlirTokenKind::kPunctuation, token_.begin + longer.size());
  }
  if (rest[0] != '\0' && std::string_view("()[]{}<>,:=+-*/?|").find(rest[0]) != std::string_view::npos) {
    return Set(MlirTokenKind::kPunctuation, token_.begin + 1);
  }
  Invalid(rest[0] == '\0' ? "a NUL byte" : "this character starts no token");
}

bool UnescapeText(std::string_view quoted, std::string& characters) {
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  characters.clear();
  characters.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      characters += inside[i];
      continue;
    }
    if (++i == inside.size()) return false;
    const char c = inside[i];
    if (c == 'n' || c == 't') {
      characters += c == 'n' ? '\n' : '\t';
    } else if (c == '"' || c == '\\') {
      characters += c;
    } else if (i + 1 < inside.size() && IsA(c, kHexDigit) && IsA(inside[i + 1], kHexDigit)) {
      characters += static_cast<char>(HexValue(c) << 4 | HexValue(inside[++i]));
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace assay::stablehlo
