// Judges sums by the order of additions that a profile promises (docs/order.md#a-promise).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/orders.h"

namespace assay {

// Adds terms in a promised order. Returns a number of the accumulator's type; nullopt if the levels do not visit each
// term once.
std::optional<double> AddInPromisedOrder(std::span<const Factors> terms, const Profile::Promise& promise);

// Returns a rule that accepts the one value of the promised order, and judges as `rule` does all elements to which no
// promise applies: sums with an initial value other than 0, with a term that is not finite, or with a term or partial
// sum that the profile lets count as zero. The instruction must outlive it. Returns `rule` itself unless the profile
// promises orders and the rule is that of sums.
std::unique_ptr<AcceptanceRule> WithPromisedOrder(const JudgedInstruction& judged,
                                                  std::unique_ptr<AcceptanceRule> rule);

}  // namespace assay
