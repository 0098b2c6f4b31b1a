// The part of an op's record that the evaluator reads: what the op computes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attribute_name.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

class Device;
struct HloComputation;
struct HloInstruction;
struct Op;

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
// Operands may be moved from; the instruction has passed the verifier. The result has the instruction's shape.
using EvaluateFunction = Literal (*)(const HloInstruction&, std::span<Literal> operands, Evaluation&);

// The same of one instruction, made when a module is planned. Several threads may call it at once.
using PreparedFunction = std::function<Literal(std::span<Literal> operands, Evaluation&)>;

struct OpEvaluation {
  // An element-wise kernel for the instruction's types, or a function of whole values, which also serves where the
  // kernel is empty. Both null: not evaluated, and `not_evaluated` says why.
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
  // What depends on the instruction alone, done once for a plan. Empty, or for arrays below their bounds: `evaluate`
  // serves, or the call of an op that is one.
  PreparedFunction (*prepare)(const HloInstruction&) = nullptr;
  std::string_view not_evaluated = {};
  // Why this very instruction is not evaluated, though the op is.
  Status (*check_evaluated)(const HloInstruction&) = nullptr;
  // On a scalar, with a scalar result of the same type, the result is the operand.
  bool keeps_scalars = false;
  bool has_side_effect = false;
  // The flag by which one instruction says that it has a side effect.
  AttributeName side_effect_flag = {};
  // The value depends on the device, its host or other devices, not on the operands alone.
  bool depends_on_device = false;
  // The body gets arrays with dynamic dimensions as they are, under their bounds. Other bodies never see one: the
  // evaluator hands them dense arrays of the run-time sizes.
  bool sees_run_time_sizes = false;
  // The annotation backend_config is an argument.
  bool reads_backend_config = false;
  // Fits an instruction to operands that are smaller than the ones it was written for, because dimensions are at run
  // time below their bounds: the attributes and the written result shape that sizes stand in, and operands whose sizes
  // must agree. The operands are the instruction's own. Null: `infer` alone finds the run-time sizes of the result.
  void (*fit_run_time_sizes)(HloInstruction&) = nullptr;
};

}  // namespace assay
