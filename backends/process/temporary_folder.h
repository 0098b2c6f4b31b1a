// A folder for the arrays of one request.
#pragma once

#include <optional>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();  // removes the folder and its contents
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Returns the path; empty if the folder cannot be created.
  const std::string& path() const { return path_; }
  // Writes a value to a new file. Returns its path; nullopt if it cannot be written.
  std::optional<std::string> Write(const Literal& value);

  // Removes all existing folders. Later calls that create or remove one block until the process ends, which the caller
  // must cause.
  static void RemoveAllForGood();

 private:
  std::string path_;
  int files_ = 0;
};

}  // namespace assay
