// Shardings, device meshes and replica groups: HLO text in a module, messages when serialized.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/mesh_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// The types of an OpSharding, and the word of each in text.
enum ShardingType : std::int64_t { kReplicated, kMaximal, kTuple, kOther, kManual, kUnknown, kUnreduced };
inline constexpr std::array<std::string_view, 7> kShardingTypes = {"replicated", "maximal", "",         "",
                                                                   "manual",     "unknown", "unreduced"};
// The reductions over the axes of a NamedShardingProto.
inline constexpr std::array<std::string_view, 3> kReductions = {"sum", "max", "min"};

// Returns the text of sharding={...} in its normal form for an OpSharding. Errors are kParse, without a place.
Result<std::string> ReadSharding(const Message& message);
// Inverts ReadSharding. The text must be valid.
MessageWriter WriteSharding(std::string_view text);

// Reads replica_groups= of an HloInstructionProto, in any of its four forms; nothing if there is none.
Result<std::optional<ReplicaGroups>> ReadReplicaGroups(const Message& instruction);
void WriteReplicaGroups(const ReplicaGroups& groups, MessageWriter& instruction);

Result<Mesh> ReadMesh(const Message& message);
// Reads axes or parts of them. Their messages name an axis of the mesh by its number.
Result<std::vector<AxisReference>> ReadAxes(const std::vector<Message>& messages, const Mesh& mesh);
MessageWriter WriteMesh(const Mesh& mesh);
MessageWriter WriteAxis(const AxisReference& reference);

// Reads an iota of devices, which is transposed if it has several dimensions.
Result<DeviceIota> ReadIota(const Int64List& dimensions, const Int64List& permutation);

}  // namespace assay::proto
