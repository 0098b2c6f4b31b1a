#include <vector>

#include "backends/lawful/algorithms/algorithms.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

ComplexNumber Conjugate(ComplexNumber x) { return {x.real, -x.imaginary}; }

// One matrix of an array of matrices.
struct Matrix {
  std::vector<ComplexNumber>& numbers;
  std::int64_t first;
  std::int64_t columns;
  ComplexNumber& At(std::int64_t i, std::int64_t j) const { return numbers[first + i * columns + j]; }
};

void FactorLower(const Matrix& a, const Matrix& l, std::int64_t n, const Arithmetic& arithmetic) {
  for (std::int64_t j = 0; j < n; ++j) {
    double square = a.At(j, j).real;
    for (std::int64_t k = 0; k < j; ++k) {
      const ComplexNumber x = l.At(j, k);
      square = arithmetic.Subtract(square, Multiply(arithmetic, x, Conjugate(x)).real);
    }
    const double pivot = arithmetic.SquareRoot(square);
    l.At(j, j) = {pivot, 0};
    for (std::int64_t i = j + 1; i < n; ++i) {
      ComplexNumber sum = a.At(i, j);
      for (std::int64_t k = 0; k < j; ++k) {
        sum = Subtract(arithmetic, sum, Multiply(arithmetic, l.At(i, k), Conjugate(l.At(j, k))));
      }
      l.At(i, j) = Divide(arithmetic, sum, {pivot, 0});
    }
  }
}

}  // namespace

Literal CholeskyFactor(const HloInstruction& cholesky, std::span<const Literal> operands, const Arithmetic& arithmetic,
                       Noise&) {
  std::vector<ComplexNumber> a = ComplexNumbers(operands[0]);
  const bool is_lower = cholesky.Bool("lower");
  const std::int64_t n = cholesky.shape.dimensions().back();
  std::vector<ComplexNumber> lower(a.size());
  for (std::size_t first = 0; first < a.size(); first += n * n) {
    const Matrix in{a, static_cast<std::int64_t>(first), n}, out{lower, static_cast<std::int64_t>(first), n};
    // Fills the upper triangle with the conjugate of the lower one.
    for (std::int64_t i = 0; i < n && !is_lower; ++i) {
      for (std::int64_t j = 0; j < i; ++j) in.At(i, j) = Conjugate(in.At(j, i));
    }
    FactorLower(in, out, n, arithmetic);
    for (std::int64_t i = 0; i < n && !is_lower; ++i) {
      for (std::int64_t j = 0; j < i; ++j) {
        out.At(j, i) = Conjugate(out.At(i, j));
        out.At(i, j) = {};
      }
    }
  }
  return ArrayOf(cholesky.shape, lower);
}

Literal TriangularSolution(const HloInstruction& solve, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise&) {
  std::vector<ComplexNumber> a = ComplexNumbers(operands[0]), x = ComplexNumbers(operands[1]);
  const std::string_view transpose = solve.String("transpose_a");
  const bool is_transposed = transpose != "NO_TRANSPOSE", is_left = solve.Bool("left_side");
  const std::int64_t n = operands[0].shape().dimensions().back();
  const std::int64_t rows = solve.shape.dimensions(solve.shape.rank() - 2), columns = solve.shape.dimensions().back();
  const std::int64_t others = is_left ? columns : rows;
  // X A = B is equivalent to A^T X^T = B^T.
  const bool reads_transposed = is_transposed == is_left;
  const bool starts_at_top = solve.Bool("lower") != reads_transposed;
  const std::int64_t matrices = rows * columns == 0 ? 0 : static_cast<std::int64_t>(x.size()) / (rows * columns);
  for (std::int64_t m = 0; m < matrices; ++m) {
    const Matrix coefficients{a, m * n * n, n}, unknowns{x, m * rows * columns, columns};
    const auto coefficient = [&](std::int64_t i, std::int64_t j) {
      const ComplexNumber c = reads_transposed ? coefficients.At(j, i) : coefficients.At(i, j);
      return transpose == "ADJOINT" ? Conjugate(c) : c;
    };
    for (std::int64_t k = 0; k < others; ++k) {
      const auto unknown = [&](std::int64_t i) -> ComplexNumber& {
        return is_left ? unknowns.At(i, k) : unknowns.At(k, i);
      };
      for (std::int64_t step = 0; step < n; ++step) {
        const std::int64_t i = starts_at_top ? step : n - 1 - step;
        ComplexNumber sum = unknown(i);
        for (std::int64_t before = 0; before < step; ++before) {
          const std::int64_t j = starts_at_top ? before : n - 1 - before;
          sum = Subtract(arithmetic, sum, Multiply(arithmetic, coefficient(i, j), unknown(j)));
        }
        unknown(i) = solve.Bool("unit_diagonal") ? sum : Divide(arithmetic, sum, coefficient(i, i));
      }
    }
  }
  return ArrayOf(solve.shape, x);
}

}  // namespace assay
