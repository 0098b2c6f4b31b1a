// The arguments of a run: read from files, recorded with a module, or generated from a seed.
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
  std::string recorded = {};        // the arguments of a ModuleFile, used if neither is given
  std::string recorded_file = {};
  std::uint64_t seed = 0;  // used if there are no other arguments
  // The value of integer scalars made without other arguments: a size in a program with dimensions of unknown size.
  std::optional<std::int64_t> integer_scalars = {};
  // True if arguments made from the seed are the same on every device, as whole arrays are.
  bool are_whole_arrays = false;
  // True if the reference evaluates the module. Then arguments are only made if it has room for them and its results.
  bool is_for_reference = true;
  // --write-inputs: the file for the arguments of all devices, in the form of InputsText; empty: none is written.
  std::string written_file = {};
};

struct Inputs {
  DeviceValues per_device;
  bool are_seeded = false;
  bool are_recorded = false;
};

// Returns the arguments of each device, checked against the entry's parameters. A single list is for every device.
Result<Inputs> ReadInputs(const HloModule& module, const InputOptions& options);

// Returns the arguments of each device that the options give, for parameters of these shapes, which may have dimensions
// of unknown size. Only their number has been checked. Empty if arguments are to be made from the seed.
Result<DeviceValues> ReadGivenInputs(std::span<const Shape> parameters, const InputOptions& options);

// Sets the value of an integer scalar.
void StoreInteger(Literal& scalar, std::int64_t value);

// Returns the text of a file for --inputs.
std::string InputsText(const DeviceValues& arguments);

// Returns values that depend on the shape, the seed and the fan-in of each array (fan_in.h) alone. They are those of
// FillWithSeed, changed so that deep models neither overflow nor vanish:
//   integers       the absolute value, because most integers are indices
//   floats         rank 0 and 1: (x + 1) / 2, in [0, 1), because scales, variances and rates must not be negative;
//                  higher ranks: x * sqrt(3 / fan_in), or x if fan_in is 0, so that sums of products keep the size of
//                  their terms; complex numbers use sqrt(3 / (2 * fan_in))
Literal SeededLiteral(const Shape& shape, std::uint64_t seed, std::span<const double> fan_ins);

}  // namespace assay
