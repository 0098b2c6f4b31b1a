// The files of a check's report: results.json, junit.xml for test viewers, report.html for a browser; and the folder
// that holds them.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "interpreter/types/result.h"

namespace assay {

// Writes each file of the report atomically into the folder. `document` is the one of ReportDocument. Fails if a file
// cannot be written. Returns a line that names the files.
Result<std::string> WriteReportFiles(const std::string& folder, const nlohmann::json& document);

// Returns JUnit XML: a suite for each op, a test for each case. Failures and errors of the backend are failures,
// unjudged cases are errors, and unsupported or expected ones are skipped with their reason.
std::string JUnitText(const nlohmann::json& document);

// Returns a self-contained HTML page of the document: its outcome, causes, the matrix of ops and types, cases, and the
// changes from an earlier report, which are the JSON text of ReportChanges::ToJson with the names of both reports, or
// null.
std::string ReportPage(const nlohmann::json& document, const std::string& changes = "null");

// Holds the lock of a report's folder until it is destroyed or the process ends: one process at a time writes there.
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
