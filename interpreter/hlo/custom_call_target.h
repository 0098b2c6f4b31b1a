// The record of a custom-call target, the counterpart of an op's record: its names, operands, result, and the
// acceptance rule for a backend's result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// The acceptance rules of ops (interpreter/acceptance/ops/op_acceptance.h).
enum class Acceptance;
struct PropertyReport;

// Implements CustomCallTarget::has_one_result for all calls.
inline bool HasOneResult(const HloInstruction&) { return true; }

struct CustomCallTarget {
  std::vector<std::string_view> names;  // custom_call_target; "{a,b}c" is "ac" and "bc"
  std::string_view meaning;             // one sentence

  // Checks operands, result shape and backend_config. The error describes the violation.
  Status (*check)(const HloInstruction&) = nullptr;
  // Computes the result, which has the instruction's shape. Operands may be moved from; the instruction has passed the
  // verifier and `check`. Null: not evaluated, and `check` fails with the reason.
  Literal (*evaluate)(const HloInstruction&, std::span<Literal> operands, Evaluation&) = nullptr;

  // True if operands may have run-time sizes below their bounds. Other targets are not evaluated on such operands:
  // XLA's inference of dynamic dimensions refuses them.
  bool sees_run_time_sizes = false;

  // True if no result is specified; none is either without `evaluate`.
  bool is_unspecified = false;
  // Checks the properties of a backend's result. Null: the result is exact, unless it is unspecified.
  PropertyReport (*properties)(const HloInstruction&, std::span<const Literal> operands, const Literal& want,
                               const Literal& got) = nullptr;
  // True if rounding errors alone distinguish the results of a call that have the properties. Otherwise signs, bases or
  // an order are free. Null: they are.
  bool (*has_one_result)(const HloInstruction&) = nullptr;
  // If they are free: returns a result with other signs and bases, by random bits; nullopt if more is free for these
  // operands. Null: no other results are known.
  std::optional<Literal> (*another)(const HloInstruction&, std::span<const Literal> operands,
                                    std::uint64_t seed) = nullptr;
};

// Returns the names of a target without braces.
std::vector<std::string> NamesOf(const CustomCallTarget& target);
// Returns the rule for a backend's result.
Acceptance AcceptanceOf(const CustomCallTarget& target);
// Returns every built-in target.
std::span<const CustomCallTarget* const> AllCustomCallTargets();
// Returns the target of a custom call, built in or the user's (interpreter/custom_calls/user_targets.h). The error
// names an unknown target.
Result<const CustomCallTarget*> FindCustomCallTarget(const HloInstruction& custom_call);

}  // namespace assay
