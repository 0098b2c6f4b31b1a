// Intervals of doubles first; MPFR at increasing precision for matrices that remain undecided. Matrices run in
// parallel.
#include <cmath>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

template <class Real>
const Real& RealPart(const Real& a) {
  return a;
}
template <class Real>
const Real& RealPart(const EnclosedComplex<Real>& a) {
  return a.real;
}
template <class Real>
void SetReal(Real& a, const Real& value, const Real&) {
  a = value;
}
template <class Real>
void SetReal(EnclosedComplex<Real>& a, const Real& value, const Real& zero) {
  a = {value, zero};
}

// Returns the root of a pivot that is not known to be positive: unknown, or NaN if it is known not to be positive.
Ball RootOfPivot(const Ball&) { return Ball::Unknown(); }
EnclosedReal RootOfPivot(const EnclosedReal& pivot) {
  const mpfr_prec_t precision = pivot.precision();
  return pivot.HasUnknownSign() ? EnclosedReal::Unknown(precision) : EnclosedReal(std::nan(""), precision);
}

// Returns the lower factor l of one matrix, a = l l^H, row-major, with zeros above its diagonal. Reads the lower
// triangle of a, or the conjugate of the upper one. All elements are NaN if the matrix is not positive definite, or not
// finite.
template <class Number, class Part = typename PartTypeOf<Number>::Type>
std::vector<Part> Factor(const double* a, std::int64_t n, bool lower, mpfr_prec_t precision) {
  std::vector<Number> l;
  l.reserve(n * n);
  const double zeros[2] = {0, 0};
  for (std::int64_t i = 0; i < n; ++i) {
    CheckLimits();
    for (std::int64_t j = 0; j < n; ++j) {
      l.push_back(j > i   ? NumberAt<Number>(zeros, 0, precision)
                  : lower ? NumberAt<Number>(a, i * n + j, precision)
                          : Conjugate(NumberAt<Number>(a, j * n + i, precision)));
    }
  }
  std::vector<Part> parts;
  const std::size_t part_count = n * n * (sizeof(Number) / sizeof(Part));
  const Part zero = NumberAt<Part>(zeros, 0, precision);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      CheckLimits();
      Number& element = l[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) element = MinusProduct(element, l[i * n + k], Conjugate(l[j * n + k]));
      if (j < i) {
        element = Quotient(element, RealPart(l[j * n + j]));
        continue;
      }
      const Part pivot = RealPart(element);
      if (!pivot.IsPositive()) {
        parts.assign(part_count, RootOfPivot(pivot));
        return parts;
      }
      SetReal(element, Sqrt(pivot), zero);
    }
  }
  for (std::int64_t i = 0; i < n * n; ++i) {
    const Number& element = lower ? l[i] : l[i % n * n + i / n];
    // The diagonal is real and the other triangle zero: the signs of their imaginary zeros are kept.
    AppendParts(!lower && i % n > i / n ? Conjugate(element) : element, parts);
  }
  return parts;
}

bool IsTriangleFinite(const double* a, std::int64_t n, bool lower, std::int64_t parts) {
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const double* element = a + (lower ? i * n + j : j * n + i) * parts;
      // The imaginary part of the diagonal is not read.
      for (std::int64_t part = 0; part < (i == j ? 1 : parts); ++part) {
        if (!std::isfinite(element[part])) return false;
      }
    }
  }
  return true;
}

Literal EvaluateCholesky(const HloInstruction& cholesky, std::span<Literal> operands, Evaluation&) {
  const bool lower = cholesky.Bool("lower");
  const Shape& shape = cholesky.shape;
  const std::int64_t n = shape.dimensions(shape.rank() - 1);
  const std::int64_t parts = ComponentCount(shape.element_type());
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(shape.element_type()));
  const std::vector<double> a = LoadParts(operands[0]);
  Literal result = Literal::Uninitialized(shape);
  std::byte* const out = result.mutable_data();
  const std::int64_t size = n * n * parts;
  const std::int64_t grain = GrainOfRows(n * n * n, kEnclosedPerPiece);
  ParallelFor(n == 0 ? 0 : result.element_count() / (n * n), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t matrix = begin; matrix < end; ++matrix) {
      const double* elements = a.data() + matrix * size;
      const auto store = [&](std::size_t i, std::uint64_t bits) {
        StorePart(shape.element_type(), out, matrix * size + static_cast<std::int64_t>(i), bits);
      };
      if (!IsTriangleFinite(elements, n, lower, parts)) {
        for (std::int64_t i = 0; i < size; ++i) store(i, format.nan_bits(false));
        continue;
      }
      const auto factor = [&]<class Real>(mpfr_prec_t precision) {
        return parts == 2 ? Factor<EnclosedComplex<Real>>(elements, n, lower, precision)
                          : Factor<Real>(elements, n, lower, precision);
      };
      if (RoundIfCertain(format, factor.operator()<Ball>(0), store)) continue;
      RoundAtRisingPrecision(
          format, [&](mpfr_prec_t precision) { return factor.operator()<EnclosedReal>(precision); }, store);
    }
  });
  return result;
}

}  // namespace

const OpKernel kernel_cholesky = {.op = &op_cholesky, .evaluate = EvaluateCholesky};

}  // namespace assay
