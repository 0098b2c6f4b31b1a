// Instructions that call computations as a whole.
#include <fmt/format.h>

#include <utility>

#include "fuzz/generate/ops/computations.h"
#include "fuzz/generate/ops/drawings.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

// The operands of a call, their shapes, and the called computation.
struct Called {
  std::vector<XlaOp> operands;
  std::vector<Shape> shapes;
  Shape result;
  XlaComputation computation;
};

// Draws a fused computation that uses every parameter, as XLA's verifier requires.
XlaComputation DrawFused(InstructionDrawer& drawer, const std::vector<Shape>& parameters, const Shape& result) {
  XlaBuilder builder("fused");
  std::vector<XlaOp> values;
  for (const Shape& shape : parameters) {
    const auto number = static_cast<std::int64_t>(values.size());
    values.push_back(Parameter(&builder, number, shape, fmt::format("x{}", number)));
  }
  XlaOp value = AddSteps(drawer, &builder, values, result);
  const bool has_difference = FindOp("subtract")->legality.types.contains(result.element_type());
  for (const XlaOp parameter : values) value = has_difference ? Sub(value, parameter) : Xor(value, parameter);
  return builder.Build().value();
}

Called DrawCalled(InstructionDrawer& drawer, bool is_fused) {
  // Operands of one shape: a bug can confuse them.
  const bool are_alike = is_fused || drawer.random().OneIn(3);
  Called called;
  const bool are_scalars = drawer.random().OneIn(4);
  for (std::int64_t i = drawer.random().Below(4); i > 0; --i) {
    const Shape shape = are_scalars ? ShapeUtil::MakeScalarShape(drawer.Type(TypesThat(IsArrayType)))
                                    : drawer.ArrayShape(TypesThat(IsArrayType));
    called.shapes.push_back(are_alike && !called.shapes.empty() ? called.shapes[0] : shape);
    called.operands.push_back(drawer.Value(called.shapes.back()));
  }
  called.result =
      called.shapes.empty() ? drawer.ArrayShape(TypesThat(IsArrayType)) : drawer.random().OneOf(called.shapes);
  called.computation = is_fused ? DrawFused(drawer, called.shapes, called.result)
                                : DrawSteps(drawer, "callee", called.shapes, called.result);
  return called;
}

// Draws an alias of the result with an operand of its shape.
std::vector<OutputOperandAlias> DrawAlias(InstructionDrawer& drawer, const Called& called) {
  std::vector<OutputOperandAlias> aliases;
  for (std::size_t i = 0; i < called.shapes.size() && aliases.empty(); ++i) {
    const bool fits = ShapeUtil::Compatible(called.shapes[i], called.result);
    if (fits && drawer.random().Flip()) aliases.push_back({{}, static_cast<std::int64_t>(i), {}});
  }
  return aliases;
}

std::vector<OpAttribute> WithAlias(InstructionDrawer& drawer, const Called& called,
                                   std::vector<OpAttribute> attributes) {
  std::vector<OutputOperandAlias> aliases = DrawAlias(drawer, called);
  if (!aliases.empty()) attributes.emplace_back("output_to_operand_aliasing", std::move(aliases));
  return attributes;
}

}  // namespace

XlaOp DrawCall(InstructionDrawer& drawer) {
  const Called called = DrawCalled(drawer, /*is_fused=*/false);
  const bool is_composite = drawer.random().OneIn(3);
  if (is_composite) {
    drawer.builder()->SetFrontendAttributes(
        {{"composite.name", "drawn.op"}, {"composite.attributes", "{}"}, {"composite.version", "1"}});
  }
  const XlaOp call = AddInstruction(
      drawer.builder(), "call", called.operands,
      {{"to_apply", called.computation}, {"is_composite", is_composite ? AttributeValue(true) : AttributeValue()}});
  drawer.builder()->SetFrontendAttributes({});
  return call;
}

XlaOp DrawFusion(InstructionDrawer& drawer) {
  const Called called = DrawCalled(drawer, /*is_fused=*/true);
  std::vector<OpAttribute> attributes = {{"kind", std::string(drawer.random().OneOf({"kLoop", "kInput", "kOutput"}))},
                                         {"calls", called.computation}};
  return AddInstruction(drawer.builder(), "fusion", called.operands, WithAlias(drawer, called, std::move(attributes)),
                        called.result);
}

XlaOp DrawMap(InstructionDrawer& drawer) {
  const Shape first = drawer.ArrayShape();
  std::vector<XlaOp> operands;
  std::vector<Shape> scalars;
  for (std::int64_t i = drawer.random().Between(1, 3); i > 0; --i) {
    const PrimitiveType type = operands.empty() ? first.element_type() : drawer.TypeBeside(first.element_type());
    operands.push_back(drawer.Value(ShapeUtil::MakeShape(type, first.dimensions())));
    scalars.push_back(ShapeUtil::MakeScalarShape(type));
  }
  const XlaComputation mapped = DrawSteps(drawer, "mapped", scalars, drawer.random().OneOf(scalars));
  return drawer.Add({operands, {{"dimensions", AllDimensions(first.rank())}, {"to_apply", mapped}}});
}

