// Where the arguments of a run come from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct InputOptions {
  std::vector<std::string> inputs;  // --input: a .npy file, a file of HLO literal text, or the literal itself
  std::string inputs_file;          // --inputs: {"inputs": [...]} or {"inputs_per_device": [[...], ...]}
  std::string recorded = {};        // those of a ModuleFile, used when neither is given
  std::string recorded_file = {};
  std::uint64_t seed = 0;  // used when there is nothing else
};

struct Inputs {
  DeviceValues per_device;
  bool are_seeded = false;
  bool are_recorded = false;
};

// Arguments for each device, checked against the entry's parameters. Those given once are for every device.
Result<Inputs> ReadInputs(const HloModule& module, const InputOptions& options);

// The text of a file that --inputs reads.
std::string InputsText(const DeviceValues& arguments);

// Values that depend on the shape, the seed and the fan in of each array (fan_in.h) alone, such that deep models
// neither overflow nor vanish: those of FillWithSeed, then
//   integers       their magnitudes: most index something
//   floats         of rank 0 and 1 (x + 1) / 2, in [0, 1): scales, variances and rates must not be negative;
//                  of higher rank x * sqrt(3 / fan in), for complex ones of half as much under the root, so that sums
//                  of products keep the size of their terms; x where the fan in is 0
Literal SeededLiteral(const Shape& shape, std::uint64_t seed, std::span<const double> fan_ins);

}  // namespace assay
