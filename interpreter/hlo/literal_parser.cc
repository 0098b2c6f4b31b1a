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

// The largest literal, in bytes, that may have fewer elements in the text than its bounds.
constexpr std::int64_t kMaxPaddedBytes = std::int64_t{1} << 30;

void AppendBytes(std::uint64_t bits, int bytes, std::vector<std::byte>& out) {
  const std::size_t at = out.size();
  out.resize(at + bytes);
  std::memcpy(out.data() + at, &bits, bytes);
}

Error ElementOutOfRange(const TextParser& parser, PrimitiveType type) {
  return parser.Fail(fmt::format("{} is out of range for {}", parser.token().text, PrimitiveTypeName(type)));
}

// Returns the payload of "nan(0x1)"; 0 if there is none.
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
    if (largest == 0) {
      return parser.Fail(fmt::format("a NaN of {} has no payload: write nan", PrimitiveTypeName(format.type)));
    }
    if (payload == 0 || payload > largest) {
      return parser.Fail(
          fmt::format("the NaN payload of {} must be in [0x1, {:#x}]", PrimitiveTypeName(format.type), largest));
    }
    const std::uint64_t infinity = format.overflow_bits(negative);
    bits = infinity | payload;
  }
  return {};
}

// Parses "x" and the bits in hexadecimal.
Status ParseBits(TextParser& parser, PrimitiveType type, std::vector<std::byte>& out) {
  const std::string_view text = parser.token().text;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), bits, 16);
  const bool fits = error == std::errc() && (BitWidth(type) == 64 || bits >> BitWidth(type) == 0);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return parser.Expected("a number");
  if (!fits) return ElementOutOfRange(parser, type);
  AppendBytes(bits, StorageBytes(type), out);
  parser.Next();
  return {};
}

Status ParseReal(TextParser& parser, PrimitiveType type, LiteralReading reading, std::vector<std::byte>& out) {
  const bool may_be_bits = reading == LiteralReading::kAlsoBits && parser.Is(TokenKind::kIdentifier);
  if (may_be_bits && parser.token().text.starts_with('x')) return ParseBits(parser, type, out);
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
    if (!text.ends_with("inf") && (std::isinf(value) || becomes_special)) return ElementOutOfRange(parser, type);
  }
  AppendBytes(bits, StorageBytes(type), out);
  parser.Next();
  return {};
}

// Parses a 64-bit integer. XLA's constants may have an unsigned value for a signed type, and the reverse.
bool ReadInteger(std::string_view text, bool is_unsigned, LiteralReading reading, std::int64_t& value) {
  const auto read = [&](auto& number) {
    const bool is_read = std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
    if (is_read) value = static_cast<std::int64_t>(number);
    return is_read;
  };
  std::int64_t as_signed = 0;
  std::uint64_t as_unsigned = 0;
  if (reading == LiteralReading::kXlaConstant) return read(as_signed) || read(as_unsigned);
  if (text == "-0") return true;
  return is_unsigned ? read(as_unsigned) : read(as_signed);
}

Status ParseIntegral(TextParser& parser, PrimitiveType type, LiteralReading reading, std::vector<std::byte>& out) {
  if (!parser.Is(TokenKind::kInteger)) return parser.Expected("an integer");
  const bool is_unsigned = IsUnsignedIntegralType(type);
  const int width = BitWidth(type);
  std::int64_t value = 0;
  bool fits = ReadInteger(parser.token().text, is_unsigned, reading, value);
  if (width < 64) fits &= is_unsigned ? value >> width == 0 : value >> (width - 1) == value >> 63;
  if (!fits) return ElementOutOfRange(parser, type);
  AppendBytes(static_cast<std::uint64_t>(value), StorageBytes(type), out);
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

// Applies XLA's rules for NaN to the complex number at the end of `out`: a NaN real part fills both parts; an imaginary
// NaN loses its payload.
void SpreadNan(PrimitiveType component, std::vector<std::byte>& out) {
  const FloatFormat& format = FloatFormatOf(component);
  const int bytes = StorageBytes(component);
  std::byte* const real = out.data() + out.size() - 2 * bytes;
  std::byte* const imaginary = real + bytes;
  const auto bits_at = [&](const std::byte* at) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes);
    return bits;
  };
  if (format.is_nan(bits_at(real))) {
    std::memcpy(imaginary, real, bytes);
  } else if (const std::uint64_t bits = bits_at(imaginary); format.is_nan(bits)) {
    const std::uint64_t nan = format.nan_bits((bits & format.sign_mask()) != 0);
    std::memcpy(imaginary, &nan, bytes);
  }
}

Status ParseElement(TextParser& parser, PrimitiveType type, LiteralReading reading, std::vector<std::byte>& out) {
  if (type == PRED) return ParsePred(parser, out);
  if (IsIntegralType(type)) return ParseIntegral(parser, type, reading, out);
  if (IsFloatingPointType(type)) return ParseReal(parser, type, reading, out);
  const PrimitiveType component = ComplexComponentType(type);
  ASSAY_CHECK_OK(parser.Expect("("));
  ASSAY_CHECK_OK(ParseReal(parser, component, reading, out));
  ASSAY_CHECK_OK(parser.Expect(","));
  ASSAY_CHECK_OK(ParseReal(parser, component, reading, out));
  if (reading == LiteralReading::kXlaConstant) SpreadNan(component, out);
  return parser.Expect(")");
}

