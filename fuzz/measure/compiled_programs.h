// Programs next to what a compiler may make of them, or must not: a measure of the judge from both sides. The rows are
// the files of fuzz/measure/compiled_programs/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/module_report.h"
#include "interpreter/types/result.h"

namespace assay {

enum class CompiledKind {
  kLawful,  // under these profiles, the result of `compiled` is a result of `given`
  kBeyond,  // compilers do so, and no document allows it (docs/decisions.md)
  kFaulty,
};

// A file is a list of rows: comments, then HLO text with the computations `given` and `compiled`, which have the same
// parameters. In the text, T is each of the types, W the type of twice its width (f32 for 8 bits), and $E each of the
// sizes. A row may use the computations plus, times, most and least of two scalars of T, and wide_plus of W.
struct CompiledProgram {
  std::string name;    //! program
  std::string source;  //! source: the compiler that does so, or the kind of the fault
  CompiledKind kind = CompiledKind::kFaulty;
  std::vector<std::string> profiles;           //! lawful, beyond or faulty
  std::vector<std::string> types = {"f32"};    //! types
  std::vector<std::string> data = {"normal"};  //! data: names of CompiledProgramData
  std::vector<std::string> sizes = {""};       //! sizes, from the largest fault to the smallest
  std::vector<std::string> missed;             //! missed: types in which the judge passes a fault of the largest size
  std::string text;
  std::string place;  // file:line
};

// The kinds of inputs that a row may name.
std::vector<std::string_view> CompiledProgramData();

// Returns the rows of all files in a folder.
Result<std::vector<CompiledProgram>> ReadCompiledPrograms(const std::string& folder);

// One way to fill in a row.
struct CompiledProgramRun {
  std::string profile, type, data, size;
  std::uint64_t seed = 0;  // of the inputs, and of lawful noise on the compiled program; 0: no noise
};
std::vector<CompiledProgramRun> RunsOf(const CompiledProgram& program, std::uint64_t seeds);

// Judges the outputs of `compiled` as those of a backend that was given `given`; it runs parts of `given` exactly, or
// with the same noise. Fails if the text is not legal.
Result<ModuleReport> JudgeCompiled(const CompiledProgram& program, const CompiledProgramRun& run);

// Judges a backend that runs `given`. Fails if the text is not legal.
Result<ModuleReport> JudgeGiven(const CompiledProgram& program, const CompiledProgramRun& run, Backend& backend);

}  // namespace assay
