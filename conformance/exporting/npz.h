// NumPy's .npz files: a ZIP archive with an uncompressed .npy file for each array.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "interpreter/types/literal.h"

namespace assay {

// Returns the bytes of a .npz file with these arrays by name. .npy must be able to name their types
// (conformance/cases/npy.h).
std::string NpzBytes(std::span<const std::pair<std::string, Literal>> arrays);

}  // namespace assay
