#include "interpreter/hlo/text_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "interpreter/types/ascii.h"

namespace assay {
namespace {

// Returns a token as shown in error messages: truncated, and without unprintable bytes.
std::string Describe(const Token& token) {
  constexpr std::size_t kShown = 40;
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  std::string shown;
  for (const char c : token.text.substr(0, kShown)) shown += c >= 0x20 && c < 0x7F ? c : '?';
  if (token.text.size() > kShown) shown += "...";
  if (token.kind == TokenKind::kAttributeName) shown += "=";
  if (token.kind == TokenKind::kString) return shown;
  return "'" + shown + (token.kind == TokenKind::kPrimitiveType ? "', which is an element type" : "'");
}

// Returns the value of a number outside double's range: zero if too small, infinity if too large. The sign of the
// decimal exponent of the first non-zero digit decides.
double NumberOutOfRange(std::string_view digits) {
  const std::size_t e = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == mantissa.npos) return 0;
  const bool small_mantissa = first > point;
  if (e == digits.npos) return small_mantissa ? 0 : std::numeric_limits<double>::infinity();
  const bool negative_exponent = digits[e + 1] == '-';
  // A mantissa of a million digits can outweigh an exponent: the two are added.
  const std::int64_t shift = small_mantissa ? -static_cast<std::int64_t>(first - point)
                                            : static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  std::int64_t exponent = std::numeric_limits<std::int32_t>::max();
  const std::string_view text = digits.substr(e + 1 + !(digits[e + 1] >= '0' && digits[e + 1] <= '9'));
  std::from_chars(text.data(), text.data() + text.size(), exponent);
  return shift + (negative_exponent ? -exponent : exponent) < 0 ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace

double DecimalToDouble(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative);
  double value = 0;
  if (digits == "inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (digits.starts_with("nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec ==
             std::errc::result_out_of_range) {
    value = NumberOutOfRange(digits);
  }
  return negative ? -value : value;
}

bool TextParser::Eat(std::string_view punctuation) {
  if (!At(punctuation)) return false;
  Next();
  return true;
}

bool TextParser::EatKeyword(std::string_view keyword) {
  if (!AtKeyword(keyword)) return false;
  Next();
  return true;
}

bool TextParser::EatAttributeName(std::string_view name) {
  if (!Is(TokenKind::kAttributeName) || token().text != name) return false;
  Next();
  return true;
}

Error TextParser::Expected(std::string_view what) const {
  if (Is(TokenKind::kInvalid)) {
    return Fail(fmt::format("expected {}, found {}: {}", what, Describe(token()), lexer_.invalid_message()));
  }
  return Fail(fmt::format("expected {}, found {}", what, Describe(token())));
}

Status TextParser::Expect(std::string_view punctuation) {
  if (Eat(punctuation)) return {};
  return Expected("'" + std::string(punctuation) + "'");
}

Status TextParser::ExpectEnd() {
  if (Is(TokenKind::kEnd)) return {};
  return Expected("the end of the text");
}

Result<std::int64_t> TextParser::ParseInteger() {
  if (!Is(TokenKind::kInteger)) return Expected("an integer");
  const std::string_view text = token().text;
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && text[0] != '-') {
    // Large unsigned numbers keep their bits.
    std::uint64_t bits = 0;
    error = std::from_chars(text.data(), text.data() + text.size(), bits).ec;
    value = static_cast<std::int64_t>(bits);
  }
  if (error != std::errc()) return Fail("this integer does not fit 64 bits");
  Next();
  return value;
}

Result<double> TextParser::ParseNumber() {
  if (!Is(TokenKind::kInteger) && !Is(TokenKind::kDecimal)) return Expected("a number");
  const double value = DecimalToDouble(token().text);
  Next();
  return value;
}

Result<bool> TextParser::ParseBool() {
  const bool value = AtKeyword("true");
  if (!value && !AtKeyword("false")) return Expected("true or false");
  Next();
  return value;
}

Result<std::string> TextParser::ParseString() {
  if (!Is(TokenKind::kString)) return Expected("a quoted string");
  Result<std::string> value = Unescape(token());
  if (value.has_value()) Next();
  return value;
}

Result<std::string> TextParser::ParseName() {
  if (!Is(TokenKind::kName) && !Is(TokenKind::kIdentifier)) return Expected("a name");
  std::string name(token().text);
  Next();
  return name;
}

Result<std::string> TextParser::ParseWord() {
  if (!Is(TokenKind::kIdentifier) && !Is(TokenKind::kKeyword) && !Is(TokenKind::kPrimitiveType)) {
    return Expected("a word");
  }
  std::string word(token().text);
  Next();
  return word;
}

Result<std::vector<std::int64_t>> TextParser::ParseSizes() {
  std::vector<std::int64_t> sizes;
  if (Is(TokenKind::kInteger)) {
    ASSAY_TRY(sizes.emplace_back(), ParseInteger());
    return sizes;
  }
  if (!Is(TokenKind::kSizes)) return Expected("sizes such as 2x3");
  const std::string_view text = token().text;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), size);
    if (error != std::errc()) return Fail("a size does not fit 63 bits");
    sizes.push_back(size);
    at = static_cast<std::size_t>(end - text.data()) + 1;
  }
  Next();
  return sizes;
}

Result<std::vector<std::int64_t>> TextParser::ParseIntegers(std::string_view open, std::string_view close) {
  std::vector<std::int64_t> values;
  ASSAY_CHECK_OK(ParseItems(open, close, values, [&] { return ParseInteger(); }));
  return values;
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return AsciiLower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace assay
