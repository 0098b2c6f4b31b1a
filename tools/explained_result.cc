#include "tools/explained_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "conformance/diagnosis/subject.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "tools/report_text.h"

namespace assay {
namespace {

using Index = std::vector<std::int64_t>;

Index Joined(Index front, const Index& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

// Numbers the elements of all leaves of a shape from `next` on. `of_value` and `of_outputs` are the index of the shape
// in the instruction's result and in the outputs.
void AddPlaces(const Shape& shape, const Index& of_value, const Index& of_outputs, std::int64_t& next,
               std::vector<NumberedPlace>& places) {
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    const Index element = {static_cast<std::int64_t>(i)};
    AddPlaces(shape.tuple_shapes(i), Joined(of_value, element), Joined(of_outputs, element), next, places);
  }
  if (!shape.IsArray()) return;
  for (std::int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) {
    places.push_back({{of_value, i}, {of_outputs, i}, next++});
  }
}

// Adds the places of the part of an instruction's result at `index`, on each device if the result combines those of all
// devices. `path` is the index of that part in the module's result.
std::vector<NumberedPlace> PlacesOf(const HloInstruction& instruction, const Index& index, const Index& path,
                                    ExplainedResult& result) {
  const Shape* shape = &instruction.shape;
  for (const std::int64_t i : index) shape = &shape->tuple_shapes(i);
  std::vector<NumberedPlace> places;
  const std::int64_t devices = result.module->device_count();
  const bool is_joint = instruction.op->evaluation.depends_on_device && devices > 1;
  for (std::int64_t device = 0; device < (is_joint ? devices : 1); ++device) {
    const Index of_device = {device};
    AddPlaces(*shape, is_joint ? Joined(of_device, index) : index, devices > 1 ? Joined(of_device, path) : path,
              result.elements, places);
  }
  return places;
}

void AddParts(const HloInstruction& instruction, Index index, const Index& path, ExplainedResult& result) {
  if (instruction.op->role == OpRole::kTuple && !index.empty()) {
    const HloInstruction& element = instruction.operand(index[0]);
    index.erase(index.begin());
    return AddParts(element, std::move(index), path, result);
  }
  if (instruction.op->role == OpRole::kTuple) {
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      AddParts(instruction.operand(i), {}, Joined(path, {static_cast<std::int64_t>(i)}), result);
    }
    return;
  }
  if (instruction.op->role == OpRole::kGetTupleElement) {
    index.insert(index.begin(), instruction.tuple_index());
    return AddParts(instruction.operand(0), std::move(index), path, result);
  }
  const std::int64_t first = result.elements;
  std::vector<NumberedPlace> places = PlacesOf(instruction, index, path, result);
  if (instruction.op->role != OpRole::kOrdinary && instruction.op->role != OpRole::kCall) {
    result.notes.push_back(fmt::format("elements {} to {} are those of line {}, which has no rule of its own: {}",
                                       first, result.elements - 1, instruction.location.line,
                                       Shortened(PrintInstruction(instruction))));
    return;
  }
  const auto known = std::ranges::find(result.parts, &instruction, &ExplainedPart::instruction);
  if (known == result.parts.end()) {
    result.parts.push_back({&instruction, std::move(places)});
  } else {
    known->places.insert(known->places.end(), places.begin(), places.end());
  }
}

// Converts an offset in an array with the sizes of its bounds to the offset in the dense array of the run-time sizes.
// Returns nothing for an element outside of these.
std::optional<std::int64_t> DenseOffset(const Literal& array, std::int64_t rest) {
  if (!array.has_dynamic_sizes()) return rest;
  std::int64_t offset = 0, stride = 1;
  for (std::int64_t d = array.shape().rank() - 1; d >= 0; --d) {
    const std::int64_t index = rest % array.shape().dimensions(d), size = array.dynamic_size(d);
    if (index >= size) return std::nullopt;
    rest /= array.shape().dimensions(d);
    offset += index * stride;
    stride *= size;
  }
  return offset;
}

void FitToRunTimeSizes(ExplainedPart& part, Literal& want) {
  std::vector<NumberedPlace> places;
  for (NumberedPlace& numbered : part.places) {
    const std::optional<std::int64_t> offset = DenseOffset(numbered.place.LeafOf(want), numbered.place.offset);
    if (!offset) continue;
    numbered.place.offset = numbered.in_outputs.offset = *offset;
    places.push_back(std::move(numbered));
  }
  part.places = std::move(places);
  want = ToHost(std::move(want));
}

// Returns a call whose value is the result or has elements of it; null if there is none.
HloInstruction* FindCall(HloInstruction& value, std::set<const HloInstruction*>& seen) {
  if (!seen.insert(&value).second) return nullptr;
  if (value.op->role == OpRole::kCall) return &value;
  if (value.op->role != OpRole::kTuple && value.op->role != OpRole::kGetTupleElement) return nullptr;
  for (HloInstruction* operand : value.operands) {
    if (HloInstruction* call = FindCall(*operand, seen)) return call;
  }
  return nullptr;
}

// Inlines the calls that produce the result: an instruction that computes an element has a rule, a call has none. The
// root of a JAX function is such a call. Leaves a module without such calls unchanged.
void InlineCallsOfResult(std::unique_ptr<HloModule>& module, DeviceValues& arguments) {
  Candidate candidate = {CloneModule(*module), arguments};
  HloComputation& entry = *candidate.module->entry;
  bool has_calls = false;
  for (std::set<const HloInstruction*> seen; HloInstruction* call = FindCall(*entry.root, seen); seen.clear()) {
    ReplaceUses(*call, InlineAt(entry, PlaceOf(*call), *call->CalledComputations().front(), call->operands));
    has_calls = true;
  }
  if (!has_calls) return;
  std::optional<Subject> inlined = Finish(std::move(candidate));
  if (!inlined) return;
  module = CloneModule(*inlined->module);
  arguments = std::move(inlined->arguments);
}

// Takes the value of the root for its only part.
ExplainedResult OfRoot(std::unique_ptr<HloModule> module, DeviceValues arguments, InstructionValues values) {
  ExplainedResult result;
  const HloInstruction* const root = module->entry->root;
  result.parts.push_back({root, {}});
  AddPlaces(values.want.shape(), {}, {}, result.elements, result.parts[0].places);
  result.exact[root] = std::move(values);
  result.module = std::move(module);
  result.arguments = std::move(arguments);
  return result;
}

}  // namespace

