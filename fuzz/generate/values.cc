#include "fuzz/generate/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/numerics/special_patterns.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay::generate {
namespace {

struct NamedClass {
  EdgeClass edge_class;
  std::string_view name;
};
constexpr NamedClass kNames[] = {
    {EdgeClass::kNormal, "normal"},
    {EdgeClass::kAnyBits, "any-bits"},
    {EdgeClass::kSpecials, "specials"},
    {EdgeClass::kWide, "wide"},
    {EdgeClass::kPositive, "positive"},
    {EdgeClass::kCancelling, "cancelling"},
    {EdgeClass::kShort, "short"},
    {EdgeClass::kSparse, "sparse"},
    {EdgeClass::kDominated, "dominated"},
    {EdgeClass::kTies, "ties"},
    {EdgeClass::kTiny, "tiny"},
    {EdgeClass::kHuge, "huge"},
    {EdgeClass::kSmallIntegers, "small-integers"},
    {EdgeClass::kBoundaries, "boundaries"},
    {EdgeClass::kConstant, "constant"},
    {EdgeClass::kDistinct, "distinct"},
    {EdgeClass::kSorted, "sorted"},
};

// The classes from which kConstant and kSorted draw their numbers.
constexpr EdgeClass kOfNumbers[] = {EdgeClass::kNormal, EdgeClass::kAnyBits, EdgeClass::kSpecials,
                                    EdgeClass::kWide,   EdgeClass::kTies,    EdgeClass::kBoundaries};

// Returns a power of two at the end of an integer type's range, or one of its neighbors.
std::uint64_t Boundary(Random& random) {
  const std::uint64_t power = std::uint64_t{1} << random.OneOf({0, 1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 53, 63});
  const auto near = power + static_cast<std::uint64_t>(random.Between(-1, 1));
  return random.Flip() ? near : -near;
}

// Random numbers of a float format, as bit patterns.
class RealValues {
 public:
  RealValues(Random& random, const FloatFormat& format)
      : random_(random),
        format_(format),
        width_(static_cast<int>(random.Between(1, std::min(60, 1 << (format.exponent_bits - 1))))),
        period_(static_cast<int>(random.Between(2, 32))) {}

  std::uint64_t Draw(EdgeClass edge_class, std::int64_t i) {
    if (edge_class == EdgeClass::kAnyBits) return random_.Bits() & (format_.sign_mask() | format_.magnitude_mask());
    if (edge_class == EdgeClass::kSpecials) return Special();
    if (edge_class == EdgeClass::kDistinct) return Distinct(i);
    return RoundDouble(format_, Number(edge_class, i));
  }

  void Sort(std::vector<std::uint64_t>& patterns) {
    // NaNs are unordered: they come first.
    const auto numbers =
        std::stable_partition(patterns.begin(), patterns.end(), [&](std::uint64_t p) { return format_.is_nan(p); });
    std::stable_sort(numbers, patterns.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return ToDouble(format_, a) < ToDouble(format_, b); });
  }

 private:
  // Scales x by a power of two with an exponent in [least, most].
  double Scaled(double x, int least, int most) { return std::ldexp(x, static_cast<int>(random_.Between(least, most))); }
  double Sign(double magnitude) { return random_.Flip() ? magnitude : -magnitude; }

  std::uint64_t Special() {
    if (specials_.empty()) specials_ = SpecialPatterns(format_);
    return random_.OneOf(specials_);
  }

  double Number(EdgeClass edge_class, std::int64_t i) {
    switch (edge_class) {
      case EdgeClass::kWide:
        return Sign(Scaled(1 + random_.Unit(), -width_, width_));
      case EdgeClass::kPositive:
        return 1 + random_.Unit();
      case EdgeClass::kCancelling: {
        const bool is_first = i % 2 == 0;
        previous_ = is_first ? Scaled(random_.Normal(), 0, width_ / 2) : -previous_ * (1 + random_.Unit() * 0x1p-10);
        return previous_;
      }
      case EdgeClass::kShort:
        return Short(1 + period_ % (format_.precision() / 2 + 1));
      case EdgeClass::kSparse:
        return random_.OneIn(period_) ? random_.Normal() : 0;
      case EdgeClass::kDominated:
        return std::ldexp(random_.Normal(), i % period_ == 0 ? width_ / 2 : 0);
      case EdgeClass::kTies:
        return Tie();
      case EdgeClass::kTiny:
        return Scaled(random_.Normal(), format_.min_exponent() - 3, format_.min_exponent() + 3);
      case EdgeClass::kHuge:
        return Scaled(random_.Normal(), format_.bias - 8, format_.bias);
      case EdgeClass::kSmallIntegers:
        return static_cast<double>(random_.Between(-8, 8));
      case EdgeClass::kBoundaries: {
        const auto boundary = static_cast<double>(static_cast<std::int64_t>(Boundary(random_)));
        return random_.OneIn(4) ? boundary / 2 : boundary;
      }
      default:
        return random_.Normal();
    }
  }

