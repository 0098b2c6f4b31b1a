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
  kInvalid,      // MlirLexer::invalid_message says why
  kPunctuation,  // one kind for all: MlirToken::text tells which ("(", "->", "::", "{-#")
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

// Reads one token after the other. The parser of shapes reads characters itself and moves with MoveTo.
class MlirLexer {
 public:
  explicit MlirLexer(std::string_view text);

  const MlirToken& token() const { return token_; }
  std::string_view text() const { return text_; }
  std::size_t line_count() const { return line_begins_.size(); }
  // The end of the last token before the current one.
  std::size_t last_end() const { return last_end_; }
  void Next();
  // Makes the token that begins at or after `position` the current one.
  void MoveTo(std::size_t position);
  // Reports why the current token is kInvalid.
  const char* invalid_message() const { return invalid_message_; }
  SourceLocation LocationOf(std::size_t position) const;
  // Returns the position behind the blanks and comments at `position`.
  std::size_t SkipBlanks(std::size_t position) const;
  // Returns the position behind the bracket that closes the one at `position` ("<", "(", "[" or "{"), skipping strings
  // and arrows; npos where brackets do not match.
  std::size_t SkipBrackets(std::size_t position) const;
  // Returns the position behind the quote that closes the one at `position`, npos where none does.
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