XlaOp DrawConditional(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const bool is_indexed = random.Flip();
  const std::int64_t branch_count = is_indexed ? random.Between(1, 4) : 2;
  const Shape result = drawer.ArrayShape(TypesThat(IsArrayType));
  std::vector<XlaOp> operands;
  std::vector<XlaComputation> branches;
  operands.push_back(is_indexed ? drawer.Value(DrawIndices(random, ShapeUtil::MakeScalarShape(S32), branch_count))
                                : drawer.Scalar(PRED));
  for (std::int64_t i = 0; i < branch_count; ++i) {
    const Shape shape = random.Flip() ? result : drawer.ArrayShape(TypesThat(IsArrayType));
    operands.push_back(drawer.Value(shape));
    branches.push_back(DrawSteps(drawer, fmt::format("branch_{}", i), {shape}, result));
  }
  if (!is_indexed) {
    return AddInstruction(drawer.op().name, operands,
                          {{"true_computation", branches[0]}, {"false_computation", branches[1]}});
  }
  std::vector<const XlaComputation*> list;
  for (const XlaComputation& branch : branches) list.push_back(&branch);
  return AddInstruction(drawer.op().name, operands, {{"branch_computations", list}});
}

// Draws a loop of at most 5 trips, with a few steps on an array in each.
XlaOp DrawWhile(InstructionDrawer& drawer) {
  const std::int32_t trips = static_cast<std::int32_t>(drawer.random().Below(6));
  const Shape counter = ShapeUtil::MakeScalarShape(S32), array = drawer.ArrayShape(TypesThat(IsArrayType));
  const Shape state = ShapeUtil::MakeTupleShape({counter, array});
  XlaBuilder condition("condition"), body("body");
  const XlaOp so_far = GetTupleElement(Parameter(&condition, 0, state, "state"), 0);
  Lt(so_far, ConstantR0<std::int32_t>(&condition, trips));
  const XlaOp before = Parameter(&body, 0, state, "state");
  const XlaOp one = ConstantR0<std::int32_t>(&body, 1), count = Add(GetTupleElement(before, 0), one);
  Tuple(&body, {count, AddSteps(drawer, &body, {GetTupleElement(before, 1)}, array)});
  const XlaOp start = ConstantR0<std::int32_t>(drawer.builder(), 0);
  return While(condition.Build().value(), body.Build().value(), Tuple(drawer.builder(), {start, drawer.Value(array)}));
}

// Draws async-start, some updates and async-done. The computation has one instruction, as the main thread requires. Of
// its two operands and its result the start may leave some to the first update, and the result to the end.
XlaOp DrawAsync(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape(TypesOf(S32, F32, BF16, F64, C64, U8));
  XlaBuilder builder("asynchronous");
  const XlaOp a = Parameter(&builder, 0, shape, "a"), b = Parameter(&builder, 1, shape, "b");
  random.Flip() ? Add(a, b) : Sub(a, b);
  const XlaComputation called = builder.Build().value();
  const std::vector<XlaOp> operands = {drawer.Value(shape), drawer.Value(shape)};
  const std::int64_t updates = drawer.op().role == OpRole::kAsyncUpdate ? random.Between(1, 2) : random.Below(2);
  const bool is_late = updates > 0 && random.OneIn(4);
  const auto bound = static_cast<std::size_t>(is_late ? random.Below(3) : 2);
  std::vector<OpAttribute> start_attributes = {{"calls", called}};
  if (!is_late && random.OneIn(3)) {
    start_attributes.emplace_back("output_to_operand_aliasing", std::vector<OutputOperandAlias>{{{1}, 0, {}}});
  }
  const auto value_shape = [&](std::size_t count, bool has_result) {
    return ShapeUtil::MakeTupleShape({ShapeUtil::MakeTupleShape(std::vector<Shape>(count, shape)),
                                      has_result ? shape : ShapeUtil::MakeTupleShape({}),
                                      ShapeUtil::MakeScalarShape(U32)});
  };
  XlaOp value = AddInstruction(drawer.builder(), "async-start", std::vector(operands.begin(), operands.begin() + bound),
                               std::move(start_attributes), value_shape(bound, !is_late || random.Flip()));
  for (std::int64_t i = 0; i < updates; ++i) {
    std::vector<XlaOp> late = {value};
    if (i == 0) late.insert(late.end(), operands.begin() + bound, operands.end());
    value =
        AddInstruction(drawer.builder(), "async-update", std::move(late), {{"calls", called}}, value_shape(2, true));
  }
  if (random.OneIn(3)) {
    drawer.Edit([](HloModule& module) {
      for (const auto& instruction : module.entry->instructions) {
        if (instruction->op->role != OpRole::kAsyncStart) continue;
        instruction->Set("async_execution_thread", std::string("other"));
        for (HloComputation* computation : instruction->CalledComputations()) computation->execution_thread = "other";
      }
    });
  }
  return AddInstruction("async-done", {value}, {{"calls", called}});
}

}  // namespace assay::generate
