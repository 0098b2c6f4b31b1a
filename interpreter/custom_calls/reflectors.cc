#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/householder.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/stand_in.h"

namespace assay {
namespace {

// Checks that operand 0 holds packed reflectors, no more than it has rows or columns, and operand 1 their factors tau.
Result<MatrixBatch> CheckReflectors(const HloInstruction& call, std::size_t operand_count) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, operand_count));
  const Shape& taus = call.operand(1).shape;
  const bool is_vector = taus.IsArray() && taus.rank() == call.operand(0).shape.rank() - 1;
  const std::int64_t count = is_vector ? taus.dimensions(taus.rank() - 1) : 0;
  ASSAY_CHECK_OK(CheckOperandIs(call, 1, batch.Vectors(std::min(count, batch.smaller_side()))));
  return batch;
}

Status CheckProduct(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckReflectors(call, 2));
  if (batch.rows < batch.columns) {
    return BadCall(call, "operand 0 must not have more columns than rows, found {}",
                   call.operand(0).shape.ToStringWithoutLayout());
  }
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.columns)});
}

Status CheckMultiplication(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckReflectors(call, 3));
  ASSAY_TRY(const bool left, FfiBool(call, "left"));
  ASSAY_TRY([[maybe_unused]] const bool transpose, FfiBool(call, "transpose"));
  const Shape& c = call.operand(2).shape;
  const bool is_batch = c.IsArray() && c.rank() == call.operand(0).shape.rank();
  const std::int64_t other = !is_batch ? 0 : c.dimensions(c.rank() - (left ? 1 : 2));
  const Shape expected = left ? batch.Matrices(batch.rows, other) : batch.Matrices(other, batch.rows);
  ASSAY_CHECK_OK(CheckOperandIs(call, 2, expected));
  return CheckResultIs(call, {expected});
}

// The operands of one problem, the same for both targets except for the matrix that Q multiplies.
template <class T>
struct Problem {
  Problem(const HloInstruction& call, std::span<const Literal> operands, std::int64_t problem) {
    const Matrix<T> packed = LoadMatrix<T>(operands[0], problem);
    const std::vector<T> taus = LoadVector<T>(operands[1], problem);
    reflectors = UnpackReflectors(packed, taus, 0);
    is_product = operands.size() == 2;
    if (is_product) {
      c = ProductOf<T>({}, packed.rows, packed.columns);
    } else {
      c = LoadMatrix<T>(operands[2], problem);
      left = *FfiBool(call, "left");
      transpose = *FfiBool(call, "transpose");
    }
    is_finite = AreAllFinite(packed.elements) && AreAllFinite(taus) && AreAllFinite(c.elements);
  }

  // Returns Q C, Q^H C, C Q or C Q^H. Q = H_0 H_1 ...: the last reflector is the first to be applied to C from the
  // left.
  Matrix<T> Value() const {
    Matrix<T> value = c;
    const auto count = static_cast<std::int64_t>(reflectors.size());
    const bool from_last = left != transpose;
    for (std::int64_t step = 0; step < count; ++step) {
      const Reflector<T>& reflector = reflectors[from_last ? count - 1 - step : step];
      const T tau = transpose ? Conjugate(reflector.tau) : reflector.tau;
      left ? ApplyFromLeft(tau, reflector.v, value) : ApplyFromRight(tau, reflector.v, value);
    }
    return value;
  }

  // Returns the product of the reflectors' norms, from the magnitudes of their eigenvalues 1 and |1 - tau v^H v|: 1 if
  // they are unitary, as those of a factorization are.
  Extended Growth() const {
    Extended growth = 1;
    for (const Reflector<T>& reflector : reflectors) {
      Extended squares = 0;
      for (const T& element : reflector.v) squares += Square(element);
      growth *= std::max<Extended>(1, Magnitude(T(1) - reflector.tau * squares));
    }
    return growth;
  }

  std::vector<Reflector<T>> reflectors;
  Matrix<T> c;
  bool is_product = false;
  bool left = true;
  bool transpose = false;
  bool is_finite = true;
};

Literal EvaluateReflectors(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    const Problem<T> p(call, operands, problem);
    if (p.is_finite) {
      result.Store(0, problem, p.Value());
    } else {
      result.StoreNan(problem, batch.count());
    }
  });
}

// Judges against the exact value: rounding errors are those of the reflections, amplified by the product of norms.
PropertyReport JudgeReflectors(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                               const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Problem<T> p(call, operands, problem);
    if (!p.is_finite) return properties.Open(kNotFinite);
    const Matrix<T> value = p.Value();
    properties.Ratio(p.is_product ? "Q, the product of the reflectors" : "the product with Q", batch.type,
                     Norm1(LoadMatrix<T>(got, problem) - value), p.Growth() * Norm1(p.c),
                     std::max(value.rows, value.columns));
  });
}

const CustomCallTarget kReflectorsTargets[] = {
    {
        .names = {"lapack_{s,d}orgqr_ffi", "lapack_{c,z}ungqr_ffi", "{cu,hip,oneapi}solver_orgqr_ffi",
                  "ProductOfElementaryHouseholderReflectors"},
        .meaning = "The first columns of Q, the product of packed reflectors.",
        .check = CheckProduct,
        .evaluate = EvaluateReflectors,
        .properties = JudgeReflectors,
        .has_one_result = HasOneResult,
    },
    {
        .names = {"lapack_{s,d}ormqr_ffi", "lapack_{c,z}unmqr_ffi", "{cu,hip,oneapi}solver_ormqr_ffi"},
        .meaning = "The product of a matrix with Q or Q^H, Q the product of packed reflectors, from the left or right.",
        .check = CheckMultiplication,
        .evaluate = EvaluateReflectors,
        .properties = JudgeReflectors,
        .has_one_result = HasOneResult,
    },
};

}  // namespace

const TargetFamily targets_reflectors = kReflectorsTargets;

}  // namespace assay
