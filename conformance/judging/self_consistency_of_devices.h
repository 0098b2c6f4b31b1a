// Judges a module of several devices on the backend's own intermediate values (self_consistency.h).
#pragma once

#include "backends/backend.h"
#include "conformance/judging/compare.h"

namespace assay {

// True if every instruction is lawful on the backend's own operands on all devices, and they lead to `got`: then `got`
// is the result of a lawful evaluation. Counts the pieces, and adds those that are not exact to report.offenders. False
// proves nothing: a lawful evaluation may combine several instructions.
bool IsLawfulOnOwnValues(Backend& backend, const HloModule& module, const DeviceValues& arguments, const Literal& got,
                         const CompareOptions& options, ModuleReport& report);

}  // namespace assay
