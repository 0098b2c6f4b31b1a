#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/shape_text.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// Most bytes that a literal with fewer elements written than its bounds say may take.
constexpr std::int64_t kMaxPaddedBytes = std::int64_t{1} << 30;

void AppendBytes(std::uint64_t bits, int bytes, std::vector<std::byte>& out) {
  const std::size_t at = out.size();
  out.resize(at + bytes);
  std::memcpy(out.data() + at, &bits, bytes);
}

Error OutOfRange(const TextParser& parser, PrimitiveType type) {
  return parser.Fail(fmt::format("{} is out of range for {}", parser.token().text, PrimitiveTypeName(type)));
}

// The payload of "nan(0x1)"; 0 when there is none.
std::uint64_t NanPayload(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == text.npos) return 0;
  std::uint64_t payload = ~std::uint64_t{0};
  std::from_chars(text.data() + open + 3, text.data() + text.size() - 1, payload, 16);
  return payload;
}

Status ParseNan(TextParser& parser, const FloatFormat& format, std::uint64_t& bits) {
  const std::string_view text = parser.token().text;
  const bool negative = text.starts_with('-');
  bits = format.nan_bits(negative);
  if (text.back() == ')') {
    const std::uint64_t payload = NanPayload(text);
    const std::uint64_t largest = format.nan == NanEncoding::kIeee ? format.mantissa_mask() : 0;
    if (payload == 0 || payload > largest) {
      return parser.Fail(
          fmt::format("the NaN payload of {} lies in [0x1, {:#x}]", PrimitiveTypeName(format.type), largest));
    }
    const std::uint64_t infinity = format.overflow_bits(negative);
    bits = infinity | payload;
  }
  return {};
}

Status ParseReal(TextParser& parser, PrimitiveType type, std::vector<std::byte>& out) {
  if (!parser.Is(TokenKind::kInteger) && !parser.Is(TokenKind::kDecimal)) return parser.Expected("a number");
  const FloatFormat& format = FloatFormatOf(type);
  const std::string_view text = parser.token().text;
  std::uint64_t bits = 0;
  if (text.find("nan") != text.npos) {
    ASSAY_CHECK_OK(ParseNan(parser, format, bits));
  } else {
    const double value = DecimalToDouble(text);
    bits = RoundDouble(format, value);
    const bool becomes_special = format.is_infinity(bits) || format.is_nan(bits);
    if (!text.ends_with("inf") && (std::isinf(value) || becomes_special)) return OutOfRange(parser, type);
  }
  AppendBytes(bits, StorageBytes(type), out);
  parser.Next();
  return {};
}

Status ParseIntegral(TextParser& parser, PrimitiveType type, std::vector<std::byte>& out) {
  if (!parser.Is(TokenKind::kInteger)) return parser.Expected("an integer");
  const std::string_view text = parser.token().text;
  const int width = BitWidth(type);
  std::uint64_t bits = 0;
  bool fits = false;
  if (IsUnsignedIntegralType(type)) {
    const std::size_t sign = text.starts_with('-');
    fits = std::from_chars(text.data() + sign, text.data() + text.size(), bits).ec == std::errc() &&
           (sign == 0 || bits == 0) && (width == 64 || bits >> width == 0);
  } else {
    std::int64_t value = 0;
    fits = std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() &&
           value >> (width - 1) == value >> 63;
    bits = static_cast<std::uint64_t>(value);
  }
  if (!fits) return OutOfRange(parser, type);
  AppendBytes(bits, StorageBytes(type), out);
  parser.Next();
  return {};
}

Status ParsePred(TextParser& parser, std::vector<std::byte>& out) {
  bool value = parser.AtKeyword("true");
  if (parser.Is(TokenKind::kInteger)) {
    value = parser.token().text.find_first_not_of("-0") != std::string_view::npos;
  } else if (!value && !parser.AtKeyword("false")) {
    return parser.Expected("true, false or an integer");
  }
  AppendBytes(value, 1, out);
  parser.Next();
  return {};
}

Status ParseElement(TextParser& parser, PrimitiveType type, std::vector<std::byte>& out) {
  if (type == PRED) return ParsePred(parser, out);
  if (IsIntegralType(type)) return ParseIntegral(parser, type, out);
  if (IsFloatingPointType(type)) return ParseReal(parser, type, out);
  const PrimitiveType component = ComplexComponentType(type);
  ASSAY_CHECK_OK(parser.Expect("("));
  ASSAY_CHECK_OK(ParseReal(parser, component, out));
  ASSAY_CHECK_OK(parser.Expect(","));
  ASSAY_CHECK_OK(ParseReal(parser, component, out));
  return parser.Expect(")");
}

// Nested braces, one level a dimension. Walks without recursion and counts the items of the open braces, so that its
// memory grows with the text and never with the shape.
class ArrayParser {
 public:
  ArrayParser(TextParser& parser, const Shape& shape)
      : parser_(parser), shape_(shape), items_(shape.rank(), 0), sizes_(shape.rank(), -1) {}

  Result<Literal> Parse() {
    do {
      if (parser_.At("{")) {
        ASSAY_CHECK_OK(Open());
      } else if (parser_.At("}")) {
        ASSAY_CHECK_OK(Close());
      } else if (parser_.At(",")) {
        parser_.Next();
      } else {
        if (depth_ < shape_.rank()) return parser_.Expected("'{'");
        if (depth_ > 0) ASSAY_CHECK_OK(CountItem(depth_ - 1));
        ASSAY_CHECK_OK(ParseElement(parser_, shape_.element_type(), elements_));
      }
    } while (depth_ > 0);
    return Build();
  }

