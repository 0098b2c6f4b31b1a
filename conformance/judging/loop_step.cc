#include "conformance/judging/loop_step.h"

#include <algorithm>
#include <span>
#include <utility>

#include "conformance/judging/computation_values.h"
#include "interpreter/hlo/loop_state.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The operations that Literal and ValueSet have under different names.
std::span<const Literal> TupleElements(const Literal& tuple) { return tuple.elements(); }
std::span<const ValueSet> TupleElements(const ValueSet& tuple) { return tuple.elements; }
Literal TupleOf(std::vector<Literal> elements) { return Literal::MakeTuple(std::move(elements)); }
ValueSet TupleOf(std::vector<ValueSet> elements) { return ValueSet::Tuple(std::move(elements)); }
void AddKept(const Literal& element, std::vector<Literal>& elements) { elements.push_back(element); }
void AddKept(const Literal& element, std::vector<ValueSet>& elements) { elements.push_back(ValueSet::Of(element)); }

}  // namespace

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

template <class Value>
Value LoopStep::StateAfter(const Literal& before, Value result) const {
  if (result_of_.empty()) return result;
  std::vector<Value> elements;
  for (std::size_t i = 0; i < result_of_.size(); ++i) {
    const int k = result_of_[i];
    if (k == kKept) {
      AddKept(before.elements()[i], elements);
    } else {
      elements.push_back(result_count_ == 1 ? result : TupleElements(result)[k]);
    }
  }
  return TupleOf(std::move(elements));
}

template Literal LoopStep::StateAfter(const Literal&, Literal) const;
template ValueSet LoopStep::StateAfter(const Literal&, ValueSet) const;

}  // namespace assay
