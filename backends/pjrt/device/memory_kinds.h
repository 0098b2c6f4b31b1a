// The kinds of memory of a device. All of them are memory of the process: they differ in name alone.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

// The first is the default.
inline constexpr std::array<std::string_view, 3> kMemoryKinds = {"device", "pinned_host", "unpinned_host"};

// The kinds of parameters and results, as places in the list above. Those beyond the end have the default.
struct EntryMemoryKinds {
  std::vector<std::size_t> parameters, results;
};

// Reads the attribute mhlo.memory_kind of the arguments and results of function main. Fails with kUnsupported for other
// kinds.
Result<EntryMemoryKinds> ReadMemoryKinds(const stablehlo::Program& program);

}  // namespace assay::pjrt
