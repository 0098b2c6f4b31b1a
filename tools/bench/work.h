// The work that a module cannot do without: the bytes that it moves, and the operations that it computes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"
#include "tools/bench/peak.h"

namespace assay {

struct Work {
  std::int64_t bytes = 0;                 // of the parameters and the result, each moved once
  std::array<double, 3> operations = {};  // by ProductKind; a product and its addition are two

  double AllOperations() const { return operations[0] + operations[1] + operations[2]; }
};

// Returns the bytes of the parameters and the result.
std::int64_t BytesOf(const HloModule& module);

// Evaluates the module, and counts the work of its run on the first device, that of loops and calls included. A dot or
// a convolution has two operations for each of its terms, and a sum of a reduction or of windows one for each element
// that is added; an element-wise instruction has one for each element of its result, a function such as tanh, too.
// Other instructions, among them factorizations, transforms and sorts, count as none. Fails as Evaluate does.
Result<Work> WorkOf(const HloModule& module, const DeviceValues& arguments);

// The parts of a module's roof. No program is faster than the slower part.
struct Roof {
  std::function<void()> copy;     // copies the bytes: reads one half and writes the other
  std::function<void()> compute;  // does the operations
};

// Both parts use all threads where the work is enough for them.
Roof RoofOf(const Work& work);

}  // namespace assay
