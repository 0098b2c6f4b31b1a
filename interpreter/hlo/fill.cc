#include "interpreter/hlo/fill.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Elements per block: keeps the scratch memory small.
constexpr std::int64_t kBlock = 65536;

std::uint64_t Random(std::uint64_t seed, std::int64_t i) { return SplitMix(seed + (i + 1) * kSplitMixStep); }

double RandomReal(std::uint64_t seed, std::int64_t i) {
  return static_cast<double>(Random(seed, i) >> 11) * 0x1p-52 - 1.0;
}

void FillReals(PrimitiveType type, std::byte* out, std::int64_t n, std::uint64_t seed) {
  std::vector<double> values(std::min(n, kBlock));
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, n - begin);
    CheckLimits();
    for (std::int64_t i = 0; i < count; ++i) values[i] = RandomReal(seed, begin + i);
    if (!FloatFormatOf(type).has_sign) {
      for (double& value : values) value = std::fabs(value);
    }
    StoreReals(type, values.data(), out + begin * StorageBytes(type), count);
  }
}

void FillIntegers(PrimitiveType type, std::byte* out, std::int64_t n, std::uint64_t seed) {
  std::vector<std::int64_t> values(std::min(n, kBlock));
  const std::int64_t low = IsSignedIntegralType(type) ? -8 : 0;
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, n - begin);
    CheckLimits();
    for (std::int64_t i = 0; i < count; ++i) values[i] = static_cast<std::int64_t>(Random(seed, begin + i) % 17) + low;
    Convert(S64, reinterpret_cast<const std::byte*>(values.data()), type, out + begin * StorageBytes(type), count);
  }
}

}  // namespace

void FillWithSeed(Literal& literal, std::uint64_t seed) {
  std::uint64_t leaf = 0;
  for (Literal& element : literal.mutable_elements()) FillWithSeed(element, seed + leaf++);
  const std::int64_t n = literal.element_count();
  if (n == 0) return;
  const PrimitiveType type = literal.element_type();
  std::byte* out = literal.mutable_data();
  if (type == PRED) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<std::byte>(Random(seed, i) >> 63);
  } else if (IsIntegralType(type)) {
    FillIntegers(type, out, n, seed);
  } else if (IsComplexType(type)) {
    FillReals(ComplexComponentType(type), out, 2 * n, seed);
  } else {
    FillReals(type, out, n, seed);
  }
}

std::int64_t FillElidedConstants(HloModule& module, std::uint64_t seed) {
  std::int64_t filled = 0;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (!instruction->literal_is_elided) continue;
      // Each constant has its own seed, by its position in the module.
      Literal values(instruction->shape);
      FillWithSeed(values, seed + (++filled << 32));
      instruction->literal = std::move(values);
      instruction->literal_is_elided = false;
    }
  }
  return filled;
}

}  // namespace assay
