// Programs next to what a compiler may make of them, or must not: a measure of the judge from both sides, by the table
// of rewrites.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/module_report.h"
#include "fuzz/rewrite_table.h"
#include "interpreter/types/result.h"

namespace assay {

// The kinds of inputs that a row may name.
std::vector<std::string_view> CompiledProgramData();

// Returns the rows of all files in a folder, such as fuzz/measure/compiled_programs.
Result<std::vector<RewriteRow>> ReadCompiledPrograms(const std::string& folder);

// One way to fill in a row.
struct CompiledProgramRun {
  std::string profile, type, data, size;
  std::uint64_t seed = 0;  // of the inputs, and of lawful noise on the compiled program; 0: no noise
};
std::vector<CompiledProgramRun> RunsOf(const RewriteRow& program, std::uint64_t seeds);

// Judges the outputs of `compiled` as those of a backend that was given `given`; it runs parts of `given` exactly, or
// with the same noise. Fails if the text is not legal.
Result<ModuleReport> JudgeCompiled(const RewriteRow& program, const CompiledProgramRun& run);

// Judges a backend that runs `given`. Fails if the text is not legal.
Result<ModuleReport> JudgeGiven(const RewriteRow& program, const CompiledProgramRun& run, Backend& backend);

}  // namespace assay
