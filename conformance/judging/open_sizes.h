// Run-time sizes that the specification leaves open: real numbers decide them, or a declared shape hides them.
#pragma once

#include "conformance/judging/module_report.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if a run-time size depends on computed real numbers, for example on s32 convert(f32 divide(x, x)): a lawful
// evaluation may round them differently. A size in a called computation that depends on the parameters of that
// computation counts if the module has real numbers at all.
bool DoRealNumbersDecideSizes(const HloModule& module);

// Replaces FAIL and SUSPECT by SPEC-GAP if a declared shape hides a run-time size from every output that differs, and
// by WEAK if it hides one from some of them only, because the verdict does not name the output.
ModuleReport ConsideringHiddenSizes(const HloModule& module, const Literal& want, const Literal& got,
                                    ModuleReport report);

}  // namespace assay
