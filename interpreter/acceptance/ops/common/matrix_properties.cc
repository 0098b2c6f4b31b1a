#include "interpreter/acceptance/ops/common/matrix_properties.h"

#include <algorithm>
#include <vector>

#include "interpreter/numerics/parts.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr std::string_view kTooNarrow = "a problem so large that rounding errors of its type may be all of it";

// True for types that LAPACK does not have. They are judged by the bounds of its algorithms themselves, with 2 u = ulp
// for each rounding.
bool IsNarrow(PrimitiveType type) { return UlpOf(type) > 0x1p-23L; }

template <class T>
Matrix<T> MagnitudesOf(Matrix<T> a) {
  for (T& element : a.elements) element = Magnitude(element);
  return a;
}

// Returns one triangle of a matrix, with zeros in the other.
template <class T>
Matrix<T> TriangleOf(const Matrix<T>& a, bool is_lower) {
  Matrix<T> triangle(a.rows, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) (is_lower ? triangle(i, j) : triangle(j, i)) = is_lower ? a(i, j) : a(j, i);
  }
  return triangle;
}

// Returns op(a) as a whole matrix.
template <class T>
Matrix<T> OperatorOf(const TriangularEquation& equation, const Matrix<T>& a) {
  Matrix<T> triangle = TriangleOf(a, equation.lower);
  for (std::int64_t i = 0; i < a.rows && equation.unit_diagonal; ++i) triangle(i, i) = 1;
  if (equation.transpose == Transpose::kNone) return triangle;
  Matrix<T> adjoint = Adjoint(triangle);
  if (equation.transpose == Transpose::kTranspose) {
    for (T& element : adjoint.elements) element = Conjugate(element);
  }
  return adjoint;
}

template <class T>
bool IsLowerTriangular(const Matrix<T>& a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = i + 1; j < a.rows; ++j) {
      if (Magnitude(a(i, j)) != 0) return false;
    }
  }
  return true;
}

// The matrices of the two minor dimensions of an array, one after the other.
template <class T>
class MatricesOf {
 public:
  explicit MatricesOf(const Literal& array)
      : parts_(LoadParts(array)),
        is_complex_(IsComplexType(array.element_type())),
        rows_(LastDimension(array.shape(), 2)),
        columns_(LastDimension(array.shape(), 1)) {}

  Matrix<T> operator[](std::int64_t problem) const {
    Matrix<T> matrix(rows_, columns_);
    const std::int64_t first = problem * rows_ * columns_;
    for (std::int64_t i = 0; i < rows_ * columns_; ++i) {
      if constexpr (std::is_same_v<T, ExtendedComplex>) {
        matrix.elements[i] = ExtendedComplex(parts_[2 * (first + i)], parts_[2 * (first + i) + 1]);
      } else {
        matrix.elements[i] = parts_[first + i];
      }
    }
    return matrix;
  }
  std::int64_t count() const {
    const auto numbers = static_cast<std::int64_t>(parts_.size()) / (is_complex_ ? 2 : 1);
    return rows_ * columns_ == 0 ? 0 : numbers / (rows_ * columns_);
  }

 private:
  static std::int64_t LastDimension(const Shape& shape, std::int64_t from_end) {
    return shape.dimensions(shape.rank() - from_end);
  }

  std::vector<double> parts_;
  bool is_complex_;
  std::int64_t rows_;
  std::int64_t columns_;
};

// True if rounding errors may decide whether the factorization succeeds. It succeeds if the least eigenvalue of the
// matrix scaled to a unit diagonal is larger than n gamma (N. J. Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, theorem 10.7). That eigenvalue is at least 1 / |L^-1|^2, in the Frobenius norm, for the
// factor L of the scaled matrix.
template <class T>
bool IsOnTheEdge(const Matrix<T>& a, const Matrix<T>& factor, bool is_lower, PrimitiveType type) {
  Matrix<T> lower = is_lower ? TriangleOf(factor, true) : Adjoint(TriangleOf(factor, false));
  Extended squares = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) lower(i, j) /= std::sqrt(RealPart(a(i, i)));
  }
  for (std::int64_t column = 0; column < a.rows; ++column) {
    std::vector<T> inverse(a.rows);
    for (std::int64_t i = column; i < a.rows; ++i) {
      T sum = i == column ? 1 : 0;
      for (std::int64_t j = column; j < i; ++j) sum -= lower(i, j) * inverse[j];
      inverse[i] = sum / lower(i, i);
      squares += Square(inverse[i]);
    }
  }
  return !(squares * kTestThreshold * a.rows * UlpOf(type) < 1);
}

// Returns the first rows and columns of a matrix, of whose two sizes at run time the smaller one counts.
template <class T>
Matrix<T> SquareOf(const Matrix<T>& a, std::int64_t size) {
  Matrix<T> square(size, size);
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::int64_t j = 0; j < size; ++j) square(i, j) = a(i, j);
  }
  return square;
}

