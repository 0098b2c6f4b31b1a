#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// Returns the number of significant decimal digits that distinguish any two numbers of a format: ceil(1 + precision *
// log10(2)).
int DistinguishingDigits(const FloatFormat& format) {
  return static_cast<int>(std::ceil(1 + format.precision() * 0.30102999566398120));
}

// True if a decimal of that few digits reads back to the same number. The shortest such decimal decides it: with fewer
// digits than the format can hold, no two decimals read as the same normal number, so the nearest decimal is the
// shortest one.
bool IsShort(const FloatFormat& format, std::uint64_t bits, double value, int digits) {
  if (value == 0) return true;
  if (!(format.type == F32 ? std::isnormal(static_cast<float>(value)) : std::isnormal(value))) {
    return RoundDouble(format, DecimalToDouble(fmt::format("{:.{}g}", value, digits))) == bits;
  }
  char text[32];
  const char* const end =
      (format.type == F32
           ? std::to_chars(text, text + sizeof text, static_cast<float>(value), std::chars_format::scientific)
           : std::to_chars(text, text + sizeof text, value, std::chars_format::scientific))
          .ptr;
  const auto significant = std::count_if<const char*>(text, std::find<const char*>(text, end, 'e'),
                                                      [](char c) { return c >= '0' && c <= '9'; });
  return significant <= digits;
}

// Prints the short form if it reads back to the same number; otherwise all digits.
std::string PrintFinite(const FloatFormat& format, std::uint64_t bits, double value) {
  const int all_digits = DistinguishingDigits(format);
  const int short_digits = format.type == F32 ? 6 : format.type == F64 ? 15 : all_digits;
  const bool is_short = short_digits == all_digits || IsShort(format, bits, value, short_digits);
  char text[32];
  const int digits = is_short ? short_digits : all_digits;
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

std::string PrintReal(PrimitiveType type, const std::byte* at, const LiteralPrintOptions& options) {
  const FloatFormat& format = FloatFormatOf(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, StorageBytes(type));
  const bool negative = (bits & format.sign_mask()) != 0;
  if (format.is_nan(bits)) {
    const std::uint64_t payload = bits & format.mantissa_mask();
    const std::uint64_t quiet_bit = format.mantissa_bits > 0 ? std::uint64_t{1} << (format.mantissa_bits - 1) : 0;
    const std::string name = negative ? "-nan" : "nan";
    return format.nan == NanEncoding::kIeee && payload != quiet_bit ? fmt::format("{}(0x{:x})", name, payload) : name;
  }
  if (format.is_infinity(bits)) return negative ? "-inf" : "inf";
  const double value = ToDouble(format, bits);
  if (value == 0 && negative) return options.exact_negative_zero ? "-0.0" : "-0";
  return PrintFinite(format, bits, value);
}

// The number of pieces of text that are made in parallel, and of elements per piece.
constexpr std::int64_t kPiecesTogether = 64;
constexpr std::int64_t kPrintedPerPiece = 4096;

class ArrayPrinter {
 public:
  ArrayPrinter(const Literal& literal, const LiteralPrintOptions& options)
      : literal_(literal), options_(options), rank_(literal.shape().rank()), stride_(rank_, 1) {
    for (std::int64_t d = 0; d < rank_; ++d) sizes_.push_back(literal.dynamic_size(d));
    for (std::int64_t d = rank_ - 1; d > 0; --d) stride_[d - 1] = stride_[d] * literal.shape().dimensions(d);
    // Stops before the first dimension of size 0, which has nothing inside.
    while (depth_ < rank_ && sizes_[depth_] > 0) count_ *= sizes_[depth_++];
  }

  void Print(const TextSink& sink) const {
    std::vector<std::string> pieces(kPiecesTogether);
    for (std::int64_t first = 0; first < count_; first += kPiecesTogether * kPrintedPerPiece) {
      const std::int64_t together = std::min(count_ - first, kPiecesTogether * kPrintedPerPiece);
      ParallelFor(together, kPrintedPerPiece, [&](std::int64_t begin, std::int64_t end) {
        std::string& piece = pieces[begin / kPrintedPerPiece];
        piece.clear();
        Append(first + begin, first + end, piece);
      });
      for (std::int64_t i = 0; i * kPrintedPerPiece < together; ++i) sink(pieces[i]);
    }
  }

 private:
  // Appends elements begin to end - 1 with the braces that open and close before each; after the last element of the
  // array closes those still open.
  void Append(std::int64_t begin, std::int64_t end, std::string& out) const {
    std::vector<std::int64_t> index(depth_);
    std::int64_t rest = begin, offset = 0;
    for (std::int64_t d = depth_; d-- > 0; rest /= sizes_[d]) {
      index[d] = rest % sizes_[d];
      offset += index[d] * stride_[d];
    }
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t opened = depth_;  // the outermost dimension whose brace opens here
      while (opened > 0 && index[opened - 1] == 0) --opened;
      if (i > 0) {
        for (std::int64_t d = depth_; d-- > opened;) Close(d, out);
        out += ", ";
      }
      for (std::int64_t d = opened; d < depth_; ++d) Open(d, d == 0 ? 0 : index[d - 1], out);
      if (depth_ == rank_) {
        AppendElement(offset, out);
      } else {
        Open(depth_, depth_ == 0 ? 0 : index[depth_ - 1], out);
        Close(depth_, out);
      }
      for (std::int64_t d = depth_; d-- > 0;) {
        offset += stride_[d];
        if (++index[d] < sizes_[d]) break;
        offset -= index[d] * stride_[d];
        index[d] = 0;
      }
    }
    for (std::int64_t d = end == count_ ? depth_ : 0; d-- > 0;) Close(d, out);
  }

  bool HasBlanks(std::int64_t dimension) const { return dimension < rank_ - 1 || (rank_ > 1 && sizes_[dimension] > 1); }
  // `index` is the position of the brace in the enclosing dimension.
  void Open(std::int64_t dimension, std::int64_t index, std::string& out) const {
    out += HasBlanks(dimension) ? "{ " : "{";
    const bool is_numbered = rank_ > 3 && dimension > 0 && dimension < rank_ - 1;
    if (is_numbered) out += fmt::format("/*i{}={}*/{}", dimension - 1, index, sizes_[dimension] > 0 ? " " : "");
  }
  void Close(std::int64_t dimension, std::string& out) const { out += HasBlanks(dimension) ? " }" : "}"; }

  void AppendElement(std::int64_t offset, std::string& out) const {
    if (rank_ > 0 && literal_.element_type() == PRED) {
      out += literal_.BoolAt(offset) ? "1" : "0";
    } else {
      out += PrintElement(literal_, offset, options_);
    }
  }

  const Literal& literal_;
  const LiteralPrintOptions& options_;
  const std::int64_t rank_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> stride_;
  std::int64_t depth_ = 0;  // dimensions before the first one of size 0
  std::int64_t count_ = 1;  // positions in them
};

}  // namespace

