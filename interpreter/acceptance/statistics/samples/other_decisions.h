// The runs that show how safe the decisions of a module are, and those that decide otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/acceptance/statistics/samples/decisions.h"
#include "interpreter/acceptance/statistics/samples/sample_runs.h"
#include "interpreter/acceptance/statistics/samples/sampled_output.h"

namespace assay {

// The runs that show how safe decisions are.
inline constexpr std::size_t kRunsOfMargins = 8;
inline constexpr std::uint64_t kSeedOfMargins = 1000;

// Returns the order of sums in a run: a step through AllSumOrders that reaches all of them, the most different ones
// first.
std::size_t OrderOf(std::size_t run);

class OtherDecisions {
 public:
  // The outputs see all runs. Both arguments must outlive this object.
  OtherDecisions(SampleRuns& runs, std::vector<SampledOutput>& outputs, const Literal& want)
      : runs_(runs), outputs_(outputs), want_(want) {}

  // Returns how far errors may move the operands of decisions; no margins if a run fails. The runs decide as the
  // reference does, so they are samples, too.
  std::optional<Margins> FindMargins();
  // Takes in pairs of runs that decide otherwise: in every combination of the open elements if these are few, and as
  // errors several times as large may. Returns false if a run fails.
  bool SeeOthers(const Margins& margins);
  // Finds on how many open elements each component of the outputs depends: each is changed alone. Returns false if a
  // run fails.
  bool SeeEach(const Margins& margins);
  // True if runs with other decisions have more or fewer of them, or others that are open.
  bool is_flow_open() const { return is_flow_open_; }

 private:
  SampleRuns& runs_;
  std::vector<SampledOutput>& outputs_;
  const Literal& want_;
  bool is_flow_open_ = false;
};

}  // namespace assay
