#include <vector>

#include "interpreter/numerics/enclosed.h"
#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/legality.h"
#include "interpreter/ops/matrix_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& solve) {
  ASSAY_CHECK_OK(CheckSquareMatrices(solve, 0));
  ASSAY_CHECK_OK(CheckArrayOperand(solve, 1));
  const Shape& a = solve.operand(0).shape;
  const Shape& b = solve.operand(1).shape;
  const auto illegal = [&](std::string_view rule) {
    return Illegal(solve, "{}, found {} and {}", rule, a.ToStringWithoutLayout(), b.ToStringWithoutLayout());
  };
  if (a.element_type() != b.element_type()) return illegal("operands must have the same element type");
  const std::int64_t rank = a.rank();
  if (b.rank() != rank) return illegal("operands must have the same rank");
  const bool left_side = solve.Bool("left_side");
  if (b.dimensions(left_side ? rank - 2 : rank - 1) != a.dimensions(rank - 1)) {
    return illegal(left_side ? "the rows of operand 1 must be as many as those of operand 0 (left_side)"
                             : "the columns of operand 1 must be as many as those of operand 0 (not left_side)");
  }
  for (std::int64_t d = 0; d + 2 < rank; ++d) {
    if (a.dimensions(d) != b.dimensions(d)) return illegal("operands must have the same batch dimensions");
  }
  if (solve.String("transpose_a") == "TRANSPOSE_INVALID") {
    return Illegal(solve, "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  return b;
}

// One system m x = y, with m either a or its transpose. x op(a) = b is op(a)^T x^T = b^T.
struct System {
  explicit System(const HloInstruction& solve) {
    const bool is_transposed = solve.String("transpose_a") != "NO_TRANSPOSE";
    swaps = is_transposed == solve.Bool("left_side");
    conjugates = solve.String("transpose_a") == "ADJOINT";
    is_lower = solve.Bool("lower") != swaps;
    has_unit_diagonal = solve.Bool("unit_diagonal");
    n = solve.operand(0).shape.dimensions(solve.operand(0).shape.rank() - 1);
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

// Substitution, forward or back. Elements of y lie `stride` apart. The parts of x come in the order of the rows.
template <class Number>
std::vector<EnclosedReal> Substitute(const System& system, const double* a, const double* y, std::int64_t first,
                                     std::int64_t stride, mpfr_prec_t precision) {
  std::vector<Number> x;
  x.reserve(system.n);
  for (std::int64_t i = 0; i < system.n; ++i) x.push_back(NumberAt<Number>(y, first + i * stride, precision));
  for (std::int64_t step = 0; step < system.n; ++step) {
    const std::int64_t i = system.is_lower ? step : system.n - 1 - step;
    for (std::int64_t j = system.is_lower ? 0 : i + 1; j < (system.is_lower ? i : system.n); ++j) {
      x[i] = x[i] - Coefficient<Number>(system, a, i, j, precision) * x[j];
    }
    if (!system.has_unit_diagonal) x[i] = x[i] / Coefficient<Number>(system, a, i, i, precision);
  }
  std::vector<EnclosedReal> parts;
  for (const Number& number : x) AppendParts(number, parts);
  return parts;
}

Literal Evaluate(const HloInstruction& solve, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = solve.shape;
  const System system(solve);
  const std::int64_t n = system.n;
  const std::int64_t parts = IsComplexType(shape.element_type()) ? 2 : 1;
  const std::vector<double> a = LoadParts(operands[0]), b = LoadParts(operands[1]);
  const bool left_side = solve.Bool("left_side");
  const std::int64_t systems = shape.dimensions(left_side ? shape.rank() - 1 : shape.rank() - 2);
  Literal result = Literal::Uninitialized(shape);
  std::byte* const out = result.mutable_data();
  ParallelFor(n == 0 ? 0 : result.element_count() / n, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t column = begin; column < end; ++column) {
      const std::int64_t matrix = column / systems, within = column % systems;
      const std::int64_t stride = left_side ? systems : 1;
      const std::int64_t first = matrix * n * systems + within * (left_side ? 1 : n);
      const double* coefficients = a.data() + matrix * n * n * parts;
      RoundAtRisingPrecision(
          FloatFormatOf(ComplexComponentType(shape.element_type())),
          [&](mpfr_prec_t precision) {
            return parts == 2 ? Substitute<EnclosedComplex>(system, coefficients, b.data(), first, stride, precision)
                              : Substitute<EnclosedReal>(system, coefficients, b.data(), first, stride, precision);
          },
          [&](std::size_t i, std::uint64_t bits) {
            const auto part = static_cast<std::int64_t>(i);
            StorePart(shape.element_type(), out, (first + part / parts * stride) * parts + part % parts, bits);
          });
    }
  });
  return result;
}

void FitRunTimeSizes(HloInstruction& solve) {
  const std::int64_t rank = solve.operand(0).shape.rank();
  const std::int64_t solved = solve.Bool("left_side") ? rank - 2 : rank - 1;
  for (std::int64_t d = 0; d + 2 < rank; ++d) Equalize(solve, 0, d, 1, d);
  for (const std::int64_t d : {rank - 2, rank - 1, rank - 2}) Equalize(solve, 0, d, 1, solved);
}

}  // namespace

// A singular matrix gives what the divisions by zero of the substitution give in IEEE 754.
const Op op_triangular_solve = {
    .name = "triangular-solve",
    .meaning = "The solution of op(a) x = b or x op(a) = b for triangular a.",
    .arity = Exactly(2),
    .types = kFloats | kComplex,
    .attributes = {Flag("left_side"), Flag("lower"), Flag("unit_diagonal"),
                   OneOf("transpose_a", "TRANSPOSE_INVALID",
                         {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})},
    .infer = Infer,
    .fit_run_time_sizes = FitRunTimeSizes,
    .evaluate = Evaluate,
    // For well-conditioned matrices; the error of any algorithm grows with the condition number.
    .acceptance = Acceptance::kUlp,
    .ulp = 64,
    .complex_ulp = 64,
};

}  // namespace assay
