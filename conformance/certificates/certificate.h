// A certificate: the claim of a check, with digests of the files that prove the claim (docs/export.md#certificates).
#pragma once

#include <functional>
#include <map>
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

// Runs the cases of files on the backends of a pool. `wrap` returns the backend that a worker uses, or null for that of
// the pool. `on_begin` receives the path of each file before its cases run. Returns the outcomes in the order of the
// files.
using WrapBackend = std::function<std::unique_ptr<Backend>(int worker)>;
std::vector<Outcome> RunFiles(BackendPool& pool, const std::vector<CaseFile>& files, const CaseOptions& options,
                              const WrapBackend& wrap, const std::function<void(const std::string&)>& on_begin);

// Returns the texts of the files in a certificate's folder that certificate.json names, by name. Fails with kIo if one
// cannot be read.
Result<std::map<std::string, std::string>> ReadCertifiedFiles(const std::string& folder);

// Returns certificate.json: versions, machine, profile, totals, and the digests of the corpus and of `files`, which has
// the texts of the certificate's files by name. `report` is the document of results.json, and `profile_text` the text
// of the profile's file, empty for a built-in profile.
nlohmann::json MakeCertificate(const CheckRun& run, const nlohmann::json& report, const std::vector<CaseFile>& corpus,
                               const std::map<std::string, std::string>& files, const std::string& profile_text);
// Returns the backend's description in a certificate. Throws nlohmann::json::exception if a field is absent or wrong.
BackendDescription DescriptionOf(const nlohmann::json& certificate);

// Returns the text of a profile's file, or an empty text for the name of a built-in profile. Fails with kIo.
Result<std::string> ProfileTextOf(const std::string& name_or_file);
// Returns the profile of a text, or if it is empty the built-in one of this name. Fails with kUsage if there is none,
// or if the profile of the text has the name of a built-in one: readers of a report would take it for that.
Result<Profile> CertifiedProfile(const std::string& text, const std::string& name);

}  // namespace assay
