// The files of cases that a check runs.
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

// What filter and tags keep of a corpus and of folders of modules. Programs of their own in the corpus (module_file.h)
// are judged as modules. The digest reads all of them: only where it is
// wanted.
Result<CaseFiles> FindCaseFiles(const std::string& corpus, const std::vector<std::string>& models,
                                const CaseOptions& options, const Shard& shard, bool wants_digest);

// A file with the name of a case on each line; # begins a comment.
Result<std::set<std::string>> ReadCaseNames(const std::string& path);

}  // namespace assay