  // Returns a number of so many bits.
  double Short(int bits) {
    int exponent = 0;
    const double fraction = std::frexp(random_.Normal(), &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
  }

  // Returns a number with one bit more than a narrower format has, at one of its exponents; or an integer and a half.
  // Up to half of the narrower formats are existing ones.
  double Tie() {
    const int known = random_.OneOf({3, 4, 8, 11, 24});
    const bool is_known = random_.Flip() && known < format_.precision();
    const int bits = is_known ? known : static_cast<int>(random_.Between(1, format_.precision() - 1));
    const double odd = static_cast<double>(2 * random_.Below(std::int64_t{1} << bits) + 1);
    const double tie = std::ldexp(odd, random_.Flip() ? -1 : static_cast<int>(random_.Between(-width_, width_)) - bits);
    if (!random_.OneIn(4)) return Sign(tie);
    return Sign(tie * (1 + std::ldexp(random_.Flip() ? 1 : -1, 1 - format_.precision())));  // next to a tie
  }

  // Returns patterns of finite numbers in order, from a start, at a constant distance.
  std::uint64_t Distinct(std::int64_t i) {
    const std::uint64_t finite = format_.max_finite_bits() + 1, signs = format_.has_sign ? 2 : 1;
    if (i == 0) {
      first_ = random_.Bits() % (finite * signs);
      // Odd numbers have no factor in common with a power of two, and seldom one with the count.
      step_ = random_.OneIn(3) ? 1 : random_.Bits() >> 8 | 1;
    }
    __extension__ using Wide = unsigned __int128;
    const auto place =
        static_cast<std::uint64_t>((first_ + static_cast<Wide>(step_) * static_cast<Wide>(i)) % (finite * signs));
    return place < finite ? place : format_.sign_mask() | (place - finite);
  }

  Random& random_;
  const FloatFormat& format_;
  std::vector<std::uint64_t> specials_;  // empty until one is drawn
  const int width_;                      // of the exponents of kWide
  const int period_;                     // of the large numbers of kDominated
  double previous_ = 0;
  std::uint64_t first_ = 0, step_ = 1;
};

// Random integers of a width, each modulo 2^64.
class Integers {
 public:
  Integers(Random& random, PrimitiveType type)
      : random_(random), type_(type), width_(type == PRED ? 1 : BitWidth(type)) {}

  std::uint64_t Draw(EdgeClass edge_class, std::int64_t i) {
    if (type_ == PRED)
      return edge_class == EdgeClass::kDistinct ? static_cast<std::uint64_t>(i % 2) : random_.Bits() & 1;
    const auto between = [&](std::int64_t least, std::int64_t most) {
      return static_cast<std::uint64_t>(random_.Between(IsSignedIntegralType(type_) ? least : 0, most));
    };
    switch (edge_class) {
      case EdgeClass::kAnyBits:
        return random_.Bits();
      case EdgeClass::kSpecials:
        return random_.OneOf({std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, Largest(), Largest() + 1});
      case EdgeClass::kWide: {
        const std::uint64_t bits = random_.Bits() >> random_.Below(64);
        return random_.Flip() ? bits : -bits;
      }
      case EdgeClass::kPositive:
        return 1 + static_cast<std::uint64_t>(random_.Below(8));
      case EdgeClass::kCancelling:
        return previous_ = i % 2 == 0 ? between(-99, 99) : -previous_;
      case EdgeClass::kTies:
      case EdgeClass::kBoundaries:
        return Boundary(random_);
      case EdgeClass::kTiny:
        return between(-1, 1);
      case EdgeClass::kSparse:
        return random_.OneIn(8) ? between(-50, 50) : 0;
      case EdgeClass::kDominated:
        return i % 16 == 0 ? Largest() >> 2 : between(-8, 8);
      case EdgeClass::kHuge:
        return Largest() + static_cast<std::uint64_t>(random_.Between(-3, 3));
      case EdgeClass::kSmallIntegers:
        return between(-8, 8);
      case EdgeClass::kDistinct:
        if (i == 0) step_ = random_.Bits() | 1;
        return static_cast<std::uint64_t>(i) * step_;
      default:
        return between(-50, 50);
    }
  }

  void Sort(std::vector<std::uint64_t>& numbers) {
    const int unused = 64 - width_;
    // Sorts by value: bits above the type's width do not count, except for the sign.
    if (IsSignedIntegralType(type_)) {
      std::ranges::sort(numbers, {}, [&](std::uint64_t n) { return static_cast<std::int64_t>(n << unused); });
    } else {
      std::ranges::sort(numbers, {}, [&](std::uint64_t n) { return n << unused; });
    }
  }

 private:
  std::uint64_t Largest() const {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - width_);
    return IsSignedIntegralType(type_) ? all >> 1 : all;
  }

  Random& random_;
  const PrimitiveType type_;
  const int width_;
  std::uint64_t previous_ = 0, step_ = 1;
};

