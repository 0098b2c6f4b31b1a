// The results of library calls: one or several arrays, optionally followed by the library's scratch memory.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the result's shape, or the shape of a tuple's first element.
const Shape& FirstResult(const Shape& result);
// Returns the result, or element i of a tuple.
const Literal& ResultAt(const Literal& result, std::size_t i);

// Fails unless the call's result has arrays of these dimensions and element types. A tuple may have one more element,
// the scratch memory: a vector of bytes, which no verdict compares.
Status CheckResults(const HloInstruction& call, const std::vector<Shape>& expected);
// Fails unless the shape has these dimensions; the element type is not checked.
Status CheckDimensions(const HloInstruction& call, std::string_view what, const Shape& found, const Shape& expected);

// Returns the results in the form of the call's shape; the scratch memory is zeros.
Literal WithScratch(const Shape& shape, std::vector<Literal> results);

}  // namespace assay
