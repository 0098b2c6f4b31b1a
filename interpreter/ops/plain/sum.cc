#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/plain/plain.h"

namespace assay::plain {
namespace {

using boost::multiprecision::cpp_int;

// The number significand * 2^exponent.
struct Dyadic {
  cpp_int significand = 0;
  int exponent = 0;
};

Dyadic DyadicOf(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return {static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) { return {a.significand * b.significand, a.exponent + b.exponent}; }

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.exponent > b.exponent) return b + a;
  return {a.significand + (b.significand << (b.exponent - a.exponent)), a.exponent};
}

// Rounds a sum once. The value must not be zero, because a Dyadic does not hold the sign of zero.
std::uint64_t RoundedSum(const FloatFormat& format, const Dyadic& value) {
  const bool is_negative = value.significand < 0;
  cpp_int magnitude = abs(value.significand);
  int exponent = value.exponent;
  bool is_inexact = false;
  if (const int excess = static_cast<int>(msb(magnitude)) + 1 - 120; excess > 0) {
    is_inexact = lsb(magnitude) < static_cast<unsigned>(excess);
    magnitude >>= excess;
    exponent += excess;
  }
  return Round(format, is_negative, static_cast<uint128>(magnitude), exponent, is_inexact);
}

// An exact sum of real numbers, and flags for its non-finite terms.
class RealSum {
 public:
  void Add(double term) {
    AddSpecial(term);
    if (std::isfinite(term)) finite_ = finite_ + DyadicOf(term);
  }

  void AddProduct(double a, double b) {
    // The product of doubles has the correct sign, infinity and NaN, but not the exact value.
    AddSpecial(std::isfinite(a) && std::isfinite(b) && a != 0 && b != 0 ? std::copysign(1, a) * std::copysign(1, b)
                                                                        : a * b);
    if (std::isfinite(a) && std::isfinite(b)) finite_ = finite_ + DyadicOf(a) * DyadicOf(b);
  }

  std::uint64_t RoundedTo(const FloatFormat& format) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (has_nan_ || (has_infinity_ && has_negative_infinity_)) {
      return RoundDouble(format, std::numeric_limits<double>::quiet_NaN());
    }
    if (has_infinity_) return RoundDouble(format, kInfinity);
    if (has_negative_infinity_) return RoundDouble(format, -kInfinity);
    if (finite_.significand == 0) return RoundDouble(format, has_negative_zero_ && !has_other_ ? -0.0 : 0.0);
    return RoundedSum(format, finite_);
  }

 private:
  void AddSpecial(double term) {
    has_nan_ |= std::isnan(term);
    has_infinity_ |= std::isinf(term) && term > 0;
    has_negative_infinity_ |= std::isinf(term) && term < 0;
    const bool is_negative_zero = term == 0 && std::signbit(term);
    (is_negative_zero ? has_negative_zero_ : has_other_) = true;
  }

  Dyadic finite_;
  bool has_nan_ = false, has_infinity_ = false, has_negative_infinity_ = false;
  bool has_negative_zero_ = false, has_other_ = false;  // among all terms
};

bool IsWhole(PrimitiveType type) { return type == PRED || IsIntegralType(type); }

std::uint64_t WholeOf(const Element& element) { return static_cast<std::uint64_t>(IntegerOf(element)); }

}  // namespace

struct Sum::Parts {
  RealSum real, imaginary;
  std::uint64_t whole = 0;
};

Sum::Sum(PrimitiveType type) : type_(type), parts_(std::make_unique<Parts>()) {}
Sum::Sum(Sum&&) noexcept = default;
Sum::~Sum() = default;

Element Sum::Operand(const Element& element) const {
  const bool keeps_value = IsWhole(type_) == IsWhole(element.type) && type_ != PRED &&
                           (IsComplexType(type_) || !IsComplexType(element.type));
  return keeps_value ? element : ConvertedTo(ComplexComponentType(type_), element);
}

void Sum::Add(const Element& term) {
  const Element value = Operand(term);
  if (type_ == PRED) {
    parts_->whole |= WholeOf(value);
  } else if (IsWhole(type_)) {
    parts_->whole += WholeOf(value);
  } else {
    parts_->real.Add(RealPart(value));
    if (IsComplexType(type_)) parts_->imaginary.Add(ImaginaryPart(value));
  }
}

void Sum::AddProduct(const Element& a, const Element& b) {
  const Element x = Operand(a), y = Operand(b);
  if (type_ == PRED) {
    parts_->whole |= WholeOf(x) & WholeOf(y);
  } else if (IsWhole(type_)) {
    parts_->whole += WholeOf(x) * WholeOf(y);
  } else {
    parts_->real.AddProduct(RealPart(x), RealPart(y));
    if (!IsComplexType(type_)) return;
    parts_->real.AddProduct(-ImaginaryPart(x), ImaginaryPart(y));
    parts_->imaginary.AddProduct(RealPart(x), ImaginaryPart(y));
    parts_->imaginary.AddProduct(ImaginaryPart(x), RealPart(y));
  }
}

Element Sum::Rounded() const {
  Element result{.type = type_};
  if (IsWhole(type_)) {
    StoreIntegers(type_, &parts_->whole, result.storage.data(), 1);
    return result;
  }
  const PrimitiveType part = ComplexComponentType(type_);
  const auto store = [&](const RealSum& sum, int place) {
    const std::uint64_t bits = sum.RoundedTo(FloatFormatOf(part));
    std::memcpy(result.storage.data() + place * StorageBytes(part), &bits, StorageBytes(part));
  };
  store(parts_->real, 0);
  if (IsComplexType(type_)) store(parts_->imaginary, 1);
  return result;
}

}  // namespace assay::plain
