// Ops of MHLO in the output of XLA's conversion from HLO that have no equivalent in StableHLO.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Returns the computation that a start, an update and a done name.
Result<HloComputation*> CalledComputation(const Lowering& lowering) {
  ASSAY_TRY(const std::vector<std::string> called, lowering.attributes().Symbols("called_computation"));
  if (called.size() != 1) return lowering.Illegal("the attribute called_computation must name one function");
  return lowering.translator.LowerFunction(lowering.operation, called[0]);
}

// Returns the shape ((operands), result, u32[]).
Shape AsyncShape(const std::vector<HloInstruction*>& operands, const Shape& result) {
  return ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeTupleShape(ShapesOf(operands)), result, ShapeUtil::MakeScalarShape(U32)});
}

bool IsAsyncStart(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kAsyncStart || instruction.op->role == OpRole::kAsyncUpdate;
}

// Returns the single instruction of the body if HLO has a start and a done op for it; otherwise null.
const HloInstruction* WholeBody(const HloComputation& body) {
  constexpr std::string_view kOps[] = {"all-gather", "all-reduce", "collective-permute", "copy"};
  const HloInstruction& root = *body.root;
  if (std::ranges::find(kOps, root.op->name) == std::end(kOps) || root.operands.size() != 1) return nullptr;
  const bool is_alone = root.operand(0).op->role == OpRole::kParameter && body.instructions.size() == 2;
  return is_alone ? &root : nullptr;
}

Shape StartShape(const HloInstruction& whole) {
  const Shape &operand = whole.operand(0).shape, &result = whole.shape;
  if (whole.op->name == "all-reduce") return result;
  if (whole.op->name == "copy") return ShapeUtil::MakeTupleShape({result, operand, ShapeUtil::MakeScalarShape(U32)});
  return ShapeUtil::MakeTupleShape({operand, result});
}

// Adds the op's own start in HLO: "all-gather-start".
void AddOwnStart(const Lowering& lowering, const HloInstruction& whole) {
  HloInstruction& start =
      lowering.translator.Add(fmt::format("{}-start", whole.op->name), StartShape(whole), lowering.operands);
  start.attributes = whole.attributes;
  if (whole.op->name == "all-gather") start.Set("constrain_layout", true);
  lowering.translator.Bind(lowering.operation.results[0].id, start);
}

// Returns the result shape of the done of such a start; nothing for another instruction.
std::optional<Shape> ResultOfOwnStart(const HloInstruction& start) {
  const std::string_view name = start.op->name;
  if (name == "all-reduce-start") return start.shape;
  if (name == "all-gather-start" || name == "collective-permute-start") return start.shape.tuple_shapes(1);
  if (name == "copy-start") return start.shape.tuple_shapes(0);
  return std::nullopt;
}

// The operations that StableHLO allows between a start and a done.
constexpr std::string_view kAsynchronous[] = {
    "all_gather",        "all_reduce",    "all_to_all",           "collective_broadcast", "collective_permute",
    "collective_reduce", "dynamic_slice", "dynamic_update_slice", "reduce_scatter",       "slice"};

Status CheckAsyncBody(const Lowering& lowering) {
  const std::vector<Block>& blocks = lowering.operation.regions[0].blocks;
  if (blocks.empty() || blocks[0].operations.size() != 2) {
    return lowering.Illegal("the region must have one operation and a return");
  }
  const std::string_view name = blocks[0].operations[0].name;
  if (std::ranges::find(kAsynchronous, name.substr(name.find('.') + 1)) == std::end(kAsynchronous)) {
    return lowering.Illegal(fmt::format("the region must have a collective or a slice, found {}", name));
  }
  if (blocks[0].arguments.size() == lowering.operands.size()) return {};
  return lowering.Illegal(fmt::format("the region must have an argument for each of {} operands, found {}",
                                      lowering.operands.size(), blocks[0].arguments.size()));
}

}  // namespace

// The region's computation, or the named function, runs between the start and the done.
Status LowerAsyncStart(const Lowering& lowering) {
  const bool has_region = !lowering.operation.regions.empty();
  if (has_region) ASSAY_CHECK_OK(CheckAsyncBody(lowering));
  ASSAY_TRY(HloComputation * body, has_region ? lowering.LowerRegion(0) : CalledComputation(lowering));
  if (const HloInstruction* whole = WholeBody(*body); whole != nullptr && lowering.operands.size() == 1) {
    AddOwnStart(lowering, *whole);
    return {};
  }
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
  if (const std::optional<Shape> result = ResultOfOwnStart(start); result && lowering.operation.results.size() == 1) {
    const std::string_view name = start.op->name.substr(0, start.op->name.rfind('-'));
    lowering.translator.BindResults(lowering.operation,
                                    lowering.translator.Add(fmt::format("{}-done", name), *result, {&start}));
    return {};
  }
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

// Adds nothing for a bitcast to the same shape and layout, as XLA's conversion does.
Status LowerBitcast(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  const auto layout = [&](std::string_view name) {
    const Attribute* attribute = lowering.attributes().Find(name);
    return attribute == nullptr ? std::nullopt : IntegersOf(*attribute);
  };
  HloInstruction& operand = *lowering.operands[0];
  if (result == operand.shape && layout("source_layout") == layout("result_layout")) {
    lowering.translator.BindResults(lowering.operation, operand);
    return {};
  }
  return LowerDirectly(lowering);
}

Status LowerDomain(const Lowering& lowering) {
  ASSAY_TRY(const std::string entry, lowering.attributes().String("entry_metadata"));
  ASSAY_TRY(const std::string exit, lowering.attributes().String("exit_metadata"));
  if (!entry.starts_with('{') || !exit.starts_with('{')) {
    return lowering.Illegal(fmt::format(
        "entry_metadata and exit_metadata must be shardings in braces, found \"{}\" and \"{}\"", entry, exit));
  }
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

// The last results are the carries, as many as the initial values.
Status LowerScan(const Lowering& lowering) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const std::int64_t dimension, attributes.RequiredInteger("dimension"));
  ASSAY_TRY(const Int64List segments, attributes.RequiredIntegers("operandSegmentSizes"));
  ASSAY_TRY(const bool is_reverse, attributes.Bool("is_reverse"));
  ASSAY_TRY(const bool is_associative, attributes.Bool("is_associative"));
  if (segments.size() != 2)
    return lowering.Illegal("operandSegmentSizes must have two numbers: of inputs and of inits");
  ASSAY_TRY(const std::int64_t size, attributes.Integer("scan_dim_size", -1));
  const bool states_size = attributes.Find("scan_dim_size") != nullptr && !lowering.translator.is_unbounded();
  for (const HloInstruction* input : lowering.OperandsFrom(0, states_size ? segments[0] : 0)) {
    const bool has_dimension = input->shape.IsArray() && dimension >= 0 && dimension < input->shape.rank();
    if (!has_dimension || input->shape.dimensions(dimension) != size) {
      return lowering.Illegal(fmt::format("dimension {} of each input must have scan_dim_size {}, found {}", dimension,
                                          size, input->shape.ToStringWithoutLayout()));
    }
  }
  ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * scan, lowering.AddResult());
  scan->Set("dimensions", Int64List{dimension});
  scan->Set("num_carries", segments[1]);
  if (is_reverse) scan->Set("is_reverse", true);
  if (attributes.Find("is_associative") != nullptr) scan->Set("is_associative", is_associative);
  scan->Set("to_apply", body);
  return {};
}

}  // namespace assay::stablehlo
