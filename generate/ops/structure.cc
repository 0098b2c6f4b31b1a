// Ops that create, forward and take apart values without computation.
#include <utility>

#include "generate/ops/computations.h"
#include "generate/ops/drawings.h"
#include "generate/windows.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

// Returns `count` arrays.
std::vector<XlaOp> Arrays(Draft& draft, std::int64_t count) {
  std::vector<XlaOp> arrays;
  for (std::int64_t i = 0; i < count; ++i) arrays.push_back(draft.Value(draft.ArrayShape(TypesThat(IsArrayType))));
  return arrays;
}

// Returns an array, or occasionally a tuple of some.
XlaOp AnyOperand(Draft& draft) {
  if (!draft.random().OneIn(4)) return Arrays(draft, 1)[0];
  return Tuple(draft.builder(), Arrays(draft, draft.random().Below(4)));
}

}  // namespace

XlaOp DrawAddDependency(Draft& draft) { return draft.Add({{AnyOperand(draft), draft.Token()}}); }

XlaOp DrawAfterAll(Draft& draft) {
  std::vector<XlaOp> tokens;
  for (std::int64_t i = draft.random().Below(4); i > 0; --i) tokens.push_back(draft.Token());
  return AddInstruction(draft.builder(), "after-all", tokens);
}

XlaOp DrawConstant(Draft& draft) {
  Random& random = draft.random();
  const Shape shape = draft.ArrayShape(TypesThat(IsArrayType));
  // HLO text has no notation for a complex number with one NaN part.
  const EdgeClass edge_class = IsComplexType(shape.element_type())
                                   ? random.OneOf({EdgeClass::kNormal, EdgeClass::kTiny, EdgeClass::kWide})
                                   : random.OneOf(draft.wishes().classes);
  return ConstantLiteral(draft.builder(), DrawValue(random, shape, edge_class));
}

XlaOp DrawCopyPair(Draft& draft) {
  std::vector<OpAttribute> prefetch;
  if (draft.random().OneIn(3)) prefetch.emplace_back("cross_program_prefetch_index", draft.random().Below(3));
  const XlaOp operand = Arrays(draft, 1)[0];
  return AddInstruction("copy-done", {AddInstruction("copy-start", {operand}, std::move(prefetch))});
}

// Draws a call of a target that returns its operand, with attributes that it ignores. LAPACK's targets have their own
// tests.
XlaOp DrawCustomCall(Draft& draft) {
  Random& random = draft.random();
  const XlaOp operand = Arrays(draft, 1)[0];
  const Shape shape = *FindShape(operand);
  const std::string target(random.OneOf({"Sharding", "annotate_device_placement", "MoveToHost"}));
  std::vector<OpAttribute> attributes = {{"custom_call_target", target}};
  if (random.OneIn(4)) attributes.emplace_back("operand_layout_constraints", std::vector<Shape>{shape});
  if (random.OneIn(4)) attributes.emplace_back("literal", DrawValue(random, shape, EdgeClass::kSmallIntegers));
  if (random.OneIn(4))
    attributes.emplace_back("output_to_operand_aliasing", std::vector<OutputOperandAlias>{{{}, 0, {}}});
  if (random.OneIn(4)) attributes.emplace_back("window", DrawWindow(random, {4, 4}));
  if (random.OneIn(4)) attributes.emplace_back("dim_labels", ConvolutionDimensionNumbers{0, 1, {}, 0, 1, {}, 0, 1, {}});
  if (random.OneIn(4)) {
    attributes.emplace_back("called_computations", std::vector{&DrawFold(draft, {draft.Type(TypesThat(IsArrayType))})});
  }
  return draft.Add({{operand}, std::move(attributes), shape});
}

XlaOp DrawDomain(Draft& draft) {
  const std::string sharding(draft.random().OneOf({"replicated", "maximal device=0", "manual"}));
  return draft.Add(
      {{Arrays(draft, 1)[0]}, {{"domain", "{kind=\"sharding\", entry={" + sharding + "}, exit={replicated}}"}}});
}

XlaOp DrawGetTupleElement(Draft& draft) {
  const std::int64_t count = draft.random().Between(1, 4);
  return draft.Add({{Tuple(draft.builder(), Arrays(draft, count))}, {{"index", draft.random().Below(count)}}});
}

XlaOp DrawHandedOn(Draft& draft) { return draft.Add({{AnyOperand(draft)}}); }

XlaOp DrawParameter(Draft& draft) {
  if (draft.random().OneIn(3)) {
    const bool is_replicated = draft.random().Flip();
    draft.Edit([is_replicated](HloModule& module) {
      module.entry->root->Set("parameter_replication", std::vector<bool>{is_replicated});
    });
  }
  return Arrays(draft, 1)[0];
}

XlaOp DrawTuple(Draft& draft) {
  std::vector<XlaOp> elements = Arrays(draft, draft.random().Below(5));
  if (draft.random().OneIn(6)) elements.push_back(Tuple(draft.builder(), elements));
  return Tuple(draft.builder(), elements);
}

}  // namespace assay::generate
