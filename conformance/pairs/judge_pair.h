// Judges a module after a change against the module before it: the results of AFTER must be results that a profile
// allows for BEFORE.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "conformance/pairs/alignment.h"
#include "conformance/pairs/entry_bridge.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The report of a pair.
struct PairReport {
  ModuleReport report;  // of BEFORE, with AFTER's results as those of a backend
  // The results of BEFORE and AFTER in BEFORE's form, for all its devices as OfAllDevices; nothing if AFTER has failed.
  std::optional<Literal> want, got;
  std::string note;  // on copies of an array that differ between devices; empty: none
  // The instructions of BEFORE, those for which an instruction of AFTER has a lawful value, and the first pair that
  // differs; only for failures.
  std::size_t instructions = 0, matched = 0;
  std::optional<InstructionPair> divergence;
};

// A pair of modules with the same interface.
class ModulePair {
 public:
  // Runs AFTER on a backend; null: on the reference, whose values of single instructions help to judge. All arguments
  // must outlive this.
  ModulePair(const HloModule& before, const HloModule& after, EntryBridge bridge, Backend* backend = nullptr)
      : before_(before), after_(after), bridge_(std::move(bridge)), backend_(backend) {}

  // Judges AFTER on arguments of BEFORE. The arguments may also be those of all devices that BEFORE had before the
  // bridge gave it a single one; they must be equal. Fails if the reference cannot run a module, and if arguments do
  // not fit. An error of the backend is a verdict.
  Result<PairReport> Judge(const DeviceValues& arguments, const CompareOptions& options) const;

  const HloModule& before() const { return before_; }
  const HloModule& after() const { return after_; }
  // True if every device of BEFORE takes the same arguments, whole arrays.
  bool is_whole() const { return bridge_.is_whole(); }

 private:
  // Judges results in the form of BEFORE's. `values` has those of AFTER's instructions; null: they are not aligned.
  Result<PairReport> JudgeResults(const Result<PerDevice<Literal>>& results, const ProgramValues* values,
                                  const DeviceValues& arguments, const CompareOptions& options) const;
  Result<PerDevice<Literal>> RunAfter(const DeviceValues& arguments, const EvaluationLimits& limits,
                                      ProgramValues* values) const;

  const HloModule& before_;
  const HloModule& after_;
  EntryBridge bridge_;
  Backend* backend_;
};

}  // namespace assay
