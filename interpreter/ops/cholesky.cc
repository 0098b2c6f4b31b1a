#include <cmath>
#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/plain/enclosed.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferCholesky(const HloInstruction& cholesky) {
  ASSAY_CHECK_OK(CheckSquareMatrices(cholesky, 0));
  return cholesky.operand(0).shape;
}

using EnclosedNumber = EnclosedComplex<EnclosedReal>;
using EnclosedMatrix = std::vector<std::vector<EnclosedNumber>>;

// Returns the lower factor l of a = l l^H. Reads the lower triangle of a:
//   l[j, j] = sqrt(a[j, j] - sum over k < j of |l[j, k]|^2)
//   l[i, j] = (a[i, j] - sum over k < j of l[i, k] * conjugate(l[j, k])) / l[j, j]          i > j
// Imaginary parts of the diagonal are not read. All elements are NaN if the matrix is not finite and positive definite.
EnclosedMatrix LowerFactor(const EnclosedMatrix& a, const EnclosedNumber& zero) {
  const std::size_t n = a.size();
  EnclosedMatrix l(n, std::vector(n, zero));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      CheckLimits();
      EnclosedNumber rest = a[i][j];
      for (std::size_t k = 0; k < j; ++k) rest = rest - l[i][k] * Conjugate(l[j][k]);
      if (i > j) {
        l[i][j] = rest / l[j][j].real;
      } else if (rest.real.IsPositive()) {
        l[j][j].real = Sqrt(rest.real);
      } else {
        const mpfr_prec_t precision = rest.real.precision();
        const auto nan = rest.real.HasUnknownSign() ? EnclosedReal::Unknown(precision) : EnclosedReal(NAN, precision);
        return EnclosedMatrix(n, std::vector(n, EnclosedNumber{nan, nan}));
      }
    }
  }
  return l;
}

// result = l, or the adjoint of l if `lower` is false, which reads the upper triangle of each matrix.
Literal EvaluateCholesky(const HloInstruction& cholesky, std::span<Literal> operands, Evaluation&) {
  const bool lower = cholesky.Bool("lower");
  const PrimitiveType type = cholesky.shape.element_type();
  const Dimensions& bounds = cholesky.shape.dimensions();
  const std::int64_t n = bounds.back();
  Outputs result(cholesky.shape);
  ForEachIndex(Bounds(bounds).first(bounds.size() - 2), [&](const Index& batch) {
    const Row elements = RoundedOnce(type, [&](mpfr_prec_t precision) {
      const EnclosedNumber zero = {EnclosedReal(0, precision), EnclosedReal(0, precision)};
      EnclosedMatrix a(n, std::vector(n, zero));
      ForEachIndex(Index{n, n}, [&](const Index& at) {
        const auto number = NumberOf<EnclosedNumber>(At(operands[0], Joined(batch, at)), precision);
        (lower ? a[at[0]][at[1]] : a[at[1]][at[0]]) = lower ? number : Conjugate(number);
      });
      const EnclosedMatrix l = LowerFactor(a, zero);
      std::vector<EnclosedReal> parts;
      ForEachIndex(Index{n, n}, [&](const Index& at) {
        const bool is_above = at[0] < at[1];
        const EnclosedNumber element = lower      ? l[at[0]][at[1]]
                                       : is_above ? Conjugate(l[at[1]][at[0]])
                                                  : l[at[1]][at[0]];
        parts.push_back(element.real);
        if (IsComplexType(type)) parts.push_back(element.imaginary);
      });
      return parts;
    });
    ForEachIndex(Index{n, n}, [&](const Index& at) { result.Set(Joined(batch, at), elements[at[0] * n + at[1]]); });
  });
  return std::move(result).Take();
}

void FitCholesky(HloInstruction& cholesky) {
  const std::int64_t rank = cholesky.operand(0).shape.rank();
  Equalize(cholesky, 0, rank - 2, 0, rank - 1);
}

}  // namespace

// The specification leaves open the result for a matrix that is not Hermitian positive definite, and the other triangle
// of the result. Here the former is NaN throughout, the latter is zero, and the imaginary part of the diagonal is
// ignored, as in LAPACK.
const Op op_cholesky = {
    .name = "cholesky",
    .meaning = "The Cholesky factor of each matrix.",
    .syntax = {.attributes = {Flag("lower")}},
    .legality = {.arity = Exactly(1),
                 .types = kFloats | kComplex,
                 .layouts = LayoutRule::kKept,
                 .infer = InferCholesky},
    .evaluation = {.evaluate = EvaluateCholesky, .fit_run_time_sizes = FitCholesky},
};

}  // namespace assay
