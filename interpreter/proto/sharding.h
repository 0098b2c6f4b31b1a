// Shardings, meshes of devices and replica groups: kept as HLO text in a module, serialized as messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// The text of sharding={...} in its normal form for an OpSharding. Errors are kParse, without a place.
Result<std::string> ReadSharding(const Message& message);
// The inverse, of text in its normal form.
MessageWriter WriteSharding(std::string_view text);

// replica_groups= of an HloInstructionProto, in any of its four forms; nothing where it has none.
Result<std::optional<ReplicaGroups>> ReadReplicaGroups(const Message& instruction);
void WriteReplicaGroups(const ReplicaGroups& groups, MessageWriter& instruction);

// "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))" of a MeshProto, and "'x':(1)2" for an axis or a part of one, which
// names an axis of that mesh by its number.
Result<std::string> ReadMesh(const Message& mesh);
Result<std::string> ReadAxis(const Message& axis, const Message& mesh);
// "{'x', 'y'}"
Result<std::string> ReadAxes(const std::vector<Message>& axes, const Message& mesh);
// The inverses, which move behind what they read. The names of the axes come from the mesh.
MessageWriter WriteMesh(TextParser& parser, std::vector<std::string>& axis_names);
MessageWriter WriteAxis(TextParser& parser, const std::vector<std::string>& axis_names);

// "[4,2]T(1,0)" or "[8]": an iota of devices, transposed.
struct IotaText {
  Int64List dimensions, permutation;
};
IotaText ParseIotaText(TextParser& parser);
std::string PrintIotaText(const Int64List& dimensions, const Int64List& permutation);

}  // namespace assay::proto
