#include "interpreter/ops/order_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Sign and magnitude, the sign in the highest bit, as an ascending number.
std::uint64_t AscendingKey(std::uint64_t bits) { return (bits & kSign) != 0 ? ~bits : bits | kSign; }

std::vector<std::uint64_t> KeysOfIntegers(const Literal& array) {
  std::vector<std::uint64_t> keys(array.element_count());
  LoadIntegers(array.element_type(), array.data(), keys.data(), array.element_count());
  if (IsSignedIntegralType(array.element_type())) {
    for (std::uint64_t& key : keys) key ^= kSign;
  }
  return keys;
}

std::vector<double> RealsOf(const Literal& array) {
  std::vector<double> reals(array.element_count());
  LoadReals(array.element_type(), array.data(), reals.data(), array.element_count());
  return reals;
}

// The format's own bits, its sign moved to the highest.
std::vector<std::uint64_t> KeysOfBits(const Literal& array) {
  const int bytes = StorageBytes(array.element_type());
  std::vector<std::uint64_t> keys(array.element_count());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.data() + i * bytes, bytes);
    keys[i] = AscendingKey(bits << (64 - 8 * bytes));
  }
  return keys;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> KeysOfValues(const Literal& array) {
  if (IsComplexType(array.element_type())) return std::nullopt;
  if (!IsFloatingPointType(array.element_type())) return KeysOfIntegers(array);
  const std::vector<double> reals = RealsOf(array);
  if (std::ranges::any_of(reals, [](double x) { return std::isnan(x); })) return std::nullopt;
  std::vector<std::uint64_t> keys;
  keys.reserve(reals.size());
  for (double x : reals) keys.push_back(AscendingKey(std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x)));
  return keys;
}

std::optional<std::vector<std::uint64_t>> KeysOfTotalOrder(const Literal& array) {
  if (IsComplexType(array.element_type())) return std::nullopt;
  if (!IsFloatingPointType(array.element_type())) return KeysOfIntegers(array);
  const FloatFormat& format = FloatFormatOf(array.element_type());
  if (format.nan == NanEncoding::kIeee && format.bits() % 8 == 0) return KeysOfBits(array);
  std::vector<std::uint64_t> keys;
  for (double x : RealsOf(array)) keys.push_back(AscendingKey(std::bit_cast<std::uint64_t>(x)));
  return keys;
}

}  // namespace assay
