#include "interpreter/acceptance/statistics/samples/other_decisions.h"

#include <span>

#include "interpreter/acceptance/statistics/sums/orders.h"
#include "interpreter/types/split_mix.h"

namespace assay {

std::size_t OrderOf(std::size_t run) {
  constexpr std::size_t kStepOfOrders = 23;
  return run * kStepOfOrders % AllSumOrders().size();
}

std::optional<Margins> OtherDecisions::FindMargins() {
  // A decision that is open moves the operands of later ones far. They are moved by rounding errors alone if all runs
  // decide alike.
  std::vector<Decisions> runs;
  runs.reserve(kRunsOfMargins + 1);
  for (std::size_t run = 0; run <= kRunsOfMargins; ++run) {
    Decisions& made = run == 0 ? runs.emplace_back(Decisions::Keep::kOperands)
                               : runs.emplace_back(&runs[0], Decisions::Keep::kOperands);
    const Result<Literal> result =
        run == 0 ? runs_.RunExactly(made) : runs_.Run(made, OrderOf(run), kSeedOfMargins + run);
    if (!result) return std::nullopt;
    if (run == 0) continue;
    for (SampledOutput& output : outputs_) output.See(PartAt(want_, output.path()), PartAt(*result, output.path()));
  }
  return runs[0].MarginsTo(std::span(runs).subspan(1));
}

bool OtherDecisions::SeeOthers(const Margins& margins) {
  const std::size_t runs = *margins.open_elements() < 3 ? AllSumOrders().size() : 3 * AllSumOrders().size();
  const std::size_t ways = std::ssize(margins.open()) <= Margins::kFewOpen ? 1U << margins.open().size() : 0;
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<const Margins::OpenElement*> changed;
    for (std::size_t i = 0; run < ways && i < margins.open().size(); ++i) {
      if ((run >> i) % 2 != 0) changed.push_back(&margins.open()[i]);
    }
    Decisions other = run < ways ? Decisions(std::move(changed)) : Decisions(&margins, SplitMix(run));
    const Result<Literal> first = runs_.Run(other, OrderOf(run), run);
    if (!first) return false;
    is_flow_open_ |= other.count() != margins.count();
    Decisions same(&other);
    const Result<Literal> second = runs_.Run(same, OrderOf(run + 1), run + runs);
    if (!second) return false;
    for (SampledOutput& output : outputs_) output.See(PartAt(*first, output.path()), PartAt(*second, output.path()));
  }
  return true;
}

bool OtherDecisions::SeeEach(const Margins& margins) {
  bool are_others_open = false;
  for (const Margins::OpenElement& open : margins.open()) {
    Decisions changed({&open});
    const Result<Literal> outputs = runs_.RunExactly(changed);
    if (!outputs) return false;
    const bool opens_others = changed.OpenOthers(margins);
    for (SampledOutput& output : outputs_) {
      const int times = open.has_many_values || is_flow_open_ || opens_others ? Margins::kFewOpen : 1;
      output.SeeDecision(PartAt(want_, output.path()), PartAt(*outputs, output.path()), times);
    }
    are_others_open |= opens_others;
  }
  is_flow_open_ |= are_others_open;
  return true;
}

}  // namespace assay
