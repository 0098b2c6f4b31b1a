// The values of a module's entry as arrays with fixed sizes: buffers of PJRT hold nothing else.
//
// A parameter or a result becomes its leaves, in order. A tuple has those of its elements. An array with run-time sizes
// becomes the array of its bounds, and an s32[] for each dynamic dimension. A token has no leaves.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

// True if each parameter is an array with fixed sizes, and the result such an array or a tuple of them.
bool HasFlatEntry(const HloModule& module);

// Returns a copy of a legal module whose parameters are the leaves of its parameters, and whose result is the tuple of
// the leaves of its result. Fails with kUnsupported if a value of the entry is neither of these, or if the header of
// the module refers to the values by number.
Result<std::unique_ptr<HloModule>> WithFlatEntry(const HloModule& module);

// Appends the leaves of an argument of this shape; its arrays may have the run-time sizes alone. Fails with kInput for
// a value of another shape.
Status AppendLeaves(const Literal& value, const Shape& shape, std::vector<Literal>& leaves);

// Returns the value of this shape, with arrays of the run-time sizes, from its leaves, of which `next` is the number of
// the first one. `next` becomes that of the leaf after it. A size below zero or above the bound counts as the nearest
// one: a plugin need not clamp the sizes of which this host asks, and modules that ask for them have their own verdict.
Literal JoinLeaves(const Shape& shape, const std::vector<Literal>& leaves, std::size_t& next);

}  // namespace assay::pjrt
