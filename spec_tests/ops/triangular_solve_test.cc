// triangular-solve: exact solutions, rounded once.
#include <cmath>
#include <complex>

#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

struct Mode {
  bool left_side = true;
  bool lower = true;
  bool unit_diagonal = false;
  std::string transpose_a = "NO_TRANSPOSE";
};

HloInstruction& MakeTriangularSolve(Graph& g, const Shape& a, const Shape& b, const Mode& mode) {
  return g.Add(op_triangular_solve, {&g.Parameter(a), &g.Parameter(b)},
               {{"left_side", mode.left_side},
                {"lower", mode.lower},
                {"unit_diagonal", mode.unit_diagonal},
                {"transpose_a", mode.transpose_a}});
}

std::vector<double> Solve(const Literal& a, const Literal& b, const Mode& mode) {
  Graph g;
  return Numbers(Evaluate(MakeTriangularSolve(g, a.shape(), b.shape(), mode), {a, b}));
}

TEST_CASE("triangular-solve: the triangle, its diagonal and its transpose") {
  const Literal a = Array(F32, {2, 2}, {2, 9, 1, 4}), b = Array(F32, {2, 1}, {2, 8});
  CHECK(Solve(a, b, {.unit_diagonal = true}) == std::vector<double>{2, 6});
  CHECK(Solve(a, b, {}) == std::vector<double>{1, 1.75});
  CHECK(Solve(a, b, {.unit_diagonal = true, .transpose_a = "TRANSPOSE"}) == std::vector<double>{-6, 8});
  CHECK(Solve(a, b, {.transpose_a = "TRANSPOSE"}) == std::vector<double>{0, 2});
  // Neither the other triangle nor a unit diagonal is read.
  const Literal nan = Array(F32, {2, 2}, {NAN, NAN, 1, NAN});
  CHECK(Solve(nan, b, {.unit_diagonal = true}) == std::vector<double>{2, 6});
}

TEST_CASE("triangular-solve: results are correctly rounded in every type") {
  // 1 / 3, then (1 - 1 / 3) / 7 = 2 / 21.
  const auto solve = [](PrimitiveType type) {
    return Solve(Array(type, {2, 2}, {3, 0, 1, 7}), Array(type, {2, 1}, {1, 1}), {});
  };
  CHECK(solve(F64) == std::vector<double>{1.0 / 3.0, 2.0 / 21.0});
  CHECK(solve(F32) == std::vector<double>{1.0f / 3.0f, 2.0f / 21.0f});
  CHECK(solve(BF16) == std::vector<double>{0.333984375, 0.09521484375});
  CHECK(solve(F16) == std::vector<double>{0.333251953125, 0.09521484375});
  CHECK(solve(F8E5M2) == std::vector<double>{0.3125, 0.09375});
}

TEST_CASE("triangular-solve: intermediate results are not rounded") {
  // x0 = 2^-54 / 3, x1 = 1 - 3 x0 = 1 - 2^-54, x2 = 1 - x1 = 2^-54: with rounding of x1 it would be 0.
  const Literal a = Array(F64, {3, 3}, {3, 0, 0, 3, 1, 0, 0, 1, 1});
  CHECK(Solve(a, Array(F64, {3, 1}, {0x1p-54, 1, 1}), {}) == std::vector<double>{0x1p-54 / 3, 1, 0x1p-54});
  // x0 = 1 / 3, x1 = 1 - 3 x0 is exactly zero; x0 = -1 / 3, x1 = 2^-53 + 1 is a tie that goes to the even 1.
  const Literal cancels = Array(F64, {2, 2}, {3, 0, 3, 1});
  CHECK(Solve(cancels, Array(F64, {2, 1}, {1, 1}), {})[1] == 0);
  CHECK(Solve(cancels, Array(F64, {2, 1}, {-1, 0x1p-53}), {})[1] == 1);
  // Beyond the range of f64 on the way: 1e300 / 1e-300 * 1e-300.
  const Literal wide = Array(F64, {2, 2}, {1e-300, 0, 1e-300, 1});
  const std::vector<double> beyond = Solve(wide, Array(F64, {2, 1}, {1e300, 0}), {});
  CHECK(beyond == std::vector<double>{INFINITY, -1e300});
}

TEST_CASE("triangular-solve: complex systems") {
  // (1 + 2i) x = 5: x = 1 - 2i; the adjoint: (1 - 2i) x = 5.
  const Literal a = Array(C64, {1, 1}, {1, 2}), b = Array(C64, {1, 1}, {5, 0});
  CHECK(Solve(a, b, {}) == std::vector<double>{1, -2});
  CHECK(Solve(a, b, {.transpose_a = "TRANSPOSE"}) == std::vector<double>{1, -2});
  CHECK(Solve(a, b, {.transpose_a = "ADJOINT"}) == std::vector<double>{1, 2});
}

