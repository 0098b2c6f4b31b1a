#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// Significant decimal digits that tell any two numbers of a format apart: ceil(1 + precision * log10(2)).
int DistinguishingDigits(const FloatFormat& format) {
  return static_cast<int>(std::ceil(1 + format.precision() * 0.30102999566398120));
}

// The short form when it reads back to the same number, else every digit.
std::string PrintFinite(const FloatFormat& format, std::uint64_t bits, double value) {
  const int all_digits = DistinguishingDigits(format);
  const int short_digits = format.type == F32 ? 6 : format.type == F64 ? 15 : all_digits;
  std::string text = fmt::format("{:.{}g}", value, short_digits);
  if (short_digits == all_digits || RoundDouble(format, DecimalToDouble(text)) == bits) return text;
  return fmt::format("{:.{}g}", value, all_digits);
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

class ArrayPrinter {
 public:
  ArrayPrinter(const Literal& literal, const LiteralPrintOptions& options)
      : literal_(literal), options_(options), rank_(literal.shape().rank()) {}

  std::string Print() {
    if (rank_ == 0) return PrintElement(literal_, 0, options_);
    PrintDimension(0, 0, 0);
    return std::move(out_);
  }

 private:
  // One brace: `index` is its place in the dimension around it, `offset` that of its first element.
  void PrintDimension(std::int64_t dimension, std::int64_t index, std::int64_t offset) {
    const bool innermost = dimension == rank_ - 1;
    const std::int64_t size = literal_.dynamic_size(dimension);
    const bool blanks = !innermost || (rank_ > 1 && size > 1);
    out_ += blanks ? "{ " : "{";
    if (rank_ > 3 && dimension > 0 && !innermost) out_ += fmt::format("/*i{}={}*/ ", dimension - 1, index);
    std::int64_t stride = 1;
    for (std::int64_t d = dimension + 1; d < rank_; ++d) stride *= literal_.shape().dimensions(d);
    for (std::int64_t i = 0; i < size; ++i) {
      if (i > 0) out_ += ", ";
      if (innermost) {
        AppendElement(offset + i);
      } else {
        PrintDimension(dimension + 1, i, offset + i * stride);
      }
    }
    out_ += blanks ? " }" : "}";
  }

  void AppendElement(std::int64_t offset) {
    if (literal_.element_type() == PRED) {
      out_ += literal_.BoolAt(offset) ? "1" : "0";
    } else {
      out_ += PrintElement(literal_, offset, options_);
    }
  }

  const Literal& literal_;
  const LiteralPrintOptions& options_;
  const std::int64_t rank_;
  std::string out_;
};

}  // namespace

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

std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options) {
  if (literal.shape().IsArray()) return ArrayPrinter(literal, options).Print();
  if (!literal.shape().IsTuple()) return "";
  std::vector<std::string> elements;
  for (const Literal& element : literal.elements()) elements.push_back(PrintLiteral(element, options));
  return fmt::format("( {} )", fmt::join(elements, ", "));
}

std::string PrintTypedLiteral(const Literal& literal, const LiteralPrintOptions& options) {
  if (!literal.shape().IsTuple()) return literal.shape().ToString() + " " + PrintLiteral(literal, options);
  std::string out = "(";
  for (std::size_t i = 0; i < literal.elements().size(); ++i) {
    out += fmt::format("{} {}", i > 0 ? "," : "", PrintTypedLiteral(literal.elements()[i], options));
  }
  return out + " )";
}

}  // namespace assay
