// Complex functions at arguments of extreme sizes, against MPC at thousands of bits.
#include <mpc.h>

#include <cmath>
#include <random>
#include <vector>

#include "interpreter/numerics/complex.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace assay {
namespace {

// So few bits are halfway between two f64 numbers in ties only.
constexpr mpfr_prec_t kForTies = 2400;
// No sum of products of parts is rounded.
constexpr mpfr_prec_t kForProducts = 9000;

class MpcNumber {
 public:
  explicit MpcNumber(mpfr_prec_t bits, ComplexDouble z = {}) {
    mpc_init2(value, bits);
    mpc_set_d_d(value, z.real(), z.imag(), MPC_RNDNN);
  }
  ~MpcNumber() { mpc_clear(value); }
  MpcNumber(const MpcNumber&) = delete;
  MpcNumber& operator=(const MpcNumber&) = delete;

  ComplexDouble Rounded() const {
    return {mpfr_get_d(mpc_realref(value), MPFR_RNDN), mpfr_get_d(mpc_imagref(value), MPFR_RNDN)};
  }

  mpc_t value;
};

using MpcFunction = int (*)(mpc_ptr, mpc_srcptr, mpc_rnd_t);

// MPC rounds correctly at the precision of the result.
ComplexDouble ByMpc(MpcFunction function, ComplexDouble z) {
  const MpcNumber operand(53, z);
  MpcNumber result(kForTies);
  function(result.value, operand.value, MPC_RNDNN);
  return result.Rounded();
}

// Computes -i log((x + iy) / sqrt(x^2 + y^2)), term for term.
ComplexDouble Atan2ByMpc(ComplexDouble y, ComplexDouble x) {
  const MpcNumber a(kForProducts, x), b(kForProducts, y);
  MpcNumber iy(kForProducts), root(kForProducts), square(kForProducts), w(kForProducts);
  mpc_mul_i(iy.value, b.value, 1, MPC_RNDNN);
  mpc_sqr(root.value, a.value, MPC_RNDNN);
  mpc_sqr(square.value, b.value, MPC_RNDNN);
  mpc_add(root.value, root.value, square.value, MPC_RNDNN);
  mpc_sqrt(root.value, root.value, MPC_RNDNN);
  mpc_add(w.value, a.value, iy.value, MPC_RNDNN);
  mpc_div(w.value, w.value, root.value, MPC_RNDNN);
  mpc_log(w.value, w.value, MPC_RNDNN);
  mpc_mul_i(w.value, w.value, -1, MPC_RNDNN);
  return w.Rounded();
}

template <class... Operands>
ComplexDouble ValueOf(const auto& function, Operands... operands) {
  ComplexDouble result;
  Apply(function, C128, reinterpret_cast<const std::byte*>(&operands)..., reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

bool IsSame(ComplexDouble a, ComplexDouble b) {
  const auto is_same = [](double x, double y) { return x == y && std::signbit(x) == std::signbit(y); };
  return is_same(a.real(), b.real()) && is_same(a.imag(), b.imag());
}

struct Function {
  const char* name;
  const ComplexUnary& function;
  MpcFunction mpc;
};

void CheckAll(const std::vector<Function>& functions, const std::vector<ComplexDouble>& numbers, std::size_t step) {
  CHECK(!numbers.empty());
  for (const Function& one : functions) {
    for (std::size_t i = 0; i < numbers.size(); i += step) {
      const ComplexDouble z = numbers[i], got = ValueOf(one.function, z), want = ByMpc(one.mpc, z);
      if (IsSame(got, want)) continue;
      CAPTURE(std::string(one.name), z, got, want);
      CHECK(IsSame(got, want));
    }
  }
}

const std::vector<Function> kInverseFunctions = {
    {"asin", kComplexAsin, mpc_asin},    {"acos", kComplexAcos, mpc_acos},    {"atan", kComplexAtan, mpc_atan},
    {"asinh", kComplexAsinh, mpc_asinh}, {"acosh", kComplexAcosh, mpc_acosh}, {"atanh", kComplexAtanh, mpc_atanh}};

TEST_CASE("Inverse complex functions next to an axis, at their branch points, next to zero, and far from it") {
  const double majors[] = {0x1p-1074, 0x1.8p-1000, 0x1p-301, 1e-9, 0.47,  1 - 0x1p-53,
                           1,         1 + 0x1p-52, 1.25,     3.7,  1e200, 0x1.fffffffffffffp1023};
  const double minors[] = {0x1p-1074, 0x3p-1074, 0x1.23456789abcdfp-1022, 0x1.8p-901, 0x1p-302, 0x1.8p-3, 0x1.7p901};
  std::vector<ComplexDouble> numbers;
  for (const double major : majors) {
    for (const double minor : minors) {
      for (const double sign : {1.0, -1.0}) {
        for (const double other : {1.0, -1.0}) {
          numbers.emplace_back(sign * major, other * minor);
          numbers.emplace_back(other * minor, sign * major);
        }
      }
    }
  }
  // MPC is slow. Every seventeenth pair still has each major, each minor and all signs.
  CheckAll(kInverseFunctions, numbers, testing::IsNightly("inverse complex functions of all pairs of parts") ? 1 : 17);
  CHECK(numbers.size() == 672);
}

// Parts of all sizes; equal ones as often as others.
std::vector<ComplexDouble> NumbersOfAllSizes(std::size_t count, double most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> fraction(1, 2), exponent(-1074, most);
  std::vector<ComplexDouble> numbers;
  while (numbers.size() < count) {
    const auto part = [&] {
      return std::copysign(std::ldexp(fraction(random), static_cast<int>(exponent(random))), fraction(random) - 1.5);
    };
    const double real = part();
    numbers.emplace_back(real, random() % 2 == 0 ? part() : std::copysign(real, fraction(random) - 1.5));
    if (numbers.back().real() == 0 || numbers.back().imag() == 0) numbers.pop_back();
  }
  return numbers;
}

TEST_CASE("Complex functions of parts of all sizes") {
  const std::size_t count = testing::IsNightly("complex functions of 2000 numbers of all sizes") ? 2000 : 12;
  CheckAll(kInverseFunctions, NumbersOfAllSizes(count, 1023, 1), 1);
  // MPC does not end for a larger part whose exponential is to be taken.
  CheckAll({{"sin", kComplexSin, mpc_sin},
            {"cos", kComplexCos, mpc_cos},
            {"sinh", kComplexSinh, mpc_sinh},
            {"cosh", kComplexCosh, mpc_cosh}},
           NumbersOfAllSizes(count, 9, 2), 1);
}

TEST_CASE("The complex atan2 of parts of all sizes") {
  const std::size_t count = testing::IsNightly("the complex atan2 of 500 pairs of all sizes") ? 500 : 6;
  const std::vector<ComplexDouble> x = NumbersOfAllSizes(count, 1023, 3), other = NumbersOfAllSizes(count, 1023, 4);
  for (std::size_t i = 0; i < count; ++i) {
    const ComplexDouble conjugate(x[i].real(), -x[i].imag());
    // For y = x, the root of x^2 + y^2 has the angle of x: next to the cut if the real part is small.
    for (const ComplexDouble y : {x[i], -x[i], conjugate, other[i]}) {
      const ComplexDouble iy(-y.imag(), y.real());
      if (x[i] == iy || x[i] == -iy) continue;  // NaN by definition (docs/numerics.md#complex)
      // An imaginary part of zero has a sign of its own.
      const ComplexDouble got = ValueOf(kComplexAtan2, y, x[i]) + ComplexDouble(),
                          want = Atan2ByMpc(y, x[i]) + ComplexDouble();
      CAPTURE(x[i], y, got, want);
      CHECK(IsSame(got, want));
    }
  }
}

}  // namespace
}  // namespace assay
