// With every quick phase in doubt, functions and sums have the same bits; and the exact phases are what gave them.
#include <bit>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/exact_matmul.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"
#include "interpreter/numerics/sum_axis.h"
#include "spec_tests/catch.h"
#include "spec_tests/numerics/function_reference.h"

namespace assay {
namespace {

constexpr std::int64_t kCount = 500;

std::vector<std::byte> RandomBytes(PrimitiveType type, std::uint64_t seed) {
  const PrimitiveType part = IsComplexType(type) ? ComplexComponentType(type) : type;
  std::mt19937_64 random(seed);
  std::vector<double> values(static_cast<std::size_t>(kCount * StorageBytes(type) / StorageBytes(part)));
  for (double& value : values) value = RandomReal(part, random);
  std::vector<std::byte> bytes(static_cast<std::size_t>(kCount * StorageBytes(type)));
  StoreReals(part, values.data(), bytes.data(), static_cast<std::int64_t>(values.size()));
  return bytes;
}

struct Outcome {
  std::vector<std::byte> bytes;
  std::int64_t exact;
};

template <class Compute>
Outcome Run(bool in_doubt, std::size_t size, Compute compute) {
  Outcome outcome = {std::vector<std::byte>(size), -ExactResultCount()};
  SetEverythingInDoubt(in_doubt);
  compute(outcome.bytes.data());
  SetEverythingInDoubt(false);
  outcome.exact += ExactResultCount();
  return outcome;
}

// The quick phase decides some of the elements (but for f8e8m0fnu, whose functions of one argument have none); in doubt
// the exact one has all of them.
template <class Compute>
void CheckBothPhases(PrimitiveType type, Compute compute) {
  const auto size = static_cast<std::size_t>(kCount * StorageBytes(type));
  const Outcome certain = Run(false, size, compute);
  const Outcome in_doubt = Run(true, size, compute);
  CHECK(certain.bytes == in_doubt.bytes);
  CHECK((certain.exact < kCount || type == F8E8M0FNU));
  CHECK(in_doubt.exact == kCount);
}

TEST_CASE("Real functions without quick phases") {
  for (const PrimitiveType type : {F64, F32, BF16, F16, F8E4M3FN, F8E8M0FNU}) {
    const std::vector<std::byte> x = RandomBytes(type, 1);
    const std::vector<std::byte> y = RandomBytes(type, 2);
    for (const UnaryCase& unary : UnaryCases()) {
      CAPTURE(PrimitiveTypeName(type), unary.name);
      CheckBothPhases(type, [&](std::byte* out) { Apply(*unary.function, type, x.data(), out, kCount); });
    }
    for (const BinaryCase& binary : BinaryCases()) {
      CAPTURE(PrimitiveTypeName(type), binary.name);
      CheckBothPhases(type, [&](std::byte* out) { Apply(*binary.function, type, x.data(), y.data(), out, kCount); });
    }
  }
}

TEST_CASE("Complex functions without quick phases") {
  const ComplexUnary* unary[] = {
      &kComplexExp,  &kComplexExpm1, &kComplexLog,  &kComplexLog1p, &kComplexLogistic, &kComplexSqrt,  &kComplexRsqrt,
      &kComplexCbrt, &kComplexSign,  &kComplexSin,  &kComplexCos,   &kComplexTan,      &kComplexAsin,  &kComplexAcos,
      &kComplexAtan, &kComplexSinh,  &kComplexCosh, &kComplexTanh,  &kComplexAsinh,    &kComplexAcosh, &kComplexAtanh};
  const ComplexBinary* binary[] = {&kComplexMultiply, &kComplexDivide, &kComplexPow, &kComplexAtan2};
  for (const PrimitiveType type : {C64, C128}) {
    const std::vector<std::byte> x = RandomBytes(type, 3);
    const std::vector<std::byte> y = RandomBytes(type, 4);
    for (const ComplexUnary* function : unary) {
      CAPTURE(PrimitiveTypeName(type), function - unary[0]);
      CheckBothPhases(type, [&](std::byte* out) { Apply(*function, type, x.data(), out, kCount); });
    }
    for (const ComplexBinary* function : binary) {
      CAPTURE(PrimitiveTypeName(type), function - binary[0]);
      CheckBothPhases(type, [&](std::byte* out) { Apply(*function, type, x.data(), y.data(), out, kCount); });
    }
    CheckBothPhases(ComplexComponentType(type), [&](std::byte* out) { ComplexAbs(type, x.data(), out, kCount); });
  }
}

TEST_CASE("Sums and products of matrices without quick phases") {
  for (const PrimitiveType type : {F64, F32, BF16, F16}) {
    CAPTURE(PrimitiveTypeName(type));
    const std::vector<std::byte> terms = RandomBytes(type, 5);
    const auto sum = [&](std::byte* out) {
      const std::vector<std::byte> init(static_cast<std::size_t>(StorageBytes(type)));
      SumAxis(type, terms.data(), 1, 50, 10, init.data(), 1, out);
    };
    const auto size = static_cast<std::size_t>(10 * StorageBytes(type));
    const Outcome sums = Run(true, size, sum);
    CHECK(sums.bytes == Run(false, size, sum).bytes);
    CHECK(sums.exact == 10);

    std::vector<double> factors(kCount);
    LoadReals(type, terms.data(), factors.data(), kCount);
    const auto product = [&](std::byte* out) { MatmulExact(type, factors.data(), factors.data(), 1, 20, 20, 25, out); };
    const auto matrix = static_cast<std::size_t>(400 * StorageBytes(type));
    const Outcome products = Run(true, matrix, product);
    CHECK(products.bytes == Run(false, matrix, product).bytes);
    CHECK(products.exact == 400);
  }
}

}  // namespace
}  // namespace assay
