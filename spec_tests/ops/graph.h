// Instructions, values and scalar functions made by hand, for tests of single ops.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/numerics/convert.h"
#include "interpreter/ops/record.h"
#include "spec_tests/catch.h"

namespace assay::testing {

// A module whose instructions the test writes down one by one.
class Graph {
 public:
  Graph() : entry_(&module_.AddComputation("entry")) { module_.entry = entry_; }

  HloInstruction& Parameter(const Shape& shape) { return AddParameter(*entry_, shape); }
  HloInstruction& Parameter(PrimitiveType type, Dimensions dimensions) {
    return Parameter(ShapeUtil::MakeShape(type, std::move(dimensions)));
  }
  HloInstruction& Add(const Op& op, std::vector<HloInstruction*> operands, std::vector<Attribute> attributes = {}) {
    return AddTo(*entry_, op, {}, std::move(operands), std::move(attributes));
  }
  // An instruction whose result shape is part of what is written.
  HloInstruction& Add(const Op& op, const Shape& shape, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes = {}) {
    return AddTo(*entry_, op, shape, std::move(operands), std::move(attributes));
  }
  // A computation of these parameters whose root is `op` of all of them.
  HloComputation& Computation(const Op& op, const std::vector<Shape>& parameters, const Shape& result) {
    HloComputation& computation = module_.AddComputation("computation." + std::to_string(module_.computations.size()));
    std::vector<HloInstruction*> operands;
    for (const Shape& shape : parameters) operands.push_back(&AddParameter(computation, shape));
    computation.root = &AddTo(computation, op, result, std::move(operands), {});
    return computation;
  }
  // op(parameter 0, parameter 1) on scalars of one type.
  HloComputation& Binary(const Op& op, PrimitiveType type) {
    const Shape scalar = ShapeUtil::MakeScalarShape(type);
    return Computation(op, {scalar, scalar}, scalar);
  }

 private:
  static HloInstruction& AddTo(HloComputation& computation, const Op& op, Shape shape,
                               std::vector<HloInstruction*> operands, std::vector<Attribute> attributes) {
    auto instruction = std::make_unique<HloInstruction>();
    instruction->op = &op;
    instruction->name = std::string(op.name) + "." + std::to_string(computation.instructions.size());
    instruction->shape = std::move(shape);
    instruction->operands = std::move(operands);
    for (auto& [name, value] : attributes) instruction->Set(name, std::move(value));
    return computation.Add(std::move(instruction));
  }
  static HloInstruction& AddParameter(HloComputation& computation, const Shape& shape) {
    const auto number = static_cast<std::int64_t>(computation.Parameters().size());
    HloInstruction& parameter = AddTo(computation, op_parameter, shape, {}, {});
    parameter.parameter_number = number;
    return parameter;
  }

  HloModule module_;
  HloComputation* entry_;
};

// A scalar function that the test spells out.
class SpelledFunction : public ScalarFunction {
 public:
  using Body = std::function<void(std::span<const std::byte* const>, std::span<std::byte* const>, std::int64_t)>;
  SpelledFunction(Body body, const Op* single_op) : body_(std::move(body)), single_op_(single_op) {}
  void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
             std::int64_t n) const override {
    body_(inputs, outputs, n);
  }
  const Op* SingleOp() const override { return single_op_; }

 private:
  Body body_;
  const Op* single_op_;
};

// Evaluates called computations as the test says.
class FakeEvaluation : public Evaluation {
 public:
  void Define(const HloComputation& computation, SpelledFunction::Body body, const Op* single_op = nullptr) {
    functions_[&computation] = {std::move(body), single_op};
  }
  // A function of two numbers of storage type T.
  template <class T, class Result = T>
  void Define(const HloComputation& computation, Result (*function)(T, T), const Op* single_op = nullptr) {
    Define(
        computation,
        [function](std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
          for (std::int64_t i = 0; i < n; ++i) {
            T a, b;
            std::memcpy(&a, in[0] + i * sizeof(T), sizeof(T));
            std::memcpy(&b, in[1] + i * sizeof(T), sizeof(T));
            const Result r = function(a, b);
            std::memcpy(out[0] + i * sizeof(Result), &r, sizeof(Result));
          }
        },
        single_op);
  }

  // A function of whole values.
  void DefineCall(const HloComputation& computation, std::function<Literal(const std::vector<Literal>&)> function) {
    calls_[&computation] = std::move(function);
  }

  Literal Call(const HloComputation& computation, std::vector<Literal> arguments) override {
    return calls_.at(&computation)(arguments);
  }
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) override {
    const auto& [body, single_op] = functions_.at(&computation);
    return std::make_unique<SpelledFunction>(body, single_op);
  }
  Device& device() override { throw std::logic_error("this test has no device"); }

 private:
  std::map<const HloComputation*, std::pair<SpelledFunction::Body, const Op*>> functions_;
  std::map<const HloComputation*, std::function<Literal(const std::vector<Literal>&)>> calls_;
};

// An array of real numbers, each converted to the type. Complex: real and imaginary parts in turn.
inline Literal Array(PrimitiveType type, Dimensions dimensions, const std::vector<double>& numbers) {
  Literal literal(ShapeUtil::MakeShape(type, std::move(dimensions)));
  const bool is_complex = IsComplexType(type);
  REQUIRE(static_cast<std::int64_t>(numbers.size()) == literal.element_count() * (is_complex ? 2 : 1));
  const auto* in = reinterpret_cast<const std::byte*>(numbers.data());
  if (!numbers.empty()) Convert(is_complex ? C128 : F64, in, type, literal.mutable_data(), literal.element_count());
  return literal;
}

// The inverse of Array.
inline std::vector<double> Numbers(const Literal& literal) {
  const bool is_complex = IsComplexType(literal.element_type());
  std::vector<double> numbers(literal.element_count() * (is_complex ? 2 : 1));
  auto* out = reinterpret_cast<std::byte*>(numbers.data());
  if (!numbers.empty()) {
    Convert(literal.element_type(), literal.data(), is_complex ? C128 : F64, out, literal.element_count());
  }
  return numbers;
}

// The value of an instruction that must be legal; one without a shape gets the inferred one.
inline Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands, Evaluation& evaluation) {
  const Result<Shape> shape = instruction.op->legality.infer(instruction);
  if (!shape) FAIL(shape.error().message);
  if (instruction.shape == Shape()) instruction.shape = *shape;
  Literal result = instruction.op->evaluation.evaluate(instruction, operands, evaluation);
  REQUIRE(ShapeUtil::Compatible(result.shape(), instruction.shape));
  return result;
}
inline Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands) {
  FakeEvaluation none;
  return Evaluate(instruction, std::move(operands), none);
}

// The message of an instruction that must be illegal.
inline std::string WhyIllegal(const HloInstruction& instruction) {
  const Result<Shape> shape = instruction.op->legality.infer(instruction);
  if (shape) return "legal: " + shape->ToString();
  REQUIRE(shape.error().code == ErrorCode::kIllegal);
  return shape.error().message;
}

}  // namespace assay::testing
