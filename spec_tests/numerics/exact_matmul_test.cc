#include "interpreter/numerics/exact_matmul.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "spec_tests/catch.h"
#include "spec_tests/numerics/sum_oracle.h"
#include "spec_tests/special_numbers.h"

using namespace assay;

namespace {

using testing::kInfinity;

struct ProductSizes {
  std::int64_t batch, m, n, k;
};

using Numbers = std::vector<double>;
using Generator = double (*)(std::mt19937_64&);

Numbers Generate(std::int64_t count, const Generator generator, std::mt19937_64& bits) {
  Numbers numbers(count);
  for (double& number : numbers) number = generator(bits);
  return numbers;
}

// Values of a type as the operand of a product.
Numbers Decoded(PrimitiveType type, Numbers numbers) {
  LoadReals(type, Store(type, numbers).data(), numbers.data(), static_cast<std::int64_t>(numbers.size()));
  return numbers;
}

double Normal(std::mt19937_64& bits) { return std::normal_distribution<double>()(bits); }
double SmallInteger(std::mt19937_64& bits) { return static_cast<double>(static_cast<int>(bits() % 7) - 3); }
// Returns a number below 2^26, so that products are up to 2^52: double holds sums of a few of them, and not of more.
double LargeInteger(std::mt19937_64& bits) {
  return static_cast<double>(static_cast<int>(bits() % (1 << 27)) - (1 << 26));
}
double WideInFloat(std::mt19937_64& bits) { return std::ldexp(Normal(bits), static_cast<int>(bits() % 200) - 100); }
double WideInDouble(std::mt19937_64& bits) { return std::ldexp(Normal(bits), static_cast<int>(bits() % 2000) - 1020); }
double Tiny(std::mt19937_64& bits) { return std::ldexp(Normal(bits), -500 - static_cast<int>(bits() % 60)); }
double SquareUnderflows(std::mt19937_64& bits) {
  return std::ldexp(Normal(bits), -560 - static_cast<int>(bits() % 99));
}
double WithSpecials(std::mt19937_64& bits) {
  constexpr double kSpecials[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), 0, -0.0, 1e300};
  return bits() % 8 == 0 ? kSpecials[bits() % 6] : Normal(bits);
}

std::vector<std::byte> Multiply(PrimitiveType type, const Numbers& lhs, const Numbers& rhs, ProductSizes d) {
  std::vector<std::byte> out(d.batch * d.m * d.n * StorageBytes(type));
  MatmulExact(type, lhs.data(), rhs.data(), d.batch, d.m, d.n, d.k, out.data());
  return out;
}

// Compares every `step`-th element with MPFR.
void CheckProduct(PrimitiveType type, const Numbers& lhs, const Numbers& rhs, ProductSizes d, std::int64_t step = 1) {
  const std::vector<std::byte> out = Multiply(type, lhs, rhs, d);
  Numbers got(d.batch * d.m * d.n);
  LoadReals(type, out.data(), got.data(), static_cast<std::int64_t>(got.size()));
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < d.batch * d.m * d.n; i += step) {
    const std::int64_t row = i / d.n, b = row / d.m, column = i % d.n;
    SumOracle oracle;
    for (std::int64_t l = 0; l < d.k; ++l) oracle.AddProduct(lhs[row * d.k + l], rhs[(b * d.k + l) * d.n + column]);
    REQUIRE(oracle.exact());
    if (!testing::SameNumber(got[i], oracle.RoundedTo(FloatFormatOf(type)))) ++wrong;
  }
  INFO(PrimitiveTypeName(type) << "[" << d.batch << "," << d.m << "," << d.n << "," << d.k << "]");
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("MatmulExact: every type, against MPFR") {
  std::mt19937_64 bits(1);
  const ProductSizes d = {2, 5, 9, 21};
  for (const PrimitiveType type : ArrayTypes()) {
    if (!IsFloatingPointType(type)) continue;
    for (const Generator generator : {Normal, SmallInteger, LargeInteger, WideInFloat, WideInDouble, WithSpecials}) {
      const Numbers lhs = Generate(d.batch * d.m * d.k, generator, bits);
      const Numbers rhs = Generate(d.batch * d.k * d.n, generator, bits);
      CheckProduct(type, Decoded(type, lhs), Decoded(type, rhs), d);
    }
  }
}

