// The base of the HLO text parsers: the current token, and small readers that either consume what they expect or fail
// with what they found.
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
  // The deepest nesting of operands, tuple shapes, literals and computation bodies.
  static constexpr int kMaxDepth = 1000;

  explicit TextParser(std::string_view text) : lexer_(text) {}

  const Token& token() const { return lexer_.token(); }
  Token Peek() const { return lexer_.Peek(); }
  void Next() { lexer_.Next(); }
  Lexer& lexer() { return lexer_; }

  bool Is(TokenKind kind) const { return token().kind == kind; }
  // True if the current token is this punctuation.
  bool At(std::string_view punctuation) const {
    return token().kind == TokenKind::kPunctuation && token().text[0] == punctuation[0] && token().text == punctuation;
  }
  bool AtKeyword(std::string_view keyword) const {
    return token().kind == TokenKind::kKeyword && token().text == keyword;
  }
  // Consumes the punctuation if present.
  bool Eat(std::string_view punctuation);
  bool EatKeyword(std::string_view keyword);
  // Consumes an attribute name such as `size=` if present.
  bool EatAttributeName(std::string_view name);

  Status Expect(std::string_view punctuation);
  // Expects the end of the text.
  Status ExpectEnd();
  Result<std::int64_t> ParseInteger();
  // Parses an integer or a decimal.
  Result<double> ParseNumber();
  Result<bool> ParseBool();
  Result<std::string> ParseString();
  // Parses "%x", "x:" or "x"; returns the name alone.
  Result<std::string> ParseName();
  // Parses a bare word; keywords and type names count.
  Result<std::string> ParseWord();
  // Parses "2x3" or "2".
  Result<std::vector<std::int64_t>> ParseSizes();
  // Parses integers between `open` and `close`.
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
  // Appends what `item` returns for each comma-separated item between `open` and `close`.
  template <class List, class Item>
  Status ParseItems(std::string_view open, std::string_view close, List& items, Item item) {
    return ParseList(open, close, [&]() -> Status {
      ASSAY_TRY(auto parsed, item());
      items.push_back(std::move(parsed));
      return {};
    });
  }

  // Returns an error at the current token.
  Error Fail(std::string message) const { return FailAt(token().location, std::move(message)); }
  // Returns the error "expected WHAT, found ...", or that of an invalid token.
  Error Expected(std::string_view what) const;
  static Error FailAt(SourceLocation location, std::string message) {
    return {ErrorCode::kParse, std::move(message), location};
  }

  // A scope that counts as one level of nesting.
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

bool EqualIgnoringCase(std::string_view a, std::string_view b);

// Returns the correctly rounded double of a number token's text; infinity if too large.
double DecimalToDouble(std::string_view text);

}  // namespace assay
