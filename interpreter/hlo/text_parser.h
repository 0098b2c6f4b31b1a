// What every part of the HLO text parser is written with: the current token, and small readers that either take what
// they expect or say what stands there instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/lexer.h"
#include "interpreter/types/result.h"

namespace assay {

class TextParser {
 public:
  // Deepest nesting of operands, tuple shapes, literals and computation bodies.
  static constexpr int kMaxDepth = 1000;

  explicit TextParser(std::string_view text) : lexer_(text) {}

  const Token& token() const { return lexer_.token(); }
  Token Peek() const { return lexer_.Peek(); }
  void Next() { lexer_.Next(); }
  Lexer& lexer() { return lexer_; }

  bool Is(TokenKind kind) const { return token().kind == kind; }
  // The current token is this punctuation.
  bool At(std::string_view punctuation) const {
    return token().kind == TokenKind::kPunctuation && token().text == punctuation;
  }
  bool AtKeyword(std::string_view keyword) const {
    return token().kind == TokenKind::kKeyword && token().text == keyword;
  }
  // Takes the punctuation if it is there.
  bool Eat(std::string_view punctuation);
  bool EatKeyword(std::string_view keyword);
  // Takes an attribute name such as `size=` if it is there.
  bool EatAttributeName(std::string_view name);

  Status Expect(std::string_view punctuation);
  // The end of the text.
  Status ExpectEnd();
  Result<std::int64_t> ParseInteger();
  // An integer or a decimal.
  Result<double> ParseNumber();
  Result<bool> ParseBool();
  Result<std::string> ParseString();
  // "%x", "x:" or "x", without the decoration.
  Result<std::string> ParseName();
  // A bare word, keywords and type names included.
  Result<std::string> ParseWord();
  // "2x3" or "2".
  Result<std::vector<std::int64_t>> ParseSizes();
  // Integers between `open` and `close`.
  Result<std::vector<std::int64_t>> ParseIntegers(std::string_view open = "{", std::string_view close = "}");

  // Calls `item` for each comma-separated item between `open` and `close`.
  template <class Item>
  Status ParseList(std::string_view open, std::string_view close, Item item) {
    ASSAY_CHECK_OK(Expect(open));
    if (Eat(close)) return {};
    do {
      ASSAY_CHECK_OK(item());
    } while (Eat(","));
    return Expect(close);
  }

  // An error at the current token.
  Error Fail(std::string message) const { return FailAt(token().location, std::move(message)); }
  // "expected WHAT, found ...", or what is wrong with the token itself.
  Error Expected(std::string_view what) const;
  static Error FailAt(SourceLocation location, std::string message) {
    return {ErrorCode::kParse, std::move(message), location};
  }

  // Counts one level of nesting while it lives.
  class Nesting {
   public:
    explicit Nesting(TextParser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Status Check() const {
      if (parser_.depth_ <= kMaxDepth) return {};
      return parser_.Fail("nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }

   private:
    TextParser& parser_;
  };

 private:
  Lexer lexer_;
  int depth_ = 0;
};

// The double that decimal text names, correctly rounded; infinite when it is too large. `text` is a number token's.
double DecimalToDouble(std::string_view text);

}  // namespace assay
