// The case files that a check runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/running/check_run.h"
#include "conformance/running/outcome.h"

namespace assay {

struct CaseFiles {
  std::vector<CaseFile> files;  // of the shard: goldens, then models, each by name
  std::string digest;           // of all shards' files together
};

// Finds the files of a corpus and of folders of modules that filter and tags keep. A program in the corpus that has its
// own folder (module_file.h) is judged as a module. The digest reads all files, so it is computed only if
// `wants_digest`.
Result<CaseFiles> FindCaseFiles(const std::string& corpus, const std::vector<std::string>& models,
                                const CaseOptions& options, const Shard& shard, bool wants_digest);

// Reads the case names of a file: one name a line, `#` begins a comment.
Result<std::set<std::string>> ReadCaseNames(const std::string& path);

}  // namespace assay
