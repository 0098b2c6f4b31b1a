// Shardings and frontend attributes, in the text of HLO.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

using FrontendValues = std::map<std::string, std::string>;

// The strings of mhlo.frontend_attributes of an operation or an argument, and its shardings of Shardy, which HLO has
// among them.
Result<FrontendValues> FrontendValuesOf(const Operation& operation, const Dictionary& attributes);
// The same as HLO prints them; empty if there are none.
Result<std::string> FrontendAttributesOf(const Operation& operation, const Dictionary& attributes);

// The sharding of each result by mhlo.sharding; empty if there is none.
Result<std::vector<std::string>> ShardingsOf(const Operation& operation);
// XLA's form of one sharding: the text of mhlo.sharding, or what sdy.sharding says. Empty if there is neither.
Result<std::string> ShardingOf(const Program& program, const Operation& operation, const Dictionary& attributes);

// XLA's form of a sharding of Shardy: "{devices=[4,1]<=[4]}".
Result<std::string> XlaShardingOf(const Program& program, const Operation& operation, const DialectAttribute& sharding);
// The meshes of the program as its frontend attribute xla.sdy.meshes: "{mesh = #sdy.mesh<["x"=4]>}"; empty without any.
std::string MeshesText(const Program& program);
// The devices that meet over axes of a mesh: #stablehlo.replica_group_mesh_axes<...>.
Result<std::vector<Int64List>> MeshAxesGroups(const Program& program, const Operation& operation,
                                              const Attribute& groups);

// Translates an operation that stands under another name in a composite or custom call. False if there is no such one.
Result<bool> LowerNamedOperation(const Lowering& lowering, std::string name, const Dictionary* attributes);

}  // namespace assay::stablehlo
