// Tokens of HLO text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

enum class TokenKind {
  kEnd,
  kInvalid,  // Lexer::invalid_message says why
  // One kind for all punctuation: Token::text tells which ("=", ",", "->", "<=", "...", "?").
  kPunctuation,
  kIdentifier,
  kPrimitiveType,
  kKeyword,        // true, false, HloModule, ENTRY, ROOT, replicated, ...
  kName,           // "%x" or "x:"; text is "x"
  kAttributeName,  // "x="; text is "x"
  kString,         // quoted; text includes the quotes
  kInteger,
  kDecimal,    // 1.5, 1e3, inf, -inf, nan, -nan, nan(0x1)
  kDimLabels,  // b01f_01io->b01f
  kSizes,      // 2x3
  kPadding,    // 0_1x2_3_1
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  SourceLocation location;
};

// Reads one token after the other. A copy remembers the place, so going back is an assignment.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { Next(); }

  const Token& token() const { return token_; }
  // Moves to the next token.
  void Next();
  // The token after the current one.
  Token Peek() const;
  // When the current token is "{": everything up to the brace that closes it, strings skipped whole, and moves behind
  // it. False, and nothing moves, when the braces do not balance.
  bool TakeBraces(std::string_view& raw);
  // Why the current kInvalid token is none.
  const char* invalid_message() const { return invalid_message_; }

 private:
  bool SkipBlanks();
  bool SkipComment();
  void Set(TokenKind kind, std::size_t length, std::size_t text_skip = 0, std::size_t text_trim = 0);
  void Invalid(const char* message);
  void LexIdentifier();
  void LexPercentName();
  bool LexNumber();
  void LexString();
  void Advance(std::size_t length);

  std::string_view text_;
  std::size_t position_ = 0;  // behind the current token
  std::size_t begin_ = 0;     // of the current token
  int line_ = 1;
  std::size_t line_begin_ = 0;
  Token token_;
  const char* invalid_message_ = "";
};

// The characters that a quoted token stands for, C escapes resolved; empty Result on a bad escape.
Result<std::string> Unescape(const Token& token);
// The inverse, without the quotes.
std::string Escape(std::string_view text);

}  // namespace assay
