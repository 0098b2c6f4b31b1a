// NumPy's .npy files.
#pragma once

#include <string>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

// The array of a .npy file's bytes, versions 1 to 3, C or Fortran order, little-endian. Types that NumPy lacks are
// saved by ml_dtypes as raw items (|V1, |V2): they take the type of `expected` when the item sizes agree.
Result<Literal> ParseNpy(std::string_view bytes, const Shape& expected);

// True for the types that .npy can name.
bool NpyCanHold(PrimitiveType type);
// The file's bytes for an array of such a type.
void WriteNpy(const Literal& value, const TextSink& sink);

}  // namespace assay
