// The element types of PJRT's buffers, which have numbers of their own.
#pragma once

#include <string>
#include <vector>

#include "backends/pjrt/abi/types.h"
#include "interpreter/types/primitive_type.h"

namespace assay::pjrt {

// Returns PJRT_Buffer_Type_INVALID for a type that arrays do not have, and PRIMITIVE_TYPE_INVALID for an unknown
// number.
PJRT_Buffer_Type BufferTypeOf(PrimitiveType type);
PrimitiveType PrimitiveTypeOf(PJRT_Buffer_Type type);

// Returns the names of the element types that a plugin of this minor version of PJRT knows. An older one may abort on a
// newer type's number.
std::vector<std::string> TypesOfVersion(int minor_version);

// "f32", or "type 99"
std::string NameOf(PJRT_Buffer_Type type);

}  // namespace assay::pjrt
