// A folder of a target's own, for what is read from files.
#pragma once

#include <string>
#include <string_view>

#include "backends/process/temporary_folder.h"

namespace assay {

class TargetFolder {
 public:
  TargetFolder();
  const std::string& path() const { return folder_.path(); }
  // The path of a file in it that has this text now. Its folder is made.
  std::string Write(std::string_view name, std::string_view text) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace assay
