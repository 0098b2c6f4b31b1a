// cholesky: the factor of a Hermitian positive definite matrix, rounded once.
#include <algorithm>
#include <cmath>

#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Cholesky(const Literal& a, bool lower) {
  Graph g;
  return Evaluate(g.Add(op_cholesky, {&g.Parameter(a.shape())}, {{"lower", lower}}), {a});
}
std::vector<double> Cholesky(PrimitiveType type, Dimensions dimensions, const std::vector<double>& a,
                             bool lower = true) {
  return Numbers(Cholesky(Array(type, std::move(dimensions), a), lower));
}

TEST_CASE("cholesky: only one triangle is read, the other one of the result is zero") {
  CHECK(Cholesky(F32, {2, 2}, {4, 99, 2, 5}) == std::vector<double>{2, 0, 1, 2});
  CHECK(Cholesky(F32, {2, 2}, {4, 2, 99, 5}, /*lower=*/false) == std::vector<double>{2, 1, 0, 2});
  CHECK(Cholesky(F32, {2, 2}, {4, NAN, 2, 5}) == std::vector<double>{2, 0, 1, 2});
}

TEST_CASE("cholesky: results are correctly rounded") {
  // Computed with mpmath at 400 bits from the doubles nearest to 1 / (i + j + 1); the condition number is 4.8e8.
  std::vector<double> hilbert;
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) hilbert.push_back(1.0 / (i + j + 1));
  }
  const std::vector<double> factor = Cholesky(F64, {7, 7}, hilbert);
  const std::vector<double> last_row(factor.end() - 7, factor.end());
  CHECK(last_row == std::vector<double>{0.14285714285714285, 0.1855768722395226, 0.13309928437498733,
                                        0.0629940788348699, 0.01948051948052641, 0.0035894207688055976,
                                        0.0003001624434500894});
  CHECK(Cholesky(F64, {3, 3}, {4, 0, 0, 1, 3, 0, 2, 0.5, 5}) ==
        std::vector<double>{2, 0, 0, 0.5, 1.6583123951777, 0, 1, 0, 2});
  // sqrt(3) = 1.7320508..., 1 / sqrt(3) = 0.57735026..., sqrt(5 / 3) = 1.29099444... in the steps of each type.
  CHECK(Cholesky(BF16, {2, 2}, {3, 0, 1, 2}) == std::vector<double>{1.734375, 0, 0.578125, 1.2890625});
  CHECK(Cholesky(F16, {2, 2}, {3, 0, 1, 2}) == std::vector<double>{1.732421875, 0, 0.5771484375, 1.291015625});
  CHECK(Cholesky(F8E4M3FN, {2, 2}, {3, 0, 1, 2}) == std::vector<double>{1.75, 0, 0.5625, 1.25});
}

TEST_CASE("cholesky: complex matrices are Hermitian") {
  // mpmath at 400 bits.
  CHECK(Cholesky(C128, {2, 2}, {3, 0, NAN, NAN, 1, 2, 7, 0}) ==
        std::vector<double>{1.7320508075688772, 0, 0, 0, 0.5773502691896257, 1.1547005383792515, 2.309401076758503, 0});
  // The upper factor is the conjugate transpose of the lower one.
  CHECK(
      Cholesky(C128, {2, 2}, {3, 0, 1, -2, NAN, NAN, 7, 0}, /*lower=*/false) ==
      std::vector<double>{1.7320508075688772, 0, 0.5773502691896257, -1.1547005383792515, 0, 0, 2.309401076758503, 0});
  // The imaginary part of the diagonal is not read: sqrt(4), 2 + 2i halved, sqrt(5 - 2) in f32.
  CHECK(Cholesky(C64, {2, 2}, {4, 1, 0, 0, 2, 2, 5, NAN}) ==
        std::vector<double>{2, 0, 0, 0, 1, 1, static_cast<float>(std::sqrt(3.0)), 0});
}

