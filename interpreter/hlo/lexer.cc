#include "interpreter/hlo/lexer.h"

#include <algorithm>
#include <array>

#include "interpreter/hlo/token_scanners.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 18> kKeywords = {
    "ENTRY",         "FileLocations", "FileNames",
    "FunctionNames", "HloModule",     "ROOT",
    "StackFrames",   "false",         "last_tile_dim_replicate",
    "manual",        "maximal",       "replicated",
    "shard_as",      "shard_like",    "true",
    "unknown",       "unreduced",     "inf",
};

bool IsIdentifierStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

using Bytes = std::array<bool, 256>;

constexpr Bytes kIdentifierParts = [] {
  Bytes parts = {};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")) {
    parts[static_cast<unsigned char>(c)] = true;
  }
  return parts;
}();
bool IsIdentifierPart(char c) { return kIdentifierParts[static_cast<unsigned char>(c)]; }

constexpr Bytes kPunctuation = [] {
  Bytes marks = {};
  for (const char c : std::string_view("=,()[]{}:*#+~")) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}();

constexpr Bytes kKeywordBegins = [] {
  Bytes begins = {};
  for (const std::string_view keyword : kKeywords) begins[static_cast<unsigned char>(keyword[0])] = true;
  return begins;
}();

bool IsKeyword(std::string_view word) {
  return kKeywordBegins[static_cast<unsigned char>(word[0])] && std::ranges::find(kKeywords, word) != kKeywords.end();
}

}  // namespace

void Lexer::Advance(std::size_t length) {
  for (const std::size_t end = position_ + length; position_ < end; ++position_) {
    if (text_[position_] == '\n') {
      ++line_;
      line_begin_ = position_ + 1;
    }
  }
}

void Lexer::Set(TokenKind kind, std::size_t length, std::size_t text_skip, std::size_t text_trim) {
  token_.kind = kind;
  token_.text = text_.substr(begin_ + text_skip, length - text_skip - text_trim);
  if (kind == TokenKind::kString) return Advance(length);
  position_ += length;  // no other token has a line break
}

void Lexer::Invalid(const char* message) {
  invalid_message_ = message;
  token_.kind = TokenKind::kInvalid;
  token_.text = text_.substr(begin_, 1);
}

// Returns false if a comment has no end.
bool Lexer::SkipComment() {
  if (text_[position_ + 1] == '/') {
    Advance(std::min(text_.find_first_of("\n\r", position_), text_.size()) - position_);
    return true;
  }
  const std::size_t end = text_.find("*/", position_ + 2);
  if (end == text_.npos) return false;
  Advance(end + 2 - position_);
  return true;
}

bool Lexer::SkipBlanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else if (c == '\n') {
      Advance(1);
    } else if (c == '/' && position_ + 1 < text_.size() &&
               (text_[position_ + 1] == '/' || text_[position_ + 1] == '*')) {
      if (!SkipComment()) return false;
    } else {
      break;
    }
  }
  return true;
}

void Lexer::Next() {
  const bool blanks_end = SkipBlanks();
  begin_ = position_;
  token_.location = {line_, static_cast<int>(begin_ - line_begin_) + 1};
  if (!blanks_end) return Invalid("this comment does not end");
  if (begin_ == text_.size()) return Set(TokenKind::kEnd, 0);
  const char c = text_[begin_];
  const std::string_view rest = text_.substr(begin_);
  if (IsIdentifierStart(c)) return LexIdentifier();
  if (c == '%') return LexPercentName();
  if (kPunctuation[static_cast<unsigned char>(c)]) return Set(TokenKind::kPunctuation, 1);
  if (rest.starts_with("->") || rest.starts_with("<=")) return Set(TokenKind::kPunctuation, 2);
  if (rest.starts_with("...")) return Set(TokenKind::kPunctuation, 3);
  if ((IsDigit(c) || c == '-' || c == '?') && LexNumber()) return;
  if (c == '"' || c == '\'') return LexString();
  if (c == '?') return Set(TokenKind::kPunctuation, 1);
  Invalid(c == '\0' ? "a NUL byte" : "this character starts no token");
}

bool Lexer::IsBefore(char punctuation) const {
  if (position_ < text_.size() && kIdentifierParts[static_cast<unsigned char>(text_[position_])]) return false;
  const std::string_view after = text_.substr(position_, 1);
  if (after == "," || after == ")" || after == "(") return after[0] == punctuation;
  return Peek().text == std::string_view(&punctuation, 1);
}

Token Lexer::Peek() const {
  Lexer ahead = *this;
  ahead.Next();
  return ahead.token_;
}

void Lexer::LexIdentifier() {
  std::size_t end = begin_ + 1;
  while (end < text_.size() && IsIdentifierPart(text_[end])) ++end;
  const std::size_t length = end - begin_;
  const std::string_view word = text_.substr(begin_, length);
  const char next = end < text_.size() ? text_[end] : '\0';
  if (next == ':') return Set(TokenKind::kName, length + 1, 0, 1);
  if (next == '=') return Set(TokenKind::kAttributeName, length + 1, 0, 1);
  if (PrimitiveTypeFromName(word)) return Set(TokenKind::kPrimitiveType, length);
  if (word == "nan") return Set(TokenKind::kDecimal, ScanNan(text_.substr(begin_)));
  if (word == "inf") return Set(TokenKind::kDecimal, length);
  if (IsKeyword(word)) return Set(TokenKind::kKeyword, length);
  // Characters of dimension labels that end an identifier: "b01f_01io->b01f", "b?f_...".
  if ((next == '>' && word.back() == '-') || next == '?') {
    if (const std::size_t labels = ScanDimLabels(text_.substr(begin_))) return Set(TokenKind::kDimLabels, labels);
  }
  Set(TokenKind::kIdentifier, length);
}

