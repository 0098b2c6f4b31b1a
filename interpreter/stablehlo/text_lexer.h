// Tokens of MLIR text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay::stablehlo {

enum class MlirTokenKind {
  kEnd,
  kInvalid,      // the reason is MlirLexer::invalid_message
  kPunctuation,  // one kind for all: the mark ("(", "->", "::", "{-#") is MlirToken::text
  kWord,         // tensor, stablehlo.add
  kValue,        // %0
  kSymbol,       // @main, @"a name"
  kBlock,        // ^bb0
  kHash,         // #loc1, #stablehlo.gather
  kBang,         // !stablehlo.token
  kString,       // text includes the quotes
  kInteger,      // 12, 0x1F
  kFloat,        // 1.5e-3
};

// `text` includes the character that begins a name: %, @, ^, # or !.
struct MlirToken {
  MlirTokenKind kind = MlirTokenKind::kEnd;
  std::string_view text;
  std::size_t begin = 0;
};

// A lexer of one token at a time. The parser of shapes reads characters itself and continues with MoveTo.
class MlirLexer {
 public:
  explicit MlirLexer(std::string_view text);

  const MlirToken& token() const { return token_; }
  std::string_view text() const { return text_; }
  std::size_t line_count() const { return line_begins_.size(); }
  // Returns the end of the token before the current one.
  std::size_t last_end() const { return last_end_; }
  void Next();
  // Makes the token that begins at or after `position` the current one.
  void MoveTo(std::size_t position);
  // Returns the reason why the current token is kInvalid.
  const char* invalid_message() const { return invalid_message_; }
  SourceLocation LocationOf(std::size_t position) const;
  // Returns the position after the blanks and comments at `position`.
  std::size_t SkipBlanks(std::size_t position) const;
  // Returns the position after the bracket that closes the one at `position` ("<", "(", "[" or "{"), skipping strings
  // and arrows; npos if brackets do not match.
  std::size_t SkipBrackets(std::size_t position) const;
  // Returns the position after the quote that closes the one at `position`; npos if there is none.
  std::size_t SkipString(std::size_t position) const;

 private:
  void Set(MlirTokenKind kind, std::size_t end);
  void Invalid(const char* message);
  void LexNumber();
  void LexName(MlirTokenKind kind);
  void LexPunctuation();

  std::string_view text_;
  std::vector<std::size_t> line_begins_;
  MlirToken token_;
  std::size_t end_ = 0;  // of the current token
  std::size_t last_end_ = 0;
  const char* invalid_message_ = "";
};

// Returns the characters between the quotes of a string, escapes resolved; false for a bad escape.
bool UnescapeText(std::string_view quoted, std::string& characters);

}  // namespace assay::stablehlo
