// The options with which a plugin compiles a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "backends/compiler.h"
#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Returns a serialized CompileOptionsProto: the numbers of replicas and partitions, the devices (`device_ids` has one
// for each, in the order of the flattened ids), the layouts of the entry if one is not row-major, and settings of the
// compiler, by the names of XLA's flags.
std::string WriteCompileOptions(const HloModule& module, std::span<const std::int64_t> device_ids,
                                std::span<const CompilerSetting> settings);

// True if the elements are in row-major order.
bool IsRowMajor(const Shape& array);

}  // namespace assay::pjrt
