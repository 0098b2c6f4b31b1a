// Ops that call a computation on elements: folds, sorts, scans.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fuzz/generate/ops/computations.h"
#include "fuzz/generate/ops/drawings.h"
#include "fuzz/generate/windows.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

// Returns arrays of the given dimensions, one of each type, then scalars of the same types.
std::vector<XlaOp> ArraysAndInits(InstructionDrawer& drawer, const Types& types, const Dimensions& dimensions) {
  std::vector<XlaOp> arrays, inits;
  for (const PrimitiveType type : types) {
    arrays.push_back(drawer.Value(ShapeUtil::MakeShape(type, dimensions)));
    inits.push_back(drawer.Scalar(type));
  }
  return Joined(arrays, inits);
}

Types OneOrTwoTypes(InstructionDrawer& drawer, PrimitiveType first) {
  return drawer.random().OneIn(4) ? Types{first, drawer.TypeBeside(first)} : Types{first};
}

}  // namespace

XlaOp DrawReduce(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape();
  const Types types = OneOrTwoTypes(drawer, shape.element_type());
  // An empty list of dimensions to reduce is legal, too.
  const std::int64_t least = std::min<std::int64_t>(shape.rank(), random.OneIn(8) ? 0 : 1);
  return drawer.Add({ArraysAndInits(drawer, types, shape.dimensions()),
                     {{"dimensions", random.Some(random.Between(least, shape.rank()), shape.rank())},
                      {"to_apply", DrawFold(drawer, types)}}});
}

XlaOp DrawReduceWindow(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const Types types = OneOrTwoTypes(drawer, shape.element_type());
  return drawer.Add(
      {ArraysAndInits(drawer, types, shape.dimensions()),
       {{"window", DrawWindow(drawer.random(), shape.dimensions())}, {"to_apply", DrawFold(drawer, types)}}});
}

XlaOp DrawSelectAndScatter(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const PrimitiveType type = shape.element_type();
  const Window window = DrawWindow(drawer.random(), shape.dimensions());
  const Shape source = ShapeUtil::MakeShape(type, WindowPositions(window, shape.dimensions()));
  return drawer.Add(
      {{drawer.Value(shape), drawer.Value(source), drawer.Scalar(type)},
       {{"window", window}, {"select", DrawChoice(drawer, type)}, {"scatter", DrawFold(drawer, {type})}}});
}

XlaOp DrawSort(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape(1);
  Types types = {shape.element_type()};
  while (types.size() < 3 && drawer.random().OneIn(3)) types.push_back(drawer.Type());
  std::vector<XlaOp> operands;
  for (const PrimitiveType type : types) {
    operands.push_back(drawer.Value(ShapeUtil::MakeShape(type, shape.dimensions())));
  }
  return drawer.Add(
      {operands,
       {{"dimensions", Int64List{drawer.random().Below(shape.rank())}}, {"to_apply", DrawRowOrder(drawer, types)}}});
}

XlaOp DrawTopK(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape(1);
  const XlaOp value = drawer.Value(shape);
  const std::int64_t k = drawer.random().Between(0, shape.dimensions().back());
  return drawer.Add({{value}, {{"k", k}, {"largest", drawer.random().Flip()}}});
}

// Draws a scan along one dimension. An associative scan returns every partial fold; another has any steps on its
// carries and inputs.
XlaOp DrawScan(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape input = drawer.ArrayShape(1);
  const std::int64_t dimension = random.Below(input.rank());
  Dimensions inner = input.dimensions();
  inner.erase(inner.begin() + dimension);
  const Shape slice = ShapeUtil::MakeShape(input.element_type(), inner);
  const bool is_associative = random.Flip();
  const std::int64_t inputs = is_associative ? 1 : random.Between(1, 2), carries = is_associative ? 1 : random.Below(3);
  XlaBuilder step("step");
  std::vector<XlaOp> operands, given, results;
  for (std::int64_t i = 0; i < inputs + carries; ++i) {
    operands.push_back(drawer.Value(i < inputs ? input : slice));
    given.push_back(Parameter(&step, i, slice, fmt::format("x{}", i)));
  }
  if (is_associative) {
    const bool is_sum = IsComplexType(input.element_type()) || random.Flip();
    results.assign(2, is_sum ? Add(given[1], given[0]) : Max(given[1], given[0]));
  } else {
    for (std::int64_t i = random.Between(1, 2) + carries; i > 0; --i) {
      results.push_back(AddSteps(drawer, &step, given, slice));
    }
  }
  Tuple(&step, results);
  return drawer.Add({operands,
                     {{"dimensions", Int64List{dimension}},
                      {"num_carries", carries},
                      {"is_associative", is_associative},
                      {"to_apply", step.Build().value()}}});
}

}  // namespace assay::generate
