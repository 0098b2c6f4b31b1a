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