// True if all elements are finite and none on the diagonal is zero. A positive definite matrix has no pivot of zero;
// formats without NaN have zero in place of NaN.
template <class T>
bool IsFactor(const Matrix<T>& factor) {
  if (!AreAllFinite(factor.elements)) return false;
  for (std::int64_t i = 0; i < factor.rows; ++i) {
    if (Magnitude(factor(i, i)) == 0) return false;
  }
  return true;
}

template <class T>
PropertyReport CholeskyOf(bool is_lower, const Literal& operand, const Literal& want, const Literal& got) {
  const PrimitiveType type = operand.element_type();
  const MatricesOf<T> operands(operand), wanted(want), results(got);
  Properties properties;
  for (std::int64_t problem = 0; problem < operands.count(); ++problem) {
    const Matrix<T> exact = TriangleOf(wanted[problem], is_lower), factor = TriangleOf(results[problem], is_lower);
    const Matrix<T> a = HermitianOfTriangle(SquareOf(operands[problem], exact.rows), is_lower);
    if (!AreAllFinite(a.elements)) {
      properties.Open(kNotFinite);
    } else if (!IsFactor(exact)) {
      properties.Open("a matrix that is not positive definite");
    } else if (!IsFactor(factor) && IsOnTheEdge(a, exact, is_lower, type)) {
      properties.Open("a matrix that is positive definite or not, within rounding errors");
    } else {
      JudgeCholeskyFactor(a, factor, is_lower, type, properties);
    }
  }
  return std::move(properties).Take();
}

// True if substitution may overflow. In any order and with any rounding errors, its intermediate results are at most
// those of the comparison system, with |b| on the right and signs that prevent cancellation, times factors (1 + u)^n
// (Higham, theorem 8.7 and its proof). A factor of 4 accounts for these and for the parts of complex products.
template <class T>
bool MayOverflow(const TriangularEquation& equation, PrimitiveType type, const Matrix<T>& a, const Matrix<T>& b) {
  const Matrix<T> op = equation.left_side ? OperatorOf(equation, a) : Adjoint(OperatorOf(equation, a));
  const Matrix<T> right = equation.left_side ? b : Adjoint(b);
  const bool starts_at_top = IsLowerTriangular(op);
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(type));
  const Extended largest = ToDouble(format, format.max_finite_bits());
  for (std::int64_t column = 0; column < right.columns; ++column) {
    std::vector<Extended> bound(op.rows);
    for (std::int64_t step = 0; step < op.rows; ++step) {
      const std::int64_t i = starts_at_top ? step : op.rows - 1 - step;
      Extended sum = Magnitude(right(i, column));
      for (std::int64_t before = 0; before < step; ++before) {
        const std::int64_t j = starts_at_top ? before : op.rows - 1 - before;
        sum += Magnitude(op(i, j)) * bound[j];
      }
      bound[i] = sum / Magnitude(op(i, i));
      if (!(4 * std::max(sum, bound[i]) < largest)) return true;
    }
  }
  return false;
}

// True if the divisor of a complex quotient may overflow in an intermediate result: the quotient is then zero.
template <class T>
bool DivisorsMayOverflow(PrimitiveType type, const Matrix<T>& a) {
  if (!IsComplexType(type)) return false;
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(type));
  const Extended largest = ToDouble(format, format.max_finite_bits());
  for (std::int64_t i = 0; i < a.rows; ++i) {
    if (2 * Magnitude(a(i, i)) >= largest) return true;
  }
  return false;
}

template <class T>
PropertyReport SolutionsOf(const TriangularEquation& equation, std::span<const Literal> operands, const Literal& want,
                           const Literal& got) {
  const MatricesOf<T> as(operands[0]), bs(operands[1]), wanted(want), results(got);
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(got.element_type()));
  const bool saturates = !format.has_infinity && format.nan == NanEncoding::kNone;  // overflow is then finite
  Properties properties;
  for (std::int64_t problem = 0; problem < as.count(); ++problem) {
    if (!AreAllFinite(wanted[problem].elements)) {
      properties.Open("a system whose solution is not finite");
    } else if (DivisorsMayOverflow(got.element_type(), as[problem]) ||
               ((saturates || !AreAllFinite(results[problem].elements)) &&
                MayOverflow(equation, got.element_type(), as[problem], bs[problem]))) {
      properties.Open("a system with numbers that may overflow on the way to its solution");
    } else {
      JudgeTriangularSolution(equation, got.element_type(), as[problem], bs[problem], results[problem], properties);
    }
  }
  return std::move(properties).Take();
}

}  // namespace

Extended UlpOf(PrimitiveType type) {
  return std::ldexp(Extended{1}, 1 - FloatFormatOf(ComplexComponentType(type)).precision());
}

