#include "interpreter/ops/plain/element_wise.h"

#include <cstring>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"

namespace assay::plain {
namespace {

// Returns the real numbers that are parts of the elements, in order.
std::vector<Real> PartsOfRow(const Row& row) {
  std::vector<Real> parts;
  for (const Element& element : row) {
    if (IsComplexType(element.type)) {
      for (const int part : {0, 1}) parts.push_back(RealOf(PartOf(element, part)));
    } else if (IsFloatingPointType(element.type)) {
      parts.push_back(RealOf(element));
    }
  }
  return parts;
}

// Replaces a NaN result by the NaN that the op returns, by the rule of numerics/real.h, for the parts of any row.
Real Settled(const Real& result, const Row& row) {
  if (!result.IsNan()) return result;
  const std::vector<Real> parts = PartsOfRow(row);
  if (parts.size() == 1 && parts[0].IsNan()) return result;
  for (const Real& part : parts) {
    if (part.IsNan()) return part;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Kernel ElementByElement(const HloInstruction& instruction, ElementBody body) {
  std::vector<PrimitiveType> types;
  for (const HloInstruction* operand : instruction.operands) types.push_back(operand->shape.element_type());
  return [types = std::move(types), body = std::move(body)](std::span<const std::byte* const> operands,
                                                            std::byte* result, std::int64_t n) {
    Row row(types.size());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < types.size(); ++k) {
        const int bytes = StorageBytes(types[k]);
        row[k] = {.type = types[k]};
        std::memcpy(row[k].storage.data(), operands[k] + i * bytes, bytes);
      }
      const Element element = body(row);
      const int bytes = StorageBytes(element.type);
      std::memcpy(result + i * bytes, element.storage.data(), bytes);
    }
  };
}

Element PartOf(const Element& number, int part) {
  Element result{.type = ComplexComponentType(number.type)};
  const int bytes = StorageBytes(result.type);
  std::memcpy(result.storage.data(), number.storage.data() + part * bytes, bytes);
  return result;
}

Element ComplexOf(const Element& real, const Element& imaginary) {
  Element result{.type = ComplexTypeOf(real.type)};
  const int bytes = StorageBytes(real.type);
  std::memcpy(result.storage.data(), real.storage.data(), bytes);
  std::memcpy(result.storage.data() + bytes, imaginary.storage.data(), bytes);
  return result;
}

Real RealOf(const Element& element) {
  if (IsFloatingPointType(element.type)) return ToDouble(FloatFormatOf(element.type), BitsOf(element));
  const std::int64_t value = IntegerOf(element);
  const std::int64_t high =
      IsUnsignedIntegralType(element.type) ? static_cast<std::uint64_t>(value) >> 32 : value >> 32;
  return Real(static_cast<double>(high)) * 0x1p32 + static_cast<double>(value & 0xffffffff);
}

Complex ComplexNumberOf(const Element& element) {
  if (!IsComplexType(element.type)) return {RealOf(element), 0};
  return {RealOf(PartOf(element, 0)), RealOf(PartOf(element, 1))};
}

Element Rounded(PrimitiveType type, const Real& value, const Row& row) {
  return WithBits(type, Settled(value, row).RoundedTo(FloatFormatOf(type)));
}

Element Rounded(PrimitiveType type, const Complex& value, const Row& row) {
  const PrimitiveType part = ComplexComponentType(type);
  return ComplexOf(Rounded(part, value.real, row), Rounded(part, value.imaginary, row));
}

Element Rounded(PrimitiveType type, bool value, const Row&) { return WithBits(type, value ? 1 : 0); }

Element Rounded(PrimitiveType type, TwosComplement<std::int64_t> value, const Row&) {
  return WithBits(type, static_cast<std::uint64_t>(value.value));
}
Element Rounded(PrimitiveType type, TwosComplement<std::uint64_t> value, const Row&) {
  return WithBits(type, value.value);
}

}  // namespace assay::plain
