// Triangular systems and Cholesky factors that XLA:GPU's own passes lower to cuBLAS and cuSOLVER. The forms that JAX
// calls are in the files of LAPACK's targets.
#include <cmath>
#include <utility>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// --- __cublas$triangularSolve ---

Result<StandIn> SolveOf(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 2));
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "triangular_solve_options"));
  ASSAY_TRY(const bool left_side, config.Bool("left_side"));
  ASSAY_TRY(const bool lower, config.Bool("lower"));
  ASSAY_TRY(const bool unit_diagonal, config.Bool("unit_diagonal"));
  ASSAY_TRY(const std::string_view transpose,
            config.Word("transpose_a", {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}));
  StandIn solve(op_triangular_solve, {call.operand(0).shape, call.operand(1).shape},
                {{"left_side", left_side},
                 {"lower", lower},
                 {"unit_diagonal", unit_diagonal},
                 {"transpose_a", std::string(transpose)}});
  ASSAY_CHECK_OK(solve.Infer(call));
  return solve;
}

Status CheckGpuSolve(const HloInstruction& call) {
  ASSAY_TRY(const StandIn solve, SolveOf(call));
  return CheckResults(call, {solve.instruction().shape});
}

Literal EvaluateGpuSolve(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return WithScratch(call.shape, {SolveOf(call)->Evaluate({operands[0], operands[1]})});
}

PropertyReport JudgeGpuSolve(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                             const Literal& got) {
  const StandIn solve = *SolveOf(call);
  return AcceptanceOf(op_triangular_solve)
      .Fact<PropertiesFunction>()(solve.instruction(), operands, ResultAt(want, 0), ResultAt(got, 0));
}

// --- __cusolver$cholesky: (factors, scratch memory of the elements' type, info) ---

Result<StandIn> CholeskyOf(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 1));
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cholesky_options"));
  ASSAY_TRY(const bool lower, config.Bool("lower"));
  StandIn cholesky(op_cholesky, {call.operand(0).shape}, {{"lower", lower}});
  ASSAY_CHECK_OK(cholesky.Infer(call));
  return cholesky;
}

Status CheckGpuCholesky(const HloInstruction& call) {
  ASSAY_TRY(const StandIn cholesky, CholeskyOf(call));
  const Shape& a = cholesky.instruction().shape;
  Dimensions batch(a.dimensions().begin(), a.dimensions().end() - 2);
  const bool fits = call.shape.IsTuple() && call.shape.tuple_shapes().size() == 3 &&
                    ShapeUtil::Compatible(call.shape.tuple_shapes(0), a) && call.shape.tuple_shapes(1).IsArray() &&
                    ShapeUtil::Compatible(call.shape.tuple_shapes(2), ShapeUtil::MakeShape(S32, batch));
  if (fits) return {};
  return BadCall(call, "the result must be ({}, scratch memory, s32 info of each matrix), found {}",
                 a.ToStringWithoutLayout(), call.shape.ToStringWithoutLayout());
}

// True if a matrix has no factor: its result is then NaN throughout.
bool HasFailed(const Literal& factors, std::int64_t matrix, std::int64_t size) {
  const double first = Magnitudes(factors).values<double>()[matrix * size];
  return std::isnan(first);
}

// Sets `info` to 0, or to 1 if there is no factor: the number of the failing minor is not computed.
Literal EvaluateGpuCholesky(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  Literal factors = CholeskyOf(call)->Evaluate({operands[0]});
  Literal info(call.shape.tuple_shapes(2));
  const auto out = info.mutable_values<std::int32_t>();
  const std::int64_t size = out.empty() ? 0 : factors.element_count() / static_cast<std::int64_t>(out.size());
  for (std::size_t i = 0; size > 0 && i < out.size(); ++i) {
    out[i] = HasFailed(factors, static_cast<std::int64_t>(i), size);
  }
  return Literal::MakeTuple(
      {std::move(factors).WithShape(call.shape.tuple_shapes(0)), Literal(call.shape.tuple_shapes(1)), std::move(info)});
}

PropertyReport JudgeGpuCholesky(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                const Literal& got) {
  const Literal& info = want.elements()[2];
  for (std::int64_t i = 0; i < info.element_count(); ++i) {
    const bool has_factor = info.IntegerAt(i) == 0 && got.elements()[2].IntegerAt(i) == 0;
    if (!has_factor) return {.properties = {}, .open = "a factorization that fails"};
  }
  const StandIn cholesky = *CholeskyOf(call);
  return AcceptanceOf(op_cholesky)
      .Fact<PropertiesFunction>()(cholesky.instruction(), operands, ResultAt(want, 0), ResultAt(got, 0));
}

const CustomCallTarget kGpuSolversTargets[] = {
    {
        .names = {"__cublas$triangularSolve"},
        .meaning = "The solution of a triangular system, as of the op triangular-solve.",
        .check = CheckGpuSolve,
        .evaluate = EvaluateGpuSolve,
        .properties = JudgeGpuSolve,
    },
    {
        .names = {"__cusolver$cholesky"},
        .meaning = "The Cholesky factor of each matrix, as of the op cholesky, and 0 where there is one.",
        .check = CheckGpuCholesky,
        .evaluate = EvaluateGpuCholesky,
        .properties = JudgeGpuCholesky,
    },
};

}  // namespace

const TargetFamily targets_gpu_solvers = kGpuSolversTargets;

}  // namespace assay