void Properties::Ratio(std::string_view name, PrimitiveType type, Extended residual, Extended norm, std::int64_t size,
                       double threshold) {
  // The relative bound does not cover the losses of products of subnormal numbers.
  const Extended tiny = std::ldexp(Extended{1}, FloatFormatOf(ComplexComponentType(type)).min_exponent());
  Share(name,
        static_cast<double>(residual / (threshold * std::max<std::int64_t>(size, 1) * (UlpOf(type) * norm + tiny))));
}

void Properties::Share(std::string_view name, double share) {
  if (std::isnan(share)) share = INFINITY;
  for (Property& property : report_.properties) {
    if (property.name != name) continue;
    property.share = std::max(property.share, share);
    return;
  }
  report_.properties.push_back({name, share});
}

template <class T>
void JudgeCholeskyFactor(const Matrix<T>& a, const Matrix<T>& factor, bool is_lower, PrimitiveType type,
                         Properties& properties) {
  const std::string_view name = is_lower ? "L L^H = A" : "U^H U = A";
  // The square of a pivot is an element of A less products x conj(x). A fused multiply-add leaves a rounding error in
  // their imaginary parts, and so in the pivot.
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const Extended real = RealPart(factor(i, i));
    properties.Holds("a diagonal that is not negative", real >= 0);
    properties.Ratio("a diagonal that is real", type, Magnitude(factor(i, i) - T(real)) * Magnitude(factor(i, i)),
                     Norm1(a), a.rows);
  }
  const Matrix<T> left = is_lower ? factor : Adjoint(factor), right = Adjoint(left);
  const Extended residual = Norm1(a - left * right);
  if (!IsNarrow(type)) return properties.Ratio(name, type, residual, Norm1(a), a.rows);
  if ((a.rows + 1) * UlpOf(type) >= 1) return properties.Open(kTooNarrow);
  properties.Ratio(name, type, residual, Norm1(MagnitudesOf(left) * MagnitudesOf(right)), a.rows + 1, 1);
}
template void JudgeCholeskyFactor(const Matrix<Extended>&, const Matrix<Extended>&, bool, PrimitiveType, Properties&);
template void JudgeCholeskyFactor(const Matrix<ExtendedComplex>&, const Matrix<ExtendedComplex>&, bool, PrimitiveType,
                                  Properties&);

template <class T>
void JudgeTriangularSolution(const TriangularEquation& equation, PrimitiveType type, const Matrix<T>& a,
                             const Matrix<T>& b, const Matrix<T>& x, Properties& properties) {
  const Matrix<T> op = OperatorOf(equation, a);
  if (!AreAllFinite(op.elements) || !AreAllFinite(b.elements)) return properties.Open(kNotFinite);
  for (std::int64_t i = 0; i < op.rows; ++i) {
    if (Magnitude(op(i, i)) == 0) return properties.Open("a singular system");
  }
  if (IsNarrow(type) && op.rows * UlpOf(type) >= 1) return properties.Open(kTooNarrow);
  const Matrix<T> residual = b - (equation.left_side ? op * x : x * op);
  const Matrix<T> solutions = equation.left_side ? x : Adjoint(x);
  const Matrix<T> residuals = equation.left_side ? residual : Adjoint(residual);
  const Extended norm = std::max(Norm1(op), Norm1(Adjoint(op)));
  // Underflow, gradual or not, may change a number of the solution, and the quotient by an element of the matrix.
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(type));
  const Extended tiny = std::ldexp(Extended{1}, format.min_exponent()) / UlpOf(type);
  for (std::int64_t j = 0; j < solutions.columns; ++j) {
    properties.Ratio("op(A) X = B", type, ColumnNorm(residuals, j, 0, op.rows),
                     (norm + tiny) * (ColumnNorm(solutions, j, 0, op.rows) + tiny), op.rows,
                     IsNarrow(type) ? 1 : kTestThreshold);
  }
}
template void JudgeTriangularSolution(const TriangularEquation&, PrimitiveType, const Matrix<Extended>&,
                                      const Matrix<Extended>&, const Matrix<Extended>&, Properties&);
template void JudgeTriangularSolution(const TriangularEquation&, PrimitiveType, const Matrix<ExtendedComplex>&,
                                      const Matrix<ExtendedComplex>&, const Matrix<ExtendedComplex>&, Properties&);

PropertyReport CholeskyProperties(const HloInstruction& cholesky, std::span<const Literal> operands,
                                  const Literal& want, const Literal& got) {
  const bool is_lower = cholesky.Bool("lower");
  return IsComplexType(got.element_type()) ? CholeskyOf<ExtendedComplex>(is_lower, operands[0], want, got)
                                           : CholeskyOf<Extended>(is_lower, operands[0], want, got);
}

PropertyReport SolutionProperties(const TriangularEquation& equation, std::span<const Literal> operands,
                                  const Literal& want, const Literal& got) {
  return IsComplexType(got.element_type()) ? SolutionsOf<ExtendedComplex>(equation, operands, want, got)
                                           : SolutionsOf<Extended>(equation, operands, want, got);
}

}  // namespace assay
