#include "spec_tests/ops/graph.h"

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"

namespace assay::testing {
namespace {

HloInstruction& AddTo(HloComputation& computation, const Op& op, Shape shape, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = &op;
  instruction->name = std::string(op.name) + "." + std::to_string(computation.instructions.size());
  instruction->shape = std::move(shape);
  instruction->operands = std::move(operands);
  for (auto& [name, value] : attributes) instruction->Set(name, std::move(value));
  return computation.Add(std::move(instruction));
}

HloInstruction& AddParameter(HloComputation& computation, const Shape& shape) {
  const auto number = static_cast<std::int64_t>(computation.Parameters().size());
  HloInstruction& parameter = AddTo(computation, op_parameter, shape, {}, {});
  parameter.parameter_number = number;
  return parameter;
}

void InferShape(HloInstruction& instruction) {
  const Result<Shape> shape = instruction.op->legality.infer(instruction);
  if (!shape) FAIL(shape.error().message);
  if (instruction.shape == Shape()) instruction.shape = *shape;
}

constexpr std::int64_t kMostElements = 1 << 17;  // of the operands of a definition

std::int64_t ElementsIn(const std::vector<Literal>& arrays) {
  std::int64_t count = 0;
  for (const Literal& array : arrays) count += array.element_count();
  return count;
}

}  // namespace

Graph::Graph() : entry_(&module_.AddComputation("entry")) { module_.entry = entry_; }

HloInstruction& Graph::Parameter(const Shape& shape) { return AddParameter(*entry_, shape); }

HloInstruction& Graph::Parameter(PrimitiveType type, Dimensions dimensions) {
  return Parameter(ShapeUtil::MakeShape(type, std::move(dimensions)));
}

HloInstruction& Graph::Add(const Op& op, std::vector<HloInstruction*> operands, std::vector<Attribute> attributes) {
  return AddTo(*entry_, op, {}, std::move(operands), std::move(attributes));
}

HloInstruction& Graph::Add(const Op& op, const Shape& shape, std::vector<HloInstruction*> operands,
                           std::vector<Attribute> attributes) {
  return AddTo(*entry_, op, shape, std::move(operands), std::move(attributes));
}

HloComputation& Graph::Computation(const Op& op, const std::vector<Shape>& parameters, const Shape& result) {
  HloComputation& computation = module_.AddComputation("computation." + std::to_string(module_.computations.size()));
  std::vector<HloInstruction*> operands;
  for (const Shape& shape : parameters) operands.push_back(&AddParameter(computation, shape));
  computation.root = &AddTo(computation, op, result, std::move(operands), {});
  return computation;
}

HloComputation& Graph::Binary(const Op& op, PrimitiveType type) {
  const Shape scalar = ShapeUtil::MakeScalarShape(type);
  return Computation(op, {scalar, scalar}, scalar);
}

void SpelledFunction::Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                            std::int64_t n) const {
  body_(inputs, outputs, n);
}

void FakeEvaluation::Define(const HloComputation& computation, SpelledFunction::Body body, const Op* single_op) {
  functions_[&computation] = {std::move(body), single_op};
}

Literal FakeEvaluation::Call(const HloComputation&, std::vector<Literal>) {
  throw std::logic_error("this test calls scalar functions only");
}

std::unique_ptr<ScalarFunction> FakeEvaluation::Scalar(const HloComputation& computation) {
  const auto& [body, single_op] = functions_.at(&computation);
  return std::make_unique<SpelledFunction>(body, single_op);
}

Device& FakeEvaluation::device() { throw std::logic_error("this test has no device"); }

Literal Array(PrimitiveType type, Dimensions dimensions, const std::vector<double>& numbers) {
  Literal literal(ShapeUtil::MakeShape(type, std::move(dimensions)));
  const bool is_complex = IsComplexType(type);
  REQUIRE(static_cast<std::int64_t>(numbers.size()) == literal.element_count() * (is_complex ? 2 : 1));
  const auto* in = reinterpret_cast<const std::byte*>(numbers.data());
  if (!numbers.empty()) Convert(is_complex ? C128 : F64, in, type, literal.mutable_data(), literal.element_count());
  return literal;
}

std::vector<double> Numbers(const Literal& literal) {
  const bool is_complex = IsComplexType(literal.element_type());
  std::vector<double> numbers(literal.element_count() * (is_complex ? 2 : 1));
  auto* out = reinterpret_cast<std::byte*>(numbers.data());
  if (!numbers.empty()) {
    Convert(literal.element_type(), literal.data(), is_complex ? C128 : F64, out, literal.element_count());
  }
  return numbers;
}

Literal EvaluateByKernel(HloInstruction& instruction, std::vector<Literal> operands, Evaluation& evaluation) {
  InferShape(instruction);
  Literal result = WithKernel(*instruction.op).evaluation.evaluate(instruction, operands, evaluation);
  REQUIRE(ShapeUtil::Compatible(result.shape(), instruction.shape));
  return result;
}

Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands, Evaluation& evaluation) {
  const bool has_kernel = &WithKernel(*instruction.op) != instruction.op;
  if (!has_kernel || ElementsIn(operands) > kMostElements)
    return EvaluateByKernel(instruction, std::move(operands), evaluation);
  InferShape(instruction);
  std::vector<Literal> copies = operands;
  const Literal defined = instruction.op->evaluation.evaluate(instruction, copies, evaluation);
  copies.clear();  // a kernel may write into operands that are not shared
  Literal result = EvaluateByKernel(instruction, std::move(operands), evaluation);
  REQUIRE(defined.BitwiseEqual(result));
  return result;
}

Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands) {
  FakeEvaluation none;
  return Evaluate(instruction, std::move(operands), none);
}

std::string WhyIllegal(const HloInstruction& instruction) {
  const Result<Shape> shape = instruction.op->legality.infer(instruction);
  if (shape) return "legal: " + shape->ToString();
  REQUIRE(shape.error().code == ErrorCode::kIllegal);
  return shape.error().message;
}

}  // namespace assay::testing
