// The folder of a target, for files that it reads.
#pragma once

#include <string>
#include <string_view>

#include "backends/process/temporary_folder.h"

namespace assay {

class TargetFolder {
 public:
  TargetFolder();
  const std::string& path() const { return folder_.path(); }
  // Writes the text to a file in the folder and returns its path. Creates the file's parent folder.
  std::string Write(std::string_view name, std::string_view text) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace assay
