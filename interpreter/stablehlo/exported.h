// Functions that JAX has exported: jax.export's Exported.serialize().
#pragma once

#include <optional>
#include <string_view>

namespace assay::stablehlo {

// Returns the bytecode of the module in a serialized Exported; nullopt if the bytes are none. They are a FlatBuffer of
// the schema jax/_src/export/serialization.fbs, whose versions since the first have the module in the same place. Its
// other fields (trees of arguments, shardings, derivatives) have no part in the values.
std::optional<std::string_view> ModuleOfExported(std::string_view bytes);

}  // namespace assay::stablehlo
