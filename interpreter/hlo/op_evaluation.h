// The part of an op's record that the evaluator reads: the computation of the result.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attribute_name.h"
#include "interpreter/hlo/overrides.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

class Device;
struct HloComputation;
struct HloInstruction;

// A scalar computation applied to n independent sets of arguments at once: the callee of reduce, map, sort, scatter.
class ScalarFunction {
 public:
  virtual ~ScalarFunction() = default;
  // inputs[i] and outputs[j] point to n dense elements of the computation's parameter and result types. An output may
  // be the same array as an input. Safe to call from several threads at once.
  virtual void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                     std::int64_t n) const = 0;
  // Returns the op if the computation is op(parameter 0, parameter 1) or op(parameter 1, parameter 0); otherwise null.
  virtual const Op* SingleOp() const = 0;
};

// The interface of an op body to the evaluator that runs it.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  virtual Literal Call(const HloComputation& computation, std::vector<Literal> arguments) = 0;
  virtual std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) = 0;
  // Returns the device that runs this (hlo/device.h).
  virtual Device& device() = 0;
};

// Maps n dense elements of each operand to n dense elements of the result. Safe to call from several threads at once.
using Kernel = std::function<void(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n)>;
// Computes the result, which has the instruction's shape. Operands may be moved from; the instruction has passed the
// verifier.
using EvaluateFunction = Literal (*)(const HloInstruction&, std::span<Literal> operands, Evaluation&);

// The same for one instruction, made when a module is planned. Safe to call from several threads at once.
using PreparedFunction = std::function<Literal(std::span<Literal> operands, Evaluation&)>;

struct OpEvaluation {
  // An element-wise kernel for the instruction's types, or a function of whole values, which also applies if the kernel
  // is empty. If both are null, the op is not evaluated, and `not_evaluated` is the reason.
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
  // Precomputes everything that depends on the instruction alone, once per plan. The instructions that it calls have
  // these overrides. If the result is empty, and for arrays below their bounds, `evaluate` or, for an op that is a
  // call, the call applies.
  PreparedFunction (*prepare)(const HloInstruction&, const OpOverrides&) = nullptr;
  std::string_view not_evaluated = {};
  // Fails with the reason if this instruction is not evaluated although the op is.
  Status (*check_evaluated)(const HloInstruction&) = nullptr;
  // On a scalar, with a scalar result of the same type, the result is the operand.
  bool keeps_scalars = false;
  bool has_side_effect = false;
  // The flag by which one instruction declares that it has a side effect.
  AttributeName side_effect_flag = {};
  // The value depends on the device, its host or other devices, not only on the operands.
  bool depends_on_device = false;
  // The body handles arrays with dynamic dimensions, padded to their bounds. Other bodies never see one: the evaluator
  // passes them dense arrays of the run-time sizes.
  bool sees_run_time_sizes = false;
  // The annotation backend_config is an argument.
  bool reads_backend_config = false;
  // Adapts an instruction to operands with run-time sizes below the bounds that it was written for: attributes and the
  // written result shape that contain sizes, and operands whose sizes must agree. The operands are the instruction's
  // own. Null: `infer` alone determines the run-time sizes of the result.
  void (*fit_run_time_sizes)(HloInstruction&) = nullptr;
};

}  // namespace assay
