// The folder of an exported suite: modules, cases, a runner, and a manifest with digests (docs/export.md).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/exporting/exported_case.h"
#include "conformance/running/outcome.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// A format of an exported suite.
struct SuiteFormat {
  std::string_view name;       // the value of --format
  std::string_view extension;  // of the files of modules, with the dot
  // Returns the text of a module. Fails with kUnsupported, and the reason, if the format cannot express it.
  Result<std::string> (*print)(const HloModule& module) = nullptr;
  bool takes_refused = false;  // true: the suite also has modules that a backend must refuse
  bool has_npz = false;        // true: the arrays are in .npz files, not in the JSON of the cases
  bool has_pytest = false;     // true: the suite has test_suite.py and conftest.py
};

std::span<const SuiteFormat> SuiteFormats();

class SuiteWriter {
 public:
  // `format` must outlive this object. The folder must exist and be empty.
  SuiteWriter(const SuiteFormat& format, std::string folder, CaseOptions options)
      : format_(format), folder_(std::move(folder)), options_(std::move(options)) {}

  // Exports the cases of a file that the options keep; the manifest names cases that cannot be exported. Threads may
  // call it at the same time for different files. Fails with kIo if the folder cannot be written.
  Status Add(const CaseFile& file);

  // Writes the Python files and the manifest, which also has the fields of `run`. Returns the manifest. Fails with kIo.
  Result<nlohmann::json> Finish(nlohmann::json run);

 private:
  using NamesByReason = std::map<std::string, std::vector<std::string>>;

  Status AddCases(const CaseFile& file, nlohmann::json& cases);
  Result<nlohmann::json> Export(const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden);
  Result<nlohmann::json> ExportRefused(const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden);
  // Writes the module of a case, unless an earlier case of the file has the same entry. Returns its path in the suite.
  Result<std::string> WriteModule(const GoldenCase& golden, const HloModule& module);
  Status Write(const std::string& path, const std::string& bytes);
  void LeaveOut(const std::string& name, const std::string& reason);

  const SuiteFormat& format_;
  const std::string folder_;
  const CaseOptions options_;
  std::mutex mutex_;                          // guards what follows
  std::map<std::string, std::string> files_;  // digests by path
  NamesByReason left_out_, undecided_;
  std::int64_t exported_ = 0;
};

}  // namespace assay
