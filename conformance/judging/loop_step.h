// One iteration of a loop as a module.
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

// The body of a loop, reduced in two ways. Elements of the state that stay unchanged are left out, such as the weights
// of a scan. An array of which a part is replaced, such as the stacked outputs of a scan, is left out too: the module
// returns the part.
class LoopStep {
 public:
  explicit LoopStep(const HloComputation& body);

  const HloModule& module() const { return *region_.module; }
  // Returns the module's arguments, taken from the state before the iteration.
  std::vector<Literal> InputsFrom(const Literal& state) const;
  // Returns the state after the iteration. Overwrites the arrays of `before` that nothing else shares.
  Result<Literal> StateAfter(Literal before, const Literal& result) const;
  // Returns the changed elements of the state, from the module's result as a Literal or a ValueSet. An array with a
  // replaced part is represented by the part. The start indices that the module computes follow them.
  template <class Value>
  Value ChangesOf(const Literal& before, Value result) const;
  // Moves the place of an element of ChangesOf (the worst one of a judgement, for example) to its place in the state.
  void MoveToState(const Literal& before, const Literal& result, ElementReport& element) const;

 private:
  // The source of an element of the state: an index of the module's results, or one of these constants.
  static constexpr int kKept = -1;
  static constexpr int kConstant = -2;

  // A start index: a result of the module, an element of the state, or a constant.
  struct Start {
    int result = kConstant;
    std::int64_t element = 0;  // kKept
    Literal constant = {};
  };
  // An element of the state of which the iteration replaces a part.
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

  // For each element of the state the index of its result or of its replaced part; kKept if it stays unchanged. Empty
  // if the module's result is the whole state.
  std::vector<int> result_of_;
  std::vector<std::unique_ptr<Replaced>> replaced_;  // null for most elements
  std::vector<int> computed_starts_;                 // indices of results
  int result_count_ = 0;
  Region region_;
};

}  // namespace assay
