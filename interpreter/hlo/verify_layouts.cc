#include <functional>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

// True if corresponding arrays of two compatible shapes have the same layout; a missing layout matches any.
template <class SameLayout>
bool AreAlike(const Shape& a, const Shape& b, SameLayout same) {
  if (a.has_layout() && b.has_layout() && !same(a.layout(), b.layout())) return false;
  for (std::size_t i = 0; i < a.tuple_shapes().size() && i < b.tuple_shapes().size(); ++i) {
    if (!AreAlike(a.tuple_shapes(static_cast<std::int64_t>(i)), b.tuple_shapes(static_cast<std::int64_t>(i)), same)) {
      return false;
    }
  }
  return true;
}

bool HaveSameLayouts(const Shape& a, const Shape& b) { return AreAlike(a, b, std::equal_to<Layout>()); }

bool HaveSameOrder(const Shape& a, const Shape& b) {
  return AreAlike(a, b, [](const Layout& x, const Layout& y) { return x.minor_to_major == y.minor_to_major; });
}

void CheckResultLayout(const HloInstruction& instruction, ErrorList& errors) {
  const Shape& result = instruction.shape;
  switch (instruction.op->RuleForLayouts()) {
    case LayoutRule::kFree:
      return;
    case LayoutRule::kKept:
      for (const HloInstruction* operand : instruction.operands) {
        const bool has_rank = result.IsArray() && operand->shape.IsArray() && operand->shape.rank() == result.rank();
        if (!has_rank || HaveSameOrder(result, operand->shape)) continue;
        errors.Add(instruction, "{} keeps the layout of its operand {}, {}, found {}", instruction.op->name,
                   operand->name, operand->shape.ToString(), result.ToString());
      }
      return;
    case LayoutRule::kInferred: {
      const Result<Shape> inferred = instruction.op->legality.infer(instruction);
      // A start of a transfer may declare the memory space of its destination.
      const bool is_start = !instruction.op->legality.done.empty();
      if (!inferred || (is_start ? HaveSameOrder(result, *inferred) : HaveSameLayouts(result, *inferred))) return;
      errors.Add(instruction, "{}: declared {}, inferred {}", instruction.op->name, result.ToString(),
                 inferred->ToString());
    }
  }
}

void CheckHandedOn(const HloInstruction& instruction, std::string_view what, const HloComputation& called,
                   const Shape& inside, const Shape& outside, ErrorList& errors) {
  if (!ShapeUtil::Compatible(inside, outside) || HaveSameLayouts(inside, outside)) return;
  errors.Add(instruction, "{} of {} must have the layout of its value, {}, found {}", what, called.name,
             outside.ToString(), inside.ToString());
}

// Checks that a parameter of a called computation that receives a whole operand has the operand's layout, and, for ops
// with inferred layouts, that a result returned whole has the instruction's layout. A branch's parameter corresponds to
// the operand of that branch.
void CheckCalledLayouts(const HloInstruction& instruction, ErrorList& errors) {
  const std::vector<HloComputation*> called = instruction.CalledComputations();
  for (std::size_t k = 0; k < called.size(); ++k) {
    const std::vector<const HloInstruction*> parameters = called[k]->Parameters();
    const std::vector<HloInstruction*>& operands = instruction.operands;
    const bool is_branch = parameters.size() == 1 && operands.size() == called.size() + 1;
    if (!is_branch && parameters.size() != operands.size()) continue;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      CheckHandedOn(instruction, fmt::format("parameter {}", i), *called[k], parameters[i]->shape,
                    operands[is_branch ? k + 1 : i]->shape, errors);
    }
    if (instruction.op->legality.layouts != LayoutRule::kInferred) continue;
    CheckHandedOn(instruction, "the result", *called[k], called[k]->root->shape, instruction.shape, errors);
  }
}

// Checks that entry_computation_layout has the dimension orders of the entry; tiles and memory spaces are the
// compiler's choice.
void CheckEntryLayouts(const HloModule& module, ErrorList& errors) {
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  const auto check = [&](std::string_view what, const Shape& written, const Shape& declared) {
    if (HaveSameOrder(written, declared)) return;
    errors.Add(module, "{} of entry_computation_layout must have the layout {}, found {}", what, declared.ToString(),
               written.ToString());
  };
  for (std::size_t i = 0; i < module.entry_parameter_layouts.size(); ++i) {
    check(fmt::format("parameter {}", i), module.entry_parameter_layouts[i], parameters[i]->shape);
  }
  check("the result", module.entry_result_layout, module.entry->root->shape);
}

}  // namespace

void CheckLayouts(const HloModule& module, ErrorList& errors) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      CheckResultLayout(*instruction, errors);
      CheckCalledLayouts(*instruction, errors);
    }
  }
  CheckEntryLayouts(module, errors);
}

}  // namespace assay
