// A failing module in a folder of its own, which fails alone: what `reduce` and `diff --extract` write.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/subject.h"
#include "interpreter/types/result.h"

namespace assay {

struct FailingModule {
  std::string folder;
  std::string backend;
  std::string profile;                 // a name or a file; empty: that of the backend
  std::vector<std::string> libraries;  // of custom calls
};

// The command line that shows the failure.
std::string CommandOf(const FailingModule& failing);
// Writes module.hlo, inputs.json and command.txt.
Status WriteFailingModule(const FailingModule& failing, const Subject& subject);

}  // namespace assay
