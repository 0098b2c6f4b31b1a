// The per-computation precomputation of the evaluator: the order of its live instructions, the last use of each value,
// and the kernels of element-wise instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/overrides.h"

namespace assay {

struct PlanStep {
  const HloInstruction* instruction = nullptr;
  const Op* op = nullptr;     // the record whose body runs: the instruction's op or its override
  Kernel kernel;              // empty for ops that are functions of whole values
  PreparedFunction prepared;  // empty for most
  struct Operand {
    int slot;
    bool is_last_use;  // the slot is empty afterwards

    template <class Value>
    Value TakeFrom(std::vector<Value>& slots) const {
      return is_last_use ? std::move(slots[slot]) : slots[slot];
    }
  };
  std::span<const Operand> operands;  // in an array of the plan
  int slot = 0;
  std::int64_t tuple_index = 0;            // get-tuple-element
  const HloComputation* called = nullptr;  // call
};

class ComputationPlan {
 public:
  // Plans the live instructions, those that the root or a side effect needs. `has_side_effect` must have every
  // computation that this one calls. Throws EvaluationError for an op that is not evaluated.
  using SideEffects = std::unordered_map<const HloComputation*, bool>;
  ComputationPlan(const HloComputation& computation, const SideEffects& has_side_effect, const OpOverrides& overrides);
  ComputationPlan(const ComputationPlan&) = delete;
  ComputationPlan& operator=(const ComputationPlan&) = delete;

  const HloComputation& computation() const { return computation_; }
  const std::vector<PlanStep>& steps() const { return steps_; }
  int slot_count() const { return static_cast<int>(steps_.size()); }
  int root_slot() const { return root_slot_; }

 private:
  const HloComputation& computation_;
  std::vector<PlanStep::Operand> operands_;  // of all steps
  std::vector<PlanStep> steps_;
  int root_slot_ = 0;
};

// The plans of all computations that a module's entry can reach.
class PlanSet {
 public:
  PlanSet(const HloModule& module, const OpOverrides& overrides);
  const ComputationPlan& Of(const HloComputation& computation) const { return *plans_.at(&computation); }
  // Returns a lower bound of the bytes of arrays that the entry needs (least_memory.h).
  std::int64_t least_bytes_of_entry() const { return least_bytes_of_entry_; }

 private:
  bool FindSideEffects(const HloComputation& computation, int depth);
  int Add(const HloComputation& computation, const OpOverrides& overrides);

  ComputationPlan::SideEffects has_side_effect_;
  std::unordered_map<const HloComputation*, std::unique_ptr<ComputationPlan>> plans_;
  // The depth of the calls below each computation.
  std::unordered_map<const HloComputation*, int> heights_;
  std::int64_t least_bytes_of_entry_ = 0;
};

}  // namespace assay
