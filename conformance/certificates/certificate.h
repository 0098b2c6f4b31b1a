// A submission: the report of a check with all that lets another person check its claim (docs/export.md#certificates).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificates/recorded_runs.h"
#include "conformance/reports/check_report.h"
#include "conformance/running/backend_pool.h"
#include "conformance/running/check_run.h"
#include "conformance/running/outcome.h"

namespace assay {

// Runs cases on the backends of a pool. `wrap` returns the backend that worker i uses; null: that of the pool. Returns
// the outcomes in the order of the files.
using WrapBackend = std::function<std::unique_ptr<Backend>(int worker)>;
std::vector<Outcome> RunFiles(BackendPool& pool, const std::vector<CaseFile>& files, const CaseOptions& options,
                              const WrapBackend& wrap, const std::function<void(const std::string&)>& on_begin);

// Returns the claim: versions, machine, profile, totals, and the digests of the files of the corpus and of the folder.
// `files` are the names and texts of the folder's other files.
nlohmann::json MakeCertificate(const CheckRun& run, const nlohmann::json& report, const BackendDescription& description,
                               const std::vector<CaseFile>& corpus, const std::map<std::string, std::string>& files);
BackendDescription DescriptionOf(const nlohmann::json& certificate);  // throws nlohmann::json::exception

// Fails with kUsage for a profile of the user's own: who verifies the certificate does not have it.
Status CheckBuiltIn(std::string_view profile);

// The digests of the files of a corpus, by the part of their path below its folder.
nlohmann::json DigestsOf(const std::string& corpus, const std::vector<CaseFile>& files);

// Return one line for each disagreement: of two objects, field by field, and of the cases of two reports.
std::vector<std::string> DifferencesOf(const std::string& what, const nlohmann::json& claimed,
                                       const nlohmann::json& found);
std::vector<std::string> DifferencesOfCases(const nlohmann::json& claimed, const nlohmann::json& found);

}  // namespace assay
