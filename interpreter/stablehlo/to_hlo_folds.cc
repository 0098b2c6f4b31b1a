// Ops that apply a computation to elements.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

Result<Window> WindowOf(const Lowering& lowering) {
  ASSAY_TRY(const Int64List sizes, lowering.attributes().Integers("window_dimensions"));
  ASSAY_TRY(const std::vector<Int64List> padding, lowering.attributes().Rows("padding"));
  Window window;
  window.dimensions.resize(sizes.size());
  ASSAY_CHECK_OK(SetWindowNumbers(lowering, kFoldLists, "strides, dilations and padding", padding, window));
  return window;
}

// Sets the window. Older programs have no window_dimensions in a select_and_scatter of windows of size 1.
void SetWindow(HloInstruction& instruction, Window window) {
  if (!window.dimensions.empty()) instruction.Set("window", std::move(window));
}

// Returns the scalars that the operation's region uses from outside.
Result<std::vector<ValueId>> CapturedScalars(const Lowering& lowering, std::vector<HloInstruction*>& scalars) {
  ASSAY_TRY(std::vector<ValueId> captures,
            lowering.translator.CapturesOf(lowering.operation, lowering.operation.regions));
  for (const ValueId value : captures) {
    ASSAY_TRY(HloInstruction * scalar, lowering.translator.InstructionOf(lowering.operation, value));
    if (!scalar->shape.IsScalar()) {
      return lowering.Unsupported(fmt::format(
          "its region uses a {} from outside: HLO has no form of it, except for scalars; make it an operand",
          scalar->shape.ToStringWithoutLayout()));
    }
    scalars.push_back(scalar);
  }
  return captures;
}

// Inserts the scalars before operand `place`, each broadcast to the shape of the operand before that.
void InsertLike(const Lowering& lowering, std::size_t place, const std::vector<HloInstruction*>& scalars,
                std::vector<HloInstruction*>& operands) {
  const Shape shape = operands[place - 1]->shape;
  std::vector<HloInstruction*> arrays;
  for (HloInstruction* scalar : scalars) arrays.push_back(&AddScalarBroadcast(lowering.translator, *scalar, shape));
  operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(place), arrays.begin(), arrays.end());
}

// Adds the results of captured scalars to those of the operation, with the dimensions of its first one.
Status AddResultsOf(const std::vector<HloInstruction*>& scalars, Lowering& lowering) {
  ASSAY_TRY(std::vector<Shape> shapes, lowering.ResultShapes());
  if (shapes.empty() || !shapes[0].IsArray()) return lowering.Illegal("the result must be a tensor");
  for (const HloInstruction* scalar : scalars) {
    shapes.push_back(ShapeUtil::ChangeElementType(shapes[0], scalar->shape.element_type()));
  }
  lowering.result_shapes = std::move(shapes);
  return {};
}

// The arguments of the region are `count` elements for each operand: 2 for a sort, 1 for a map.
Result<AppliedRegion> ApplyToElements(const Lowering& lowering, std::size_t count) {
  std::vector<HloInstruction*> scalars;
  ASSAY_TRY(const std::vector<ValueId> captures, CapturedScalars(lowering, scalars));
  Lowering applied = lowering;
  if (captures.empty()) {
    ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
    return AppliedRegion{body, std::move(applied)};
  }
  std::vector<ValueId> parameters;
  for (const ValueId value : captures) parameters.insert(parameters.end(), count, value);
  const std::size_t arguments = count * lowering.operands.size();
  ASSAY_TRY(HloComputation * body, lowering.translator.LowerRegion(lowering.operation, lowering.operation.regions[0],
                                                                   "region", {}, parameters, arguments));
  InsertLike(lowering, lowering.operands.size(), scalars, applied.operands);
  if (count > 1) ASSAY_CHECK_OK(AddResultsOf(scalars, applied));
  return AppliedRegion{body, std::move(applied)};
}

// Returns a computation that applies another one to values of a wider type. It converts them back, which is exact for
// promoted values.
HloComputation& OnPromoted(Translator& translator, HloComputation& computation, PrimitiveType type) {
  Translator::ScopedComputation scope(translator, "region");
  std::vector<HloInstruction*> arguments;
  for (const HloInstruction* parameter : computation.Parameters()) {
    HloInstruction& wide =
        translator.Add(*OpWithRole(OpRole::kParameter), ShapeUtil::ChangeElementType(parameter->shape, type), {});
    wide.parameter_number = parameter->parameter_number;
    arguments.push_back(&translator.Add("convert", parameter->shape, {&wide}));
  }
  HloInstruction& call = translator.Add("call", computation.root->shape, std::move(arguments));
  call.Set("to_apply", &computation);
  return scope.Finish(call);
}

}  // namespace

