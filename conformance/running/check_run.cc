#include "conformance/running/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/reports/check_report.h"
#include "conformance/reports/profile_met.h"
#include "conformance/running/digest.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

using nlohmann::json;

// Returns the sort key of a case in an undivided check: goldens before models, files by name, cases by line.
auto OrderOf(const Outcome& outcome) {
  const std::size_t colon = outcome.place.rfind(':');
  const std::string file = outcome.is_model() ? outcome.name : outcome.place.substr(0, colon);
  const std::int64_t line =
      colon == std::string::npos
          ? 0
          : NumberInText<std::int64_t>(std::string_view(outcome.place).substr(colon + 1)).value_or(0);
  return std::tuple(outcome.is_model(), file, line);
}

// A bound above the number of files of any corpus. A merged report names its missing shards.
constexpr std::int64_t kMostShards = 100'000;

// The digest comes last: a difference in another field explains it.
constexpr const char* kRunFields[] = {"assay", "backend", "corpus", "profile", "filter", "tags", "shard", "digest"};

}  // namespace

Result<Shard> Shard::Parse(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto number = NumberInText<std::int64_t>(std::string_view(text).substr(0, slash));
  const auto count =
      NumberInText<std::int64_t>(std::string_view(text).substr(slash == std::string::npos ? text.size() : slash + 1));
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
  if (files.empty()) return fmt::format("{:016x}", digest.value());
  // The folder that holds all files is no part of a name: copies of a corpus have one digest.
  const auto [least, most] = std::ranges::minmax(files);
  const auto common = static_cast<std::size_t>(std::ranges::mismatch(least, most).in1 - least.begin());
  const std::size_t name = least.substr(0, common).rfind('/') + 1;
  for (const std::string& file : files) {
    digest.Add(std::string_view(file).substr(name));
    if (const Result<std::string> text = ReadFile(file)) digest.Add(*text);
  }
  return fmt::format("{:016x}", digest.value());
}

std::string OutcomeText(const CheckReport& report, const Unfinished& unfinished) {
  const auto known_failures = std::ranges::count_if(report.entries(), [](const CheckEntry& entry) {
    return entry.standing == Standing::kExpected && IsFailure(entry.outcome.verdict());
  });
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, const char* noun, const char* rest = "") {
    if (count > 0) parts.push_back(fmt::format("{} {}{}{}", count, noun, count == 1 ? "" : "s", rest));
  };
  add(report.Count(Standing::kFailed), "new failure");
  add(report.Count(Standing::kUnexpected), "verdict", " other than expected");
  add(report.Count(Standing::kFlaky), "flake");
  add(report.MissingSupport(), "supported case", " missing (--min-supported)");
  const bool has_failed = !parts.empty();
  add(report.Count(Standing::kUnjudged), "case", " UNJUDGED");
  if (!unfinished.ended_by.empty()) parts.push_back("ended by " + unfinished.ended_by);
  add(std::ssize(unfinished.not_run), "file", " not run");
  const std::string_view state = has_failed ? "failed" : parts.empty() ? "passed" : "incomplete";
  if (!has_failed) parts.insert(parts.begin(), fmt::format("no new failure in {} cases", report.entries().size()));
  add(known_failures, "expected failure");
  return fmt::format("{}: {}", state, JoinText(parts, ", "));
}

json ReportDocument(const json& run, const CheckReport& report, const Unfinished& unfinished) {
  json document = report.ToJson();
  document.update(run);
  document["schema"] = 1;
  document["outcome"] = OutcomeText(report, unfinished);
  document["clusters"] = ClustersToJson(report);
  if (const auto met = FindProfileMet(report, run, unfinished.IsWhole())) document["profile_met"] = met->ToJson();
  if (!unfinished.ended_by.empty()) document["ended_by"] = unfinished.ended_by;
  if (!unfinished.not_run.empty()) document["not_run"] = unfinished.not_run;
  return document;
}

std::string ClaimOf(const json& document) {
  return document.contains("profile_met") ? document["profile_met"].value("text", "") : "";
}