TEST_CASE("triangular-solve: division by zero and special values follow IEEE 754") {
  const std::vector<double> singular = Solve(Array(F32, {2, 2}, {0, 0, 1, 1}), Array(F32, {2, 2}, {1, 0, 1, 3}), {});
  CHECK(singular[0] == INFINITY);
  CHECK(std::isnan(singular[1]));
  CHECK(singular[2] == -INFINITY);
  CHECK(std::isnan(singular[3]));
  CHECK(Solve(Array(F32, {2, 2}, {INFINITY, 0, 1, 4}), Array(F32, {2, 1}, {1, 1}), {}) == std::vector<double>{0, 0.25});
  // 0 * inf is NaN; the first unknown does not depend on it.
  const std::vector<double> nan = Solve(Array(F32, {2, 2}, {2, 0, INFINITY, 1}), Array(F32, {2, 1}, {0, 1}), {});
  CHECK(nan[0] == 0);
  CHECK(std::isnan(nan[1]));
  CHECK(Solve(Array(C64, {1, 1}, {0, 0}), Array(C64, {1, 1}, {1, 1}), {}) == std::vector<double>{INFINITY, INFINITY});
}

TEST_CASE("triangular-solve: a row that cancels is a zero beside infinities") {
  // x0 = 1 / 3 is not exact in any precision, x1 = 1 - 3 x0 = 0.
  const auto solve = [](std::vector<double> third_row, double b) {
    std::vector<double> a = {3, 0, 0, 3, 1, 0};
    a.insert(a.end(), third_row.begin(), third_row.end());
    return Solve(Array(F32, {3, 3}, a), Array(F32, {3, 1}, {1, 1, b}), {})[2];
  };
  CHECK(solve({0, 1, 1}, INFINITY) == INFINITY);
  CHECK(solve({0, 1, 1}, -INFINITY) == -INFINITY);
  CHECK(solve({0, 1, INFINITY}, 0) == 0);
  CHECK(std::isnan(solve({0, INFINITY, 1}, 1)));
}

using Matrix = std::vector<std::complex<double>>;

// Returns op(a) with the other triangle cleared, from the definition.
Matrix Applied(const Matrix& a, int n, const Mode& mode) {
  Matrix result(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool is_read = mode.lower ? j <= i : j >= i;
      std::complex<double> value = !is_read ? 0 : i == j && mode.unit_diagonal ? 1 : a[i * n + j];
      if (mode.transpose_a == "NO_TRANSPOSE") result[i * n + j] = value;
      if (mode.transpose_a == "TRANSPOSE") result[j * n + i] = value;
      if (mode.transpose_a == "ADJOINT") result[j * n + i] = std::conj(value);
    }
  }
  return result;
}

Matrix Product(const Matrix& a, const Matrix& b, int rows, int inner, int columns) {
  Matrix result(rows * columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int k = 0; k < inner; ++k) result[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    }
  }
  return result;
}

std::vector<double> Flat(const Matrix& matrix, bool is_complex) {
  std::vector<double> parts;
  for (const std::complex<double>& element : matrix) {
    parts.push_back(element.real() + 0.0);
    if (is_complex) parts.push_back(element.imag() + 0.0);
  }
  return parts;
}

TEST_CASE("triangular-solve: integer solutions come back from the product, in every mode") {
  Holds([] {
    const auto type = OneOf({F32, F64, C64, C128});
    const bool is_complex = IsComplexType(type);
    Mode mode{Flip(), Flip(), Flip(), OneOf<std::string>({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})};
    const int n = InRange(0, 6), k = InRange(0, 4), batch = InRange(0, 3);
    const auto integer = [&] { return std::complex<double>(InRange(-9, 10), is_complex ? InRange(-9, 10) : 0); };
    std::vector<double> as, xs, bs;
    for (int m = 0; m < batch; ++m) {
      Matrix a(n * n), x(n * k);
      for (auto& element : a) element = integer();
      for (int i = 0; i < n; ++i) a[i * n + i] = {double(InRange(1, 10)), is_complex ? 1.0 : 0.0};
      for (auto& element : x) element = integer();
      const Matrix applied = Applied(a, n, mode);
      const Matrix b = mode.left_side ? Product(applied, x, n, n, k) : Product(x, applied, k, n, n);
      for (double part : Flat(a, is_complex)) as.push_back(part);
      for (double part : Flat(x, is_complex)) xs.push_back(part);
      for (double part : Flat(b, is_complex)) bs.push_back(part);
    }
    const Dimensions sizes = mode.left_side ? Dimensions{batch, n, k} : Dimensions{batch, k, n};
    ENSURE(Solve(Array(type, {batch, n, n}, as), Array(type, sizes, bs), mode) == xs);
  });
}

TEST_CASE("triangular-solve: any system, by the kernel and by the definition") {
  Holds([] {
    const auto type = OneOf({F32, F64, BF16, C64, C128});
    const int parts = ComponentCount(type);
    const Mode mode{Flip(), Flip(), Flip(), OneOf<std::string>({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})};
    const int n = InRange(1, 12), k = InRange(1, 4), spread = OneOf({0, 3, 60});
    // Zeros of both signs, whole numbers whose results are ties or zero, and numbers of any size.
    const auto numbers = [&](int count) {
      std::vector<double> result;
      for (int i = 0; i < count; ++i) {
        const int number = InRange(-9, 10);
        result.push_back(number == 0 && Flip() ? -0.0 : std::ldexp(number, InRange(-spread, spread + 1)));
      }
      return result;
    };
    const Literal a = Array(type, {n, n}, numbers(n * n * parts));
    const Literal b = Array(type, mode.left_side ? Dimensions{n, k} : Dimensions{k, n}, numbers(n * k * parts));
    Graph g;
    Evaluate(MakeTriangularSolve(g, a.shape(), b.shape(), mode), {a, b});
  });
}

}  // namespace
}  // namespace assay::testing
