// The parts of kernels that do not depend on the module: types, arithmetic and functions as CUDA C++ text. All of it
// also compiles on the host, except the code under #ifdef __CUDA_ARCH__.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/types/primitive_type.h"

namespace assay::cuda {

extern const std::string_view kTextOfIntegers;
extern const std::string_view kTextOfPacks;
extern const std::string_view kTextOfReals;
extern const std::string_view kTextOfFunctions;
extern const std::string_view kTextOfFormats;
extern const std::string_view kTextOfBf16;
extern const std::string_view kTextOfF16;
extern const std::string_view kTextOfCodes;
extern const std::string_view kTextOfComplex;
extern const std::string_view kTextOfProducts;
extern const std::string_view kTextOfComplexProducts;
extern const std::string_view kTextOfFourier;
extern const std::string_view kTextOfMatrices;
extern const std::string_view kTextOfComplexMatrices;
extern const std::string_view kTextOfMerges;
extern const std::string_view kTextOfRandomBits;
extern const std::string_view kTextOfWideSums;
extern const std::string_view kTextOfWideComplexSums;

// Returns the parts that a text needs, in the order of their dependencies. `types` are those of its elements.
std::string TextOfParts(TypeSet types, std::string_view body);

// Returns the name of a type in the text: that of HLO, including types such as f8e4m3fn, which the text defines.
std::string_view TypeText(PrimitiveType type);
// Returns the type of `value` of an element: s32, u32, s64, u64, f32, f64 or complex.
std::string_view ComputeTypeText(PrimitiveType type);
// Returns an element with these bits.
std::string ElementText(PrimitiveType type, const std::byte* element);

}  // namespace assay::cuda
