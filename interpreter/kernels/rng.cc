// Blocks of numbers, rounded together, in parallel.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "interpreter/hlo/device.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::int64_t kNumbersPerBlock = 256;
constexpr std::uint32_t kMostAttempts = 64;

// An array under construction, the device's random state, and the distribution's operands as bytes of its type.
struct Numbers {
  std::array<std::uint64_t, 2> counter;
  PrimitiveType type;
  const std::byte *a, *b;
  std::byte* out;
  std::int64_t count;

  std::byte* At(std::int64_t i) const { return out + i * StorageBytes(type); }
  void SetToFirstOperand(std::int64_t i) const { std::memcpy(At(i), a, StorageBytes(type)); }

  // Returns two words for number i. Each attempt has other words.
  std::array<std::uint64_t, 2> Words(std::int64_t i, std::uint32_t attempt) const {
    const auto w = Philox4x32(CounterOf(counter[0], counter[1], i), {attempt, 0});
    return {w[0] | std::uint64_t{w[1]} << 32, w[2] | std::uint64_t{w[3]} << 32};
  }
};

// Converts numbers to a type, rounding each once; Widen converts elements of a type to numbers.
void Round(PrimitiveType type, const double* numbers, std::byte* elements, std::int64_t count) {
  Convert(F64, reinterpret_cast<const std::byte*>(numbers), type, elements, count);
}
void Widen(PrimitiveType type, const std::byte* elements, double* numbers, std::int64_t count) {
  Convert(type, elements, F64, reinterpret_cast<std::byte*>(numbers), count);
}

// Returns a multiple of 2^-53 in [0, 1).
double FractionOf(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// Sets element i to draw(i, 0) rounded, or to the first later attempt for which is_inside holds after rounding. Uses
// the first operand if there is none.
template <class Draw, class IsInside>
void FillFloats(const Numbers& numbers, Draw draw, IsInside is_inside) {
  const auto draw_again = [&](std::int64_t i) {
    for (std::uint32_t attempt = 1; attempt < kMostAttempts; ++attempt) {
      double number = draw(i, attempt);
      Round(numbers.type, &number, numbers.At(i), 1);
      Widen(numbers.type, numbers.At(i), &number, 1);
      if (is_inside(number)) return;
    }
    numbers.SetToFirstOperand(i);
  };
  ParallelFor(numbers.count, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::array<double, kNumbersPerBlock> block;
    for (std::int64_t first = begin; first < end; first += kNumbersPerBlock) {
      const std::int64_t n = std::min(kNumbersPerBlock, end - first);
      for (std::int64_t i = 0; i < n; ++i) block[i] = draw(first + i, 0);
      Round(numbers.type, block.data(), numbers.At(first), n);
      Widen(numbers.type, numbers.At(first), block.data(), n);
      for (std::int64_t i = 0; i < n; ++i) {
        if (!is_inside(block[i])) draw_again(first + i);
      }
    }
  });
}

void FillNormal(const Numbers& numbers, double mean, double deviation) {
  const auto draw = [&](std::int64_t i, std::uint32_t attempt) {
    const auto word = numbers.Words(i, attempt);
    const double radius = std::sqrt(-2 * std::log(1 - FractionOf(word[0])));
    return mean + deviation * (radius * std::cos(2 * std::numbers::pi * FractionOf(word[1])));
  };
  FillFloats(numbers, draw, [](double) { return true; });
}

void FillUniform(const Numbers& numbers, double low, double high) {
  if (!(low < high)) {
    for (std::int64_t i = 0; i < numbers.count; ++i) numbers.SetToFirstOperand(i);
    return;
  }
  const double length = high - low;
  const auto draw = [&](std::int64_t i, std::uint32_t attempt) {
    const double u = FractionOf(numbers.Words(i, attempt)[0]);
    return std::isfinite(length) ? low + length * u : low * (1 - u) + high * u;
  };
  FillFloats(numbers, draw, [&](double value) { return low <= value && value < high; });
}

void FillUniformIntegers(const Numbers& numbers) {
  std::uint64_t low = 0, high = 0;
  LoadIntegers(numbers.type, numbers.a, &low, 1);
  LoadIntegers(numbers.type, numbers.b, &high, 1);
  const bool is_empty = IsSignedIntegralType(numbers.type)
                            ? static_cast<std::int64_t>(high) <= static_cast<std::int64_t>(low)
                            : high <= low;
  ParallelFor(numbers.count, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t value = is_empty ? low : low + numbers.Words(i, 0)[0] % (high - low);
      StoreIntegers(numbers.type, &value, numbers.At(i), 1);
    }
  });
}

Literal EvaluateRng(const HloInstruction& rng, std::span<Literal> operands, Evaluation& evaluation) {
  Literal result = Literal::Uninitialized(rng.shape);
  const PrimitiveType type = rng.shape.element_type();
  const std::int64_t count = result.element_count();
  const Numbers numbers = {.counter = evaluation.device().AdvanceRandomState(static_cast<std::uint64_t>(count)),
                           .type = type,
                           .a = operands[0].data(),
                           .b = operands[1].data(),
                           .out = result.mutable_data(),
                           .count = count};
  if (!IsFloatingPointType(type)) {
    FillUniformIntegers(numbers);
    return result;
  }
  double a = 0, b = 0;
  Widen(type, numbers.a, &a, 1);
  Widen(type, numbers.b, &b, 1);
  (rng.String("distribution") == "rng_normal" ? FillNormal : FillUniform)(numbers, a, b);
  return result;
}

}  // namespace

const OpKernel kernel_rng = {.op = &op_rng, .evaluate = EvaluateRng};

}  // namespace assay