TEST_CASE("MatmulExact: thin, tiny and blocked shapes") {
  constexpr ProductSizes kSizes[] = {{1, 1, 1, 1},     {300, 1, 1, 9},    {3, 1, 40, 12}, {3, 40, 1, 12},
                                     {2, 200, 3, 9},   {5, 3, 2, 4},      {1, 7, 8, 9},   {1, 130, 5, 300},
                                     {1, 5, 130, 300}, {1, 131, 137, 10}, {1, 3, 9, 700}, {2, 260, 1, 3}};
  std::mt19937_64 bits(2);
  for (const ProductSizes& d : kSizes) {
    for (const PrimitiveType type : {F64, F32, BF16}) {
      const Numbers lhs = Decoded(type, Generate(d.batch * d.m * d.k, Normal, bits));
      const Numbers rhs = Decoded(type, Generate(d.batch * d.k * d.n, Normal, bits));
      CheckProduct(type, lhs, rhs, d, 1 + d.batch * d.m * d.n * d.k / 20000);
    }
  }
}

TEST_CASE("MatmulExact: operands of other types than the result") {
  std::mt19937_64 bits(3);
  const ProductSizes d = {1, 6, 10, 30};
  for (const PrimitiveType type : {F64, F32, F16, BF16, F8E5M2}) {
    CheckProduct(type, Generate(d.m * d.k, Normal, bits), Generate(d.k * d.n, Normal, bits), d);
    CheckProduct(type, Decoded(F8E4M3FN, Generate(d.m * d.k, Normal, bits)), Generate(d.k * d.n, WideInFloat, bits), d);
    CheckProduct(type, Generate(d.m * d.k, WideInDouble, bits), Generate(d.k * d.n, Normal, bits), d);
    // Products below the least double, and below what the norms can hold.
    CheckProduct(type, Generate(d.m * d.k, Tiny, bits), Generate(d.k * d.n, Tiny, bits), d);
    CheckProduct(type, Generate(d.m * d.k, Tiny, bits), Numbers(d.k * d.n, 0x1p540), d);
    CheckProduct(type, Generate(d.m * d.k, SquareUnderflows, bits), Numbers(d.k * d.n, 0x1p400), d);
  }
}

TEST_CASE("MatmulExact: operands of one number") {
  constexpr ProductSizes kSizes[] = {{1, 3, 9, 700}, {2, 5, 1, 21}, {1, 1, 12, 3}};
  for (const ProductSizes& d : kSizes) {
    for (const PrimitiveType type : {F64, F32, BF16, F8E4M3FN}) {
      for (const double number : {1.0, -0.1, 0x1p-530, 1e200, 0.0, -0.0, kInfinity}) {
        CheckProduct(type, Numbers(d.batch * d.m * d.k, number), Numbers(d.batch * d.k * d.n, 0.3), d);
      }
    }
  }
  // The last number of all differs.
  Numbers lhs(2 * 3 * 5, 1);
  lhs.back() = 2;
  CheckProduct(F32, lhs, Numbers(2 * 5 * 4, 1), {2, 3, 4, 5});
}

TEST_CASE("MatmulExact: terms that cancel to 30 digits and more") {
  std::mt19937_64 bits(4);
  const ProductSizes d = {1, 9, 9, 41};
  Numbers lhs(d.m * d.k), rhs(d.k * d.n);
  // Each pair of products cancels but for the last bits of one factor; the last product decides.
  for (std::int64_t l = 0; l + 1 < d.k; l += 2) {
    for (std::int64_t i = 0; i < d.m; ++i) {
      lhs[i * d.k + l] = static_cast<float>(std::ldexp(Normal(bits), static_cast<int>(bits() % 100)));
      lhs[i * d.k + l + 1] = -lhs[i * d.k + l];
    }
    for (std::int64_t j = 0; j < d.n; ++j) {
      rhs[l * d.n + j] = static_cast<float>(Normal(bits));
      rhs[(l + 1) * d.n + j] = rhs[l * d.n + j];
    }
  }
  for (std::int64_t i = 0; i < d.m; ++i) lhs[i * d.k + d.k - 1] = Normal(bits) * 0x1p-20;
  for (std::int64_t j = 0; j < d.n; ++j) rhs[(d.k - 1) * d.n + j] = Normal(bits);
  for (const PrimitiveType type : {F64, F32, F16, F8E4M3}) CheckProduct(type, lhs, rhs, d);
}

