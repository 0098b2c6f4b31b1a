// Where the arguments of a run come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct InputOptions {
  std::vector<std::string> inputs;  // --input: a .npy file, a file of HLO literal text, or the literal itself
  std::string inputs_file;          // --inputs: {"inputs": [...]} or {"inputs_per_device": [[...], ...]}
  std::uint64_t seed = 0;           // used when neither is given
};

struct Inputs {
  std::vector<std::vector<Literal>> per_device;
  bool are_seeded = false;
};

// Arguments for each device, checked against the entry's parameters.
Result<Inputs> ReadInputs(const HloModule& module, const InputOptions& options);

// Values of sensible range that depend on the shape and the seed alone: floats in [-1, 1), small integers, random
// preds.
Literal SeededLiteral(const Shape& shape, std::uint64_t seed);

}  // namespace assay