namespace {

// A results.json of one shard.
struct ShardReport {
  json run;  // without the shard
  std::optional<json> backend_option;
  Shard shard;
  std::string ended_by;
  std::vector<CheckEntry> entries;
  std::vector<std::string> stale_expectations;
};

// Throws if a field is absent or has another type.
Result<ShardReport> ShardReportOf(const json& document) {
  if (document.at("schema") != 1) return Error{ErrorCode::kInput, "no report of this version of the schema"};
  ShardReport report;
  for (const char* field : kRunFields) report.run[field] = document.at(field);
  for (const char* field : {"name", "version"}) report.run["backend"].at(field).get<std::string>();
  report.run["filter"].get<std::string>();
  report.run["tags"].get<std::vector<std::string>>();
  ASSAY_TRY(report.shard, Shard::Parse(document.at("shard").get<std::string>()));
  report.run["shard"] = Shard().ToString();
  if (document.contains("backend_option")) report.backend_option = document.at("backend_option");
  if (document.contains("ended_by")) report.ended_by = document.at("ended_by").get<std::string>();
  for (const bool is_model : {false, true}) {
    for (const json& entry : document.at(is_model ? "models" : "cases")) {
      report.entries.push_back(CheckEntry::FromJson(entry, is_model));
    }
  }
  report.stale_expectations = document.at("stale_expectations").get<std::vector<std::string>>();
  return report;
}

Result<ShardReport> ReadShardReport(std::string_view text) {
  try {
    ASSAY_TRY(const json document, ParseJson(text));
    return ShardReportOf(document);
  } catch (const json::exception& exception) {
    return Error{ErrorCode::kInput, fmt::format("not a report: {}", exception.what())};
  }
}

class Merger {
 public:
  Merger(const std::vector<std::string>& paths, const Demands& demands)
      : paths_(paths), merged_{json(), CheckReport(Expectations(), demands), {}} {}

  // Fails unless the shard belongs to the same run and is new.
  Status Add(const std::string& path, ShardReport shard) {
    if (from_.empty()) {
      merged_.run = shard.run;
      if (shard.backend_option) merged_.run["backend_option"] = *shard.backend_option;
      count_ = shard.shard.count;
    }
    const auto bad = [](std::string what) { return Error{ErrorCode::kInput, std::move(what)}; };
    const std::string difference = DifferenceOfRuns(merged_.run, shard.run);
    if (!difference.empty()) return bad(fmt::format("is of another run than {}: {}", paths_[0], difference));
    if (shard.shard.count != count_) {
      return bad(fmt::format("is one of {} shards, {} one of {}", shard.shard.count, paths_[0], count_));
    }
    const std::string name = shard.shard.ToString();
    const auto [known, is_new] = from_.emplace(shard.shard.number, path);
    if (!is_new) return bad(fmt::format("has shard {}, and so has {}", name, known->second));
    if (!shard.ended_by.empty()) {
      merged_.not_run.push_back(fmt::format("what shard {} had not run before {}", name, shard.ended_by));
    }
    std::ranges::move(shard.entries, std::back_inserter(entries_));
    for (const std::string& stale : shard.stale_expectations) ++stale_[stale];
    return {};
  }

  MergedReport Finish() {
    for (std::int64_t number = 1; number <= count_; ++number) {
      if (!from_.contains(number)) merged_.not_run.push_back("shard " + Shard{number, count_}.ToString());
    }
    std::ranges::stable_sort(entries_, {}, [](const CheckEntry& entry) { return OrderOf(entry.outcome); });
    for (CheckEntry& entry : entries_) merged_.report.Add(std::move(entry));
    for (const auto& [name, reports] : stale_) {
      if (reports == paths_.size()) merged_.report.AddStaleExpectation(name);
    }
    return std::move(merged_);
  }

 private:
  const std::vector<std::string>& paths_;
  MergedReport merged_;
  std::map<std::int64_t, std::string> from_;  // the file of each shard
  std::int64_t count_ = 1;
  std::vector<CheckEntry> entries_;
  std::map<std::string, std::size_t> stale_;  // the number of reports that have each
};

}  // namespace

Result<MergedReport> MergeReports(const std::vector<std::string>& paths, const Demands& demands) {
  Merger merger(paths, demands);
  for (const std::string& given : paths) {
    std::error_code error;
    const std::string path = std::filesystem::is_directory(given, error) ? given + "/results.json" : given;
    ASSAY_TRY(const std::string text, ReadFile(path));
    const auto at = [&](const Error& what) {
      return Error{ErrorCode::kInput, fmt::format("{}: {}", path, what.message)};
    };
    Result<ShardReport> report = ReadShardReport(text);
    if (!report) return at(report.error());
    if (const Status added = merger.Add(path, *std::move(report)); !added) return at(added.error());
  }
  return merger.Finish();
}

}  // namespace assay
