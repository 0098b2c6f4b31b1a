#include <algorithm>
#include <cmath>
#include <cstring>

#include "backends/lawful/arithmetic.h"
#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using MatrixOperands = std::vector<Literal>;

void MultiplyByLength(const HloInstruction& fft, std::span<const Literal>, Literal& result) {
  if (fft.String("fft_type") != "IFFT" && fft.String("fft_type") != "IRFFT") return;
  std::vector<double> reals = RealsOf(result);
  for (double& x : reals) x *= static_cast<double>(Product(fft.Int64s("fft_length")));
  result = ArrayOf(result.shape(), reals);
}

void ConjugateMatrix(const HloInstruction&, std::span<const Literal>, Literal& result) {
  if (!IsComplexType(result.element_type())) return;
  std::vector<double> reals = RealsOf(result);
  for (std::size_t i = 1; i < reals.size(); i += 2) reals[i] = -reals[i];
  result = ArrayOf(result.shape(), reals);
}

// Transforms the odd length n as length n - 1, and appends a zero.
Literal LoseOddLength(const HloInstruction& fft, std::span<Literal> operands, Evaluation& evaluation) {
  const auto lengths = fft.Int64s("fft_length");
  if (fft.String("fft_type") != "IRFFT" || lengths.size() != 1 || lengths[0] % 2 == 0 || lengths[0] < 3) {
    return EvaluateWhole(fft, operands, evaluation);
  }
  const std::int64_t n = lengths[0];
  HloInstruction shorter = fft;
  shorter.Set("fft_length", Int64List{n - 1});
  shorter.shape.set_dimensions(fft.shape.rank() - 1, n - 1);
  const std::vector<double> numbers = RealsOf(EvaluateWhole(shorter, operands, evaluation));
  std::vector<double> padded;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    padded.push_back(numbers[i]);
    if (static_cast<std::int64_t>(i) % (n - 1) == n - 2) padded.push_back(0);
  }
  return ArrayOf(fft.shape, padded);
}

// Calls visit(i, j, offset of (i, j), offset of (j, i)) for all elements of all matrices.
template <class Visit>
void ForMatrixElements(const Literal& array, const Visit& visit) {
  const std::int64_t n = array.shape().dimensions().back();
  for (std::int64_t at = 0; at < array.element_count(); ++at) {
    const std::int64_t i = at / n % n, j = at % n;
    visit(i, j, at, at - i * n - j + j * n + i);
  }
}

void KeepOtherTriangle(const HloInstruction& cholesky, std::span<const Literal> operands, Literal& result) {
  std::vector<ComplexNumber> numbers = ComplexNumbers(result);
  const std::vector<ComplexNumber> input = ComplexNumbers(operands[0]);
  ForMatrixElements(result, [&](std::int64_t i, std::int64_t j, std::int64_t at, std::int64_t) {
    if (cholesky.Bool("lower") ? i < j : i > j) numbers[at] = input[at];
  });
  result = ArrayOf(result.shape(), numbers);
}

void TransposeMatrices(HloInstruction&, MatrixOperands& operands) {
  const std::vector<ComplexNumber> input = ComplexNumbers(operands[0]);
  std::vector<ComplexNumber> numbers = input;
  ForMatrixElements(operands[0], [&](std::int64_t, std::int64_t, std::int64_t at, std::int64_t mirrored) {
    numbers[at] = {input[mirrored].real, -input[mirrored].imaginary};
  });
  operands[0] = ArrayOf(operands[0].shape(), numbers);
}

void ForgetPivot(const HloInstruction&, std::span<const Literal>, Literal& result) {
  std::vector<ComplexNumber> numbers = ComplexNumbers(result);
  ForMatrixElements(result, [&](std::int64_t i, std::int64_t j, std::int64_t at, std::int64_t) {
    if (i == j) numbers[at].real *= numbers[at].real;
  });
  result = ArrayOf(result.shape(), numbers);
}

// Returns the feature of the element at an offset into an array of dimensions [outer, features, inner].
std::int64_t FeatureOf(const HloInstruction& norm, std::int64_t offset) {
  const Dimensions& dimensions = norm.operand(0).shape.dimensions();
  const std::int64_t index = norm.Int64("feature_index");
  return offset / Product(std::span(dimensions).subspan(index + 1)) % dimensions[index];
}

