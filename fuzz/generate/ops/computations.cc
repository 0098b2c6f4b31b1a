#include "fuzz/generate/ops/computations.h"

#include <fmt/format.h>

#include "fuzz/generate/element_wise.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

std::vector<XlaOp> ScalarParameters(XlaBuilder& builder, const Types& types) {
  std::vector<XlaOp> parameters;
  for (const PrimitiveType type : types) {
    const auto number = static_cast<std::int64_t>(parameters.size());
    parameters.push_back(Parameter(&builder, number, ShapeUtil::MakeScalarShape(type), fmt::format("x{}", number)));
  }
  return parameters;
}

XlaOp FoldStep(InstructionDrawer& drawer, XlaOp accumulator, XlaOp element, PrimitiveType type) {
  std::vector<std::string_view> folds;
  for (const std::string_view name : {"add", "and", "maximum", "minimum", "multiply", "or", "xor"}) {
    const bool needs_order = name == "maximum" || name == "minimum";
    if (FindOp(name)->legality.types.contains(type) && !(needs_order && IsComplexType(type))) folds.push_back(name);
  }
  Random& random = drawer.random();
  // Most folds in real programs are sums.
  const std::string_view name = random.OneIn(3) ? random.OneOf(folds) : "add";
  return random.Flip() ? AddInstruction(name, {accumulator, element}) : AddInstruction(name, {element, accumulator});
}

XlaOp AddComparison(InstructionDrawer& drawer, XlaOp a, XlaOp b, PrimitiveType type,
                    std::initializer_list<std::string_view> words) {
  std::vector<OpAttribute> attributes = {{"direction", std::string(drawer.random().OneOf(words))}};
  // Without TOTALORDER, NaNs have no position among the rows.
  if (IsFloatingPointType(type) && !drawer.random().OneIn(4))
    attributes.emplace_back("type", std::string("TOTALORDER"));
  return AddInstruction("compare", {a, b}, std::move(attributes));
}

}  // namespace

const XlaComputation& DrawFold(InstructionDrawer& drawer, const Types& types) {
  XlaBuilder builder("fold");
  Types twice = types;
  twice.insert(twice.end(), types.begin(), types.end());
  const std::vector<XlaOp> parameters = ScalarParameters(builder, twice);
  std::vector<XlaOp> folded;
  for (std::size_t i = 0; i < types.size(); ++i) {
    folded.push_back(FoldStep(drawer, parameters[i], parameters[types.size() + i], types[i]));
  }
  if (folded.size() > 1) Tuple(&builder, folded);
  return drawer.Keep(builder.Build().value());
}

const XlaComputation& DrawChoice(InstructionDrawer& drawer, PrimitiveType type) {
  XlaBuilder builder("choice");
  const std::vector<XlaOp> parameters = ScalarParameters(builder, {type, type});
  if (IsComplexType(type)) {
    const XlaOp a = Real(parameters[0]), b = Real(parameters[1]);
    AddComparison(drawer, a, b, ComplexComponentType(type), {"GE", "LE"});
  } else {
    AddComparison(drawer, parameters[0], parameters[1], type, {"GE", "GT", "LE", "LT"});
  }
  return drawer.Keep(builder.Build().value());
}

const XlaComputation& DrawRowOrder(InstructionDrawer& drawer, const Types& types) {
  XlaBuilder builder("order");
  Types twice;
  for (const PrimitiveType type : types) twice.insert(twice.end(), 2, type);
  const std::vector<XlaOp> parameters = ScalarParameters(builder, twice);
  const auto key = drawer.random().Below(static_cast<std::int64_t>(types.size()));
  XlaOp a = parameters[2 * key], b = parameters[2 * key + 1];
  const bool is_complex = IsComplexType(types[key]);
  if (is_complex) {
    a = Real(a);
    b = Real(b);
  }
  AddComparison(drawer, a, b, is_complex ? ComplexComponentType(types[key]) : types[key], {"GT", "LT"});
  return drawer.Keep(builder.Build().value());
}

XlaOp AddSteps(InstructionDrawer& drawer, XlaBuilder* builder, const std::vector<XlaOp>& values, const Shape& result) {
  std::vector<XlaOp> fitting;
  for (const XlaOp value : values) {
    const Shape* shape = FindShape(value);
    if (shape != nullptr && ShapeUtil::Compatible(*shape, result)) fitting.push_back(value);
  }
  Random& random = drawer.random();
  const bool starts_anew = fitting.empty() || random.OneIn(4);
  XlaOp value = starts_anew ? ConstantLiteral(builder, DrawValue(random, result, EdgeClass::kSmallIntegers))
                            : random.OneOf(fitting);
  fitting.push_back(value);
  // Each step uses the previous one, so that none is dead code.
  for (std::int64_t i = random.Between(1, 3); i > 0; --i) {
    value = DrawStep(random, value, fitting, result.element_type());
    fitting.push_back(value);
  }
  return value;
}

const XlaComputation& DrawSteps(InstructionDrawer& drawer, const std::string& name,
                                const std::vector<Shape>& parameters, const Shape& result) {
  XlaBuilder builder(name);
  std::vector<XlaOp> values;
  for (const Shape& shape : parameters) {
    const auto number = static_cast<std::int64_t>(values.size());
    values.push_back(Parameter(&builder, number, shape, fmt::format("x{}", number)));
  }
  AddSteps(drawer, &builder, values, result);
  return drawer.Keep(builder.Build().value());
}

}  // namespace assay::generate
