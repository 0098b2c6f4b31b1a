#include "conformance/judging/loop_step.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "conformance/judging/computation_values.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/evaluator.h"
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

// Returns the start indices as numbers. They are scalars, or the elements of one vector.
Dimensions NumbersOf(std::span<const Literal> starts) {
  Dimensions numbers;
  for (const Literal& start : starts) {
    for (std::int64_t i = 0; i < start.element_count(); ++i) numbers.push_back(start.IntegerAt(i));
  }
  return numbers;
}

// Returns the offset in `whole` of the element at `offset` of a part.
std::int64_t OffsetInWhole(const Shape& whole, const Shape& part, const Dimensions& starts, std::int64_t offset) {
  std::int64_t in_whole = 0, stride = 1;
  for (std::int64_t d = part.rank() - 1; d >= 0; --d) {
    const std::int64_t size = part.dimensions(d);
    const std::int64_t start = std::clamp<std::int64_t>(starts[d], 0, whole.dimensions(d) - size);
    in_whole += (start + offset % size) * stride;
    offset /= size;
    stride *= whole.dimensions(d);
  }
  return in_whole;
}

}  // namespace

LoopStep::LoopStep(const HloComputation& body) {
  const HloInstruction& root = *body.root;
  std::vector<const HloInstruction*> results;
  const bool has_arrays = root.op->role == OpRole::kTuple &&
                          std::ranges::all_of(root.operands, [](const auto* one) { return one->shape.IsArray(); });
  for (std::size_t i = 0; has_arrays && i < root.operands.size(); ++i) {
    const HloInstruction& element = *root.operands[i];
    const auto index = static_cast<std::int64_t>(i);
    replaced_.push_back(FindReplaced(element, index, results));
    const HloInstruction& computed = replaced_.back() ? *element.operands[1] : element;
    result_of_.push_back(IsKeptState(element, index) ? kKept : ResultOf(computed, results));
  }
  if (results.empty()) result_of_.clear();
  result_count_ = static_cast<int>(results.size());
  region_ = result_of_.empty() ? ExtractComputation(body) : ExtractResults(body, std::move(results));
}

int LoopStep::ResultOf(const HloInstruction& instruction, std::vector<const HloInstruction*>& results) {
  const auto known = std::ranges::find(results, &instruction);
  const int index = static_cast<int>(known - results.begin());
  if (known == results.end()) results.push_back(&instruction);
  return index;
}

std::unique_ptr<LoopStep::Replaced> LoopStep::FindReplaced(const HloInstruction& element, std::int64_t index,
                                                           std::vector<const HloInstruction*>& results) {
  if (!AcceptanceOf(element).Has(Trait::kReplacesPart) || !IsKeptState(*element.operands[0], index)) return nullptr;
  const HloInstruction& part = *element.operands[1];
  if (!DoesWork(part) || part.shape.element_type() != element.shape.element_type()) return nullptr;
  auto replaced = std::make_unique<Replaced>();
  replaced->instruction = &element;
  const HloInstruction* alone[] = {&element};
  replaced->module = ExtractInstructions(alone);
  for (std::size_t i = 2; i < element.operands.size(); ++i) {
    const HloInstruction& operand = *element.operands[i];
    if (operand.op->role == OpRole::kConstant) {
      replaced->starts.push_back({.result = kConstant, .constant = *operand.literal});
    } else if (IsOfState(operand)) {
      replaced->starts.push_back({.result = kKept, .element = operand.tuple_index()});
    } else {
      computed_starts_.push_back(ResultOf(operand, results));
      replaced->starts.push_back({.result = computed_starts_.back()});
    }
  }
  return replaced;
}

std::vector<Literal> LoopStep::InputsFrom(const Literal& state) const {
  std::vector<Literal> inputs;
  for (const Leaf& leaf : region_.parameters) inputs.push_back(leaf.Of(state));
  return inputs;
}

const Literal& LoopStep::ResultAt(const Literal& result, int index) const {
  return result_count_ == 1 ? result : result.elements()[index];
}

const Literal& LoopStep::StartOf(const Start& start, const Literal& before, const Literal& result) const {
  if (start.result == kConstant) return start.constant;
  return start.result == kKept ? before.elements()[start.element] : ResultAt(result, start.result);
}

Result<Literal> LoopStep::Replace(const Replaced& replaced, Literal whole, int part, const std::vector<Literal>& starts,
                                  const Literal& result) const {
  std::vector<Literal> operands;
  operands.push_back(std::move(whole));
  operands.push_back(ResultAt(result, part));
  operands.insert(operands.end(), starts.begin(), starts.end());
  return Evaluate(*replaced.module, std::move(operands));
}

Result<Literal> LoopStep::StateAfter(Literal before, const Literal& result) const {
  if (result_of_.empty()) return result;
  // The start indices are those before the iteration.
  std::vector<std::vector<Literal>> starts(replaced_.size());
  for (std::size_t i = 0; i < replaced_.size(); ++i) {
    if (!replaced_[i]) continue;
    for (const Start& start : replaced_[i]->starts) starts[i].push_back(StartOf(start, before, result));
  }
  std::vector<Literal>& elements = before.mutable_elements();
  for (std::size_t i = 0; i < result_of_.size(); ++i) {
    const int k = result_of_[i];
    if (k == kKept) continue;
    if (replaced_[i]) {
      ASSAY_TRY(elements[i], Replace(*replaced_[i], std::move(elements[i]), k, starts[i], result));
    } else {
      elements[i] = ResultAt(result, k);
    }
  }
  return before;
}

template <class Value>
Value LoopStep::ChangesOf(const Literal& before, Value result) const {
  if (result_of_.empty()) return result;
  const auto at = [&](int k) { return result_count_ == 1 ? result : TupleElements(result)[k]; };
  std::vector<Value> elements;
  for (std::size_t i = 0; i < result_of_.size(); ++i) {
    const int k = result_of_[i];
    if (k == kKept) {
      AddKept(before.elements()[i], elements);
    } else {
      elements.push_back(at(k));
    }
  }
  for (const int k : computed_starts_) elements.push_back(at(k));
  return TupleOf(std::move(elements));
}

template Literal LoopStep::ChangesOf(const Literal&, Literal) const;
template ValueSet LoopStep::ChangesOf(const Literal&, ValueSet) const;

void LoopStep::MoveToState(const Literal& before, const Literal& result, ElementReport& element) const {
  if (element.tuple_index.size() != 1) return;
  const auto index = static_cast<std::size_t>(element.tuple_index[0]);
  if (index >= replaced_.size() || !replaced_[index]) return;
  std::vector<Literal> starts;
  for (const Start& start : replaced_[index]->starts) starts.push_back(StartOf(start, before, result));
  const Literal& whole = before.elements()[index];
  element.offset =
      OffsetInWhole(whole.shape(), ResultAt(result, result_of_[index]).shape(), NumbersOf(starts), element.offset);
  element.name = ElementName({element.tuple_index, element.offset}, whole);
}

}  // namespace assay
