// The decisions of a run: what it derives from real numbers in jumps, so that a small error may become a large one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/acceptance/statistics/samples/numbers_of_decisions.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// The distances by which errors may move the operands of decisions.
class Margins {
 public:
  struct OfDecision {
    DecidedBy decided;  // without operands
    // For each operand: the margin of each real component; empty if the operand never varies.
    std::vector<std::vector<double>> of_operands;
  };

  // A decided element that errors of this size change, and a result in which it is changed.
  struct OpenElement {
    std::size_t decision;  // its number
    std::size_t element;   // as CopyElement counts
    std::shared_ptr<const Literal> other;
    bool has_many_values;  // more than two
  };

  // Runs take the values of so few open elements in every combination.
  static constexpr std::int64_t kFewOpen = 4;

  // The directions in which operands move: each number at random, or the first operand up or down, the other not.
  enum class Directions { kRandom, kFirstUp, kFirstDown };
  // Returns the result of a decision on operands that are moved by this share of their margins; nullopt if the decision
  // with this number is another one, or its operands never vary.
  std::optional<Literal> Moved(std::size_t number, const DecidedBy& decided, std::uint64_t& stream, double share = 1,
                               Directions directions = Directions::kRandom) const;
  // The number of decisions of the run without errors.
  std::size_t count() const { return decisions_.size(); }
  // The number of decided elements that errors of this size change; nullopt if runs cannot tell: an operand is a NaN,
  // whose sign is free, it may overflow in one precision only, or there are too many.
  std::optional<std::int64_t> open_elements() const { return open_elements_; }
  // True if an element of a decision is among them.
  bool IsOpen(std::size_t decision, std::size_t element) const;
  // Returns the elements that change; empty if there are many, or some are not known one by one.
  std::span<const OpenElement> open() const { return is_listed_ ? open_ : std::span<const OpenElement>(); }

 private:
  static constexpr std::size_t kMostListed = 64;
  friend class Decisions;
  std::vector<Literal> MovedNumbers(const OfDecision& decision, const DecidedBy& decided, std::uint64_t& stream,
                                    double share, Directions directions) const;
  std::vector<OfDecision> decisions_;
  std::vector<OpenElement> open_;
  bool is_listed_ = true;
  std::optional<std::int64_t> open_elements_ = 0;
};

// Integers and predicates that a run derived from real numbers, results of functions with steps or poles such as floor
// and log, and results of computations that compare real numbers. A run that repeats the decisions of another takes the
// same branches, so their results differ by rounding errors alone.
class Decisions {
 public:
  enum class Keep { kResults, kOperands };
  explicit Decisions(Keep keep = Keep::kResults) : keep_(keep) {}
  // Repeats the decisions of another run, which must outlive this object. With kOperands it also records them, as they
  // would be on its own operands.
  explicit Decisions(const Decisions* made, Keep keep = Keep::kResults) : keep_(keep), repeated_(made) {}
  // Changes these elements of the decisions, which must outlive this object.
  explicit Decisions(std::vector<const Margins::OpenElement*> changed)
      : keep_(Keep::kOperands), changed_(std::move(changed)) {}
  // Decides on operands that are moved by the margins, which must outlive this object.
  Decisions(const Margins* margins, std::uint64_t seed) : keep_(Keep::kOperands), margins_(margins), stream_(seed) {}

  // Records the decision of an instruction, or replaces its result.
  void Apply(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile,
             Literal& result);
  bool AreNone() const { return made_.empty(); }
  std::size_t count() const { return made_.size(); }
  // True if these decisions, of which one was changed, are open where those of the run without errors are not, or are
  // more or fewer: a second decision is near only after the first.
  bool OpenOthers(const Margins& margins) const;
  // Returns margins several times as wide as the distances of other runs' operands from those of this run. All of them
  // must have kept their operands.
  Margins MarginsTo(std::span<const Decisions> others) const;

 private:
  struct Made : DecidedBy {
    Literal result;
  };
  // False if this run took another branch before: it says nothing of the decision.
  bool HasMade(std::size_t number, const Made& made) const {
    return number < made_.size() && made_[number].IsSame(made);
  }
  void Record(DecidedBy decided, const Literal& result);
  bool Changes(std::size_t number) const;
  bool CanTell(const Made& made) const;
  Margins::OfDecision MarginsTo(std::span<const Decisions> others, std::size_t number, std::int64_t& open) const;
  std::vector<double> SmoothErrors(std::span<const Decisions> others, std::size_t number, const Margins& margins) const;
  std::optional<Literal> Attempt(int attempt, std::size_t number, const Margins& margins, std::uint64_t& stream) const;
  void FindOpen(std::span<const Decisions> others, std::size_t number, Margins& margins) const;

  Keep keep_ = Keep::kResults;
  const Decisions* repeated_ = nullptr;
  const Margins* margins_ = nullptr;
  std::vector<const Margins::OpenElement*> changed_;
  std::uint64_t stream_ = 0;
  std::vector<Made> made_;
  NumbersOfDecisions numbers_of_;
  std::size_t next_ = 0;
  std::int64_t numbers_ = 0;  // of the kept operands
};

}  // namespace assay
