// The record of an operation: the one place that says what it is called, what it takes, what it returns and how far a
// backend may stray. Parser, printer, verifier, builder, evaluator, documentation and fuzzer read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/acceptance.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A scalar computation applied to n independent sets of arguments at once: what reduce, map, sort, scatter call.
class ScalarFunction {
 public:
  virtual ~ScalarFunction() = default;
  // inputs[i] and outputs[j] point to n dense elements of the computation's parameter and result types. An output may
  // be the same array as an input. Safe to call from several threads at once.
  virtual void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                     std::int64_t n) const = 0;
  // When the computation is op(parameter 0, parameter 1) or op(parameter 1, parameter 0): that op; else null.
  virtual const Op* SingleOp() const = 0;
};

class Device;

// What an op body may ask of the evaluator that runs it.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  virtual Literal Call(const HloComputation& computation, std::vector<Literal> arguments) = 0;
  virtual std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) = 0;
  // The device that this runs on (hlo/device.h).
  virtual Device& device() = 0;
};

// n dense elements from each operand to n dense elements of the result. Safe to call from several threads at once.
using Kernel = std::function<void(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n)>;

struct Arity {
  int min = 0;
  int max = 0;  // kVariadic: no upper bound
  static constexpr int kVariadic = -1;
};
constexpr Arity Exactly(int n) { return {n, n}; }
constexpr Arity AtLeast(int n) { return {n, Arity::kVariadic}; }

// Ops whose text or meaning the module itself must know.
enum class OpRole {
  kOrdinary,
  kParameter,  // its number stands in the parentheses
  kConstant,   // its literal stands in the parentheses
  kTuple,
  kGetTupleElement,  // its `index` attribute says which element
  kCall,             // applies its one called computation to its operands
  kAsyncStart,       // written X-start(...) for the wrapped op X where it can be
  kAsyncUpdate,
  kAsyncDone,
};

// What a verifier that looks at layouts asks of a result.
enum class LayoutRule {
  kFree,      // any layout
  kKept,      // an array has the order of dimensions of every operand of its rank
  kInferred,  // values are handed on as they are: the result is what is inferred, layouts included
};

struct Op {
  std::string_view name;     // the HLO mnemonic
  std::string_view meaning;  // one sentence
  Arity arity = {};
  TypeSet types = {};              // legal element types of operand 0 (without operands: of the result)
  AttributeSpecs attributes = {};  // in print order
  // The text may leave the result shape out.
  bool shape_is_inferable = true;
  bool accepts_result_accuracy = false;
  bool has_side_effect = false;
  // The flag by which one instruction says that it has a side effect.
  AttributeName side_effect_flag = {};
  // The annotation backend_config is an argument.
  bool reads_backend_config = false;
  OpRole role = OpRole::kOrdinary;
  // What it calls runs as one: a schedule of the module does not order the instructions in there.
  bool fuses = false;
  // On a scalar, with a scalar result of the same type, the result is the operand.
  bool keeps_scalars = false;
  // Operands of different floating types may meet; elsewhere all floating operands have the same type.
  bool allows_mixed_precision = false;
  // Operands may be or hold buffers, "b(f32[4])" in text.
  bool accepts_buffers = false;
  // Passes its operands on as they are, as (parts of) its result or into the computations that it calls: what the value
  // of an asynchronous operation may go through on its way from start to done.
  bool forwards_operands = false;
  // The body gets arrays with dynamic dimensions as they are, under their bounds. Other bodies never see one: the
  // evaluator hands them dense arrays of the run-time sizes.
  bool sees_run_time_sizes = false;
  // The value depends on the device, its host or other devices, not on the operands alone.
  bool depends_on_device = false;
  // The op that ends what this one starts, if it starts something: the only user of the result.
  std::string_view done = {};

  // Called once an instruction has been read: brings different spellings of the same thing into one form, and fills in
  // attributes that the text implies. An error is one of the text.
  Status (*normalize)(HloInstruction&) = nullptr;

  // Element-wise ops keep layouts without saying so.
  LayoutRule layouts = LayoutRule::kFree;

