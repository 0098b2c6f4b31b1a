// The approximate phases of functions give the bits of the exact ones, and decide some of the results.
#include <algorithm>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/catch.h"
#include "spec_tests/numerics/function_reference.h"
#include "spec_tests/numerics/rounding_reference.h"
#include "spec_tests/special_numbers.h"

namespace assay {
namespace {

using testing::kInfinity, testing::kNan;

constexpr std::int64_t kCount = 600;

std::vector<std::byte> RandomBytes(PrimitiveType type, std::uint64_t seed) {
  const PrimitiveType part = ComplexComponentType(type);
  std::mt19937_64 random(seed);
  const FloatFormat& format = FloatFormatOf(part);
  const double edges[] = {
      0.0,       -0.0,       1,   -1, 2, 0.5, ToDouble(format, 1), ToDouble(format, format.max_finite_bits()),
      kInfinity, -kInfinity, kNan};
  std::vector<double> values(static_cast<std::size_t>(kCount * StorageBytes(type) / StorageBytes(part)));
  for (double& value : values) {
    value = random() % 8 == 0 ? edges[random() % std::size(edges)] : RandomReal(part, random);
  }
  return Store(part, values);
}

// The functions take one array or two.
template <class Function, class... Arrays>
bool PhasesAgree(const Function& function, PrimitiveType type, const Arrays&... operands) {
  std::vector<std::byte> both(static_cast<std::size_t>(kCount * StorageBytes(type)));
  std::vector<std::byte> exact(both.size());
  Apply(Phases::kBoth, function, type, operands.data()..., both.data(), kCount);
  Apply(Phases::kExact, function, type, operands.data()..., exact.data(), kCount);
  return both == exact;
}

TEST_CASE("Both phases of real functions give the same bits") {
  for (const PrimitiveType type : {F64, F32, BF16, F16, F8E4M3FN, F8E8M0FNU}) {
    const std::vector<std::byte> x = RandomBytes(type, 1), y = RandomBytes(type, 2);
    for (const UnaryCase& unary : UnaryCases()) {
      CAPTURE(PrimitiveTypeName(type), unary.name);
      CHECK(PhasesAgree(*unary.function, type, x));
    }
    for (const BinaryCase& binary : BinaryCases()) {
      CAPTURE(PrimitiveTypeName(type), binary.name);
      CHECK(PhasesAgree(*binary.function, type, x, y));
    }
  }
}

// Counts the numbers that the approximation leaves in doubt, in a block filled with these operands.
std::int64_t LeftInDoubt(const RealUnary& function, PrimitiveType type, const std::vector<std::byte>& operands) {
  std::vector<double> operand(kFunctionBlock), numbers(kFunctionBlock);
  LoadReals(type, operands.data(), operand.data(), kFunctionBlock);
  function.approximate(operand.data(), numbers.data(), kFunctionBlock);
  std::vector<std::byte> out(static_cast<std::size_t>(kFunctionBlock * StorageBytes(type)));
  std::int64_t in_doubt = 0;
  StoreWhereCertain(type, numbers.data(), out.data(), kFunctionBlock, [&](std::int64_t) -> std::uint64_t {
    ++in_doubt;
    return 0;
  });
  return in_doubt;
}

TEST_CASE("The C library's functions decide results of all types but the one without zero") {
  for (const PrimitiveType type : {F32, BF16, F16, F8E4M3FN, F8E8M0FNU}) {
    const std::vector<std::byte> x = RandomBytes(type, 1);
    for (const UnaryCase& unary : UnaryCases()) {
      CAPTURE(PrimitiveTypeName(type), unary.name);
      CHECK((LeftInDoubt(*unary.function, type, x) == kFunctionBlock) == (type == F8E8M0FNU));
    }
  }
}

// Counts the balls that determine their rounded result.
template <class Function, class... Operands>
std::int64_t Decided(PrimitiveType type, const Function& function, const Operands*... operands) {
  std::vector<Ball> balls(kCount);
  function.enclose(operands..., balls.data(), kCount);
  return std::ranges::count_if(balls,
                               [&](const Ball& ball) { return CertainBits(FloatFormatOf(type), ball).has_value(); });
}

TEST_CASE("Balls decide results of every real function") {
  for (const PrimitiveType type : {F64, F32, BF16, F16, F8E4M3FN, F8E8M0FNU}) {
    std::vector<double> x(kCount), y(kCount);
    LoadReals(type, RandomBytes(type, 1).data(), x.data(), kCount);
    LoadReals(type, RandomBytes(type, 2).data(), y.data(), kCount);
    for (const UnaryCase& unary : UnaryCases()) {
      CAPTURE(PrimitiveTypeName(type), unary.name);
      if (type == F64) CHECK(Decided(type, *unary.function, x.data()) > 0);
    }
    for (const BinaryCase& binary : BinaryCases()) {
      CAPTURE(PrimitiveTypeName(type), binary.name);
      CHECK(Decided(type, *binary.function, x.data(), y.data()) > 0);
    }
  }
}

const ComplexUnary* const kComplexUnary[] = {
    &kComplexExp,  &kComplexExpm1, &kComplexLog,  &kComplexLog1p, &kComplexLogistic, &kComplexSqrt,  &kComplexRsqrt,
    &kComplexCbrt, &kComplexSign,  &kComplexSin,  &kComplexCos,   &kComplexTan,      &kComplexAsin,  &kComplexAcos,
    &kComplexAtan, &kComplexSinh,  &kComplexCosh, &kComplexTanh,  &kComplexAsinh,    &kComplexAcosh, &kComplexAtanh};
const ComplexBinary* const kComplexBinary[] = {&kComplexMultiply, &kComplexDivide, &kComplexPow, &kComplexAtan2};

TEST_CASE("Both phases of complex functions give the same bits") {
  for (const PrimitiveType type : {C64, C128}) {
    const std::vector<std::byte> x = RandomBytes(type, 3), y = RandomBytes(type, 4);
    for (std::size_t i = 0; i < std::size(kComplexUnary); ++i) {
      CAPTURE(PrimitiveTypeName(type), i);
      CHECK(PhasesAgree(*kComplexUnary[i], type, x));
    }
    for (std::size_t i = 0; i < std::size(kComplexBinary); ++i) {
      CAPTURE(PrimitiveTypeName(type), i);
      CHECK(PhasesAgree(*kComplexBinary[i], type, x, y));
    }
    std::vector<std::byte> product(x.size()), quotient(x.size()), exact(x.size());
    ComplexMultiply(type, x.data(), y.data(), product.data(), kCount);
    ApplyExactly(kComplexMultiply, type, x.data(), y.data(), exact.data(), kCount);
    CHECK(product == exact);
    ComplexDivide(type, x.data(), y.data(), quotient.data(), kCount);
    ApplyExactly(kComplexDivide, type, x.data(), y.data(), exact.data(), kCount);
    CHECK(quotient == exact);
    std::vector<std::byte> length(x.size() / 2), exact_length(x.size() / 2);
    ComplexAbs(type, x.data(), length.data(), kCount);
    ComplexAbsExactly(type, x.data(), exact_length.data(), kCount);
    CHECK(length == exact_length);
  }
}

template <class Function, class... Operands>
std::int64_t DecidedParts(PrimitiveType part, const Function& function, const Operands*... operands) {
  std::vector<BallParts> balls(kCount);
  function.enclose(operands..., balls.data(), kCount);
  return std::ranges::count_if(balls, [&](const BallParts& ball) {
    return CertainBits(FloatFormatOf(part), ball.real) && CertainBits(FloatFormatOf(part), ball.imaginary);
  });
}

TEST_CASE("Balls decide results of every complex function") {
  for (const PrimitiveType type : {C64, C128}) {
    const PrimitiveType part = ComplexComponentType(type);
    std::vector<double> x(2 * kCount), y(2 * kCount);
    LoadReals(part, RandomBytes(type, 3).data(), x.data(), 2 * kCount);
    LoadReals(part, RandomBytes(type, 4).data(), y.data(), 2 * kCount);
    for (std::size_t i = 0; i < std::size(kComplexUnary); ++i) {
      CAPTURE(PrimitiveTypeName(type), i);
      CHECK(DecidedParts(part, *kComplexUnary[i], x.data()) > 0);
    }
    for (std::size_t i = 0; i < std::size(kComplexBinary); ++i) {
      CAPTURE(PrimitiveTypeName(type), i);
      CHECK(DecidedParts(part, *kComplexBinary[i], x.data(), y.data()) > 0);
    }
  }
}

}  // namespace
}  // namespace assay