Status SetWindowNumbers(const Lowering& lowering, std::span<const WindowList> lists, std::string_view what,
                        const std::vector<Int64List>& padding, Window& window) {
  const auto check_count = [&](std::string_view name, std::size_t count) -> Status {
    if (count == 0 || count == window.dimensions.size()) return {};
    return lowering.Illegal(fmt::format("{} must have {} entries, one for each dimension of the window, found {}",
                                        what.empty() ? name : what, window.dimensions.size(), count));
  };
  for (const WindowList& list : lists) {
    ASSAY_TRY(const Int64List numbers, lowering.attributes().Integers(list.name));
    ASSAY_CHECK_OK(check_count(list.name, numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (list.flag != nullptr) window.dimensions[i].*list.flag = numbers[i] != 0;
      if (list.number != nullptr) window.dimensions[i].*list.number = numbers[i];
    }
  }
  ASSAY_CHECK_OK(check_count("padding", padding.size()));
  for (std::size_t i = 0; i < padding.size(); ++i) {
    if (padding[i].size() != 2) return lowering.Illegal("padding must be pairs of numbers");
    window.dimensions[i].padding_low = padding[i][0];
    window.dimensions[i].padding_high = padding[i][1];
  }
  return {};
}

Result<AppliedRegion> ApplyFold(const Lowering& lowering, std::size_t inputs) {
  std::vector<HloInstruction*> scalars;
  ASSAY_TRY(const std::vector<ValueId> captures, CapturedScalars(lowering, scalars));
  Lowering applied = lowering;
  if (captures.empty() || inputs == 0) {
    ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
    return AppliedRegion{body, std::move(applied)};
  }
  ASSAY_TRY(HloComputation * body,
            lowering.translator.LowerRegion(lowering.operation, lowering.operation.regions[0], "region", {}, captures,
                                            inputs, /*returns_captures=*/true));
  InsertLike(lowering, applied.operands.size(), scalars, applied.operands);
  InsertLike(lowering, inputs, scalars, applied.operands);
  ASSAY_CHECK_OK(AddResultsOf(scalars, applied));
  return AppliedRegion{body, std::move(applied)};
}

Status LowerMap(const Lowering& lowering) {
  ASSAY_TRY(Int64List dimensions, lowering.attributes().Integers("dimensions"));
  ASSAY_TRY(const AppliedRegion applied, ApplyToElements(lowering, 1));
  ASSAY_TRY(HloInstruction * map, applied.lowering.AddResult());
  Int64List all(map->shape.IsArray() ? map->shape.rank() : 0);
  std::iota(all.begin(), all.end(), 0);
  if (dimensions != all) {
    return lowering.Illegal(fmt::format("dimensions must be all of the {} of {}, in order, found {}", all.size(),
                                        map->shape.ToStringWithoutLayout(), JoinText(dimensions, ", ")));
  }
  map->Set("dimensions", std::move(dimensions));
  map->Set("to_apply", applied.body);
  return {};
}

Status LowerReduce(const Lowering& lowering) {
  ASSAY_TRY(Int64List dimensions, lowering.attributes().Integers("dimensions"));
  ASSAY_TRY(const AppliedRegion applied, ApplyFold(lowering, lowering.operands.size() / 2));
  ASSAY_TRY(HloInstruction * reduce, applied.lowering.Promoted(*applied.body).AddResult());
  reduce->Set("dimensions", std::move(dimensions));
  reduce->Set("to_apply", applied.body);
  return {};
}

Status LowerReduceWindow(const Lowering& lowering) {
  ASSAY_TRY(Window window, WindowOf(lowering));
  ASSAY_TRY(const AppliedRegion applied, ApplyFold(lowering, lowering.operands.size() / 2));
  ASSAY_TRY(HloInstruction * reduce, applied.lowering.Promoted(*applied.body).AddResult());
  SetWindow(*reduce, std::move(window));
  reduce->Set("to_apply", applied.body);
  return {};
}

Status LowerSelectAndScatter(const Lowering& lowering) {
  ASSAY_TRY(Window window, WindowOf(lowering));
  ASSAY_TRY(HloComputation * select, lowering.LowerRegion(0));
  ASSAY_TRY(HloComputation * scatter, lowering.LowerRegion(1));
  // StableHLO promotes the values that `scatter` adds; `select` compares them as they are.
  const Lowering promoted = lowering.Promoted(*scatter);
  if (promoted.operands[0] != lowering.operands[0]) {
    select = &OnPromoted(lowering.translator, *select, promoted.operands[0]->shape.element_type());
  }
  ASSAY_TRY(HloInstruction * instruction, promoted.AddResult());
  SetWindow(*instruction, std::move(window));
  instruction->Set("select", select);
  instruction->Set("scatter", scatter);
  return {};
}

// Lowers a sort. A dimension of -1 is the last.
Status LowerSort(const Lowering& lowering) {
  ASSAY_TRY(std::int64_t dimension, lowering.attributes().Integer("dimension", -1));
  ASSAY_TRY(const bool is_stable, lowering.attributes().Bool("is_stable"));
  ASSAY_TRY(const AppliedRegion applied, ApplyToElements(lowering, 2));
  ASSAY_TRY(HloInstruction * sort, applied.lowering.AddResult());
  if (dimension < 0 && !lowering.operands.empty() && lowering.operands[0]->shape.IsArray()) {
    dimension += lowering.operands[0]->shape.rank();
  }
  sort->Set("dimensions", Int64List{dimension});
  if (is_stable) sort->Set("is_stable", true);
  sort->Set("to_apply", applied.body);
  return {};
}

}  // namespace assay::stablehlo