TEST_CASE("MatmulExact: products that approximations lose, of every shape") {
  constexpr ProductSizes kSizes[] = {{1, 1, 1, 9},     {300, 1, 1, 9}, {3, 1, 40, 12},
                                     {3, 40, 1, 12},   {2, 200, 3, 9}, {1, 130, 5, 300},
                                     {1, 5, 130, 300}, {1, 9, 9, 700}, {1, 131, 137, 10}};
  std::mt19937_64 bits(5);
  for (const ProductSizes& d : kSizes) {
    Numbers lhs = Generate(d.batch * d.m * d.k, Normal, bits), rhs = Generate(d.batch * d.k * d.n, Normal, bits);
    // Two large terms, which double cannot add, cancel with their opposites: twice the precision loses the others.
    for (std::int64_t row = 0; row < d.batch * d.m; ++row) {
      lhs[row * d.k] = 0x1p120, lhs[row * d.k + 1] = (static_cast<double>(row % 7) + 0.5) * 0x1p66;
      lhs[row * d.k + d.k - 2] = -lhs[row * d.k + 1], lhs[row * d.k + d.k - 1] = -0x1p120;
    }
    for (std::int64_t b = 0; b < d.batch; ++b) {
      for (const std::int64_t l : {std::int64_t{0}, std::int64_t{1}, d.k - 2, d.k - 1}) {
        std::fill_n(rhs.begin() + (b * d.k + l) * d.n, d.n, 1);
      }
    }
    for (const PrimitiveType type : {F64, F32, BF16}) {
      CheckProduct(type, Decoded(type, lhs), Decoded(type, rhs), d, 1 + d.batch * d.m * d.n * d.k / 20000);
    }
  }
}

TEST_CASE("MatmulExact: ties are broken by the least product") {
  const Numbers lhs = {1, 0x1p-12, 0x1p-149};
  const auto product = [&](double least) {
    const Numbers rhs = {1, 0x1p-12, least};
    float result;
    std::memcpy(&result, Multiply(F32, lhs, rhs, {1, 1, 1, 3}).data(), sizeof(result));
    return result;
  };
  CHECK(product(0) == 1);
  CHECK(product(0x1p-149) == 1 + 0x1p-23f);
  CHECK(product(-0x1p-149) == 1);
}

TEST_CASE("MatmulExact: one doubtful element among many, in rows and in columns") {
  std::mt19937_64 bits(7);
  constexpr std::int64_t kDepth = 70, kCount = 40;
  for (const double least : {0x1p-149, -0x1p-149}) {
    Numbers vector(kDepth), others = Generate(kDepth * kCount, Normal, bits);
    vector[0] = 1, vector[35] = 0x1p-12, vector[69] = 0x1p-149;
    for (std::int64_t l = 0; l < kDepth; ++l) others[l * kCount + 11] = l == 0 ? 1 : l == 35 ? 0x1p-12 : least;
    CheckProduct(F32, vector, others, {1, 1, kCount, kDepth});
    Numbers transposed(others.size());
    for (std::int64_t l = 0; l < kDepth; ++l) {
      for (std::int64_t j = 0; j < kCount; ++j) transposed[j * kDepth + l] = others[l * kCount + j];
    }
    CheckProduct(F32, transposed, vector, {1, kCount, 1, kDepth});
  }
}

TEST_CASE("MatmulExact: sums of nothing and of zeros") {
  const auto signs = [](const Numbers& lhs, const Numbers& rhs, ProductSizes d) {
    Numbers got(d.m * d.n);
    std::memcpy(got.data(), Multiply(F64, lhs, rhs, d).data(), got.size() * sizeof(double));
    std::vector<bool> result;
    for (const double value : got) {
      CHECK(value == 0);
      result.push_back(std::signbit(value));
    }
    return result;
  };
  CHECK(signs({}, {}, {1, 2, 2, 0}) == std::vector<bool>{false, false, false, false});
  CHECK(signs({-0.0, 0.0}, {1, -1}, {1, 1, 1, 2}) == std::vector<bool>{true});
  CHECK(signs({-0.0, 0.0}, {1, 1}, {1, 1, 1, 2}) == std::vector<bool>{false});
  CHECK(signs({1, 1}, {1, -1}, {1, 1, 1, 2}) == std::vector<bool>{false});
  CHECK(signs({0.0, 0.0}, {-1, -1}, {1, 1, 1, 2}) == std::vector<bool>{true});
  CHECK(Multiply(F32, {}, {}, {0, 3, 3, 3}).empty());
}

