// The layouts of a program's parameters and results: the orders of their elements in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::pjrt {

// Dimensions from minor to major. Empty: row-major, also for an array that the lists lack.
using ElementOrder = std::vector<std::int64_t>;

struct EntryLayouts {
  std::vector<ElementOrder> parameters, results;
};

// Reads the attribute mhlo.layout_mode of the arguments and results of function main. A layout with tiles, or one that
// the compiler may choose, is row-major.
EntryLayouts ReadEntryLayouts(const stablehlo::Program& program);

// Returns the layouts of a module's entry; those with tiles count as row-major.
EntryLayouts EntryLayoutsOf(const HloModule& module);

// Returns the order of the elements of an array of this rank.
ElementOrder OrderOrRowMajor(const ElementOrder& order, std::int64_t rank);

}  // namespace assay::pjrt
