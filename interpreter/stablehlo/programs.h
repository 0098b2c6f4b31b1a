// The programs of a file, and the functions at which they start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

inline constexpr std::string_view kBytecodeStart = "ML\xefR";

// Reads the programs of a file: the one of a bytecode; of a text its pieces between lines `// -----`, as mlir-opt's
// -split-input-file has them, and the modules of a piece that holds several. Pieces without operations are omitted. A
// piece that cannot be read is its error. All places are those of the whole text.
std::vector<Result<Program>> ReadPrograms(std::string_view bytes);

// Returns the bytecode of the module in a function that JAX has exported, jax.export's Exported.serialize(); nullopt if
// the bytes are none. They are a FlatBuffer of the schema jax/_src/export/serialization.fbs, whose versions since the
// first have the module in the same place. Its other fields (trees of arguments, shardings, derivatives) have no part
// in the values.
std::optional<std::string_view> ModuleOfExported(std::string_view bytes);

// Returns the operations of the module, such as functions and meshes.
const std::vector<Operation>& OperationsOf(const Program& program);
// Returns an attribute that is a string; empty if it is absent or of another kind.
std::string StringOf(const Operation& operation, std::string_view name);
std::vector<std::string> FunctionNames(const Program& program);
// Returns `function`, which must be defined; if it is empty "main", or the name of the only public function.
Result<std::string> EntryName(const Program& program, std::string_view function);
// Returns the name of the entry. A program without one starts at each of its functions that takes no arguments and is
// public or not called by others, as tests do; if there is none, at each function that no other calls.
Result<std::vector<std::string>> EntryNames(const Program& program);

}  // namespace assay::stablehlo
