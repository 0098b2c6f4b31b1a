// Searches for inputs on which a module after a change differs from the module before it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "conformance/judging/compare.h"
#include "conformance/pairs/judge_pair.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct PairSearch {
  DeviceValues inputs;  // that show the worst verdict; of equal verdicts the largest share of the allowance
  PairReport report;    // on these inputs
  std::int64_t tried = 0;
  std::int64_t equal = 0;    // inputs on which both return the same bits
  std::int64_t skipped = 0;  // inputs that a module refuses, or on which it takes far longer than on the given ones
  std::string kind;          // of the inputs: "given", a class of values, "scaled", "a branch", or "mutation"
};

// Judges the pair on the given inputs, then on up to `count` - 1 further ones, until it fails: specials, extremes,
// ties, other classes of values, values at the constants of both modules and next to them, the given inputs times
// powers of ten, inputs that give a comparison of BEFORE its other outcome, and mutations of the inputs that came
// nearest to a failure. The same seed
// gives the same inputs. Fails as ModulePair::Judge does on the given inputs; skips later inputs that a module refuses,
// or on which it takes ten times as long.
Result<PairSearch> SearchInputs(const ModulePair& pair, const DeviceValues& given, std::int64_t count,
                                std::uint64_t seed, const CompareOptions& options);

}  // namespace assay