// Returns scale (x - mean) / (sqrt(variance) + epsilon) + offset.
std::vector<double> WithEpsilonOutside(const HloInstruction& norm, std::span<const Literal> operands,
                                       const std::vector<double>& mean, const std::vector<double>& variance) {
  const std::vector<double> scale = RealsOf(operands[1]), offset = RealsOf(operands[2]);
  std::vector<double> y = RealsOf(operands[0]);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::int64_t f = FeatureOf(norm, static_cast<std::int64_t>(i));
    y[i] = scale[f] * (y[i] - mean[f]) / (std::sqrt(variance[f]) + norm.Float("epsilon")) + offset[f];
  }
  return y;
}

void MoveEpsilonInInference(const HloInstruction& norm, std::span<const Literal> operands, Literal& result) {
  result = ArrayOf(result.shape(), WithEpsilonOutside(norm, operands, RealsOf(operands[3]), RealsOf(operands[4])));
}

void MoveEpsilonInTraining(const HloInstruction& norm, std::span<const Literal> operands, Literal& result) {
  const std::vector<double> mean = RealsOf(result.elements()[1]), variance = RealsOf(result.elements()[2]);
  Literal& y = result.mutable_elements()[0];
  y = ArrayOf(y.shape(), WithEpsilonOutside(norm, operands, mean, variance));
}

void DivideByOneLess(const HloInstruction& norm, std::span<const Literal> operands, Literal& result) {
  Literal& variance = result.mutable_elements()[2];
  const double n = static_cast<double>(operands[0].element_count()) /
                   static_cast<double>(norm.operand(0).shape.dimensions(norm.Int64("feature_index")));
  std::vector<double> reals = RealsOf(variance);
  if (n > 1) {
    for (double& x : reals) x *= n / (n - 1);
  }
  variance = ArrayOf(variance.shape(), reals);
}

void NegateGradientOfOffset(const HloInstruction&, std::span<const Literal>, Literal& result) {
  Literal& gradient = result.mutable_elements()[2];
  std::vector<double> reals = RealsOf(gradient);
  for (double& x : reals) x = -x;
  gradient = ArrayOf(gradient.shape(), reals);
}

void FlipUnitDiagonal(HloInstruction& solve) { solve.Set("unit_diagonal", !solve.Bool("unit_diagonal")); }
void FlipTriangle(HloInstruction& solve) { solve.Set("lower", !solve.Bool("lower")); }
void ForgetConjugate(HloInstruction& solve) {
  if (solve.String("transpose_a") == "ADJOINT") solve.Set("transpose_a", std::string("TRANSPOSE"));
}

}  // namespace

std::vector<Mutant> MatrixMutants() {
  return {
      {"batch_norm_biased_variance", "batch-norm-training", "the variance is divided by n - 1",
       BreakResult<DivideByOneLess>},
      {"batch_norm_epsilon", "batch-norm-inference", "epsilon stands outside the root",
       BreakResult<MoveEpsilonInInference>},
      {"batch_norm_gradient_sign", "batch-norm-grad", "the gradient of the offset has the other sign",
       BreakResult<NegateGradientOfOffset>},
      {"batch_norm_training_epsilon", "batch-norm-training", "epsilon stands outside the root",
       BreakResult<MoveEpsilonInTraining>},
      {"cholesky_no_root", "cholesky", "the diagonal has the squares of its pivots", BreakResult<ForgetPivot>},
      {.id = "cholesky_other_triangle",
       .op = "cholesky",
       .rule = "the other triangle is that of the operand, not zero",
       .break_op = BreakResult<KeepOtherTriangle>,
       .open = "the specification leaves the other triangle to the implementation"},
      {"cholesky_reads_other_triangle", "cholesky", "lower=true reads the upper triangle",
       BreakOperands<TransposeMatrices>},
      {"fft_inverse_unnormalised", "fft", "inverse transforms lack the factor 1 / n", BreakResult<MultiplyByLength>},
      {"irfft_odd_length", "fft", "an odd length of an IRFFT is taken for the even one below",
       [](Op& op) { op.evaluation.evaluate = LoseOddLength; }},
      {"rfft_conjugated", "fft", "the exponent has the other sign", BreakResult<ConjugateMatrix>},
      {"triangular_solve_conjugate", "triangular-solve", "ADJOINT is taken for TRANSPOSE", nullptr, ForgetConjugate},
      {"triangular_solve_other_triangle", "triangular-solve", "the other triangle is read", nullptr, FlipTriangle},
      {"triangular_solve_unit_diagonal", "triangular-solve", "unit_diagonal has the opposite meaning", nullptr,
       FlipUnitDiagonal},
  };
}

}  // namespace assay
