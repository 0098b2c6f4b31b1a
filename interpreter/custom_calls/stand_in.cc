#include "interpreter/custom_calls/stand_in.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The evaluation for bodies of ops that call no computation and no device.
class NoEvaluation : public Evaluation {
 public:
  Literal Call(const HloComputation&, std::vector<Literal>) override { throw Unexpected(); }
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation&) override { throw Unexpected(); }
  Device& device() override { throw Unexpected(); }

 private:
  static EvaluationError Unexpected() {
    return {{ErrorCode::kUnsupported, "an op that calls a computation stands for a part of a library call"}};
  }
};

Literal RunKernel(const HloInstruction& instruction, const Kernel& kernel, const std::vector<Literal>& operands) {
  Literal result = Literal::Uninitialized(instruction.shape);
  std::byte* const out = result.mutable_data();
  const int result_bytes = StorageBytes(result.element_type());
  ParallelFor(result.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::vector<const std::byte*> in;
    for (const Literal& operand : operands) in.push_back(operand.data() + begin * StorageBytes(operand.element_type()));
    kernel(in, out + begin * result_bytes, end - begin);
  });
  return result;
}

}  // namespace

StandIn::StandIn(const Op& op, const std::vector<Shape>& operands, std::vector<Attribute> attributes, Shape written)
    : instruction_(std::make_unique<HloInstruction>()) {
  instruction_->op = &op;
  instruction_->attributes = std::move(attributes);
  instruction_->shape = std::move(written);
  for (const Shape& shape : operands) {
    HloInstruction& parameter = *parameters_.emplace_back(std::make_unique<HloInstruction>());
    parameter.op = &op_parameter;
    parameter.shape = shape;
    instruction_->operands.push_back(&parameter);
  }
}

Status StandIn::Infer(const HloInstruction& call) {
  Result<Shape> shape = instruction_->op->legality.infer(*instruction_);
  if (!shape) return BadCall(call, "as {}", shape.error().message);
  instruction_->shape = *std::move(shape);
  return {};
}

Literal StandIn::Evaluate(std::vector<Literal> operands, Evaluation* outer) const {
  const OpEvaluation& evaluation = WithKernel(*instruction_->op).evaluation;
  if (evaluation.kernel != nullptr) {
    if (const Kernel kernel = evaluation.kernel(*instruction_)) return RunKernel(*instruction_, kernel, operands);
  }
  NoEvaluation none;
  return evaluation.evaluate(*instruction_, operands, outer == nullptr ? none : *outer);
}

Literal StandIn::EvaluateAs(PrimitiveType type, std::vector<Literal> operands) const {
  std::vector<Shape> shapes;
  for (const Literal& operand : operands) shapes.push_back(operand.shape());
  const Shape shape = ShapeUtil::ChangeElementType(instruction_->shape, type);
  return StandIn(*instruction_->op, shapes, instruction_->attributes, shape).Evaluate(std::move(operands));
}

Status CheckCount(const HloInstruction& call, std::size_t expected) {
  if (call.operands.size() == expected) return {};
  return BadCall(call, "the number of operands must be {}, found {}", expected, call.operands.size());
}

Literal Apply(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes, Shape written) {
  std::vector<Shape> shapes;
  for (const Literal& operand : operands) shapes.push_back(operand.shape());
  const StandIn step(op, shapes, attributes, std::move(written));
  Result<Shape> shape = op.legality.infer(step.instruction());
  if (!shape) throw EvaluationError{shape.error()};
  return StandIn(op, shapes, std::move(attributes), *std::move(shape)).Evaluate(std::move(operands));
}

Literal Elementwise(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes) {
  const auto rank = [](const Literal& operand) { return operand.shape().rank(); };
  const Shape shape = std::ranges::max_element(operands, {}, rank)->shape();
  for (Literal& operand : operands) {
    if (rank(operand) < shape.rank()) operand = Broadcast(operand, {}, shape);
  }
  return Apply(op, std::move(operands), std::move(attributes));
}

Literal Plus(const Literal& a, const Literal& b) { return Elementwise(op_add, {a, b}); }
Literal Minus(const Literal& a, const Literal& b) { return Elementwise(op_subtract, {a, b}); }
Literal Times(const Literal& a, const Literal& b) { return Elementwise(op_multiply, {a, b}); }

Literal Converted(const Literal& array, PrimitiveType type) {
  if (array.element_type() == type) return array;
  return Apply(op_convert, {array}, {}, ShapeUtil::ChangeElementType(array.shape(), type));
}

std::vector<double> DoublesOf(const Literal& array) {
  return {array.values<double>().begin(), array.values<double>().end()};
}

Literal Number(double value) { return LiteralUtil::CreateR0(F64, value); }

Literal Number(PrimitiveType type, double real, double imaginary) {
  return type == C128 ? LiteralUtil::CreateR0(C128, std::complex<double>(real, imaginary)) : Number(real);
}

Literal Broadcast(const Literal& array, const Int64List& dimensions, const Shape& shape) {
  const Shape result = ShapeUtil::MakeShape(array.element_type(), shape.dimensions());
  if (dimensions.empty() && array.shape().rank() > 0) {
    return Broadcast(array.WithShape(ShapeUtil::MakeScalarShape(array.element_type())), {}, shape);
  }
  return Apply(op_broadcast, {array}, {{"dimensions", dimensions}}, result);
}

Int64List LastDimensions(std::int64_t rank, std::int64_t of) {
  Int64List dimensions(rank);
  std::iota(dimensions.begin(), dimensions.end(), of - rank);
  return dimensions;
}

Literal RowMaxima(const Literal& array) {
  Dimensions sizes = array.shape().dimensions();
  const std::int64_t size = sizes.back();
  sizes.pop_back();
  Literal result(ShapeUtil::MakeShape(F64, std::move(sizes)));
  const auto in = array.values<double>();
  auto out = result.mutable_values<double>();
  for (std::int64_t row = 0; row < result.element_count(); ++row) {
    const auto elements = in.subspan(row * size, size);
    out[row] = -std::numeric_limits<double>::infinity();
    // NaN propagates: no comparison with it holds.
    for (double x : elements) out[row] = x > out[row] || x != x ? x : out[row];
  }
  return result;
}

Literal RowSums(const Literal& array) {
  const Shape ones = ShapeUtil::MakeShape(array.element_type(), {array.shape().dimensions().back()});
  return Apply(op_dot, {array, Broadcast(Converted(Number(1), array.element_type()), {}, ones)},
               {{"lhs_contracting_dims", Int64List{array.shape().rank() - 1}}, {"rhs_contracting_dims", Int64List{0}}},
               ShapeUtil::MakeScalarShape(array.element_type()));
}

}  // namespace assay
