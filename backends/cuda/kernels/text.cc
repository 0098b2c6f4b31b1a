#include "backends/cuda/kernels/text.h"

#include <fmt/format.h>

#include <cstring>

#include "interpreter/types/float_format.h"

namespace assay::cuda {
namespace {

bool IsNarrowFloat(PrimitiveType type) { return IsFloatingPointType(type) && type != F32 && type != F64; }

// Returns the text of a format's definitions.
std::string FormatText(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  std::string text;
  const std::string_view name = TypeText(type);
  if (IsNarrowFloat(type)) {
    text += fmt::format("struct {} {{ {} bits; }};\n", name, BitWidth(type) > 8 ? "u16" : "u8");
    text += fmt::format("inline u64 bits_of({} x) {{ return x.bits; }}\n", name);
  }
  text += fmt::format(
      "template <> struct FormatOf<{}> {{\n"
      "  static const int exponent_bits = {}, mantissa_bits = {}, bias = {}, least_exponent = {};\n"
      "  static const bool has_sign = {}, has_zero = {}, has_negative_zero = {}, has_infinity = {}, has_payload = {};\n"
      "  static const u64 sign = {:#x}ull, magnitude = {:#x}ull, mantissa = {:#x}ull, largest = {:#x}ull;\n",
      name, format.exponent_bits, format.mantissa_bits, format.bias, format.min_exponent(), format.has_sign,
      format.has_zero, format.has_negative_zero, format.has_infinity, format.nan == NanEncoding::kIeee,
      format.sign_mask(), format.magnitude_mask(), format.mantissa_mask(), format.max_finite_bits());
  for (const auto& [function, positive, negative] :
       {std::tuple("overflow", format.overflow_bits(false), format.overflow_bits(true)),
        std::tuple("nan", format.nan_bits(false), format.nan_bits(true))}) {
    text += fmt::format("  static inline u64 {}(bool negative) {{ return negative ? {:#x}ull : {:#x}ull; }}\n",
                        function, negative, positive);
  }
  std::string_view is_nan = "false";
  if (format.nan == NanEncoding::kIeee) is_nan = "(bits & magnitude) > (largest | mantissa) + 1";
  if (format.nan == NanEncoding::kAllOnes) is_nan = "(bits & magnitude) == magnitude";
  if (format.nan == NanEncoding::kNegativeZero) is_nan = "bits == sign";
  text += fmt::format("  static inline bool is_nan(u64 bits) {{ return {}; }}\n", is_nan);
  if (IsNarrowFloat(type)) {
    // The smallest positive number, a power of two, as f32.
    const int exponent = format.min_exponent() - format.mantissa_bits;
    const unsigned bits = exponent >= -126 ? static_cast<unsigned>(exponent + 127) << 23 : 1U << (exponent + 149);
    text += fmt::format("  static inline f32 least() {{ return float_of({:#x}u); }}\n", bits);
  }
  return text + "};\n";
}

bool Needs(std::string_view body, std::string_view word) { return body.find(word) != std::string_view::npos; }

}  // namespace

std::string TextOfParts(TypeSet types, std::string_view body) {
  std::string text(kTextOfIntegers);
  if (Needs(body, "packed<")) text += kTextOfPacks;
  const bool has_complex = (types.bits & kComplex.bits) != 0;
  const bool has_floats = (types.bits & kFloats.bits) != 0 || has_complex;
  if (has_floats) text += kTextOfReals;
  if (has_floats) text += kTextOfFunctions;
  const bool has_codes = Needs(body, "order_key") || Needs(body, "reduced_precision");
  bool has_formats = false;
  for (const PrimitiveType type : ArrayTypes()) {
    if (!types.contains(type) || !(IsNarrowFloat(type) || (has_codes && IsFloatingPointType(type)))) continue;
    if (!has_formats) text += kTextOfFormats;
    has_formats = true;
    text += FormatText(type);
    if (type == BF16) {
      text += kTextOfBf16;
    } else if (type == F16) {
      text += kTextOfF16;
    } else if (IsNarrowFloat(type)) {
      // Formats whose products exceed f32 compute in f64.
      text += fmt::format("template <> struct To<{0}> : ToFormat<{0}> {{}};\n", TypeText(type));
      text += fmt::format("inline {1} value({0} x) {{ return number_of<{0}>(x.bits); }}\n", TypeText(type),
                          ComputeTypeText(type));
    }
  }
  if (has_codes) text += kTextOfCodes;
  if (has_complex) text += kTextOfComplex;
  if (Needs(body, "zero_of")) {
    text += kTextOfProducts;
    if (has_complex) text += kTextOfComplexProducts;
  }
  if (Needs(body, "wide_")) {
    text += kTextOfWideSums;
    if (has_complex) text += kTextOfWideComplexSums;
  }
  if (Needs(body, "root_of_unity") || Needs(body, "fourier_sum")) text += kTextOfFourier;
  if (Needs(body, "minus_product") || Needs(body, "conjugate") || Needs(body, "without_imaginary")) {
    text += kTextOfMatrices;
    if (has_complex) text += kTextOfComplexMatrices;
  }
  if (Needs(body, "find_piece")) text += kTextOfMerges;
  if (Needs(body, "random_words")) text += kTextOfRandomBits;
  text += body;
  return text;
}

std::string_view TypeText(PrimitiveType type) { return PrimitiveTypeName(type); }

std::string_view ComputeTypeText(PrimitiveType type) {
  if (IsComplexType(type)) return "complex";
  if (IsFloatingPointType(type)) return type == F64 || type == F8E8M0FNU ? "f64" : "f32";
  if (BitWidth(type) == 64) return IsSignedIntegralType(type) ? "s64" : "u64";
  return IsSignedIntegralType(type) ? "s32" : "u32";
}

std::string ElementText(PrimitiveType type, const std::byte* element) {
  if (IsComplexType(type)) {
    const PrimitiveType part = ComplexComponentType(type);
    return fmt::format("{}{{{}, {}}}", TypeText(type), ElementText(part, element),
                       ElementText(part, element + StorageBytes(part)));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, StorageBytes(type));
  return fmt::format("To<{}>::of_bits({:#x}ull)", TypeText(type), bits);
}

}  // namespace assay::cuda
