// The table of rewrites: instructions next to those by which a compiler may replace them, or must not. Its rows are the
// files of fuzz/bait/, around which programs are drawn, and those of fuzz/measure/compiled_programs/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

enum class RewriteKind {
  kLawful,  // under these profiles, the result of `compiled` is a result of `given`
  kBeyond,  // compilers do so, and no document allows it (docs/decisions.md)
  kFaulty,
};

// An operand of both computations of a row.
struct RewriteOperand {
  std::string name, shape;
  std::string values;  // their kind (fuzz/generate/values.h), or index:N for indices of N elements; may be empty
};

// A file is a list of rows: comments, then HLO text with the computations `given` and `compiled`, which have the same
// parameters. These are the row's operands, or parameters in the text. An instruction that `compiled` names and does
// not define is that of `given`. In the text, T is each of the types, W the type of twice its width (f32 for 8 bits),
// and $E each of the sizes. A row may use the computations plus, times, most and least of two scalars of T, and
// wide_plus of W. Keys before the first row of a file hold for all of its rows, unless a row has its own.
struct RewriteRow {
  std::string name;    //! program
  std::string source;  //! source: the compiler that does so, or the kind of the fault
  RewriteKind kind = RewriteKind::kFaulty;
  std::vector<std::string> profiles;           //! lawful, beyond or faulty
  std::vector<std::string> types = {"f32"};    //! types
  std::vector<std::string> data = {"normal"};  //! data: names of CompiledProgramData
  std::vector<std::string> sizes = {""};       //! sizes, from the largest fault to the smallest
  std::vector<std::string> missed;             //! missed: types in which the judge passes a fault of the largest size
  std::vector<RewriteOperand> operands;        //! operands: NAME SHAPE [VALUES]; ...
  std::string text;                            // of the module, whose entry is not yet chosen
  std::string place;                           // file:line
};

// Reads the rows of a file.
Result<std::vector<RewriteRow>> ReadRewrites(const std::string& text, const std::string& path);

// Returns a module whose entry is the computation `entry` of a row. Fails if the text is not HLO.
Result<std::unique_ptr<HloModule>> ModuleOf(const RewriteRow& row, std::string_view entry, std::string_view type,
                                            std::string_view size);

// Return the rows of fuzz/bait/: rewrites that are miscompilations, and those that the profile xla allows.
const std::vector<RewriteRow>& Miscompilations();
const std::vector<RewriteRow>& LawfulRewrites();

}  // namespace assay
