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
// Inverts ReadSharding, for text in its normal form.
MessageWriter WriteSharding(std::string_view text);

// Reads replica_groups= of an HloInstructionProto, in any of its four forms; nothing if there is none.
Result<std::optional<ReplicaGroups>> ReadReplicaGroups(const Message& instruction);
void WriteReplicaGroups(const ReplicaGroups& groups, MessageWriter& instruction);

// Returns "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))" for a MeshProto, and "'x':(1)2" for an axis or a part of one.
// The message of an axis names an axis of that mesh by its number.
Result<std::string> ReadMesh(const Message& mesh);
Result<std::string> ReadAxis(const Message& axis, const Message& mesh);
// Returns "{'x', 'y'}".
Result<std::string> ReadAxes(const std::vector<Message>& axes, const Message& mesh);
MessageWriter WriteMesh(const Mesh& mesh);
MessageWriter WriteAxis(const AxisReference& reference);

// An iota of devices, optionally transposed: "[4,2]T(1,0)" or "[8]".
struct IotaText {
  Int64List dimensions, permutation;
};
IotaText ParseIotaText(TextParser& parser);
std::string PrintIotaText(const Int64List& dimensions, const Int64List& permutation);

}  // namespace assay::proto