TEST_CASE("MatmulExact: overflow that cancels, and infinities") {
  const Numbers lhs = {1e300, 1e300, 3, kInfinity, 0, 0, kInfinity, -kInfinity, 0};
  const Numbers rhs = {1e300, 1, -1e300, 1, 1, 0};
  Numbers got(6);
  std::memcpy(got.data(), Multiply(F64, lhs, rhs, {1, 3, 2, 3}).data(), 6 * sizeof(double));
  CHECK(got[0] == 3);
  CHECK(got[1] == 2e300);
  CHECK(got[2] == kInfinity);
  CHECK(got[3] == kInfinity);
  CHECK(got[4] == kInfinity);  // inf * 1e300 + -inf * -1e300
  CHECK(std::isnan(got[5]));
}

TEST_CASE("MatmulComplexExact: both parts against MPFR") {
  std::mt19937_64 bits(5);
  const ProductSizes d = {2, 4, 3, 15};
  for (const PrimitiveType type : {C64, C128}) {
    const PrimitiveType component = ComplexComponentType(type);
    for (const Generator generator : {Normal, WideInFloat, SmallInteger, WithSpecials}) {
      const Numbers lhs = Decoded(component, Generate(2 * d.batch * d.m * d.k, generator, bits));
      const Numbers rhs = Decoded(component, Generate(2 * d.batch * d.k * d.n, generator, bits));
      std::vector<std::byte> out(d.batch * d.m * d.n * StorageBytes(type));
      MatmulComplexExact(type, lhs.data(), rhs.data(), d.batch, d.m, d.n, d.k, out.data());
      Numbers got(2 * d.batch * d.m * d.n);
      LoadReals(component, out.data(), got.data(), static_cast<std::int64_t>(got.size()));
      for (std::int64_t i = 0; i < d.batch * d.m * d.n; ++i) {
        SumOracle real, imaginary;
        for (std::int64_t l = 0; l < d.k; ++l) {
          const double* x = &lhs[2 * (i / d.n * d.k + l)];
          const double* y = &rhs[2 * ((i / d.n / d.m * d.k + l) * d.n + i % d.n)];
          real.AddProduct(x[0], y[0]);
          real.AddProduct(-x[1], y[1]);
          imaginary.AddProduct(x[0], y[1]);
          imaginary.AddProduct(x[1], y[0]);
        }
        CHECK(testing::SameNumber(got[2 * i], real.RoundedTo(FloatFormatOf(component))));
        CHECK(testing::SameNumber(got[2 * i + 1], imaginary.RoundedTo(FloatFormatOf(component))));
      }
    }
  }
}

TEMPLATE_TEST_CASE("MatmulInteger: modulo 2^32 and 2^64, against unlimited integers", "", std::uint32_t,
                   std::uint64_t) {
  using boost::multiprecision::cpp_int;
  std::mt19937_64 bits(6);
  for (const ProductSizes& d :
       {ProductSizes{3, 4, 5, 7}, {1, 1, 9, 3}, {1, 9, 1, 3}, {2, 3, 3, 0}, {2, 33, 17, 70}, {1, 40, 3, 64}}) {
    std::vector<TestType> lhs(d.batch * d.m * d.k), rhs(d.batch * d.k * d.n), out(d.batch * d.m * d.n, 1);
    for (TestType& x : lhs) x = bits();
    for (TestType& x : rhs) x = bits() % 2 == 0 ? bits() : 0 - bits() % 10;
    MatmulInteger(lhs.data(), rhs.data(), d.batch, d.m, d.n, d.k, out.data());
    for (std::int64_t i = 0; i < d.batch * d.m * d.n; ++i) {
      cpp_int sum = 0;
      for (std::int64_t l = 0; l < d.k; ++l) {
        sum += cpp_int(lhs[i / d.n * d.k + l]) * rhs[(i / d.n / d.m * d.k + l) * d.n + i % d.n];
      }
      CHECK(out[i] == static_cast<TestType>(sum % (cpp_int(1) << 8 * sizeof(TestType))));
    }
  }
  // -3 * 5 + 7 * 2 = -1 in s64.
  const std::uint64_t lhs[] = {0 - std::uint64_t{3}, 7}, rhs[] = {5, 2};
  std::uint64_t out;
  MatmulInteger(lhs, rhs, 1, 1, 1, 2, &out);
  CHECK(static_cast<std::int64_t>(out) == -1);
}
