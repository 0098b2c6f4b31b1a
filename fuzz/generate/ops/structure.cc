// Ops that create, forward and take apart values without computation.
#include <utility>

#include "fuzz/generate/ops/computations.h"
#include "fuzz/generate/ops/drawings.h"
#include "fuzz/generate/windows.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

// Returns `count` arrays.
std::vector<XlaOp> Arrays(InstructionDrawer& drawer, std::int64_t count) {
  std::vector<XlaOp> arrays;
  for (std::int64_t i = 0; i < count; ++i) arrays.push_back(drawer.Value(drawer.ArrayShape(TypesThat(IsArrayType))));
  return arrays;
}

// Returns an array, or occasionally a tuple of some.
XlaOp AnyOperand(InstructionDrawer& drawer) {
  if (!drawer.random().OneIn(4)) return Arrays(drawer, 1)[0];
  return Tuple(drawer.builder(), Arrays(drawer, drawer.random().Below(4)));
}

}  // namespace

XlaOp DrawAddDependency(InstructionDrawer& drawer) { return drawer.Add({{AnyOperand(drawer), drawer.Token()}}); }

XlaOp DrawAfterAll(InstructionDrawer& drawer) {
  std::vector<XlaOp> tokens;
  for (std::int64_t i = drawer.random().Below(4); i > 0; --i) tokens.push_back(drawer.Token());
  return AddInstruction(drawer.builder(), "after-all", tokens);
}

XlaOp DrawConstant(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape(TypesThat(IsArrayType));
  // HLO text has no notation for a complex number with one NaN part.
  const EdgeClass edge_class = IsComplexType(shape.element_type())
                                   ? random.OneOf({EdgeClass::kNormal, EdgeClass::kTiny, EdgeClass::kWide})
                                   : random.OneOf(drawer.constraints().classes);
  return ConstantLiteral(drawer.builder(), DrawValue(random, shape, edge_class));
}

XlaOp DrawCopyPair(InstructionDrawer& drawer) {
  std::vector<OpAttribute> prefetch;
  if (drawer.random().OneIn(3)) prefetch.emplace_back("cross_program_prefetch_index", drawer.random().Below(3));
  const XlaOp operand = Arrays(drawer, 1)[0];
  return AddInstruction("copy-done", {AddInstruction("copy-start", {operand}, std::move(prefetch))});
}

// Draws a call of a target that returns its operand, with attributes that it ignores. LAPACK's targets have their own
// tests.
XlaOp DrawCustomCall(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const XlaOp operand = Arrays(drawer, 1)[0];
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
    attributes.emplace_back("called_computations",
                            std::vector{&DrawFold(drawer, {drawer.Type(TypesThat(IsArrayType))})});
  }
  return drawer.Add({{operand}, std::move(attributes), shape});
}

XlaOp DrawDomain(InstructionDrawer& drawer) {
  const std::string sharding(drawer.random().OneOf({"replicated", "maximal device=0", "manual"}));
  return drawer.Add(
      {{Arrays(drawer, 1)[0]}, {{"domain", "{kind=\"sharding\", entry={" + sharding + "}, exit={replicated}}"}}});
}

XlaOp DrawGetTupleElement(InstructionDrawer& drawer) {
  const std::int64_t count = drawer.random().Between(1, 4);
  return drawer.Add({{Tuple(drawer.builder(), Arrays(drawer, count))}, {{"index", drawer.random().Below(count)}}});
}

XlaOp DrawHandedOn(InstructionDrawer& drawer) { return drawer.Add({{AnyOperand(drawer)}}); }

XlaOp DrawParameter(InstructionDrawer& drawer) {
  if (drawer.random().OneIn(3)) {
    const bool is_replicated = drawer.random().Flip();
    drawer.Edit([is_replicated](HloModule& module) {
      module.entry->root->Set("parameter_replication", std::vector<bool>{is_replicated});
    });
  }
  return Arrays(drawer, 1)[0];
}

XlaOp DrawTuple(InstructionDrawer& drawer) {
  std::vector<XlaOp> elements = Arrays(drawer, drawer.random().Below(5));
  if (drawer.random().OneIn(6)) elements.push_back(Tuple(drawer.builder(), elements));
  return Tuple(drawer.builder(), elements);
}

}  // namespace assay::generate