// A parser of nested braces, one level per dimension. It walks without recursion and counts the items of the open
// braces, so its memory grows with the text, not with the shape.
class ArrayParser {
 public:
  ArrayParser(TextParser& parser, const Shape& shape, LiteralReading reading)
      : parser_(parser), shape_(shape), reading_(reading), items_(shape.rank(), 0), sizes_(shape.rank(), -1) {}

  Result<Literal> Parse() {
    const bool is_number = parser_.Is(TokenKind::kInteger) || parser_.Is(TokenKind::kDecimal) ||
                           parser_.AtKeyword("true") || parser_.AtKeyword("false");
    if (reading_ == LiteralReading::kXlaConstant && is_number) return ParseFirst();
    do {
      if (parser_.At("{")) {
        ASSAY_CHECK_OK(Open());
      } else if (parser_.At("}")) {
        ASSAY_CHECK_OK(Close());
      } else if (parser_.At(",") && depth_ > 0) {
        parser_.Next();
      } else {
        if (depth_ < shape_.rank()) return parser_.Expected("'{'");
        if (depth_ > 0) ASSAY_CHECK_OK(CountItem(depth_ - 1));
        ASSAY_CHECK_OK(ParseElement(parser_, shape_.element_type(), reading_, elements_));
      }
    } while (depth_ > 0);
    return Build();
  }

 private:
  // Parses the first element alone.
  Result<Literal> ParseFirst() {
    ASSAY_CHECK_OK(CheckPaddedSize());
    if (ShapeUtil::ElementsIn(shape_) == 0) return parser_.Expected("'{'");
    ASSAY_CHECK_OK(ParseElement(parser_, shape_.element_type(), reading_, elements_));
    Literal literal(shape_);
    std::memcpy(literal.mutable_data(), elements_.data(), elements_.size());
    return literal;
  }

  // Limits the elements that the text leaves out; the others need at least as much text.
  Status CheckPaddedSize() const {
    ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(shape_));
    if (bytes <= kMaxPaddedBytes) return {};
    return Error{ErrorCode::kLimit,
                 fmt::format("{} takes more than {} bytes", shape_.ToStringWithoutLayout(), kMaxPaddedBytes),
                 parser_.token().location};
  }

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

  // Returns the written elements at their indices, and zeros elsewhere.
  Result<Literal> BuildShort() {
    ASSAY_CHECK_OK(CheckPaddedSize());
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
  const LiteralReading reading_;
  std::int64_t depth_ = 0;
  std::vector<std::int64_t> items_;  // items seen so far in the open brace of each dimension
  std::vector<std::int64_t> sizes_;  // items of the closed braces of each dimension; -1 before the first
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

Result<Literal> ParseLiteral(TextParser& parser, const Shape& shape, LiteralReading reading) {
  if (shape.IsArray()) {
    const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(shape);
    if (!bytes) return Error{bytes.error().code, bytes.error().message, parser.token().location};
    return ArrayParser(parser, shape, reading).Parse();
  }
  if (!shape.IsTuple()) {
    return parser.Fail("a value of shape " + shape.ToStringWithoutLayout() + " cannot be written");
  }
  std::vector<Literal> elements;
  ASSAY_CHECK_OK(parser.Expect("("));
  for (const Shape& element_shape : shape.tuple_shapes()) {
    if (!elements.empty()) ASSAY_CHECK_OK(parser.Expect(","));
    ASSAY_TRY(elements.emplace_back(), ParseLiteral(parser, element_shape, reading));
  }
  ASSAY_CHECK_OK(parser.Expect(")"));
  return Literal::MakeTuple(std::move(elements));
}

Result<Literal> ParseTypedLiteral(TextParser& parser, LiteralReading reading) {
  const TextParser::Nesting nesting(parser);
  ASSAY_CHECK_OK(nesting.Check());
  const Lexer start = parser.lexer();
  Result<Shape> shape = ParseShapeOfLiteral(parser);
  // "()" and "((), ())" are lists of pairs without an array, unless a literal of that shape follows.
  const bool is_empty = shape.has_value() && ShapeUtil::LeafCount(*shape) == 0 && !parser.At("(");
  if (is_empty) return Literal(*shape);
  if (shape.has_value()) return ParseLiteral(parser, *shape, reading);
  parser.lexer() = start;
  if (!parser.At("(")) return std::move(shape).error();
  std::vector<Literal> elements;
  ASSAY_CHECK_OK(parser.ParseItems("(", ")", elements, [&] { return ParseTypedLiteral(parser, reading); }));
  return Literal::MakeTuple(std::move(elements));
}

Result<Literal> ParseLiteral(std::string_view text) {
  TextParser parser(text);
  ASSAY_TRY(Literal literal, ParseTypedLiteral(parser, LiteralReading::kAlsoBits));
  ASSAY_CHECK_OK(parser.ExpectEnd());
  return literal;
}

}  // namespace assay
