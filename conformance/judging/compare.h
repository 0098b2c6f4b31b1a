// One module on a backend, judged against the reference.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/informative.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// One instruction judged on its own, on the operand values that it had in the reference.
struct PieceReport {
  std::string instruction;  // its line of text
  int line = 0;
  Judgement judgement;
};

struct ModuleReport {
  Verdict verdict = Verdict::kExact;
  std::string reason;
  Judgement outputs;  // the whole module's results: by their sets where they have some, else compared bit by bit
  std::vector<std::int64_t> distinct_values;  // of the outputs that the reference gives (informative.h)
  RealNumbers real_numbers;                   // of the same
  double relative_difference = 0;             // of the outputs from the reference's, at most (difference.h)
  std::vector<Judgement> elements;  // of the root's tuple, judged by sets alone; empty: it has none, or no sets
  bool has_sets = false;
  // Where the sets decide nothing, or something is wrong, the module is cut into its instructions; the cut changes what
  // a compiler fuses.
  bool was_cut = false;
  bool on_own_values = false;  // each piece on the operands that the backend itself gave it; else on the reference's
  std::int64_t pieces = 0;
  std::int64_t pieces_exact = 0;
  std::int64_t pieces_of_devices = 0;  // starts and ends of asynchronous collectives: not judged alone
  std::vector<PieceReport> offenders;  // not exact, in execution order, the worst of each instruction
  double reference_seconds = 0;
  double backend_seconds = 0;
};

// The time for judging one module after it has run. WEAK is the verdict of what is not decided by then.
struct JudgingTime {
  double seconds = 60;                  // 0: no limit
  std::string_view option = "judging";  // what errors name
};

// Called with each stage of judging ("sets") and the instruction that it has come to.
using JudgingObserver = std::function<void(std::string_view stage, const HloInstruction& instruction)>;

struct CompareOptions {
  Profile profile = XlaProfile();
  EvaluationLimits limits;  // of the reference; its seconds also of each walk with sets
  JudgingTime judging = {};
  JudgingObserver on_judging = {};
  // Finds the instructions that differ of a LEGAL module too, where its outputs alone decide.
  bool finds_all_offenders = false;
  // Called with the outputs of the reference and of the backend, as by OfAllDevices, once both have run.
  std::function<void(const Literal& want, const Literal& got)> on_outputs = {};
  // Executions of one instruction (in a loop's body, say) that are judged.
  int executions_judged = 2;
};

// kLimit and kUnsupported errors of the reference are errors; whatever the backend does is a verdict.
Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options);

// What an instruction has in the reference.
struct InstructionValues {
  DeviceValues operands;
  Literal want;  // as by OfAllDevices
};
// Of the root of a module.
Result<InstructionValues> EvaluateRoot(const HloModule& module, const DeviceValues& arguments,
                                       const EvaluationLimits& limits);
// Of some of the entry's instructions; of those that do not depend on the device, what they have on device 0.
Result<std::map<const HloInstruction*, InstructionValues>> EvaluateInstructions(
    const HloModule& module, const DeviceValues& arguments, const EvaluationLimits& limits,
    const std::set<const HloInstruction*>& instructions);

// Whether every value on the way has but one right value: nothing is rounded, and nothing left open.
bool IsDetermined(const HloModule& module);

// True if an instruction can run and be judged alone; the end of an asynchronous pair runs with its start. False if it
// only passes a value on, which is judged through its users, or if it has an operand that is no array.
bool IsJudgedAlone(const HloInstruction& instruction);

// The verdict for an error of a backend; a Judgement with that verdict and the error's message.
Verdict VerdictOf(const Error& error);
Judgement JudgementOf(const Error& error);

}  // namespace assay
