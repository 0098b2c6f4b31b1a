#include "spec_tests/numerics/exact_phase.h"

#include <cstring>
#include <vector>

#include "interpreter/numerics/exact_functions.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

std::vector<double> RealsOf(PrimitiveType type, const std::byte* in, std::int64_t count) {
  std::vector<double> reals(static_cast<std::size_t>(count));
  LoadReals(type, in, reals.data(), count);
  return reals;
}

std::vector<ComplexDouble> ComplexNumbersOf(PrimitiveType type, const std::byte* in, std::int64_t count) {
  const std::vector<double> parts = RealsOf(ComplexComponentType(type), in, 2 * count);
  std::vector<ComplexDouble> numbers;
  for (std::size_t i = 0; i < parts.size(); i += 2) numbers.emplace_back(parts[i], parts[i + 1]);
  return numbers;
}

void StoreAt(PrimitiveType type, std::byte* out, std::int64_t i, std::uint64_t bits) {
  const auto width = static_cast<std::size_t>(StorageBytes(type));
  std::memcpy(out + static_cast<std::size_t>(i) * width, &bits, width);
}

void StoreAt(PrimitiveType type, std::byte* out, std::int64_t i, const ComplexBits& bits) {
  for (int part = 0; part < 2; ++part) {
    StoreAt(ComplexComponentType(type), out, 2 * i + part, bits[static_cast<std::size_t>(part)]);
  }
}

}  // namespace

void ApplyExactly(const RealUnary& function, PrimitiveType type, const std::byte* in, std::byte* out,
                  std::int64_t count) {
  const std::vector<double> x = RealsOf(type, in, count);
  for (std::int64_t i = 0; i < count; ++i) StoreAt(type, out, i, ExactBits(function, FloatFormatOf(type), x[i]));
}

void ApplyExactly(const RealBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
                  std::byte* out, std::int64_t count) {
  const std::vector<double> x = RealsOf(type, lhs, count), y = RealsOf(type, rhs, count);
  for (std::int64_t i = 0; i < count; ++i) StoreAt(type, out, i, ExactBits(function, FloatFormatOf(type), x[i], y[i]));
}

void ApplyExactly(const ComplexUnary& function, PrimitiveType type, const std::byte* in, std::byte* out,
                  std::int64_t count) {
  const FloatFormat& part = FloatFormatOf(ComplexComponentType(type));
  const std::vector<ComplexDouble> z = ComplexNumbersOf(type, in, count);
  for (std::int64_t i = 0; i < count; ++i) StoreAt(type, out, i, ExactBits(function, part, z[i]));
}

void ApplyExactly(const ComplexBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
                  std::byte* out, std::int64_t count) {
  const FloatFormat& part = FloatFormatOf(ComplexComponentType(type));
  const std::vector<ComplexDouble> x = ComplexNumbersOf(type, lhs, count), y = ComplexNumbersOf(type, rhs, count);
  for (std::int64_t i = 0; i < count; ++i) StoreAt(type, out, i, ExactBits(function, part, x[i], y[i]));
}

void ComplexAbsExactly(PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count) {
  const PrimitiveType part = ComplexComponentType(type);
  const std::vector<double> parts = RealsOf(part, in, 2 * count);
  for (std::int64_t i = 0; i < count; ++i) {
    StoreAt(part, out, i, ExactBits(kHypot, FloatFormatOf(part), parts[2 * i], parts[2 * i + 1]));
  }
}

}  // namespace assay
