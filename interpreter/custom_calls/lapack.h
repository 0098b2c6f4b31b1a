// Common parts of LAPACK's targets: lapack_{s,d,c,z}<routine>_ffi, the form in which JAX calls them on the CPU.
// Operands and results are batches: the two minor dimensions are a matrix, or the last one a vector, and the dimensions
// before them count the problems.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/common/matrix_properties.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/numerics/matrix.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/result.h"

namespace assay {

// A batch of matrices of the routine's element type, and the shapes of its other operands and results.
struct MatrixBatch {
  PrimitiveType type = F32;
  Dimensions batch;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  std::int64_t count() const;
  std::int64_t smaller_side() const { return std::min(rows, columns); }
  Shape Matrices(std::int64_t rows, std::int64_t columns) const;
  Shape Vectors(std::int64_t size) const;
  Shape RealVectors(std::int64_t size) const;
  Shape Integers(std::int64_t size) const;  // s32 vectors
  Shape Info() const;                       // one s32 a problem

 private:
  Shape Of(PrimitiveType element_type, std::initializer_list<std::int64_t> inner) const;
};

// True for LAPACK's targets, whose names have the element type and whose flags are letters. The targets of GPUs and
// TPUs have one name for all element types, and flags of the type bool.
bool IsLapack(const HloInstruction& call);
// Returns the element type that the letter in the name of a LAPACK target denotes; nullopt for other targets.
std::optional<PrimitiveType> TypeOfTarget(const HloInstruction& call);
// True if a call reads the lower triangle: LAPACK's letter `uplo`, or the flag `lower`.
Result<bool> ReadsLower(const HloInstruction& call);

// Fails unless the call has `expected` operands, none with a dynamic dimension.
Status CheckOperandCount(const HloInstruction& call, std::size_t expected);
// Fails unless operand i is a batch of matrices whose type is that of the target's name, or any of the four if the name
// has none.
Status CheckMatrices(const HloInstruction& call, std::size_t i);
// Returns the batch that operand 0 is. Fails unless the call has `operand_count` operands and operand 0 passes
// CheckMatrices.
Result<MatrixBatch> CheckBatch(const HloInstruction& call, std::size_t operand_count);
Result<MatrixBatch> CheckSquareBatch(const HloInstruction& call, std::size_t operand_count);
// Returns the batch that an operand of a checked call is.
MatrixBatch BatchOf(const HloInstruction& call, std::size_t operand = 0);

Status CheckOperandIs(const HloInstruction& call, std::size_t i, const Shape& expected);
// Fails unless the result is a tuple of `expected`; a single result is not in a tuple.
Status CheckResultIs(const HloInstruction& call, std::vector<Shape> expected);

// Calls body.operator()<T>(), where T is the number type that computes an element type of LAPACK.
template <class Body>
auto WithNumbersOf(PrimitiveType type, Body body) {
  return IsComplexType(type) ? body.template operator()<ExtendedComplex>() : body.template operator()<Extended>();
}

// Loads matrix or vector number `problem` of an array.
template <class T>
Matrix<T> LoadMatrix(const Literal& array, std::int64_t problem);
template <class T>
std::vector<T> LoadVector(const Literal& array, std::int64_t problem);
// Rounds each element once and stores it. `bytes` is the array's mutable_data(): threads that store into one array
// share it.
template <class T>
void StoreElements(const std::vector<T>& elements, const Shape& shape, std::byte* bytes, std::int64_t problem);

// The results of a call, written problem by problem.
class LapackResult {
 public:
  explicit LapackResult(const Shape& shape);
  template <class T>
  void Store(std::size_t i, std::int64_t problem, const std::vector<T>& elements) {
    StoreElements(elements, arrays_[i].shape(), bytes_[i], problem);
  }
  template <class T>
  void Store(std::size_t i, std::int64_t problem, const Matrix<T>& matrix) {
    Store(i, problem, matrix.elements);
  }
  // Does nothing if the target has no result i: the targets of TPUs have no `info`.
  void StoreInfo(std::size_t i, std::int64_t problem, std::int64_t info) {
    if (i < arrays_.size()) Store(i, problem, std::vector<Extended>{Extended(info)});
  }
  // Stores NaN in every floating result of this problem and 0 in every integer result: the results of a problem whose
  // operands are not finite.
  void StoreNan(std::int64_t problem, std::int64_t problems);
  Literal Take() &&;