Status CheckEmptyArrays(const Shape& shape) {
  constexpr std::int64_t kMost = 1 << 16;
  const auto end = std::ranges::find(shape.dimensions(), 0);
  if (end == shape.dimensions().end()) return {};
  std::int64_t count = 1;
  for (auto size = shape.dimensions().begin(); size != end && count <= kMost; ++size) {
    count *= std::min(*size, kMost + 1);
  }
  if (count <= kMost) return {};
  return Error{ErrorCode::kParse,
               fmt::format("an array without elements may consist of {} empty arrays at most", kMost)};
}

std::string PrintElement(const Literal& literal, std::int64_t offset, const LiteralPrintOptions& options) {
  const PrimitiveType type = literal.element_type();
  const std::byte* at = literal.data() + offset * StorageBytes(type);
  if (type == PRED) return literal.BoolAt(offset) ? "true" : "false";
  if (type == U64) return fmt::to_string(static_cast<std::uint64_t>(literal.IntegerAt(offset)));
  if (IsIntegralType(type)) return fmt::to_string(literal.IntegerAt(offset));
  if (IsFloatingPointType(type)) return PrintReal(type, at, options);
  const PrimitiveType component = ComplexComponentType(type);
  return fmt::format("({}, {})", PrintReal(component, at, options),
                     PrintReal(component, at + StorageBytes(component), options));
}

void PrintLiteral(const Literal& literal, const TextSink& sink, const LiteralPrintOptions& options) {
  if (literal.shape().IsArray()) return ArrayPrinter(literal, options).Print(sink);
  if (!literal.shape().IsTuple()) return;
  sink("( ");
  for (std::size_t i = 0; i < literal.elements().size(); ++i) {
    if (i > 0) sink(", ");
    PrintLiteral(literal.elements()[i], sink, options);
  }
  sink(" )");
}

std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options) {
  std::string text;
  PrintLiteral(
      literal, [&](std::string_view piece) { text += piece; }, options);
  return text;
}

std::string PrintTypedLiteral(const Literal& literal, const LiteralPrintOptions& options) {
  if (!literal.shape().IsTuple()) return literal.shape().ToString() + " " + PrintLiteral(literal, options);
  std::vector<std::string> elements;
  for (const Literal& element : literal.elements()) elements.push_back(PrintTypedLiteral(element, options));
  return fmt::format("( {} )", JoinText(elements, ", "));
}

}  // namespace assay
