// Traces and ranges as text for the terminal.
#pragma once

#include <span>

#include "conformance/tracing/ranges.h"
#include "conformance/tracing/trace.h"

namespace assay {

// Prints, for each event, the instructions that make it (with `all` every one, otherwise the first), the parameters and
// constants that hold it, and the elements of the results that have it. `runs` is the number of runs.
void PrintTrace(const EventTrace& trace, std::span<const TracedEvent> events, bool all, std::size_t runs);

// Prints a row for each instruction, and for each type the first instruction that does not fit.
void PrintRanges(std::span<const ValueRange> ranges);

}  // namespace assay
