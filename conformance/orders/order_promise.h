// The promise of a profile that demands the order and arithmetic that were found.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "conformance/orders/sum_arithmetic.h"
#include "conformance/orders/sum_probe.h"
#include "conformance/orders/summation_tree.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Returns the promise of a module's only sum. Returns nullopt if a profile cannot say it: an irregular tree, terms that
// are added at once or rounded before, accumulators of different widths or of no type's, or that truncate; several sums
// in the module, or terms on several devices.
std::optional<Profile::Promise> PromiseOf(const HloModule& module, const SumProbe& probe, const SummationTree& tree,
                                          const SumArithmetic& arithmetic);

// Returns the row of a profile's `orders`; `source` is the text that says who promises.
nlohmann::json PromiseToJson(const Profile::Promise& promise);

}  // namespace assay
