// Balls contain their exact values, checked by MPFR at 600 bits, and are small.
#include "interpreter/numerics/ball.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/numerics/ball_functions.h"
#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/catch.h"
#include "spec_tests/numerics/function_reference.h"

namespace assay {
namespace {

class Exact {
 public:
  Exact() { mpfr_init2(value_, 600); }
  explicit Exact(const Ball& ball) : Exact() {
    mpfr_set_d(value_, ball.hi, MPFR_RNDN);
    mpfr_add_d(value_, value_, ball.lo, MPFR_RNDN);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

bool Contains(const Ball& ball, Exact& number) {
  Exact distance(ball);
  mpfr_sub(distance.get(), distance.get(), number.get(), MPFR_RNDN);
  return mpfr_number_p(number.get()) != 0 && mpfr_cmpabs(distance.get(), Exact(Ball(ball.radius)).get()) <= 0;
}

// hi + lo with low parts of all sizes, positive or negative, 2^-40 to 2^40.
Ball RandomBall(std::mt19937_64& random) {
  const double high =
      std::ldexp(static_cast<double>(static_cast<std::int64_t>(random() | 1)), static_cast<int>(random() % 80) - 103);
  const double low = high * std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                       -117 - static_cast<int>(random() % 60));
  return {high, low, 0};
}

TEST_CASE("Operations on balls contain the exact result and are good to 2^-99") {
  std::mt19937_64 random(1);
  std::size_t missed = 0;
  std::size_t wide = 0;
  for (int i = 0; i < 20000; ++i) {
    Ball a = RandomBall(random);
    Ball b = RandomBall(random);
    // A third of the sums and differences cancel to a few bits, or to the low parts.
    if (i % 3 == 0) b = {a.hi * (1 + std::ldexp(1.0, -static_cast<int>(random() % 54))), b.lo * (a.hi / b.hi), 0};
    Exact x(a);
    Exact y(b);
    Exact result;
    const auto check = [&](const Ball& got) {
      missed += Contains(got, result) ? 0 : 1;
      wide += got.radius > std::fabs(got.hi) * 0x1p-99 ? 1 : 0;
    };
    mpfr_add(result.get(), x.get(), y.get(), MPFR_RNDN);
    check(a + b);
    mpfr_sub(result.get(), x.get(), y.get(), MPFR_RNDN);
    check(a - b);
    mpfr_mul(result.get(), x.get(), y.get(), MPFR_RNDN);
    check(a * b);
    mpfr_mul_d(result.get(), x.get(), b.hi, MPFR_RNDN);
    check(a * b.hi);
    mpfr_div(result.get(), x.get(), y.get(), MPFR_RNDN);
    check(a / b);
    mpfr_abs(result.get(), x.get(), MPFR_RNDN);
    mpfr_sqrt(result.get(), result.get(), MPFR_RNDN);
    check(Sqrt(Abs(a)));
  }
  CHECK(missed == 0);
  CHECK(wide == 0);
}

// The operands' own radii: the results of both ends of the balls stay inside.
TEST_CASE("Results contain all numbers of the operands' balls") {
  std::mt19937_64 random(2);
  std::size_t missed = 0;
  for (int i = 0; i < 5000; ++i) {
    const double spread = std::ldexp(1.0, -2 - static_cast<int>(random() % 60));
    Ball a = Abs(RandomBall(random));
    Ball b = RandomBall(random);
    a.radius = a.hi * spread * 0.9;
    b.radius = std::fabs(b.hi) * spread * 0.9;
    for (const int ends : {0, 1, 2, 3}) {
      Exact x(a);
      Exact y(b);
      Exact result;
      (ends & 1) != 0 ? mpfr_add_d(x.get(), x.get(), a.radius, MPFR_RNDN)
                      : mpfr_sub_d(x.get(), x.get(), a.radius, MPFR_RNDN);
      (ends & 2) != 0 ? mpfr_add_d(y.get(), y.get(), b.radius, MPFR_RNDN)
                      : mpfr_sub_d(y.get(), y.get(), b.radius, MPFR_RNDN);
      mpfr_add(result.get(), x.get(), y.get(), MPFR_RNDN);
      missed += Contains(a + b, result) ? 0 : 1;
      mpfr_mul(result.get(), x.get(), y.get(), MPFR_RNDN);
      missed += Contains(a * b, result) ? 0 : 1;
      mpfr_div(result.get(), x.get(), y.get(), MPFR_RNDN);
      missed += Contains(a / b, result) ? 0 : 1;
      mpfr_sqrt(result.get(), x.get(), MPFR_RNDN);
      missed += Contains(Sqrt(a), result) ? 0 : 1;
    }
  }
  CHECK(missed == 0);
}

TEST_CASE("Balls of unbounded results are NaN") {
  CHECK(std::isnan((Ball(1) / Ball(1, 0, 2)).radius));
  CHECK(std::isnan(Sqrt(Ball(1, 0, 2)).radius));
  CHECK(std::isnan(Sqrt(Ball(-1)).hi));
  CHECK(std::isnan(RoundedToF64(Ball(0x1p1000) * Ball(0x1p1000))));
  // Underflow widens the ball until no f64 number is certain.
  CHECK(std::isnan(RoundedToF64(Ball(0x1.8p-530) * Ball(0x1.8p-530))));
}

TEST_CASE("A ball rounds where both its ends do") {
  CHECK(RoundedToF64({1, 0x1p-54, 0x1p-100}) == 1);
  CHECK(RoundedToF64({1, 0x1p-53 - 0x1p-100, 0x1p-101}) == 1);
  CHECK(RoundedToF64({1, 0x1p-53, 0x1p-104}) != 1);
  CHECK(std::isnan(RoundedToF64({1, 0x1p-53, 0x1p-104})));
  CHECK(std::isnan(RoundedToF64({1, 0x1p-53 - 0x1p-100, 0x1p-99})));
  CHECK(std::isnan(RoundedToF64({1, -0x1p-54, 0x1p-104})));
  CHECK(std::isnan(RoundedToF64({0, 0, 0})));
}

// Around the middle between two neighbors of a format, where errors matter most.
TEST_CASE("A ball's bits in a format are those of all its numbers, or it has none") {
  std::mt19937_64 random(6);
  for (const PrimitiveType type : {F64, F32, BF16, F16, F8E5M2, F8E4M3FN, F8E8M0FNU, F6E3M2FN, F4E2M1FN}) {
    const FloatFormat& format = FloatFormatOf(type);
    std::size_t certain = 0;
    std::size_t in_doubt = 0;
    std::size_t wrong = 0;
    for (int i = 0; i < 2000; ++i) {
      const double value = std::fabs(RandomReal(type, random));
      const std::uint64_t bits = RoundDouble(format, value);
      if (!(value > 0x1p-1000 && value < 0x1p1000) || bits + 1 > format.max_finite_bits()) continue;
      const double gap = ToDouble(format, bits + 1) - value;
      // At a distance from the middle that is more or less than the radius; for f64 in the low part.
      const double distance =
          gap / 2 *
          std::ldexp(random() % 2 != 0 ? 1.0 : -1.0, -1 - static_cast<int>(random() % (type == F64 ? 40 : 20)));
      const double radius = std::fabs(distance) * (random() % 2 != 0 ? 0.125 : 1.5);
      const double high = type == F64 ? value : value + gap / 2 + distance;
      const double low = type == F64 ? gap / 2 - std::fabs(distance) : high * 0x1p-54;
      const auto got = CertainBits(format, {high, low, radius});
      const std::uint64_t lower = RoundDoubleDouble(format, high, low - radius);
      const std::uint64_t upper = RoundDoubleDouble(format, high, low + radius);
      certain += got ? 1 : 0;
      in_doubt += got ? 0 : 1;
      wrong += got && (*got != lower || *got != upper) ? 1 : 0;
    }
    CAPTURE(PrimitiveTypeName(type), certain, in_doubt);
    CHECK(wrong == 0);
    CHECK(certain > 200);
    CHECK(in_doubt > 200);
    const double three_quarters = (ToDouble(format, 1) + ToDouble(format, 2) * 3) / 4;
    CHECK(CertainBits(format, {three_quarters, 0, three_quarters * 0x1p-40}) == RoundDouble(format, three_quarters));
  }
}

TEST_CASE("The ball of an enclosed number contains it") {
  const EnclosedReal third = EnclosedReal(1, kFirstPrecision) / EnclosedReal(3, kFirstPrecision);
  const Ball ball = third.ToBall();
  Exact exact(Ball(1));
  mpfr_div_ui(exact.get(), exact.get(), 3, MPFR_RNDN);
  CHECK(Contains(ball, exact));
  CHECK(ball.radius < 0x1p-100);
  CHECK(std::isnan((EnclosedReal(INFINITY, kFirstPrecision) + third).ToBall().hi));
}

// Operands where a function is small, large or near the end of its table.
std::vector<double> Operands(std::mt19937_64& random) {
  std::vector<double> operands = {6381956970095103 * 0x1p797,
                                  0x1.921fb54442d18p0,
                                  0x1.921fb54442d18p1,
                                  0x1p27,
                                  0x1.0000000000001p27,
                                  0x1.fffffffffffffp1023,
                                  5.999999,
                                  6,
                                  709.7,
                                  -745,
                                  -801,
                                  801,
                                  0.0029,
                                  0x1p-500,
                                  0x1p500,
                                  1 - 0x1p-53,
                                  1 + 0x1p-52};
  for (int n = 1; n < 400; ++n) operands.push_back(n * 0x1.921fb54442d18p-1);
  for (int i = 0; i < 3000; ++i) operands.push_back(RandomReal(F64, random));
  return operands;
}

// True if operations may underflow, so that the radius is not relative to the number any more.
bool NearUnderflow(double x) { return std::fabs(x) < 0x1p-900; }

template <class Case, class... Operands>
void CheckBalls(const Case& of, const Operands&... operands) {
  const std::size_t count = std::min({operands.size()...});
  std::vector<Ball> balls(count);
  of.function->enclose(operands.data()..., balls.data(), static_cast<std::int64_t>(count));
  std::size_t missed = 0;
  std::size_t known = 0;
  std::size_t wide = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(balls[i].hi) || !std::isfinite(balls[i].radius)) continue;
    Exact value;
    of.reference(value.get(), Exact(Ball(operands[i])).get()...);
    ++known;
    missed += Contains(balls[i], value) ? 0 : 1;
    const bool is_wide = balls[i].radius > std::fabs(balls[i].hi) * 0x1p-60;
    const bool is_one = of.name == "erf" && ((std::fabs(operands[i]) >= 6) || ...);
    wide += is_wide && !is_one && !NearUnderflow(balls[i].hi) && !(NearUnderflow(operands[i]) || ...) ? 1 : 0;
  }
  CAPTURE(of.name);
  CHECK(missed == 0);
  CHECK(wide == 0);
  CHECK(known > count / 8);
}

TEST_CASE("Functions as balls contain MPFR's value and are good to 2^-60") {
  std::mt19937_64 random(3);
  const std::vector<double> operands = Operands(random);
  for (const UnaryCase& unary : UnaryCases()) CheckBalls(unary, operands);
}

TEST_CASE("Functions of two numbers as balls contain MPFR's value and are good to 2^-60") {
  std::mt19937_64 random(4);
  const std::vector<double> lhs = Operands(random);
  std::vector<double> rhs = lhs;
  std::shuffle(rhs.begin(), rhs.end(), random);
  for (const BinaryCase& binary : BinaryCases()) CheckBalls(binary, lhs, rhs);
}

// The loops are compiled for machines with and without a fused multiply-add; this file is compiled for the latter.
TEST_CASE("Balls are the same numbers with and without fused instructions") {
  std::mt19937_64 random(5);
  const std::vector<double> operands = Operands(random);
  const std::pair<const RealUnary*, Ball (*)(double)> functions[] = {
      {&kExp, [](double x) { return Exp(x); }},   {&kLog, [](double x) { return Log(x); }},
      {&kSin, [](double x) { return Sin(x); }},   {&kAsin, [](double x) { return Asin(x); }},
      {&kErf, [](double x) { return Erf(x); }},   {&kTanh, [](double x) { return Tanh(x); }},
      {&kCbrt, [](double x) { return Cbrt(x); }}, {&kRsqrt, [](double x) { return Rsqrt(x); }}};
  for (const auto& [function, plain] : functions) {
    std::vector<Ball> balls(operands.size());
    function->enclose(operands.data(), balls.data(), static_cast<std::int64_t>(operands.size()));
    std::size_t different = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Ball ball = plain(operands[i]);
      const bool unknown = std::isnan(ball.radius) && std::isnan(balls[i].radius);
      const bool same = ball.hi == balls[i].hi && ball.lo == balls[i].lo && ball.radius == balls[i].radius;
      different += unknown || same ? 0 : 1;
    }
    CHECK(different == 0);
  }
}

}  // namespace
}  // namespace assay