 private:
  bool is_tuple_;
  std::vector<Literal> arrays_;
  std::vector<std::byte*> bytes_;
};

// Returns `info` of a problem, result i of a call; 0 if the target has no such result.
inline std::int64_t InfoAt(const Literal& result, std::size_t i, std::int64_t problem) {
  return i < result.elements().size() ? result.elements()[i].IntegerAt(problem) : 0;
}

// Calls body.operator()<T>(problem) for each problem of a batch, on any thread.
template <class Body>
void ForEachProblem(const MatrixBatch& batch, Body body) {
  WithNumbersOf(batch.type, [&]<class T>() {
    ParallelFor(batch.count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t problem = begin; problem < end; ++problem) body.template operator()<T>(problem);
    });
  });
}
// Returns what body.operator()<T>(problem, result) stores for each problem of a batch.
template <class Body>
Literal EvaluateEachProblem(const HloInstruction& call, const MatrixBatch& batch, Body body) {
  LapackResult result(call.shape);
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) { body.template operator()<T>(problem, result); });
  return std::move(result).Take();
}
// Calls body.operator()<T>(problem, properties) for each problem of a batch.
template <class Body>
PropertyReport JudgeEachProblem(const MatrixBatch& batch, Body body) {
  Properties properties;
  WithNumbersOf(batch.type, [&]<class T>() {
    for (std::int64_t problem = 0; problem < batch.count(); ++problem) {
      body.template operator()<T>(problem, properties);
    }
  });
  return std::move(properties).Take();
}

// Returns |Q^H Q - I|: zero for orthonormal columns.
template <class T>
Extended DepartureFromOrthonormality(const Matrix<T>& q) {
  return Norm1(Adjoint(q) * q - Matrix<T>::Identity(q.columns));
}

// The freedoms of a factorization: its signs, or phases of complex numbers, and errors. They are random; without a seed
// the phases are 1, and there are no errors.
class FreePhases {
 public:
  explicit FreePhases(std::optional<std::uint64_t> seed = {}) : seed_(seed) {}
  // Returns number `i` of a problem.
  template <class T>
  T Of(std::int64_t problem, std::int64_t i) const;
  bool IsNegative(std::int64_t problem, std::int64_t i) const { return Of<Extended>(problem, i) < 0; }
  bool AreRandom() const { return seed_.has_value(); }
  // Returns a matrix with an error in proportion to its norm. A stable algorithm returns the factors of such a matrix:
  // the error turns the basis of equal eigenvalues in any way, and that of near ones as far as rounding errors may. Its
  // vectors have such an error, too: they are nearly orthonormal.
  template <class T>
  Matrix<T> Disturbed(Matrix<T> a, std::int64_t problem, PrimitiveType type) const;

 private:
  std::uint64_t Bits(std::int64_t problem, std::int64_t i) const;

  std::optional<std::uint64_t> seed_;
};

// The evaluation of a factorization, and another result of it, which has random phases.
template <auto kFactorize>
Literal EvaluateFactors(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return *kFactorize(call, operands, FreePhases());
}
template <auto kFactorize>
std::optional<Literal> OtherFactors(const HloInstruction& call, std::span<const Literal> operands, std::uint64_t seed) {
  return kFactorize(call, operands, FreePhases(seed));
}

inline constexpr std::string_view kNotConverged = "an iteration that does not converge";

}  // namespace assay
