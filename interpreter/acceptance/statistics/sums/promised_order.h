// Judges sums by the order of additions that a profile promises (docs/promised_orders.md).
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/orders.h"

namespace assay {

// Adds terms in a promised order. Returns a number of the accumulator's type; nullopt if the levels do not visit each
// term once.
std::optional<double> AddInPromisedOrder(std::span<const Factors> terms, const Profile::Promise& promise);

// The sums of an instruction in the orders that a profile promises. No promise applies to sums with an initial value
// other than 0, with a term that is not finite, or with a term or partial sum that the profile lets count as zero.
class PromisedSums {
 public:
  struct Sum {
    double value = 0;  // rounded to the result's type
    std::size_t terms = 0;
    const Profile::Promise* promise = nullptr;
  };

  // The instruction must outlive this.
  explicit PromisedSums(const JudgedInstruction& judged) : judged_(judged) {}

  // True if a promise may apply to the instruction: the profile has some, and it adds on one device, by the rule of
  // sums.
  static bool Apply(const JudgedInstruction& judged);
  // Finds the terms of a leaf. Several threads may then call At for its elements.
  const std::optional<SumTerms>& Prepare(const Place& place);
  // Returns the sum that is promised for an element of the leaf `want`; nullopt if no promise applies.
  std::optional<Sum> At(const Literal& want, const Place& place);

 private:
  // Returns the terms of an element in order, without an initial value of 0; nullopt for other initial values, and if a
  // term is not finite or not known.
  std::optional<std::vector<Factors>> TermsAt(const Place& place);

  const JudgedInstruction& judged_;
  std::map<std::size_t, std::optional<SumTerms>> sums_;  // by leaf
};

// Returns a rule that accepts the one value of the promised order, and judges as `rule` does all elements to which no
// promise applies. The instruction must outlive it. Returns `rule` itself unless a promise may apply.
std::unique_ptr<AcceptanceRule> WithPromisedOrder(const JudgedInstruction& judged,
                                                  std::unique_ptr<AcceptanceRule> rule);

}  // namespace assay
