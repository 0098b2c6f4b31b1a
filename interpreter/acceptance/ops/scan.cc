#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/step_sets.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

bool HasFixedOrder(const HloInstruction& scan) { return !scan.Bool("is_associative"); }

// Finds the sets of a scan in its one order, step by step: (outputs, carries) = to_apply(inputs, carries).
std::optional<ValueSet> SetOfScan(const HloInstruction& scan, std::span<const ValueSet> operands, const Literal& value,
                                  SetEvaluation& evaluation) {
  if (!HasFixedOrder(scan) || !std::ranges::all_of(operands, HasParts)) return std::nullopt;
  const HloComputation& body = scan.Computation("to_apply");
  const std::vector<Literal> values = value.shape().IsTuple() ? value.elements() : std::vector<Literal>{value};
  const auto carry_count = static_cast<std::size_t>(scan.Int64("num_carries"));
  const std::size_t inputs = operands.size() - carry_count, outputs = values.size() - carry_count;
  const auto steps_of = [&](const Literal& array) { return Steps::Along(array.shape(), scan.Int64s("dimensions")[0]); };
  const std::int64_t size = steps_of(inputs > 0 ? operands[0].value : values[0]).size;
  if (size > kMostSteps) return std::nullopt;
  std::vector<ValueSet> carried(operands.begin() + static_cast<std::ptrdiff_t>(inputs), operands.end());
  std::vector<std::vector<ValueSet>> written(outputs, std::vector<ValueSet>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t step = scan.Bool("is_reverse") ? size - 1 - i : i;
    std::vector<ValueSet> arguments;
    for (std::size_t k = 0; k < inputs; ++k) {
      const Shape& shape = body.Parameters()[k]->shape;
      arguments.push_back(StepOf(operands[k], steps_of(operands[k].value), step, shape));
    }
    std::ranges::move(carried, std::back_inserter(arguments));
    ValueSet results = evaluation.Call(body, std::move(arguments));
    if (!HasParts(results)) return std::nullopt;
    std::vector<ValueSet> all = results.is_tuple ? std::move(results.elements) : std::vector<ValueSet>{results};
    for (std::size_t k = 0; k < outputs; ++k) written[k][step] = std::move(all[k]);
    carried.assign(std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(outputs)),
                   std::make_move_iterator(all.end()));
  }
  std::vector<ValueSet> sets;
  for (std::size_t k = 0; k < outputs; ++k) sets.push_back(Joined(values[k], steps_of(values[k]), written[k]));
  std::ranges::move(carried, std::back_inserter(sets));
  return value.shape().IsTuple() ? ValueSet::Tuple(std::move(sets)) : std::move(sets[0]);
}

}  // namespace

const OpAcceptance acceptance_scan = {.op = &op_scan,
                                      .rule = Acceptance::kCalled,
                                      .facts = FoldFacts{.has_fixed_order = HasFixedOrder},
                                      .terms = SumTerms::OfScan,
                                      .steps = SetOfScan,
                                      .traits = Trait::kFolds};

}  // namespace assay
