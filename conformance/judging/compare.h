// Judges one module on a backend against the reference.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/output_diversity.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// The judgement of one instruction alone, on its operand values in the reference.
struct PieceReport {
  std::string instruction;  // its line of text
  int line = 0;
  Judgement judgement;
};

struct ModuleReport {
  Verdict verdict = Verdict::kExact;
  std::string reason;
  Judgement outputs;  // of the whole module's results: by their sets if they have sets, otherwise compared bit by bit
  std::vector<std::int64_t> distinct_values;  // of the reference's outputs (output_diversity.h)
  RealNumbers real_numbers;                   // of the reference's outputs
  double relative_difference = 0;             // the largest difference of an output from the reference's (difference.h)
  std::vector<Judgement> elements;  // of the root's tuple, judged by sets alone; empty without a tuple or sets
  bool has_sets = false;
  // True if the module was cut into its instructions, which changes what a compiler fuses. That happens if the sets
  // decide nothing, or if something is wrong.
  bool was_cut = false;
  bool on_own_values = false;  // pieces are judged on the backend's own operands; false: on the reference's
  std::int64_t pieces = 0;
  std::int64_t pieces_exact = 0;
  std::int64_t pieces_of_devices = 0;  // starts and ends of asynchronous collectives, which are not judged alone
  std::vector<PieceReport> offenders;  // not exact, in execution order; of each instruction only the worst
  double reference_seconds = 0;
  double backend_seconds = 0;
};

// The time for judging one module after it has run. Whatever is undecided by then is WEAK.
struct JudgingTime {
  double seconds = 60;                  // 0: no limit
  std::string_view option = "judging";  // the name in error messages
};

// Called at each stage of judging ("sets") for each instruction that the stage reaches.
using JudgingObserver = std::function<void(std::string_view stage, const HloInstruction& instruction)>;

struct CompareOptions {
  Profile profile = XlaProfile();
  EvaluationLimits limits;  // of the reference; the seconds also limit each walk with sets
  JudgingTime judging = {};
  JudgingObserver on_judging = {};
  // Also finds the differing instructions of a LEGAL module, although its outputs alone decide.
  bool finds_all_offenders = false;
  // Called once both have run, with the outputs of the reference and of the backend, in the form of OfAllDevices.
  std::function<void(const Literal& want, const Literal& got)> on_outputs = {};
  // The number of executions of one instruction (in a loop's body, for example) that are judged.
  int executions_judged = 2;
};

// Fails only if the reference does, with kLimit or kUnsupported. Any error of the backend is a verdict.
Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options);

// True if every value of the module has exactly one correct result: nothing is rounded and nothing is left open.
bool IsDetermined(const HloModule& module);

// True if an instruction can run and be judged alone; the end of an asynchronous pair runs with its start. False if it
// only passes a value on, which is judged through its users, or if an operand is not an array.
bool IsJudgedAlone(const HloInstruction& instruction);

// Returns the verdict for an error of a backend; JudgementOf adds the error's message.
Verdict VerdictOf(const Error& error);
Judgement JudgementOf(const Error& error);

}  // namespace assay
