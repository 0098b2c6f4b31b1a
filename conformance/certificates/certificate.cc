#include "conformance/certificates/certificate.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
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

json Machine() {
  utsname system = {};
  uname(&system);
  return {{"system", system.sysname},
          {"release", system.release},
          {"machine", system.machine},
          {"processor", ProcessorName()},
          {"threads", std::thread::hardware_concurrency()}};
}

// The verdict of each case, with the profile that it needs; all of them if a report has a case several times.
std::map<std::string, std::string> VerdictsByCase(const json& report) {
  std::map<std::string, std::string> verdicts;
  for (const char* list : {"cases", "models"}) {
    for (const json& entry : report.value(list, json::array())) {
      std::string verdict = entry.value("verdict", "");
      if (entry.contains("narrowest_profile")) verdict += ", profile " + entry.value("narrowest_profile", "");
      std::string& known = verdicts[fmt::format("{} {}", list, entry.value("name", ""))];
      known += (known.empty() ? "" : " and ") + verdict;
    }
  }
  return verdicts;
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

Status CheckBuiltIn(std::string_view profile) {
  if (std::ranges::count(BuiltInProfileNames(), profile) > 0) return {};
  return Error{ErrorCode::kUsage, fmt::format("a certificate must name a built-in profile, found {}", profile)};
}

json DigestsOf(const std::string& corpus, const std::vector<CaseFile>& files) {
  json digests = json::object();
  for (const CaseFile& file : files) {
    const Result<std::string> text = ReadFile(file.path);
    digests[fs::path(file.path).lexically_relative(corpus).string()] = text ? Sha256(*text) : "";
  }
  return digests;
}

json MakeCertificate(const CheckRun& run, const json& report, const BackendDescription& description,
                     const std::vector<CaseFile>& corpus, const std::map<std::string, std::string>& files) {
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
  const int verification = std::clamp(backend.at("verification").get<int>(), 0, static_cast<int>(Verification::kNone));
  description.verification = static_cast<Verification>(verification);
  return description;
}

std::vector<std::string> DifferencesOf(const std::string& what, const json& claimed, const json& found) {
  if (claimed == found) return {};
  if (!claimed.is_object() || !found.is_object()) {
    return {fmt::format("{}: claimed {}, found {}", what, JsonText(claimed), JsonText(found))};
  }
  std::vector<std::string> lines;
  json all = claimed;
  all.update(found);
  for (const auto& [field, value] : all.items()) {
    const json nothing = "nothing";
    std::ranges::move(DifferencesOf(what + " " + field, claimed.value(field, nothing), found.value(field, nothing)),
                      std::back_inserter(lines));
  }
  return lines;
}

std::vector<std::string> DifferencesOfCases(const json& claimed, const json& found) {
  const std::map<std::string, std::string> claims = VerdictsByCase(claimed), facts = VerdictsByCase(found);
  std::vector<std::string> lines;
  for (const auto& [name, verdict] : facts) {
    const auto claim = claims.find(name);
    if (claim == claims.end()) {
      lines.push_back(fmt::format("{}: the report omits it, found {}", name, verdict));
    } else if (claim->second != verdict) {
      lines.push_back(fmt::format("{}: claimed {}, found {}", name, claim->second, verdict));
    }
  }
  for (const auto& [name, verdict] : claims) {
    if (!facts.contains(name))
      lines.push_back(fmt::format("{}: claimed {}, and the corpus has no such case", name, verdict));
  }
  return lines;
}

}  // namespace assay
