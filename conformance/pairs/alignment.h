// Pairs the instructions of a module with those of a changed one. An instruction is matched if an instruction of the
// other module has a value that is lawful for it, on operands that are values of the other module as far as these are
// lawful. Such values are a lawful evaluation: they prove that a result which they lead to is lawful. An instruction
// without a match proves nothing, because a compiler may remove it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

// One execution of an instruction on all devices.
struct ExecutedValue {
  const HloInstruction* instruction = nullptr;
  PerDevice<Literal> of_devices;
};

// The values that the instructions of a module have in one run on the reference, with those of called computations:
// fusions, calls and loops are open.
class ProgramValues {
 public:
  explicit ProgramValues(std::int64_t device_count) : device_count_(device_count) {}

  // Returns an observer of one evaluation, which this object must outlive. It keeps the first executions of each
  // instruction, up to a limit of memory.
  EvaluationObserver Observer(std::int64_t num_partitions);
  // Returns the executions whose values have a shape, layouts ignored, in execution order.
  const std::vector<ExecutedValue>& WithShape(const Shape& shape) const;
  std::int64_t device_count() const { return device_count_; }

 private:
  // The place of the first execution in its list, and the number of executions on each device.
  struct Executions {
    std::vector<std::size_t> places;
    PerDevice<std::size_t> counts;
  };

  std::int64_t device_count_;
  std::int64_t bytes_ = 0;
  std::map<std::string, std::vector<ExecutedValue>, std::less<>> by_shape_;
  std::map<const HloInstruction*, Executions> executions_;
};

struct InstructionPair {
  const HloInstruction* before = nullptr;
  const HloInstruction* after = nullptr;  // null: no instruction has its origin, its name or its value
  Judgement judgement;                    // of AFTER's value as BEFORE's

  bool is_matched() const { return after != nullptr && judgement.verdict <= Verdict::kSpecGap; }
};

class Alignment {
 public:
  // `results` are AFTER's results, in the form of those of BEFORE's devices. BEFORE has one device, or as many as
  // AFTER, whose values are then paired device by device. All arguments must outlive this.
  Alignment(const HloModule& before, const ProgramValues& after, const PerDevice<Literal>& results,
            const Profile& profile);

  // Returns a disturbance for an evaluation of BEFORE that replaces the value of each instruction by AFTER's if that is
  // lawful, and collects the pairs.
  EvaluationDisturbance CollectPairs();
  // Returns a disturbance for parts of BEFORE, whose instructions have BEFORE's names. Instructions that compute a
  // result of BEFORE have AFTER's result, whether it is lawful or not.
  EvaluationDisturbance ReplaceValues() const;

  // Returns the pairs in the order of BEFORE's execution; of several executions, the first one without a match.
  const std::vector<InstructionPair>& pairs() const { return pairs_; }
  // Returns the first pair of which the results depend and after which all values differ: the operands of its BEFORE
  // are matched, or have no instruction of their origin.
  std::optional<InstructionPair> FirstDivergence() const;

 private:
  struct Candidate {
    const HloInstruction* instruction;
    Literal value;
    int rank;  // 0: of the same origin and op
    double distance = 0;
  };
  // Returns the values of AFTER that may be the instruction's on a device: the nearest origins first.
  std::vector<Candidate> CandidatesFor(const HloInstruction& before, std::int64_t device) const;
  void AddShards(const HloInstruction& before, std::vector<Candidate>& candidates) const;
  // True if an instruction of AFTER has the origin, the op and the name of another one of BEFORE. The instructions that
  // one line of a program makes, such as two calls of a function, have the same op_name.
  bool BelongsToOther(const HloInstruction& before, const HloInstruction& after) const;
  // True if most operands of an instruction of AFTER may have values of BEFORE's operands, or if neither has operands.
  bool HaveCommonOperands(const HloInstruction& after, std::span<const Literal> operands, std::int64_t device) const;
  // Pairs one execution on a device. `result` is exact, and becomes AFTER's value if that is lawful.
  // Values at a larger mean difference (judging/metrics.h) than `farthest` are not judged.
  InstructionPair Pair(const HloInstruction& before, std::span<const Literal> operands, Literal& result,
                       std::int64_t device, double farthest) const;

  const HloModule& before_;
  const ProgramValues& after_;
  const Profile& profile_;
  std::unordered_map<std::string, const HloInstruction*> by_name_;  // null: several instructions have the name
  // The results of each device, by the instructions that compute them.
  PerDevice<std::unordered_map<const HloInstruction*, Literal>> results_;
  std::vector<InstructionPair> pairs_;
  std::unordered_map<const HloInstruction*, std::size_t> places_;  // in pairs_
};

}  // namespace assay