TEST_CASE("cholesky: a matrix that is not positive definite is NaN, and only that one") {
  const auto is_nan = [](double x) { return std::isnan(x); };
  for (const std::vector<double>& a : {std::vector<double>{1, 2, 2, 1},  // indefinite
                                       {1, 2, 2, 4},                     // singular
                                       {-1, 0, 0, 1},                    // negative
                                       {3, 1, 1, 1.0 / 3.0},             // the double is less than a third
                                       {INFINITY, 0, 0, 1}}) {
    const std::vector<double> factor = Cholesky(F64, {2, 2}, a);
    CHECK(std::all_of(factor.begin(), factor.end(), is_nan));
  }
  const std::vector<double> batch = Cholesky(F32, {2, 2, 2}, {1, 2, 2, 1, 4, 2, 2, 5});
  CHECK(std::all_of(batch.begin(), batch.begin() + 4, is_nan));
  CHECK(std::vector<double>(batch.begin() + 4, batch.end()) == std::vector<double>{2, 0, 1, 2});
}

TEST_CASE("cholesky: positive by less than any double arithmetic would see") {
  // [[1, x], [x, y]] with x^2 = 1 + 2^-51 + 2^-104: y is less than that by 2^-104, then more by 2^-52 - 2^-104.
  const double x = 1 + 0x1p-52;
  CHECK(std::isnan(Cholesky(F64, {2, 2}, {1, 0, x, 1 + 0x1p-51})[0]));
  CHECK(Cholesky(F64, {2, 2}, {1, 0, x, 1 + 0x1.8p-51})[3] == 0x1.fffffffffffffp-27);
}

TEST_CASE("cholesky: an integer factor comes back from its product") {
  Holds([] {
    const auto type = OneOf({F32, F64, C64, C128});
    const bool is_complex = IsComplexType(type), lower = Flip();
    const int parts = is_complex ? 2 : 1;
    const int n = InRange(0, 7), batch = InRange(0, 3);
    std::vector<double> factors(batch * n * n * parts), products(factors.size());
    for (int m = 0; m < batch; ++m) {
      double* l = factors.data() + m * n * n * parts;
      double* a = products.data() + m * n * n * parts;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
          for (int p = 0; p < (i == j ? 1 : parts); ++p) {
            l[(i * n + j) * parts + p] = InRange(i == j ? 1 : -9, 10);
          }
        }
      }
      // a = l l^H
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          for (int k = 0; k < n; ++k) {
            const double* x = l + (i * n + k) * parts;
            const double* y = l + (j * n + k) * parts;
            double* sum = a + (i * n + j) * parts;
            sum[0] += is_complex ? x[0] * y[0] + x[1] * y[1] : x[0] * y[0];
            if (is_complex) sum[1] += x[1] * y[0] - x[0] * y[1];
          }
        }
      }
    }
    std::vector<double> expected = factors;
    if (!lower) {
      for (int m = 0; m < batch; ++m) {
        for (int i = 0; i < n * n * parts; ++i) {
          const int element = i / parts, row = element / n, column = element % n;
          const double part = factors[m * n * n * parts + (column * n + row) * parts + i % parts];
          expected[m * n * n * parts + i] = i % parts == 1 ? -part : part;
        }
      }
    }
    ENSURE(Cholesky(type, {batch, n, n}, products, lower) == expected);
  });
}

TEST_CASE("cholesky: any matrix, by the kernel and by the definition") {
  Holds([] {
    const auto type = OneOf({F32, F64, BF16, C64, C128});
    const int parts = ComponentCount(type);
    const int n = InRange(1, 10), spread = OneOf({0, 3, 60});
    std::vector<double> a(n * n * parts);
    for (double& part : a) part = std::ldexp(InRange(-9, 10), InRange(-spread, spread + 1));
    // Mostly definite: a large diagonal, but for one element perhaps.
    for (int i = 0; i < n; ++i) a[i * (n + 1) * parts] = std::ldexp(InRange(i == 2 ? 1 : 1000, 2000), 2 * spread);
    const Literal matrix = Array(type, {n, n}, a);
    Graph g;
    HloInstruction& cholesky = g.Add(op_cholesky, {&g.Parameter(matrix.shape())}, {{"lower", Flip()}});
    Evaluate(cholesky, {matrix});
  });
}

}  // namespace
}  // namespace assay::testing
