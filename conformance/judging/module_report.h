// The judgement of a module's run on a backend: the one result that every command and the server present.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/judging/metrics.h"
#include "conformance/judging/output_diversity.h"
#include "interpreter/acceptance/judge.h"

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
  double relative_difference = 0;             // the largest difference of an output from the reference's (metrics.h)
  std::vector<ArrayMetrics> metrics;          // of the arrays of the outputs that differ
  std::vector<Judgement> elements;  // of the root's tuple, judged by sets alone; empty without a tuple or sets
  std::vector<Place> failed;        // the first elements that make `outputs` FAIL, at most kMostFailed
  bool has_sets = false;
  // True if the module was cut into its instructions, which changes what a compiler fuses. That happens if the sets
  // decide nothing, or if something is wrong.
  bool was_cut = false;
  bool on_own_values = false;  // pieces are judged on the backend's own operands; false: on the reference's
  std::int64_t pieces = 0;
  std::int64_t pieces_exact = 0;
  std::int64_t pieces_of_devices = 0;  // starts and ends of asynchronous collectives, which are not judged alone
  std::vector<PieceReport> offenders;  // not exact, in execution order; of each instruction only the worst execution
  double reference_seconds = 0;
  double backend_seconds = 0;

  static constexpr std::size_t kMostFailed = 4096;
  // Returns the instruction to blame for a failure: the first one that fails alone; null if there is none.
  const PieceReport* blamed() const;
};

// Adds the elements that fail to a list of at most kMostFailed, with `prefix` before their tuple indices.
ElementObserver CollectFailed(std::vector<Place>& failed, std::vector<std::int64_t> prefix = {});
// Adds all elements that differ.
void CollectDiffering(const Literal& want, const Literal& got, std::vector<Place>& failed);

// Returns the verdict for an error of a backend; JudgementOf adds the error's message.
Verdict VerdictOf(const Error& error);
Judgement JudgementOf(const Error& error);

}  // namespace assay
