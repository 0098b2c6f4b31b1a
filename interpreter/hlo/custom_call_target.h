// The record of a custom-call target: the one place that says what it is called, what it takes, what it returns and how
// far a backend may stray. What an op's record is to an op.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Those of ops (interpreter/acceptance/ops/op_acceptance.h).
enum class Acceptance;
struct PropertyReport;

struct CustomCallTarget {
  std::vector<std::string_view> names;  // custom_call_target; LAPACK has one for each element type
  std::string_view meaning;             // one sentence

  // Checks operands, result shape and backend_config; an error names what is wrong.
  Status (*check)(const HloInstruction&) = nullptr;
  // Operands may be moved from; the instruction has passed the verifier and `check`. The result has the instruction's
  // shape. Null: not evaluated, and `check` fails with the reason.
  Literal (*evaluate)(const HloInstruction&, std::span<Literal> operands, Evaluation&) = nullptr;

  // Operands may have run-time sizes below their bounds. Other targets are not evaluated on such operands: XLA's
  // inference of dynamic dimensions refuses them.
  bool sees_run_time_sizes = false;

  Acceptance acceptance = {};  // Acceptance::kExact
  // Acceptance::kProperties: those of a backend's result.
  PropertyReport (*properties)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                               const Literal& got) = nullptr;
};

// Every built-in target.
std::span<const CustomCallTarget* const> AllCustomCallTargets();
// The target of a custom call, built in or the user's (interpreter/custom_calls/user_targets.h). The error names a
// target that nobody knows.
Result<const CustomCallTarget*> FindCustomCallTarget(const HloInstruction& custom_call);

}  // namespace assay