template <class Numbers>
std::vector<std::uint64_t> DrawNumbers(Random& random, Numbers numbers, EdgeClass edge_class, std::int64_t count) {
  const bool is_constant = edge_class == EdgeClass::kConstant, is_sorted = edge_class == EdgeClass::kSorted;
  if (is_constant || is_sorted) edge_class = random.OneOf(kOfNumbers);
  if (is_constant) return std::vector<std::uint64_t>(count, numbers.Draw(edge_class, 0));
  std::vector<std::uint64_t> drawn(count);
  for (std::int64_t i = 0; i < count; ++i) drawn[i] = numbers.Draw(edge_class, i);
  if (is_sorted) {
    numbers.Sort(drawn);
    if (random.Flip()) std::ranges::reverse(drawn);
  }
  return drawn;
}

void StoreNumbers(Literal& literal, PrimitiveType type, const std::vector<std::uint64_t>& numbers) {
  std::byte* out = literal.mutable_data();
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (IsIntegralType(type)) return StoreIntegers(type, numbers.data(), out, count);
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(out + i * StorageBytes(type), &numbers[i], StorageBytes(type));
  }
}

std::int64_t Index(Random& random, std::int64_t limit) {
  if (limit > 0 && !random.OneIn(6)) return random.Below(limit);
  return random.OneOf<std::int64_t>({0, limit - 1, limit, limit + 1, -1, -limit, INT32_MAX, INT32_MIN});
}

}  // namespace

std::span<const EdgeClass> AllEdgeClasses() {
  static const std::vector<EdgeClass> all = [] {
    std::vector<EdgeClass> classes;
    for (const NamedClass& named : kNames) classes.push_back(named.edge_class);
    return classes;
  }();
  return all;
}

std::string_view EdgeClassName(EdgeClass edge_class) {
  return std::ranges::find(kNames, edge_class, &NamedClass::edge_class)->name;
}

Literal DrawValue(Random& random, const Shape& shape, EdgeClass edge_class) {
  if (shape.IsToken()) return Literal::MakeToken();
  Literal literal(shape);
  for (Literal& element : literal.mutable_elements()) element = DrawValue(random, element.shape(), edge_class);
  if (!shape.IsArray()) return literal;
  const PrimitiveType type = ComplexComponentType(shape.element_type());
  const std::int64_t count = literal.element_count() * ComponentCount(shape.element_type());
  const bool is_real = IsFloatingPointType(type);
  StoreNumbers(literal, type,
               is_real ? DrawNumbers(random, RealValues(random, FloatFormatOf(type)), edge_class, count)
                       : DrawNumbers(random, Integers(random, type), edge_class, count));
  return literal;
}

Literal ScalarOf(PrimitiveType type, double number) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  if (!IsFloatingPointType(ComplexComponentType(type))) {
    StoreNumbers(literal, type, {static_cast<std::uint64_t>(static_cast<std::int64_t>(number))});
    return literal;
  }
  const double parts[] = {number, 0};
  StoreReals(ComplexComponentType(type), parts, literal.mutable_data(), ComponentCount(type));
  return literal;
}

Literal DrawIndices(Random& random, const Shape& shape, std::span<const std::int64_t> limits, std::int64_t dimension) {
  Literal literal(shape);
  std::int64_t stride = 1;
  for (std::int64_t d = dimension + 1; d < shape.rank(); ++d) stride *= shape.dimensions(d);
  std::vector<std::uint64_t> indices;
  const auto count = static_cast<std::int64_t>(limits.size());
  for (std::int64_t i = 0; i < literal.element_count(); ++i) {
    indices.push_back(static_cast<std::uint64_t>(Index(random, limits[i / stride % count])));
  }
  StoreNumbers(literal, shape.element_type(), indices);
  return literal;
}

Literal DrawIntegers(Random& random, const Shape& shape, std::int64_t least, std::int64_t most) {
  Literal literal(shape);
  std::vector<std::uint64_t> numbers(literal.element_count());
  for (std::uint64_t& number : numbers) number = static_cast<std::uint64_t>(random.Between(least, most));
  StoreNumbers(literal, shape.element_type(), numbers);
  return literal;
}

Literal DrawPositiveDefinite(Random& random, const Shape& shape) {
  const bool is_complex = IsComplexType(shape.element_type());
  const std::int64_t n = shape.dimensions().back();
  Literal literal(shape);
  std::vector<double> reals;
  for (std::int64_t matrix = 0; n > 0 && matrix < literal.element_count() / (n * n); ++matrix) {
    std::vector<double> b(2 * n * n);
    for (double& x : b) x = random.Normal();
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double real = i == j ? 1 : 0, imaginary = 0;
        for (std::int64_t k = 0; k < n; ++k) {
          const double *x = &b[2 * (i * n + k)], *y = &b[2 * (j * n + k)];
          real += x[0] * y[0] + (is_complex ? x[1] * y[1] : 0);
          imaginary += x[1] * y[0] - x[0] * y[1];
        }
        reals.push_back(real);
        if (is_complex) reals.push_back(i == j ? 0 : imaginary);
      }
    }
  }
  StoreReals(ComplexComponentType(shape.element_type()), reals.data(), literal.mutable_data(),
             static_cast<std::int64_t>(reals.size()));
  return literal;
}

}  // namespace assay::generate
