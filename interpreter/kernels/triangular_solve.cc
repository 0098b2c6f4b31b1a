// Intervals of doubles first; MPFR at increasing precision for systems that remain undecided. Systems run in parallel.
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/ops/common/triangular_equation.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// One system m x = y, where m is a or its transpose. x op(a) = b is op(a)^T x^T = b^T.
struct System {
  System(const TriangularEquation& equation, const Shape& a) {
    swaps = (equation.transpose != Transpose::kNone) == equation.left_side;
    conjugates = equation.transpose == Transpose::kAdjoint;
    is_lower = equation.lower != swaps;
    has_unit_diagonal = equation.unit_diagonal;
    n = a.dimensions(a.rank() - 1);
  }

  bool swaps;
  bool conjugates;
  bool is_lower;
  bool has_unit_diagonal;
  std::int64_t n;
};

template <class Number>
Number Coefficient(const System& system, const double* a, std::int64_t i, std::int64_t j, mpfr_prec_t precision) {
  const Number number = NumberAt<Number>(a, system.swaps ? j * system.n + i : i * system.n + j, precision);
  return system.conjugates ? Conjugate(number) : number;
}

// Solves by forward or back substitution. Elements of y are `stride` apart. The parts of x are in the order of the
// rows.
template <class Number>
std::vector<typename PartTypeOf<Number>::Type> Substitute(const System& system, const double* a, const double* y,
                                                          std::int64_t first, std::int64_t stride,
                                                          mpfr_prec_t precision) {
  std::vector<Number> x;
  x.reserve(system.n);
  for (std::int64_t i = 0; i < system.n; ++i) x.push_back(NumberAt<Number>(y, first + i * stride, precision));
  for (std::int64_t step = 0; step < system.n; ++step) {
    CheckLimits();
    const std::int64_t i = system.is_lower ? step : system.n - 1 - step;
    for (std::int64_t j = system.is_lower ? 0 : i + 1; j < (system.is_lower ? i : system.n); ++j) {
      x[i] = MinusProduct(x[i], Coefficient<Number>(system, a, i, j, precision), x[j]);
    }
    if (!system.has_unit_diagonal) x[i] = Quotient(x[i], Coefficient<Number>(system, a, i, i, precision));
  }
  std::vector<typename PartTypeOf<Number>::Type> parts;
  for (const Number& number : x) AppendParts(number, parts);
  return parts;
}

Literal EvaluateTriangularSolve(const HloInstruction& solve, std::span<Literal> operands, Evaluation&) {
  const TriangularEquation equation = EquationOf(solve);
  const Shape& shape = solve.shape;
  const System system(equation, operands[0].shape());
  const std::int64_t n = system.n;
  const std::int64_t parts = ComponentCount(shape.element_type());
  const std::vector<double> a = LoadParts(operands[0]), b = LoadParts(operands[1]);
  const FloatFormat& format = FloatFormatOf(ComplexComponentType(shape.element_type()));
  const bool left_side = equation.left_side;
  const std::int64_t systems = shape.dimensions(left_side ? shape.rank() - 1 : shape.rank() - 2);
  Literal result = Literal::Uninitialized(shape);
  std::byte* const out = result.mutable_data();
  const std::int64_t grain = GrainOfRows(n * n, kEnclosedPerPiece);
  ParallelFor(n == 0 ? 0 : result.element_count() / n, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t column = begin; column < end; ++column) {
      const std::int64_t matrix = column / systems, within = column % systems;
      const std::int64_t stride = left_side ? systems : 1;
      const std::int64_t first = matrix * n * systems + within * (left_side ? 1 : n);
      const double* coefficients = a.data() + matrix * n * n * parts;
      const auto substitute = [&]<class Real>(mpfr_prec_t precision) {
        return parts == 2 ? Substitute<EnclosedComplex<Real>>(system, coefficients, b.data(), first, stride, precision)
                          : Substitute<Real>(system, coefficients, b.data(), first, stride, precision);
      };
      const auto store = [&](std::size_t i, std::uint64_t bits) {
        const auto part = static_cast<std::int64_t>(i);
        StorePart(shape.element_type(), out, (first + part / parts * stride) * parts + part % parts, bits);
      };
      if (RoundIfCertain(format, substitute.operator()<Ball>(0), store)) continue;
      RoundAtRisingPrecision(
          format, [&](mpfr_prec_t precision) { return substitute.operator()<EnclosedReal>(precision); }, store);
    }
  });
  return result;
}

}  // namespace

const OpKernel kernel_triangular_solve = {.op = &op_triangular_solve, .evaluate = EvaluateTriangularSolve};

}  // namespace assay
