#include "conformance/judging/loop_step.h"

#include <algorithm>
#include <utility>

#include "conformance/judging/computation_values.h"
#include "interpreter/hlo/loop_state.h"
#include "interpreter/hlo/op.h"

namespace assay {

LoopStep::LoopStep(const HloComputation& body) {
  const HloInstruction& root = *body.root;
  std::vector<const HloInstruction*> results;
  const bool has_arrays = root.op->role == OpRole::kTuple &&
                          std::ranges::all_of(root.operands, [](const auto* one) { return one->shape.IsArray(); });
  for (std::size_t i = 0; has_arrays && i < root.operands.size(); ++i) {
    const HloInstruction* element = root.operands[i];
    const auto known = std::ranges::find(results, element);
    const bool is_kept = IsKeptState(*element, static_cast<std::int64_t>(i));
    result_of_.push_back(is_kept ? kKept : static_cast<int>(known - results.begin()));
    if (!is_kept && known == results.end()) results.push_back(element);
  }
  if (results.empty()) result_of_.clear();
  result_count_ = static_cast<int>(results.size());
  region_ = result_of_.empty() ? ExtractComputation(body) : ExtractResults(body, std::move(results));
}

std::vector<Literal> LoopStep::InputsFrom(const Literal& state) const {
  std::vector<Literal> inputs;
  for (const Leaf& leaf : region_.parameters) inputs.push_back(leaf.Of(state));
  return inputs;
}

Literal LoopStep::StateAfter(const Literal& before, Literal result) const {
  if (result_of_.empty()) return result;
  std::vector<Literal> elements;
  for (std::size_t i = 0; i < result_of_.size(); ++i) {
    const int k = result_of_[i];
    elements.push_back(k == kKept ? before.elements()[i] : result_count_ == 1 ? result : result.elements()[k]);
  }
  return Literal::MakeTuple(std::move(elements));
}

ValueSet LoopStep::StateAfter(const Literal& before, ValueSet result) const {
  if (result_of_.empty()) return result;
  std::vector<ValueSet> elements;
  for (std::size_t i = 0; i < result_of_.size(); ++i) {
    const int k = result_of_[i];
    elements.push_back(k == kKept           ? ValueSet::Of(before.elements()[i])
                       : result_count_ == 1 ? result
                                            : result.elements[k]);
  }
  return ValueSet::Tuple(std::move(elements));
}

}  // namespace assay
