// One iteration of a loop, as a module of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// The body of a loop without the elements of its state that it hands on as they are, such as the weights of a scan, and
// without the arrays that it replaces a part of, such as the stacked outputs of a scan: the module returns the part.
class LoopStep {
 public:
  explicit LoopStep(const HloComputation& body);

  const HloModule& module() const { return *region_.module; }
  // The arguments of the module, from the state before the iteration.
  std::vector<Literal> InputsFrom(const Literal& state) const;
  // The state after the iteration, from the state before it and the module's result. Overwrites the arrays of `before`
  // that nothing else shares.
  Result<Literal> StateAfter(Literal before, const Literal& result) const;
  // The same, from the module's result as a Literal or a ValueSet, but for arrays that a part is replaced of: the part
  // alone. Behind it are the start indices that the module computes.
  template <class Value>
  Value ChangesOf(const Literal& before, Value result) const;
  // Moves the place of an element of ChangesOf, such as the worst one of a judgement, to its place in the state.
  void MoveToState(const Literal& before, const Literal& result, ElementReport& element) const;

 private:
  // How an element of the state comes about: an index of the module's results, or one of these.
  static constexpr int kKept = -1;
  static constexpr int kConstant = -2;

  // A start index: a result of the module, an element of the state, or a constant.
  struct Start {
    int result = kConstant;
    std::int64_t element = 0;  // kKept
    Literal constant = {};
  };
  // An element that becomes itself with a part replaced.
  struct Replaced {
    const HloInstruction* instruction;
    std::unique_ptr<HloModule> module;  // the instruction alone
    std::vector<Start> starts;
  };

  int ResultOf(const HloInstruction& instruction, std::vector<const HloInstruction*>& results);
  std::unique_ptr<Replaced> FindReplaced(const HloInstruction& element, std::int64_t index,
                                         std::vector<const HloInstruction*>& results);
  const Literal& StartOf(const Start& start, const Literal& before, const Literal& result) const;
  const Literal& ResultAt(const Literal& result, int index) const;
  Result<Literal> Replace(const Replaced& replaced, Literal whole, int part, const std::vector<Literal>& starts,
                          const Literal& result) const;

  // For each element of the state the result that becomes it, or its part; kKept for one that stays. Empty where the
  // module's result is the whole state.
  std::vector<int> result_of_;
  std::vector<std::unique_ptr<Replaced>> replaced_;  // null for most elements
  std::vector<int> computed_starts_;                 // results
  int result_count_ = 0;
  Region region_;
};

}  // namespace assay
