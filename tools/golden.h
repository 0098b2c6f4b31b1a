// Golden cases: plain HLO files whose `//!` comments hold arguments and expected results (docs/golden_format.md).
#pragma once

#include <string>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct GoldenCase {
  std::string name;  // op/file/case
  std::string reason;
  int line = 0;
  std::vector<Literal> arguments;
  std::vector<Literal> want;  // the leaves of the result, in order
};

struct GoldenFile {
  std::string path;
  std::string op;    // the folder's name
  std::string text;  // the module, directives included: they are comments
  std::string clause;
  std::string provenance;  // seed or derived
  std::string oracle;
  std::string tags;
  std::vector<GoldenCase> cases;
};

// Errors name file and, but for what the whole file lacks, line.
Result<GoldenFile> ParseGoldenFile(const std::string& path, const std::string& text);

// Every *.hlo below the folder, sorted by path. kIo when there is none.
Result<std::vector<std::string>> FindGoldenFiles(const std::string& corpus);

}  // namespace assay