  // Checks operands and attributes against the op's legality rules and gives the result shape; an error names the rule.
  // Ops whose result shape is part of what is written check it and return it. Operand count and required attributes
  // have been checked against this record before.
  Result<Shape> (*infer)(const HloInstruction&) = nullptr;

  // Fits an instruction to operands that are smaller than the ones it was written for, because dimensions are at run
  // time below their bounds: the attributes and the written result shape that sizes stand in, and operands whose sizes
  // must agree. The operands are the instruction's own. Null: `infer` alone finds the run-time sizes of the result.
  void (*fit_run_time_sizes)(HloInstruction&) = nullptr;

  // An element-wise kernel for the instruction's types, or a function of whole values, which also serves where the
  // kernel is empty. Both null: not evaluated, and `not_evaluated` says why.
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  // Operands may be moved from; the instruction has passed the verifier. The result has the instruction's shape.
  Literal (*evaluate)(const HloInstruction&, std::span<Literal> operands, Evaluation&) = nullptr;
  // Where the specification leaves the order of a fold open: what the opposite order gives. Elements in which the two
  // differ are not decided.
  Literal (*evaluate_in_opposite_order)(const HloInstruction&, std::span<Literal> operands, Evaluation&) = nullptr;
  // Where the specification says one thing and XLA does another: the result that is not that of `evaluate`, and what
  // tells it apart. Its elements are legal too.
  Literal (*evaluate_otherwise)(const HloInstruction&, std::span<Literal> operands, Evaluation&) = nullptr;
  std::string_view otherwise = {};
  std::string_view not_evaluated = {};
  // Why this very instruction is not evaluated, though the op is.
  Status (*check_evaluated)(const HloInstruction&) = nullptr;

  Acceptance acceptance = Acceptance::kExact;
  // Acceptance::kUlp, for real operands: what no approximation may leave, however near it comes to the exact value.
  FunctionRange range = {};
  // For complex operands, where only real ones are exact.
  Acceptance complex_acceptance = Acceptance::kExact;
  // How a fold by this op alone (reduce, scatter, ...) is judged; kCalled: it rounds in ways without a derived bound.
  Acceptance folded = Acceptance::kExact;
  // What the rules ask of an instruction.
  // kProperties: those of a backend's result.
  PropertyReport (*properties)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                               const Literal& got) = nullptr;
  // kDerived: how far each element of a backend's result may be off, as f64 arrays of the result's dimensions; infinite
  // where no number bounds it.
  Literal (*error_bound)(const HloInstruction&, std::span<const Literal> operands) = nullptr;
  // kSum: nothing where the instruction names no algorithm.
  std::optional<SumAlgorithm> (*sum_algorithm)(const HloInstruction&) = nullptr;
  // kTransform.
  DiscreteTransform (*transform)(const HloInstruction&) = nullptr;
  // kUnordered.
  RowOrder (*row_order)(const HloInstruction&) = nullptr;
  // kStatistical.
  Distribution (*distribution)(const HloInstruction&) = nullptr;
  // kCalled: the instruction folds in one order only, so that every step rounds. Null: in any order.
  bool (*has_fixed_order)(const HloInstruction&) = nullptr;
  // kCalled: the operand whose elements are compared to choose among the terms of a fold, and are none; -1: no operand.
  int compared_operand = -1;

  Acceptance RuleForComplex() const { return acceptance == Acceptance::kExact ? complex_acceptance : acceptance; }
  LayoutRule RuleForLayouts() const {
    return layouts == LayoutRule::kFree && kernel != nullptr ? LayoutRule::kKept : layouts;
  }
  // Null when the op has no such attribute.
  const AttributeSpec* FindAttribute(AttributeName name) const;
  const AttributeSpec* FindAttributeOfText(std::string_view name) const;
  bool IsEvaluated() const { return kernel != nullptr || evaluate != nullptr || RoleSaysAll(); }
  // The evaluator needs no more than the role.
  bool RoleSaysAll() const {
    return role == OpRole::kParameter || role == OpRole::kConstant || role == OpRole::kGetTupleElement ||
           role == OpRole::kCall;
  }
};

// Every op, sorted by name.
std::span<const Op* const> AllOps();
// Null when no op has this name.
const Op* FindOp(std::string_view name);

}  // namespace assay
