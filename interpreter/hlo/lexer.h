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
  kInvalid,  // Lexer::invalid_message has the reason
  // One kind for all punctuation; Token::text distinguishes them ("=", ",", "->", "<=", "...", "?").
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

// A reader of one token at a time. A copy saves the position, so backtracking is an assignment.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { Next(); }

  const Token& token() const { return token_; }
  // Moves to the next token.
  void Next();
  // Returns the token after the current one.
  Token Peek() const;
  // True if the token after the current one is this punctuation.
  bool IsBefore(char punctuation) const;
  // At "{": returns everything up to the closing brace in `raw`, with strings skipped whole, and moves past the brace.
  // Returns false, without moving, if the braces do not balance.
  bool TakeBraces(std::string_view& raw);
  // Returns the reason why the current token is kInvalid.
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
  std::size_t position_ = 0;  // after the current token
  std::size_t begin_ = 0;     // start of the current token
  int line_ = 1;
  std::size_t line_begin_ = 0;
  Token token_;
  const char* invalid_message_ = "";
};

// Returns the characters of a quoted token, with C escapes resolved. Fails on an illegal escape.
Result<std::string> Unescape(const Token& token);
// Returns text with C escapes, without quotes: the inverse of Unescape.
std::string Escape(std::string_view text);

}  // namespace assay
