// Ops of MHLO that XLA's conversion from HLO leaves where StableHLO has none.
#include <fmt/format.h>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// The computation that a start, an update and a done name.
Result<HloComputation*> CalledComputation(const Lowering& lowering) {
  ASSAY_TRY(const std::vector<std::string> called, lowering.attributes().Symbols("called_computation"));
  if (called.size() != 1) return lowering.Illegal("the attribute called_computation must name one function");
  return lowering.translator.LowerFunction(lowering.operation, called[0]);
}

// ((operands), result, u32[])
Shape AsyncShape(const std::vector<HloInstruction*>& operands, const Shape& result) {
  std::vector<Shape> shapes;
  for (const HloInstruction* operand : operands) shapes.push_back(operand->shape);
  return ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeTupleShape(std::move(shapes)), result, ShapeUtil::MakeScalarShape(U32)});
}

bool IsAsyncStart(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kAsyncStart || instruction.op->role == OpRole::kAsyncUpdate;
}

}  // namespace

// The region's computation, or the function that is named, runs between the start and the done.
Status LowerAsyncStart(const Lowering& lowering) {
  const bool has_region = !lowering.operation.regions.empty();
  ASSAY_TRY(HloComputation * body, has_region ? lowering.LowerRegion(0) : CalledComputation(lowering));
  ASSAY_TRY(std::string thread, lowering.attributes().String("execution_thread"));
  HloInstruction& start = lowering.translator.Add(*OpWithRole(OpRole::kAsyncStart),
                                                  AsyncShape(lowering.operands, body->root->shape), lowering.operands);
  start.Set("calls", body);
  if (!thread.empty() && thread != "main") {
    body->execution_thread = thread;
    start.Set("async_execution_thread", std::move(thread));
  }
  lowering.translator.Bind(lowering.operation.results[0].id, start);
  return {};
}

Status LowerAsyncUpdate(const Lowering& lowering) {
  HloInstruction& start = *lowering.operands[0];
  if (!IsAsyncStart(start)) return lowering.Illegal("the operand must be an async_start or an async_update");
  HloInstruction& update = lowering.translator.Add(*OpWithRole(OpRole::kAsyncUpdate), start.shape, {&start});
  lowering.translator.Bind(lowering.operation.results[0].id, update);
  return {};
}

Status LowerAsyncDone(const Lowering& lowering) {
  HloInstruction& start = *lowering.operands[0];
  if (!IsAsyncStart(start)) return lowering.Illegal("the operand must be an async_start or an async_update");
  HloInstruction& done =
      lowering.translator.Add(*OpWithRole(OpRole::kAsyncDone), start.shape.tuple_shapes(1), {&start});
  const std::size_t results = lowering.operation.results.size();
  if (results != 1 && (!done.shape.IsTuple() || done.shape.tuple_shapes().size() < results)) {
    return lowering.Illegal(fmt::format("it must have as many results as its computation, found {}", results));
  }
  lowering.translator.BindResults(lowering.operation, done);
  return {};
}

Status LowerDomain(const Lowering& lowering) {
  ASSAY_TRY(const std::string entry, lowering.attributes().String("entry_metadata"));
  ASSAY_TRY(const std::string exit, lowering.attributes().String("exit_metadata"));
  ASSAY_TRY(HloInstruction * domain, lowering.AddResult());
  domain->Set("domain", fmt::format("{{kind=\"sharding\", entry={}, exit={}}}", entry, exit));
  return {};
}

Status LowerFusion(const Lowering& lowering) {
  ASSAY_TRY(std::string kind, lowering.attributes().Word("fusion_kind"));
  ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * fusion, lowering.AddResult());
  fusion->Set("kind", std::move(kind));
  fusion->Set("calls", body);
  return {};
}

}  // namespace assay::stablehlo
