// The options with which a plugin compiles a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/compiler.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

// Returns a serialized CompileOptionsProto: the numbers of replicas and partitions, the devices (`device_ids` has one
// for each, in the order of the flattened ids), the layouts of the entry if one is not row-major, and settings of the
// compiler, by the names of XLA's flags.
std::string WriteCompileOptions(const HloModule& module, std::span<const std::int64_t> device_ids,
                                std::span<const CompilerSetting> settings);

// True if the elements are in row-major order.
bool IsRowMajor(const Shape& array);

// The options that a plugin reads.
struct CompileOptions {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::vector<std::int64_t> device_ids;   // in the order of the flattened ids; empty: the devices are not assigned
  bool is_portable = false;               // compiled for any single device, which each run names
  std::vector<CompilerSetting> settings;  // the options that the user names; their values as text
};

// Reads a serialized CompileOptionsProto; other fields are ignored. Errors are kParse for bytes that are no message,
// and kInput for numbers that do not fit each other.
Result<CompileOptions> ReadCompileOptions(std::string_view bytes);

// Returns a serialized DeviceAssignmentProto. `device_ids` has one for each device, in the order of the flattened ids.
std::string WriteDeviceAssignment(std::int64_t replicas, std::int64_t partitions,
                                  std::span<const std::int64_t> device_ids);

}  // namespace assay::pjrt
