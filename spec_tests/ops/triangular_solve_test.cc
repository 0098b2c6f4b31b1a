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
