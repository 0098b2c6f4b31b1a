// The folder of a report. One process at a time writes to it.
#pragma once

#include <memory>
#include <string>

#include "interpreter/types/result.h"

namespace assay {

// Holds the lock of a folder until it is destroyed or the process ends.
class ReportFolder {
 public:
  // Makes the folder if it is absent. Fails with kIo if it cannot be written, and with kUsage if another process has
  // locked it.
  static Result<std::shared_ptr<const ReportFolder>> Open(const std::string& path);
  ~ReportFolder();
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

 private:
  explicit ReportFolder(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace assay
