// One lawful run of a module: real algorithms of summation, and random legal errors in the other instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/acceptance/executed_operations.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/sums_over_devices.h"
#include "interpreter/acceptance/statistics/samples/term_magnitudes.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/split_mix.h"

namespace assay {

// True for a factor or a solution, which is unique unless ill-conditioned.
bool HasOneFactorization(const HloInstruction& instruction);
// True for a factorization whose signs and bases a run chooses at random.
bool HasFreeSigns(const HloInstruction& instruction);

// Returns the instruction whose unrounded result an operand may be.
const HloInstruction& WithoutMoves(const HloInstruction* operand);

class SampledRun {
 public:
  // Adds by algorithm `order` of AllSumOrders. Different seeds give different errors. The profile and the sums must
  // outlive this.
  SampledRun(std::size_t order, std::uint64_t seed, Disturbance::Errors errors, const Profile& profile,
             const SumsOverDevices& over_devices);

  // Replaces the result of an executed instruction. Returns the operation; null if the instruction is none.
  const JudgedInstruction* Replace(const HloInstruction& instruction, std::span<const Literal> operands,
                                   Literal& result);

  // Does the same without the runs of the sums' algorithms, for a caller that restores the result.
  const JudgedInstruction* See(const HloInstruction& instruction, std::span<const Literal> operands, Literal result) {
    adds_ = false;
    return Replace(instruction, operands, result);
  }

  // Adds the error of one rounding to a replaced result that is a sum by an algorithm: the error that its element has
  // in this order may be none.
  void DisturbOneRounding(const JudgedInstruction& judged, Literal& result);

  // Returns the result on operands whose errors differ from use to use; nullopt if there are none.
  std::optional<Literal> WithErrorsOfUses(const HloInstruction& instruction, std::span<const Literal> operands);

  // True if the arguments' subnormal numbers are zeros, too: in every other run that flushes results. An instruction
  // may flush its result where another one keeps the argument, so that power(sinh(x), x) is 0^x.
  bool flushes_arguments() const { return flushes_arguments_; }
  // Returns the largest error of a sum of products, and forgets it. The errors may differ between two uses of the sum.
  double TakeOperandError() { return std::exchange(largest_operand_error_, 0); }
  // True if the errors of a sum were those of its largest terms, which are larger than the errors of any algorithm.
  bool has_rough_sums() const { return has_rough_sums_; }
  // True if no lawful run rounds the last result of an instruction.
  bool IsExact(const HloInstruction& instruction) const { return exact_.contains(&instruction); }
  // Returns whether an instruction had many legal results far from each other, and forgets it.
  bool TakeChoice() { return disturbance_.TakeChoice(); }
  // Returns another seed at each call, which is not 0.
  std::uint64_t NextSeed() { return (seed_ += kSplitMixStep) | 1; }

 private:
  struct Products {
    double count;                            // that a sum of products adds
    double error;                            // of the sum, in another order or with other errors of its operands
    double roundoff;                         // of an addition
    std::optional<Literal> magnitudes = {};  // f64: of the terms of a scatter, which may be those of the next addition
    std::vector<double> errors = {};         // of each element, if the sizes of its terms are known
  };
  static Products ProductsOf(const JudgedInstruction& judged, TermSizes& sizes);
  static std::optional<Products> TermsOfScatter(const JudgedInstruction& judged, TermSizes& sizes);
  double ErrorOfProduct(const HloInstruction& value) const;
  void SeeScaled(const HloInstruction& instruction, std::span<const Literal> operands);
  std::vector<double> ErrorsOfUse(const HloInstruction& operand, const Literal& value, PrimitiveType type) const;
  void SeeProducts(const HloInstruction& instruction, const JudgedInstruction& judged, TermSizes& sizes,
                   const Literal& result);
  void SeeGiven(const HloInstruction& instruction, bool rounds_nothing);
  void SeeGivenCall(const HloInstruction& call);
  bool IsGiven(const HloInstruction& value) const;
  void SeeExact(const HloInstruction& instruction, const JudgedInstruction& judged, const Literal& result);
  bool Sum(const JudgedInstruction& judged, Literal& result);
  bool DisturbFewTerms(const HloInstruction& executed, const JudgedInstruction& judged, TermSizes& sizes,
                       Literal& result);
  void DisturbMerged(const HloInstruction& fold, const JudgedInstruction& judged, Literal& result);
  void Factorize(const JudgedInstruction& judged, Literal& result);
  void DisturbUnrounded(const JudgedInstruction& judged, Literal& result);
  void DisturbRegrouped(const HloInstruction& instruction, const JudgedInstruction& judged, Literal& result);
  bool FollowsFromOther(const HloInstruction& addition, const HloInstruction* operand);
  void DisturbStart(const JudgedInstruction& judged, Literal& result);
  void DisturbFlushedSums(Literal& result);
  void DisturbFixedPoint(const JudgedInstruction& judged, Literal& result);

  const std::size_t order_;
  const SumsOverDevices& over_devices_;
  std::unordered_map<const HloInstruction*, std::size_t> executions_;  // of sums over devices
  Disturbance disturbance_;
  ExecutedOperations operations_;
  const bool flushes_, flushes_arguments_, starts_from_addend_;
  std::uint64_t seed_;
  std::unordered_map<const HloInstruction*, Products> products_;
  std::unordered_map<const HloInstruction*, double> scaled_;  // the errors of sums of products times a number
  struct Terms {
    double count;                 // of one sum
    double largest;               // of all sums
    std::vector<double> numbers;  // the first of all sums
  };
  std::unordered_map<const HloInstruction*, Terms> terms_;  // that folds by addition add
  std::unordered_set<const HloInstruction*> exact_;
  std::unordered_set<const HloInstruction*> given_;  // no rounding made them: all uses have the same number
  std::map<std::pair<const HloInstruction*, const HloInstruction*>, bool> follows_;  // of FollowsFromOther
  TermMagnitudes magnitudes_;
  std::int64_t additions_ = 0;
  double largest_operand_error_ = 0;
  bool has_rough_sums_ = false;
  bool adds_ = true;  // by the algorithms
};

}  // namespace assay
