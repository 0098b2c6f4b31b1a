// The options with which a plugin compiles a module.
#pragma once

#include <span>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Returns a serialized CompileOptionsProto: the numbers of replicas and partitions, the devices (`device_ids` has one
// for each, in the order of the flattened ids), and the layouts of the entry if one is not row-major.
std::string WriteCompileOptions(const HloModule& module, std::span<const std::int64_t> device_ids);

// True if the elements are in row-major order.
bool IsRowMajor(const Shape& array);

}  // namespace assay::pjrt
