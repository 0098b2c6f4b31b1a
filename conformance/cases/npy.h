// Reads and writes NumPy's .npy files.
#pragma once

#include <string>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

// Reads the bytes of a .npy file: versions 1 to 3, C or Fortran order, little-endian. NumPy saves the types of
// ml_dtypes as raw items (<V1, <V2; |V1, |V2 after a view): they get the type of `expected` if the item sizes agree.
// The exception is float8_e5m2, which NumPy saves as <f1.
Result<Literal> ParseNpy(std::string_view bytes, const Shape& expected);

// True for the types that .npy can name.
bool NpyCanHold(PrimitiveType type);
// Writes the .npy file of an array of such a type.
void WriteNpy(const Literal& value, const TextSink& sink);

}  // namespace assay
