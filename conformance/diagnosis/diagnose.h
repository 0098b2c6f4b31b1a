// Judges a run of a module and finds the smallest part that fails: the one diagnosis that diff, explain, repro and the
// server present.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/diagnosis/reduce.h"
#include "conformance/diagnosis/subject.h"
#include "conformance/judging/compare.h"

namespace assay {

// A module's run with its judgement.
struct JudgedRun {
  ModuleReport report;
  // The outputs in the form of OfAllDevices; nothing if the backend returned none.
  std::optional<Literal> want, got;

  // Returns the verdict of the run and the elements of its outputs.
  Judgement judgement() const;
  // Returns the verdict of an element of the outputs that differs, with its reason; otherwise an empty text. Elements
  // that are only judged together are "not exact".
  std::string RemarkOn(const Place& place) const;
};

// Runs and judges a module. Fails as CompareModule does.
Result<JudgedRun> JudgeRun(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                           CompareOptions options);

// The smallest part of a module that fails, or is declined, as a module that runs alone.
struct FailingPart {
  Reduction reduction;
  JudgedRun run;

  const Subject& subject() const { return reduction.subject; }
  // Returns the computed instructions, by their places in the whole module. Instructions that build tuples or take
  // elements of them are included only if there are no others.
  std::vector<const HloInstruction*> Instructions() const;
  // Returns the root if the part is one instruction that a rule judges; otherwise null.
  const HloInstruction* OnlyInstruction() const;
};

struct Diagnosis {
  JudgedRun run;  // of the whole module
  // The instruction to blame if it fails alone on its operands in the reference; otherwise the smallest part that the
  // search found; nothing if the module does not fail.
  std::optional<FailingPart> part;
  std::string search_error;  // the reason why the search for the part has ended without one

  Verdict verdict() const { return run.report.verdict; }
};

// Judges the module, then finds its part within `search_seconds`; 0: no limit. Fails as CompareModule does.
Result<Diagnosis> Diagnose(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                           const CompareOptions& compare, double search_seconds);
// Adds the part to the diagnosis of a run, if it has one.
void FindPart(Backend& backend, const HloModule& module, const DeviceValues& arguments, const CompareOptions& compare,
              double search_seconds, Diagnosis& diagnosis);

// True if a report has a part that fails or is declined.
bool HasFailingPart(const ModuleReport& report);

}  // namespace assay
