// The results of library calls: one or several arrays, and behind them the memory that the library worked in.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// The result's shape, or that of a tuple's first element.
const Shape& FirstResult(const Shape& result);
// The result, or an element of a tuple.
const Literal& ResultAt(const Literal& result, std::size_t i);

// The call gives arrays of these dimensions and element types; a tuple may have one more element, the scratch memory: a
// vector of bytes, which no verdict compares.
Status CheckResults(const HloInstruction& call, const std::vector<Shape>& expected);
// The shape has these dimensions, whatever its element type.
Status CheckDimensions(const HloInstruction& call, std::string_view what, const Shape& found, const Shape& expected);

// The results in the form of the call's shape; the scratch memory is zeros.
Literal WithScratch(const Shape& shape, std::vector<Literal> results);

}  // namespace assay
