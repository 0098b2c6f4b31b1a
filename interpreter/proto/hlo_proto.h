// XLA's serialized modules: HloModuleProto and the messages that contain it, read and written without protocol buffers'
// library.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A module with the arguments and the result of a recorded run.
struct HloSnapshot {
  std::unique_ptr<HloModule> module;
  std::vector<std::vector<Literal>> arguments_per_device;  // empty: none recorded
  std::optional<Literal> result;
};

// Reads a serialized HloModuleProto. Errors are kParse (kLimit for a literal that does not fit the memory limit) and
// name the byte, or the instruction and its computation. The module has not been verified.
Result<std::unique_ptr<HloModule>> ReadHloModuleProto(std::string_view bytes);

// Reads any of the messages in which XLA dumps modules: HloModuleProto, HloProto, HloSnapshot, and
// HloUnoptimizedSnapshot, alone or followed by its literals. The bytes determine the type.
Result<HloSnapshot> ReadHloSnapshot(std::string_view bytes);

// True if all of the bytes are one of these messages, with a module that has its entry computation.
bool IsHloMessage(std::string_view bytes);

// True if a text starts with a field of one of these messages, as in the text format of protocol buffers. `#` starts a
// comment.
bool IsHloMessageText(std::string_view text);
// Serializes such a text. Errors (kParse) have a place. Fields that assay does not know are skipped.
Result<std::string> SerializeHloMessageText(std::string_view text);

// Serializes a module as XLA reads it. The message has no field for alias_passthrough_params,
// allow_spmd_sharding_propagation_to_*, origin_recovery_table, debug_attributes and block_scaling_config, which are
// omitted. replica_count and num_partitions become those of the device assignment.
std::string WriteHloModuleProto(const HloModule& module);

}  // namespace assay
