// A module of several devices judged on the values that the backend itself had on the way (own_values.h).
#pragma once

#include "backends/backend.h"
#include "conformance/judging/compare.h"

namespace assay {

// True if every instruction is lawful on the operands that the backend's own instructions gave it on all devices, and
// they lead to `got`: then `got` is the result of a lawful evaluation. Counts the pieces, and adds those that are not
// exact to report.offenders. False says nothing: one instruction may be explained by several of them.
bool IsLawfulOnOwnValues(Backend& backend, const HloModule& module, const DeviceValues& arguments, const Literal& got,
                         const CompareOptions& options, ModuleReport& report);

}  // namespace assay
