// Shardings and frontend attributes, in the text of HLO.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

using FrontendValues = std::map<std::string, std::string>;

// Returns the strings of mhlo.frontend_attributes of an operation or an argument, including its Shardy shardings, which
// HLO stores as frontend attributes.
Result<FrontendValues> FrontendValuesOf(const Operation& operation, const Dictionary& attributes);
// Returns the same as HLO prints them; empty if there are none.
Result<std::string> FrontendAttributesOf(const Operation& operation, const Dictionary& attributes);

// Returns the sharding of each result by mhlo.sharding; empty if there is none.
Result<std::vector<std::string>> ShardingsOf(const Operation& operation);
// Returns XLA's form of one sharding, from mhlo.sharding or sdy.sharding. Empty if there is neither.
Result<std::string> ShardingOf(const Program& program, const Operation& operation, const Dictionary& attributes);

// Returns XLA's form of a sharding of Shardy: "{devices=[4,1]<=[4]}".
Result<std::string> XlaShardingOf(const Program& program, const Operation& operation, const DialectAttribute& sharding);
// Returns the meshes of the program as its frontend attribute xla.sdy.meshes: "{mesh = #sdy.mesh<["x"=4]>}"; empty
// without any.
std::string MeshesText(const Program& program);
// Returns the groups of devices that communicate over axes of a mesh: #stablehlo.replica_group_mesh_axes<...>.
Result<std::vector<Int64List>> MeshAxesGroups(const Program& program, const Operation& operation,
                                              const Attribute& groups);

// Translates an operation that a composite or custom call of another name represents. False if there is no such
// operation.
Result<bool> LowerNamedOperation(const Lowering& lowering, std::string name, const Dictionary* attributes);

}  // namespace assay::stablehlo
