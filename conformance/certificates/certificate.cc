#include "conformance/certificates/certificate.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/exporting/sha256.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

bool IsBuiltIn(std::string_view profile) { return std::ranges::count(BuiltInProfileNames(), profile) > 0; }

json Machine() {
  utsname system = {};
  uname(&system);
  return {{"system", system.sysname},
          {"release", system.release},
          {"machine", system.machine},
          {"processor", ProcessorName()},
          {"threads", std::thread::hardware_concurrency()}};
}

json DigestsOf(const std::string& corpus, const std::vector<CaseFile>& files) {
  json digests = json::object();
  for (const CaseFile& file : files) {
    const Result<std::string> text = ReadFile(file.path);
    digests[fs::path(file.path).lexically_relative(corpus).string()] = text ? Sha256(*text) : "";
  }
  return digests;
}

}  // namespace

std::vector<Outcome> RunFiles(BackendPool& pool, const std::vector<CaseFile>& files, const CaseOptions& options,
                              const WrapBackend& wrap, const std::function<void(const std::string&)>& on_begin) {
  std::mutex mutex;
  std::vector<std::vector<Outcome>> outcomes(files.size());
  std::vector<std::unique_ptr<Backend>> wrapped;
  for (int worker = 0; worker < pool.size(); ++worker) wrapped.push_back(wrap(worker));
  pool.ForEach(std::ssize(files), [&](int worker, std::int64_t number) {
    const auto at = static_cast<std::size_t>(number);
    {
      const std::lock_guard lock(mutex);
      on_begin(files[at].path);
    }
    Backend& backend =
        wrapped[static_cast<std::size_t>(worker)] ? *wrapped[static_cast<std::size_t>(worker)] : pool.backend(worker);
    RunCaseFile(backend, files[at], options, [&](Outcome outcome) { outcomes[at].push_back(std::move(outcome)); });
    return true;
  });
  std::vector<Outcome> all;
  for (std::vector<Outcome>& of_file : outcomes) std::ranges::move(of_file, std::back_inserter(all));
  return all;
}

Result<std::map<std::string, std::string>> ReadCertifiedFiles(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const char* name : {"results.json", "junit.xml", "report.html", "runs.jsonl"}) {
    ASSAY_TRY(files[name], ReadFile(fmt::format("{}/{}", folder, name)));
  }
  return files;
}

Result<std::string> ProfileTextOf(const std::string& name_or_file) {
  if (IsBuiltIn(name_or_file)) return std::string();
  return ReadFile(name_or_file);
}

Result<Profile> CertifiedProfile(const std::string& text, const std::string& name) {
  if (text.empty() && IsBuiltIn(name)) return BuiltInProfile(name);
  if (text.empty()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("a certificate must have the text of its profile or name a built-in one, found {}", name)};
  }
  ASSAY_TRY(Profile profile, Profile::Parse(text, "of the certificate"));
  if (!IsBuiltIn(profile.name())) return profile;
  return Error{ErrorCode::kUsage, fmt::format("the name of a certificate's own profile must not be that of a built-in "
                                              "one, found {}",
                                              profile.name())};
}

json MakeCertificate(const CheckRun& run, const json& report, const std::vector<CaseFile>& corpus,
                     const std::map<std::string, std::string>& files, const std::string& profile_text) {
  const BackendDescription& description = run.backend;
  json certificate = {{"schema", 1},
                      {"assay", kVersion},
                      {"backend",
                       {{"name", description.name},
                        {"version", description.version},
                        {"option", run.backend_option},
                        {"max_devices", description.max_devices},
                        {"verification", static_cast<int>(description.verification)}}},
                      {"machine", Machine()},
                      {"profile", run.profile},
                      {"filter", run.filter},
                      {"tags", run.tags},
                      {"totals", report.at("totals")},
                      {"corpus", DigestsOf(run.corpus, corpus)}};
  if (description.accelerated_ops) certificate["backend"]["accelerated_ops"] = *description.accelerated_ops;
  if (!profile_text.empty()) {
    certificate["profile_file"] = {{"text", profile_text}, {"sha256", Sha256(profile_text)}};
  }
  if (report.contains("profile_met")) certificate["profile_met"] = report["profile_met"];
  for (const auto& [name, text] : files) certificate["files"][name] = Sha256(text);
  return certificate;
}

BackendDescription DescriptionOf(const json& certificate) {
  const json& backend = certificate.at("backend");
  BackendDescription description;
  backend.at("name").get_to(description.name);
  backend.at("version").get_to(description.version);
  backend.at("max_devices").get_to(description.max_devices);
  if (backend.contains("accelerated_ops")) {
    description.accelerated_ops = backend["accelerated_ops"].get<std::vector<std::string>>();
  }
  const int verification = std::clamp(backend.at("verification").get<int>(), 0, static_cast<int>(Verification::kNone));
  description.verification = static_cast<Verification>(verification);
  return description;
}

}  // namespace assay
