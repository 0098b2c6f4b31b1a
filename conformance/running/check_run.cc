#include "conformance/running/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "backends/json/json_text.h"
#include "conformance/cases/files.h"
#include "conformance/reports/clusters.h"
#include "conformance/reports/profile_met.h"
#include "conformance/running/digest.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

using nlohmann::json;

std::optional<std::int64_t> NumberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Where an undivided check has the case: goldens before models, files by name, cases by line.
auto OrderOf(const Outcome& outcome) {
  const std::size_t colon = outcome.place.rfind(':');
  const std::string file = outcome.is_model() ? outcome.name : outcome.place.substr(0, colon);
  const std::int64_t line =
      colon == std::string::npos ? 0 : NumberIn(std::string_view(outcome.place).substr(colon + 1)).value_or(0);
  return std::tuple(outcome.is_model(), file, line);
}

// More than a corpus has files. Those that are missing in a merged report are named.
constexpr std::int64_t kMostShards = 100'000;

// The files last: they follow from the others.
constexpr const char* kRunFields[] = {"assay", "backend", "corpus", "profile", "filter", "tags", "shard", "digest"};

}  // namespace

Result<Shard> Shard::Parse(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto number = NumberIn(std::string_view(text).substr(0, slash));
  const auto count = NumberIn(std::string_view(text).substr(slash == std::string::npos ? text.size() : slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > kMostShards) {
    return Error{ErrorCode::kUsage, fmt::format("--shard: expected I/N with I from 1 to N, and N at most {}, found {}",
                                                kMostShards, text)};
  }
  return Shard{*number, *count};
}

std::string Shard::ToString() const { return fmt::format("{}/{}", number, count); }

void Shard::Keep(std::vector<std::string>& files) const {
  std::int64_t at = 0;
  std::erase_if(files, [&](const std::string&) { return at++ % count != number - 1; });
}

json CheckRun::ToJson() const {
  json run = {{"assay", kVersion},
              {"backend", {{"name", backend.name}, {"version", backend.version}}},
              {"corpus", corpus},
              {"profile", profile},
              {"filter", filter},
              {"tags", tags},
              {"shard", shard.ToString()},
              {"digest", digest},
              {"backend_option", backend_option}};
  if (backend.accelerated_ops) run["backend"]["accelerated_ops"] = *backend.accelerated_ops;
  return run;
}

std::string DifferenceOfRuns(const json& before, const json& now) {
  for (const char* field : kRunFields) {
    const json earlier = before.is_object() ? before.value(field, json()) : json();
    if (earlier == now.at(field)) continue;
    return fmt::format("{} was {}, is {}", field, JsonText(earlier), JsonText(now.at(field)));
  }
  return "";
}

std::string DigestOf(const std::vector<std::string>& files) {
  Digest digest;
  for (const std::string& file : files) {
    digest.Add(file);
    if (const Result<std::string> text = ReadFile(file)) digest.Add(*text);
  }
  return fmt::format("{:016x}", digest.value());
}

json ReportDocument(const json& run, const CheckReport& report, std::string_view ended_by) {
  json document = report.ToJson();
  document.update(run);
  document["schema"] = 1;
  document["clusters"] = ClustersToJson(report);
  if (const auto met = FindProfileMet(report)) document["profile_met"] = met->ToJson();
  if (!ended_by.empty()) document["ended_by"] = ended_by;
  return document;
}

Result<MergedReport> MergeReports(const std::vector<std::string>& paths, const Demands& demands) {
  MergedReport merged = {json(), CheckReport(Expectations(), demands), {}};
  std::map<std::int64_t, std::string> from;  // which file has the shard
  std::int64_t count = 1;
  std::vector<CheckEntry> entries;
  std::map<std::string, std::size_t> stale;  // in how many reports
  for (const std::string& given : paths) {
    std::error_code error;
    const std::string path = std::filesystem::is_directory(given, error) ? given + "/results.json" : given;
    ASSAY_TRY(const std::string text, ReadFile(path));
    const auto bad = [&](std::string_view what) { return Error{ErrorCode::kInput, fmt::format("{}: {}", path, what)}; };
    const Result<json> document = ParseJson(text);
    if (!document) return bad(document.error().message);
    try {
      if (document->at("schema") != 1) return bad("no report of this version of the schema");
      json run;
      for (const char* field : kRunFields) run[field] = document->at(field);
      for (const char* field : {"name", "version"}) run["backend"].at(field).get<std::string>();
      run["filter"].get<std::string>();
      run["tags"].get<std::vector<std::string>>();
      const Result<Shard> parsed = Shard::Parse(document->at("shard").get<std::string>());
      if (!parsed) return bad(parsed.error().message);
      const Shard& shard = *parsed;
      run["shard"] = Shard().ToString();
      if (from.empty()) {
        merged.run = run;
        if (document->contains("backend_option")) merged.run["backend_option"] = document->at("backend_option");
        count = shard.count;
      }
      const std::string difference = DifferenceOfRuns(merged.run, run);
      if (!difference.empty()) return bad(fmt::format("is of another run than {}: {}", paths[0], difference));
      if (shard.count != count)
        return bad(fmt::format("is one of {} shards, {} one of {}", shard.count, paths[0], count));
      const auto [known, is_new] = from.emplace(shard.number, path);
      if (!is_new) return bad(fmt::format("has shard {}, and so has {}", shard.ToString(), known->second));
      if (document->contains("ended_by")) {
        merged.not_run.push_back(fmt::format("what shard {} had not run before {}", shard.ToString(),
                                             (*document)["ended_by"].get<std::string>()));
      }
      for (const bool is_model : {false, true}) {
        for (const json& entry : document->at(is_model ? "models" : "cases")) {
          entries.push_back(CheckEntry::FromJson(entry, is_model));
        }
      }
      for (const json& name : document->at("stale_expectations")) ++stale[name.get<std::string>()];
    } catch (const json::exception& exception) {
      return bad(fmt::format("is no report: {}", exception.what()));
    }
  }
  for (std::int64_t number = 1; number <= count; ++number) {
    if (!from.contains(number)) merged.not_run.push_back("shard " + Shard{number, count}.ToString());
  }
  std::ranges::stable_sort(entries, {}, [](const CheckEntry& entry) { return OrderOf(entry.outcome); });
  for (CheckEntry& entry : entries) merged.report.Add(std::move(entry));
  for (const auto& [name, reports] : stale) {
    if (reports == paths.size()) merged.report.AddStaleExpectation(name);
  }
  return merged;
}

}  // namespace assay
