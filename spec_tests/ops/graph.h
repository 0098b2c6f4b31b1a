// Instructions, values and scalar functions made by hand, for tests of single ops.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/ops/record.h"
#include "spec_tests/catch.h"

namespace assay::testing {

// A module built instruction by instruction.
class Graph {
 public:
  Graph();

  HloInstruction& Parameter(const Shape& shape);
  HloInstruction& Parameter(PrimitiveType type, Dimensions dimensions);
  HloInstruction& Add(const Op& op, std::vector<HloInstruction*> operands, std::vector<Attribute> attributes = {});
  // Adds an instruction with an explicit result shape.
  HloInstruction& Add(const Op& op, const Shape& shape, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes = {});
  // Adds a computation with these parameters whose root is `op` of all of them.
  HloComputation& Computation(const Op& op, const std::vector<Shape>& parameters, const Shape& result);
  // Adds a computation op(parameter 0, parameter 1) on scalars of one type.
  HloComputation& Binary(const Op& op, PrimitiveType type);

 private:
  HloModule module_;
  HloComputation* entry_;
};

// A scalar function that the test defines.
class SpelledFunction : public ScalarFunction {
 public:
  using Body = std::function<void(std::span<const std::byte* const>, std::span<std::byte* const>, std::int64_t)>;
  SpelledFunction(Body body, const Op* single_op) : body_(std::move(body)), single_op_(single_op) {}
  void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
             std::int64_t n) const override;
  const Op* SingleOp() const override { return single_op_; }

 private:
  Body body_;
  const Op* single_op_;
};

// Evaluates called computations by functions of the test.
class FakeEvaluation : public Evaluation {
 public:
  void Define(const HloComputation& computation, SpelledFunction::Body body, const Op* single_op = nullptr);
  // Defines a computation as a function of two numbers of storage type T.
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

  Literal Call(const HloComputation& computation, std::vector<Literal> arguments) override;  // throws
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) override;
  Device& device() override;  // throws: there is none

 private:
  std::map<const HloComputation*, std::pair<SpelledFunction::Body, const Op*>> functions_;
};

// Returns an array of real numbers, each converted to the type. Complex numbers are given as real and imaginary part.
Literal Array(PrimitiveType type, Dimensions dimensions, const std::vector<double>& numbers);

// The inverse of Array.
std::vector<double> Numbers(const Literal& literal);

// Evaluates an instruction that must be legal; one without a shape gets the inferred one. The op's kernel computes the
// value. The definition must return the same bits, unless the operands have more than 2^17 elements.
Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands, Evaluation& evaluation);
Literal Evaluate(HloInstruction& instruction, std::vector<Literal> operands);
// Evaluates by the kernel alone, for arrays that are too large for the definition.
Literal EvaluateByKernel(HloInstruction& instruction, std::vector<Literal> operands, Evaluation& evaluation);

// Returns the message for an instruction that must be illegal.
std::string WhyIllegal(const HloInstruction& instruction);

}  // namespace assay::testing
