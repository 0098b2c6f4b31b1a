// A folder for the arrays of one request.
#pragma once

#include <optional>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();  // removes it with what is in it
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Empty when it cannot be made.
  const std::string& path() const { return path_; }
  // The file's path; nothing when it cannot be written.
  std::optional<std::string> Write(const Literal& value);

  // Removes all there are. None can be made or removed from then on: whoever tries waits for the end of the process,
  // which the caller must bring about.
  static void RemoveAllForGood();

 private:
  std::string path_;
  int files_ = 0;
};

}  // namespace assay
