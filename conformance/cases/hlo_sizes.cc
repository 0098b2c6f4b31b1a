#include "conformance/cases/hlo_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr std::int64_t kChosenSize = 3;

// Gives each dimension of unknown size of an array a size.
template <class SizeOf>
void FillArray(Shape& shape, SizeOf size_of) {
  for (std::int64_t d = 0; shape.IsArray() && d < shape.rank(); ++d) {
    if (!shape.is_unbounded_dynamic_dimension(d)) continue;
    shape.set_dimensions(d, size_of(d));
    shape.set_dynamic_dimension(d, false);
  }
}

// Gives the unknown sizes of a shape those of another one of its form.
void Fill(Shape& shape, const Shape& known) {
  if (shape.IsTuple() && known.IsTuple() && shape.tuple_shapes().size() == known.tuple_shapes().size()) {
    for (std::size_t i = 0; i < known.tuple_shapes().size(); ++i) {
      Fill(shape.mutable_tuple_shapes()[i], known.tuple_shapes()[i]);
    }
  }
  if (!shape.IsArray() || !known.IsArray() || shape.rank() != known.rank()) return;
  FillArray(shape, [&](std::int64_t d) { return known.dimensions(d); });
}

// Fills the computation, whose parameters are filled, and those that it calls, each once. A loop's state keeps its
// sizes.
Status FillComputation(HloComputation& computation, std::unordered_set<const HloComputation*>& filled) {
  if (!filled.insert(&computation).second) return {};
  for (const auto& instruction : computation.instructions) {
    for (HloComputation* called : instruction->CalledComputations()) {
      const auto parameters = called->Parameters();
      const std::size_t first = instruction->operands.size() == parameters.size() ? 0 : 1;  // a choice has its selector
      for (std::size_t i = 0; i < parameters.size() && first + i < instruction->operands.size(); ++i) {
        if (parameters[i] == nullptr) continue;
        const auto parameter =
            std::ranges::find(called->instructions, parameters[i], [](const auto& p) { return p.get(); });
        Fill((*parameter)->shape, instruction->operands[first + i]->shape);
      }
      ASSAY_CHECK_OK(FillComputation(*called, filled));
    }
    if (!instruction->shape.IsUnboundedDynamic()) continue;
    const Result<Shape> inferred = instruction->op->legality.infer(*instruction);
    if (inferred) Fill(instruction->shape, *inferred);
    if (!inferred || instruction->shape.IsUnboundedDynamic()) {
      return Error{
          ErrorCode::kIllegal,
          fmt::format("{}: the sizes of {} do not follow from its operands{}", instruction->name,
                      instruction->shape.ToStringWithoutLayout(), inferred ? "" : ": " + inferred.error().message),
          instruction->location};
    }
  }
  return {};
}

}  // namespace

void SetUnknownSizes(Shape& shape, std::int64_t size) {
  for (std::size_t i = 0; shape.IsTuple() && i < shape.tuple_shapes().size(); ++i) {
    SetUnknownSizes(shape.mutable_tuple_shapes()[i], size);
  }
  FillArray(shape, [&](std::int64_t) { return size; });
}

Result<std::optional<std::int64_t>> FillUnknownSizes(HloModule& module, const InputOptions& inputs) {
  std::optional<std::int64_t> chosen;
  const bool has_unknown = std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [](const auto& i) { return i->shape.IsUnboundedDynamic(); });
  });
  if (!has_unknown || module.entry == nullptr) return chosen;
  std::vector<HloInstruction*> parameters;
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->role == OpRole::kParameter) parameters.push_back(instruction.get());
  }
  std::ranges::sort(parameters, {}, &HloInstruction::parameter_number);
  std::vector<Shape> shapes;
  for (const HloInstruction* parameter : parameters) shapes.push_back(parameter->shape);
  ASSAY_TRY(const DeviceValues given, ReadGivenInputs(shapes, inputs));
  if (given.empty() && std::ranges::any_of(shapes, &Shape::IsUnboundedDynamic)) chosen = kChosenSize;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (chosen) SetUnknownSizes(parameters[i]->shape, *chosen);
    if (!given.empty()) Fill(parameters[i]->shape, given.front()[i].shape());
  }
  std::unordered_set<const HloComputation*> filled;
  ASSAY_CHECK_OK(FillComputation(*module.entry, filled));
  SetEntryLayouts(module);
  return chosen;
}

}  // namespace assay
