// Judges one module on a backend against the reference.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/module_report.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

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
  // The results and intermediate values are those of another program (conformance/pairs). They may prove a result
  // lawful, but not wrong: which values belong together is a guess. The module is not cut into its instructions.
  bool has_aligned_values = false;
  // Runs each instruction alone where the module as a whole does not decide.
  bool cuts_module = true;
  // Called with the verdict by the rule of each element that is not exact, if the root has a rule.
  ElementObserver on_element = {};
};

// Fails only if the reference does, with kLimit or kUnsupported. Any error of the backend is a verdict.
Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options);

}  // namespace assay