 private:
  Status Open() {
    if (depth_ == shape_.rank()) {
      return parser_.Fail(fmt::format("{} has {} dimensions, the literal has more levels of braces",
                                      shape_.ToStringWithoutLayout(), shape_.rank()));
    }
    if (depth_ > 0) ASSAY_CHECK_OK(CountItem(depth_ - 1));
    items_[depth_++] = 0;
    parser_.Next();
    return {};
  }

  Status Close() {
    if (depth_ == 0) return parser_.Expected("a value");
    const std::int64_t dimension = --depth_;
    const std::int64_t seen = items_[dimension];
    const bool may_be_short = shape_.is_dynamic_dimension(dimension) && seen < shape_.dimensions(dimension) &&
                              (sizes_[dimension] < 0 || sizes_[dimension] == seen);
    if (seen != shape_.dimensions(dimension) && !may_be_short) return WrongCount(dimension, std::to_string(seen));
    if (sizes_[dimension] >= 0 && sizes_[dimension] != seen) return WrongCount(dimension, std::to_string(seen));
    sizes_[dimension] = seen;
    parser_.Next();
    return {};
  }

  Status CountItem(std::int64_t dimension) {
    if (items_[dimension]++ < shape_.dimensions(dimension)) return {};
    return WrongCount(dimension, "more");
  }

  Error WrongCount(std::int64_t dimension, const std::string& found) const {
    const bool is_size_known = shape_.is_dynamic_dimension(dimension) && sizes_[dimension] >= 0;
    return parser_.Fail(fmt::format("dimension {} of {} has {} elements, the literal has {}", dimension,
                                    shape_.ToStringWithoutLayout(),
                                    is_size_known ? sizes_[dimension] : shape_.dimensions(dimension), found));
  }

  Result<Literal> Build() {
    bool is_short = false;
    for (std::int64_t d = 0; d < shape_.rank(); ++d) {
      is_short |= sizes_[d] >= 0 && sizes_[d] < shape_.dimensions(d);
    }
    if (is_short) return BuildShort();
    Literal literal = Literal::Uninitialized(shape_);
    if (!elements_.empty()) std::memcpy(literal.mutable_data(), elements_.data(), elements_.size());
    return literal;
  }

  // The elements that were written, at their indices; zeros elsewhere.
  Result<Literal> BuildShort() {
    ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(shape_));
    if (bytes > kMaxPaddedBytes) {
      return Error{ErrorCode::kLimit,
                   fmt::format("{} takes more than {} bytes", shape_.ToStringWithoutLayout(), kMaxPaddedBytes),
                   parser_.token().location};
    }
    Literal literal(shape_);
    for (std::int64_t d = 0; d < shape_.rank(); ++d) {
      if (sizes_[d] < 0) sizes_[d] = 0;
      if (shape_.is_dynamic_dimension(d)) literal.set_dynamic_size(d, sizes_[d]);
    }
    const std::int64_t width = StorageBytes(shape_.element_type());
    const std::vector<std::int64_t> strides[1] = {RowMajorStrides(shape_.dimensions())};
    std::byte* const out = literal.mutable_data();
    const std::byte* in = elements_.data();
    StridedWalk<1>(sizes_, strides).ForEach({0}, [&](const std::int64_t(&offset)[1]) {
      std::memcpy(out + offset[0] * width, in, width);
      in += width;
    });
    return literal;
  }

  TextParser& parser_;
  const Shape& shape_;
  std::int64_t depth_ = 0;
  std::vector<std::int64_t> items_;  // seen so far inside the open brace of each dimension
  std::vector<std::int64_t> sizes_;  // of the closed braces of each dimension; -1 before the first
  std::vector<std::byte> elements_;
};

}  // namespace

bool EatElided(TextParser& parser) {
  if (!parser.At("{")) return false;
  const Lexer before = parser.lexer();
  parser.Next();
  if (parser.Eat("...") && parser.Eat("}")) return true;
  parser.lexer() = before;
  return false;
}

Result<Literal> ParseLiteral(TextParser& parser, const Shape& shape) {
  if (shape.IsArray()) return ArrayParser(parser, shape).Parse();
  if (!shape.IsTuple()) {
    return parser.Fail("a value of shape " + shape.ToStringWithoutLayout() + " cannot be written");
  }
  std::vector<Literal> elements;
  ASSAY_CHECK_OK(parser.Expect("("));
  for (const Shape& element_shape : shape.tuple_shapes()) {
    if (!elements.empty()) ASSAY_CHECK_OK(parser.Expect(","));
    ASSAY_TRY(Literal element, ParseLiteral(parser, element_shape));
    elements.push_back(std::move(element));
  }
  ASSAY_CHECK_OK(parser.Expect(")"));
  return Literal::MakeTuple(std::move(elements));
}

Result<Literal> ParseTypedLiteral(TextParser& parser) {
  const TextParser::Nesting nesting(parser);
  ASSAY_CHECK_OK(nesting.Check());
  const Lexer start = parser.lexer();
  Result<Shape> shape = ParseShapeOfLiteral(parser);
  if (shape.has_value()) return ParseLiteral(parser, *shape);
  parser.lexer() = start;
  if (!parser.At("(")) return std::move(shape).error();
  std::vector<Literal> elements;
  ASSAY_CHECK_OK(parser.ParseList("(", ")", [&]() -> Status {
    ASSAY_TRY(Literal element, ParseTypedLiteral(parser));
    elements.push_back(std::move(element));
    return {};
  }));
  return Literal::MakeTuple(std::move(elements));
}

Result<Literal> ParseLiteral(std::string_view text) {
  TextParser parser(text);
  ASSAY_TRY(Literal literal, ParseTypedLiteral(parser));
  ASSAY_CHECK_OK(parser.ExpectEnd());
  return literal;
}

}  // namespace assay
