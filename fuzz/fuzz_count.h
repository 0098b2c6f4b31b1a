// The outcomes of the programs of a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judging/compare.h"
#include "fuzz/coverage.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The relative difference above which public reports of compiler bugs call a result wrong.
constexpr double kMuch = 0.001;

struct ProgramOutcome {
  enum class Finding {
    kNone,
    kNew,
    kKnown,  // reduces to a known finding
    kAlike,  // looks like earlier failures: not reduced
  };

  std::shared_ptr<const HloModule> module;
  bool is_evaluated = false;  // the reference evaluates it within its limits; otherwise no other member counts
  Verdict verdict = Verdict::kExact;
  bool differs = false;                     // not equal to the last bit
  double relative_difference = 0;           // the largest one
  bool is_uniform = false;                  // each output has a single distinct value: the program shows little
  std::int64_t real_numbers = 0, nans = 0;  // of its outputs; of these, those that are NaN
  double reference_seconds = 0, backend_seconds = 0;
  Finding finding = Finding::kNone;
  std::string declined_for = {};                 // DeclineGroup::ToString; empty: the backend accepted the program
  std::string not_evaluated_because = {};        // the error of the reference without names and numbers
  std::string weak_because = {};                 // the reason of a WEAK program without names and numbers
  std::vector<std::string_view> mutations = {};  // of a given program
  std::int64_t refused_mutants = 0;              // illegal mutants, in whose place others were drawn
  std::int64_t draws_before = 0;  // the number of earlier draws, which the backend was expected to decline
};

// Returns the outcome of a program by its report, or by the error of the reference. It has no finding yet.
ProgramOutcome OutcomeOf(const Result<ModuleReport>& report, std::shared_ptr<const HloModule> module);

// Returns a reason that programs of the same cause share: an op in place of an instruction, without places and numbers.
std::string WithoutNames(const std::string& reason);

struct FuzzCount {
  std::int64_t programs = 0;  // judged
  std::map<Verdict, std::int64_t> by_verdict;
  std::map<Verdict, std::int64_t> differing_much;  // of these, programs that differ by more than kMuch, relative
  std::int64_t differing = 0, uniform = 0;
  std::int64_t real_numbers = 0, nans = 0;  // of all outputs
  std::int64_t not_evaluated = 0;
  std::map<std::string, std::int64_t> not_evaluated_because;  // these by the reference's errors
  std::int64_t drawn_again = 0;                               // draws that the backend was expected to decline
  std::map<std::string, std::int64_t> mutations;              // those of judged programs, by their names
  std::int64_t refused_mutants = 0;                           // illegal mutants, in whose place others were drawn
  std::set<std::string> declined_features;           // the features that explain declined programs, as learnt so far
  std::map<std::string, std::int64_t> declined_for;  // the declined programs by DeclineGroup::ToString
  std::map<std::string, std::int64_t> weak_because;  // the WEAK programs by their reasons
  std::int64_t findings = 0, known = 0, alike = 0;
  double seconds = 0;                                 // of the run
  double reference_seconds = 0, backend_seconds = 0;  // of evaluations, all workers together
  Coverage coverage;                                  // of programs that the backend supports

  void Add(const ProgramOutcome& outcome);
  std::int64_t failures() const { return findings + known + alike; }
  std::int64_t suspects() const;
  // True if so many programs are SUSPECT in less than 1 of 1,000 runs in which `rate` of 100,000 are on average.
  bool HasMoreSuspects(double rate) const;
  // Returns the share of programs that the backend accepted, in [0, 1].
  double accepted_share() const;
};

nlohmann::json ToJson(const FuzzCount& count);
// Throws nlohmann::json::exception if a member is missing or of another type.
FuzzCount FuzzCountFromJson(const nlohmann::json& json);

}  // namespace assay
