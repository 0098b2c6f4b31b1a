#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "backends/mutant/break.h"
#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Return another value for the bits of a float, or for an integer.
using FloatRule = std::uint64_t (*)(const FloatFormat& format, std::uint64_t bits);
using IntegerRule = std::int64_t (*)(PrimitiveType type, std::int64_t value);

std::uint64_t Load(const std::byte* elements, std::int64_t i, std::int64_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements + i * bytes, bytes);
  return bits;
}

InsertedBody BodyOf(FloatRule rule) {
  return Mapping([rule](PrimitiveType type, std::byte* elements, std::int64_t n) {
    if (!IsFloatingPointType(type)) return;
    const FloatFormat& format = FloatFormatOf(type);
    const std::int64_t bytes = StorageBytes(type);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t bits = rule(format, Load(elements, i, bytes));
      std::memcpy(elements + i * bytes, &bits, bytes);
    }
  });
}

InsertedBody BodyOf(IntegerRule rule) {
  return Mapping([rule](PrimitiveType type, std::byte* elements, std::int64_t n) {
    if (!IsIntegralType(type)) return;
    for (std::int64_t i = 0; i < n; ++i) {
      StoreNumber(type, {0, rule(type, LoadNumber(type, elements, i).integer)}, elements, i);
    }
  });
}

bool IsNegative(const FloatFormat& format, std::uint64_t bits) { return (bits & format.sign_mask()) != 0; }

std::uint64_t NanAsZero(const FloatFormat& format, std::uint64_t bits) { return format.is_nan(bits) ? 0 : bits; }
std::uint64_t InfinityAsLargest(const FloatFormat& format, std::uint64_t bits) {
  return format.is_infinity(bits) ? format.max_finite_bits() | (bits & format.sign_mask()) : bits;
}
std::uint64_t InfinityAsNan(const FloatFormat& format, std::uint64_t bits) {
  return format.is_infinity(bits) ? format.nan_bits(IsNegative(format, bits)) : bits;
}
std::uint64_t NanAsInfinity(const FloatFormat& format, std::uint64_t bits) {
  return format.is_nan(bits) ? format.overflow_bits(IsNegative(format, bits)) : bits;
}
std::uint64_t NegativeZeroAsPositive(const FloatFormat& format, std::uint64_t bits) {
  return format.has_negative_zero && bits == format.sign_mask() ? 0 : bits;
}
std::uint64_t SubnormalAsZero(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & format.magnitude_mask();
  if (!format.has_subnormals || magnitude == 0 || format.is_nan(bits)) return bits;
  return magnitude <= format.mantissa_mask() ? bits & (format.has_negative_zero ? format.sign_mask() : 0) : bits;
}
std::uint64_t LargestAsOverflow(const FloatFormat& format, std::uint64_t bits) {
  const bool is_largest = (bits & format.magnitude_mask()) == format.max_finite_bits();
  return is_largest ? format.overflow_bits(IsNegative(format, bits)) : bits;
}

bool IsLeast(PrimitiveType type, std::int64_t value) {
  return IsSignedIntegralType(type) && value == std::numeric_limits<std::int64_t>::min() >> (64 - BitWidth(type));
}
std::int64_t LeastAsGreatest(PrimitiveType type, std::int64_t value) { return IsLeast(type, value) ? ~value : value; }
std::int64_t NegativeAsZero(PrimitiveType type, std::int64_t value) {
  return IsSignedIntegralType(type) && value < 0 ? 0 : value;
}
// Maps the upper half of an unsigned type to its greatest number, and signed numbers that need all bits to the
// extremes.
std::int64_t UpperHalfAsGreatest(PrimitiveType type, std::int64_t value) {
  const int bits = BitWidth(type);
  // A type of one bit has no such half: its numbers stay.
  const std::int64_t half = bits > 1 ? std::int64_t{1} << (bits - 2) : 1;
  if (IsSignedIntegralType(type)) return value >= half ? 2 * (half - 1) + 1 : value < -half ? -2 * half : value;
  const auto plain = static_cast<std::uint64_t>(value);
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return plain > most / 2 ? static_cast<std::int64_t>(most) : value;
}

template <class Rule>
struct ElementRow {
  std::string_view what, rule;
  Rule change;
};
constexpr ElementRow<FloatRule> kFloatRows[] = {
    {"nan_as_zero", "NaN is taken as 0", NanAsZero},
    {"nan_as_infinity", "NaN is taken as infinity", NanAsInfinity},
    {"infinity_as_largest", "infinity is taken as the largest finite number", InfinityAsLargest},
    {"infinity_as_nan", "infinity is taken as NaN", InfinityAsNan},
    {"negative_zero_as_positive", "-0 is taken as +0", NegativeZeroAsPositive},
    {"largest_as_overflow", "the largest finite number overflows", LargestAsOverflow},
};

constexpr ElementRow<FloatRule> kFormatRows[] = {
    {"subnormal_as_zero", "subnormal numbers are taken as 0", SubnormalAsZero},
};
constexpr ElementRow<IntegerRule> kSignedRows[] = {
    {"least_as_greatest", "the least integer is taken as the greatest", LeastAsGreatest},
    {"negative_as_zero", "negative integers are taken as 0", NegativeAsZero},
};
constexpr ElementRow<IntegerRule> kIntegerRows[] = {
    {"upper_half_as_greatest", "integers of the upper half are taken as the greatest", UpperHalfAsGreatest},
};

const TypeClass kFloatClasses[] = {{"float", kFloats}};
// Hardware supports the subnormal numbers of some formats only.
const TypeClass kFormatClasses[] = {
    {"f64", TypesOf(F64)}, {"f32", TypesOf(F32)}, {"f16", TypesOf(F16)}, {"bf16", TypesOf(BF16)}, {"f8", kNarrowFloats},
};
const TypeClass kSignedClasses[] = {{"signed", kSignedIntegral}};
const TypeClass kIntegerClasses[] = {
    {"signed", kSignedIntegral},
    {"unsigned", {kIntegral.bits & ~kSignedIntegral.bits}},
};

template <class Rows>
std::vector<InsertedBody> BodiesOf(const Rows& rows) {
  std::vector<InsertedBody> bodies;
  for (const auto& row : rows) bodies.push_back(BodyOf(row.change));
  return bodies;
}

template <class Rows, class Classes>
void AddRows(MutantList& mutants, const Rows& rows, const Classes& classes) {
  static const std::vector<InsertedBody> bodies = BodiesOf(rows);
  const Op& op = mutants.op();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const TypeClass& one : classes) {
      if ((op.legality.types.bits & one.types.bits) == 0) continue;
      const auto add = [&](std::string_view where, auto map) {
        mutants.Add(rows[i].what, fmt::format("{}_{}", where, one.name),
                    fmt::format("{} of {}: {}", where, one.name, rows[i].rule),
                    std::bind_front(map, one.types, bodies[i]));
      };
      add("result", WrapResult);
      // If an op only moves elements, changing its operands equals changing its result.
      if (op.legality.arity.max != 0 && Computes(op)) add("operands", WrapOperands);
    }
  }
}

}  // namespace

void AddElementMutants(MutantList& mutants) {
  if (mutants.op().role != OpRole::kOrdinary && mutants.op().role != OpRole::kConstant) return;
  AddRows(mutants, kFloatRows, kFloatClasses);
  AddRows(mutants, kFormatRows, kFormatClasses);
  AddRows(mutants, kSignedRows, kSignedClasses);
  AddRows(mutants, kIntegerRows, kIntegerClasses);
}

}  // namespace assay
