// The judgements of a module's outputs by its set.
#pragma once

#include <optional>
#include <vector>

#include "conformance/judging/module_report.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/types/literal.h"

namespace assay {

// Makes the judgements of the outputs by the set the report's.
void JudgeOutputs(const ValueSet& set, const Literal& got, ModuleReport& report);

// Returns the arguments with zeros for their subnormal numbers; nullopt if there are none, or the profile keeps them.
std::optional<std::vector<Literal>> FlushedArguments(const std::vector<Literal>& arguments, const Profile& profile);

// Makes each WEAK output LEGAL that `flushed`, the set of the module on flushed arguments, proves: a decision by a
// subnormal number makes a hull of both sides wide, but either number is lawful.
void TakeLawfulOnFlushed(const ValueSet& flushed, const Literal& got, ModuleReport& report);

}  // namespace assay