Result<ExplainedResult> ExplainCase(const NamedCase& named, const EvaluationLimits& limits) {
  ASSAY_TRY(auto module, ReadGoldenModule(named.file, named.golden.entry));
  ASSAY_TRY(auto values, EvaluateGolden(named.file, named.golden, *module, limits));
  DeviceValues arguments = ByDevice(module->device_count(), named.golden.arguments);
  ExplainedResult result = OfRoot(std::move(module), std::move(arguments), std::move(values));
  result.title = named.Title();
  return result;
}

Result<ExplainedResult> ExplainRoot(std::unique_ptr<HloModule> module, DeviceValues arguments,
                                    const EvaluationLimits& limits) {
  ASSAY_TRY(auto values, EvaluateRoot(*module, arguments, limits));
  return OfRoot(std::move(module), std::move(arguments), std::move(values));
}

Result<ExplainedResult> ExplainModule(const HloModule& module, DeviceValues arguments, const EvaluationLimits& limits) {
  ExplainedResult result;
  result.module = CloneModule(module);
  result.arguments = std::move(arguments);
  InlineCallsOfResult(result.module, result.arguments);
  AddParts(*result.module->entry->root, {}, {}, result);
  std::set<const HloInstruction*> instructions;
  for (const ExplainedPart& part : result.parts) instructions.insert(part.instruction);
  ASSAY_TRY(result.exact, EvaluateInstructions(*result.module, result.arguments, limits, instructions));
  for (ExplainedPart& part : result.parts) FitToRunTimeSizes(part, result.exact[part.instruction].want);
  return result;
}

Status KeepElement(ExplainedResult& result, std::int64_t element) {
  if (element >= result.elements) {
    return Error{ErrorCode::kUsage,
                 fmt::format("the result has {} elements, so there is no element {}", result.elements, element)};
  }
  for (ExplainedPart& part : result.parts) {
    std::erase_if(part.places, [&](const NumberedPlace& numbered) { return numbered.number != element; });
  }
  std::erase_if(result.parts, [](const ExplainedPart& part) { return part.places.empty(); });
  if (result.parts.empty() && result.notes.empty()) {
    return Error{ErrorCode::kUsage, fmt::format("element {} is beyond the sizes at run time", element)};
  }
  return {};
}

}  // namespace assay