void Lexer::LexPercentName() {
  std::size_t end = begin_ + 1;
  if (end >= text_.size() || !IsIdentifierStart(text_[end])) return Invalid("'%' is followed by no name");
  while (end < text_.size() && IsIdentifierPart(text_[end])) ++end;
  Set(TokenKind::kName, end - begin_, 1);
}

bool Lexer::LexNumber() {
  const std::string_view rest = text_.substr(begin_);
  // Most numbers are integers: one of these bytes follows the digits of every other number.
  const std::size_t digits = ScanDigits(rest);
  const bool may_go_on =
      digits < rest.size() && std::string_view(".eExbf_?").find(rest[digits]) != std::string_view::npos;
  if (digits > 0 && !may_go_on) {
    Set(TokenKind::kInteger, digits);
    return true;
  }
  const auto set_if = [&](TokenKind kind, std::size_t length) {
    if (length > 0) Set(kind, length);
    return length > 0;
  };
  return set_if(TokenKind::kDecimal, ScanDecimal(rest)) || set_if(TokenKind::kDimLabels, ScanDimLabels(rest)) ||
         set_if(TokenKind::kSizes, ScanSizes(rest)) || set_if(TokenKind::kPadding, ScanPadding(rest)) ||
         set_if(TokenKind::kInteger, ScanInteger(rest)) ||
         set_if(TokenKind::kDecimal, rest.starts_with("-inf") ? 4 : 0) || set_if(TokenKind::kDecimal, ScanNan(rest));
}

void Lexer::LexString() {
  const char quote = text_[begin_];
  std::size_t end = begin_ + 1;
  while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return Invalid("this string does not end");
  Set(TokenKind::kString, end + 1 - begin_);
}

bool Lexer::TakeBraces(std::string_view& raw) {
  std::int64_t depth = 0;
  for (std::size_t i = begin_; i < text_.size(); ++i) {
    if (text_[i] == '"') {
      for (++i; i < text_.size() && text_[i] != '"'; ++i) i += text_[i] == '\\';
    } else if (text_[i] == '{') {
      ++depth;
    } else if (text_[i] == '}' && --depth == 0) {
      raw = text_.substr(begin_, i + 1 - begin_);
      Advance(i + 1 - position_);
      Next();
      return true;
    }
  }
  return false;
}

namespace {

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void AppendUtf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

constexpr std::string_view kEscapeLetters = "ntrabfv\\\"'?";
constexpr std::string_view kEscapedBytes = "\n\t\r\a\b\f\v\\\"'?";

// Reads digits of an escape: at least `least`, at most `most`. Returns false if there are fewer, or if the value
// exceeds `limit`.
bool TakeDigits(std::string_view s, std::size_t& at, int base, int least, int most, std::uint32_t limit,
                std::uint32_t& value) {
  value = 0;
  int count = 0;
  for (; count < most && at < s.size(); ++count, ++at) {
    const int digit = HexValue(s[at]);
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
    if (value > limit) return false;
  }
  return count >= least;
}

}  // namespace

Result<std::string> Unescape(const Token& token) {
  const std::string_view s = token.text.substr(1, token.text.size() - 2);
  const Error bad{ErrorCode::kParse, "this string holds an escape sequence that does not exist", token.location};
  std::string out;
  out.reserve(s.size());
  for (std::size_t i = 0; i < s.size();) {
    if (s[i] != '\\') {
      out += s[i++];
      continue;
    }
    const char letter = ++i < s.size() ? s[i] : '\0';
    std::uint32_t value = 0;
    if (const auto known = kEscapeLetters.find(letter); known != std::string_view::npos) {
      out += kEscapedBytes[known];
      ++i;
    } else if (letter >= '0' && letter <= '7') {
      if (!TakeDigits(s, i, 8, 1, 3, 0xFF, value)) return bad;
      out += static_cast<char>(value);
    } else if (letter == 'x' || letter == 'X') {
      if (!TakeDigits(s, ++i, 16, 1, 8, 0xFF, value)) return bad;
      out += static_cast<char>(value);
    } else if (letter == 'u' || letter == 'U') {
      const int digits = letter == 'u' ? 4 : 8;
      if (!TakeDigits(s, ++i, 16, digits, digits, 0x10FFFF, value)) return bad;
      AppendUtf8(value, out);
    } else {
      return bad;
    }
  }
  return out;
}

std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '"':
      case '\'':
      case '\\':
        out += '\\';
        out += c;
        break;
      default:
        if (byte >= 0x20 && byte < 0x7F) {
          out += c;
        } else {
          out += '\\';
          out += static_cast<char>('0' + (byte >> 6));
          out += static_cast<char>('0' + (byte >> 3 & 7));
          out += static_cast<char>('0' + (byte & 7));
        }
    }
  }
  return out;
}

}  // namespace assay
