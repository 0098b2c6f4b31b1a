// Traces and ranges as JSON: the same fields for the command line and for Python (docs/trace.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "conformance/tracing/ranges.h"
#include "conformance/tracing/trace.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Returns the text of an instruction without its metadata.
std::string TextWithoutMetadata(const HloInstruction& instruction);

// Returns an object with the fields executed, findings, sources and results. `events` are the traced ones.
nlohmann::json TraceToJson(const EventTrace& trace, std::span<const TracedEvent> events);
// Returns an array with an object for each instruction.
nlohmann::json RangesToJson(std::span<const ValueRange> ranges);

}  // namespace assay
