#include "interpreter/kernels/common/order_keys.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Maps sign and magnitude, with the sign in the highest bit, to an ascending number.
std::uint64_t AscendingKey(std::uint64_t bits) { return (bits & kSign) != 0 ? ~bits : bits | kSign; }

std::vector<std::uint64_t> KeysOfIntegers(const Literal& array) {
  std::vector<std::uint64_t> keys(array.element_count());
  LoadIntegers(array.element_type(), array.data(), keys.data(), array.element_count());
  if (IsSignedIntegralType(array.element_type())) {
    for (std::uint64_t& key : keys) key ^= kSign;
  }
  return keys;
}

// Returns key(x) of each number x.
template <class Key>
std::vector<std::uint64_t> KeysOfReals(const Literal& array, Key key) {
  std::vector<std::uint64_t> keys(array.element_count());
  const int bytes = StorageBytes(array.element_type());
  ParallelFor(array.element_count(), kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    double reals[kDearPerPiece];
    LoadReals(array.element_type(), array.data() + begin * bytes, reals, end - begin);
    for (std::int64_t i = begin; i < end; ++i) keys[i] = key(reals[i - begin]);
  });
  return keys;
}

// Returns the format's own bits, with the sign moved to the highest bit.
std::vector<std::uint64_t> KeysOfBits(const Literal& array) {
  const int bytes = StorageBytes(array.element_type());
  std::vector<std::uint64_t> keys(array.element_count());
  ParallelFor(array.element_count(), kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, array.data() + i * bytes, bytes);
      keys[i] = AscendingKey(bits << (64 - 8 * bytes));
    }
  });
  return keys;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> KeysOfValues(const Literal& array) {
  if (IsComplexType(array.element_type())) return std::nullopt;
  if (!IsFloatingPointType(array.element_type())) return KeysOfIntegers(array);
  std::atomic<bool> has_nan = false;
  std::vector<std::uint64_t> keys = KeysOfReals(array, [&](double x) {
    if (std::isnan(x)) has_nan = true;
    return AscendingKey(std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x));
  });
  if (has_nan) return std::nullopt;
  return keys;
}

bool HasBitOrder(PrimitiveType type) {
  if (IsComplexType(type)) return false;
  if (!IsFloatingPointType(type)) return true;
  const FloatFormat& format = FloatFormatOf(type);
  return format.nan == NanEncoding::kIeee && format.bits() % 8 == 0;
}

std::optional<std::vector<std::uint64_t>> KeysOfTotalOrder(const Literal& array) {
  if (IsComplexType(array.element_type())) return std::nullopt;
  if (!IsFloatingPointType(array.element_type())) return KeysOfIntegers(array);
  if (HasBitOrder(array.element_type())) return KeysOfBits(array);
  return KeysOfReals(array, [](double x) { return AscendingKey(std::bit_cast<std::uint64_t>(x)); });
}

}  // namespace assay
