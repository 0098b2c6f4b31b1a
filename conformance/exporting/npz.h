// NumPy's .npz files: a ZIP archive with an uncompressed .npy file for each array.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "interpreter/types/literal.h"

namespace assay {

// Returns the bytes of a .npz file. The types must be those that .npy can name (conformance/cases/npy.h).
std::string NpzBytes(std::span<const std::pair<std::string, Literal>> arrays);

}  // namespace assay
