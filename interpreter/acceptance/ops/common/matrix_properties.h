// The properties by which a solution or a factor of a matrix is judged. Ops and the custom calls of LAPACK share them.
#pragma once

#include <cmath>
#include <string_view>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/numerics/matrix.h"
#include "interpreter/ops/common/triangular_equation.h"
#include "interpreter/types/literal.h"

namespace assay {

// The threshold of LAPACK's test programs.
inline constexpr double kTestThreshold = 30;
// Returns eps * base of a type, LAPACK's `ulp`: the distance between 1 and the next larger number.
Extended UlpOf(PrimitiveType type);

inline constexpr std::string_view kNotFinite = "a problem whose operands are not finite";

// The properties of a batch. Each has the worst share of all problems.
class Properties {
 public:
  // Adds |residual| / (threshold size |norm| ulp): the test ratio of LAPACK's own test programs (LAPACK Working Note
  // 41) as a share of their threshold.
  void Ratio(std::string_view name, PrimitiveType type, Extended residual, Extended norm, std::int64_t size,
             double threshold = kTestThreshold);
  // Adds a property that holds or does not.
  void Holds(std::string_view name, bool holds) { Share(name, holds ? 0 : INFINITY); }
  // Adds a property as the share of its allowance that it uses; the worst of several elements counts.
  void Share(std::string_view name, double share);
  void Open(std::string_view why) { report_.open = why; }
  PropertyReport Take() && { return std::move(report_); }

 private:
  PropertyReport report_;
};

// Checks L L^H = A, or U^H U = A, for the whole Hermitian matrix A, and the diagonal of the factor, which makes it
// unique. The factor's other triangle is not read.
template <class T>
void JudgeCholeskyFactor(const Matrix<T>& a, const Matrix<T>& factor, bool is_lower, PrimitiveType type,
                         Properties& properties);

// Checks op(a) x = b or x op(a) = b. A singular system is open.
template <class T>
void JudgeTriangularSolution(const TriangularEquation& equation, PrimitiveType type, const Matrix<T>& a,
                             const Matrix<T>& b, const Matrix<T>& x, Properties& properties);

// Implement PropertiesFunction for cholesky and triangular-solve.
PropertyReport CholeskyProperties(const HloInstruction& cholesky, std::span<const Literal> operands,
                                  const Literal& want, const Literal& got);
PropertyReport SolutionProperties(const TriangularEquation& equation, std::span<const Literal> operands,
                                  const Literal& want, const Literal& got);

}  // namespace assay
