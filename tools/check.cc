#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/json_text.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/without_throwing.h"
#include "tools/backends.h"
#include "tools/commands.h"
#include "tools/compare.h"
#include "tools/files.h"
#include "tools/golden.h"
#include "tools/report.h"
#include "tools/type_matrix.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One line of the summary: an op's goldens, or a model.
struct Row {
  int cases = 0;
  std::map<Verdict, int> verdicts;
  double worst_ulps = 0;
};

// Verdicts of a backend that are known, each with its reason: {"cases": [{"name": "cbrt/f32/*", "verdict": "FAIL",
// "reason": "..."}]}. A name is a pattern of the shell, and the first one that fits counts. A case that does better
// than it is expected to is a failure of the list.
class Expectations {
 public:
  static Result<Expectations> Read(const std::string& path) {
    Expectations expectations;
    if (path.empty()) return expectations;
    ASSAY_TRY(const std::string text, ReadFile(path));
    const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object() || !document.contains("cases") || !document["cases"].is_array()) {
      return Error{ErrorCode::kInput, fmt::format("{}: expected an object with a list named cases", path)};
    }
    for (const json& entry : document["cases"]) {
      for (const char* field : {"name", "verdict", "reason"}) {
        if (entry.is_object() && entry.contains(field) && entry[field].is_string() && entry[field] != "") continue;
        return Error{ErrorCode::kInput, fmt::format("{}: an entry has no {}: {}", path, field, entry.dump())};
      }
      expectations.entries_.push_back({entry["name"], entry["verdict"]});
    }
    return expectations;
  }

  // The expected verdict's name; empty when nothing is expected but success.
  std::string Of(const std::string& name) const {
    for (const Entry& entry : entries_) {
      if (fnmatch(entry.name.c_str(), name.c_str(), 0) == 0) {
        return entry.verdict;
      }
    }
    return "";
  }

 private:
  struct Entry {
    std::string name, verdict;
  };
  std::vector<Entry> entries_;
};

class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void Step(const std::string& name) {
    if (shown_) fmt::print(stderr, "\r\033[K[{}/{}] {}", ++done_, total_, Shortened(name));
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

class Check {
 public:
  Check(const CheckOptions& options, const Profile& profile, const Expectations& expectations, Backend& backend)
      : options_(options), profile_(profile), expectations_(expectations), backend_(backend) {}

  Status RunCorpus() {
    ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(options_.corpus));
    Progress progress(paths.size());
    for (const std::string& path : paths) {
      progress.Step(path);
      ASSAY_TRY(const std::string text, ReadFile(path));
      ASSAY_TRY(const GoldenFile file, ParseGoldenFile(path, text));
      ASSAY_CHECK_OK(RunFile(file));
    }
    return {};
  }

  // Every module of the folder with seeded inputs and constants.
  Status RunModels(const std::string& folder) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".hlo") paths.push_back(entry.path());
    }
    if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
    std::ranges::sort(paths);
    Progress progress(paths.size());
    for (const fs::path& path : paths) {
      progress.Step(path.string());
      if (path.string().find(options_.filter) != std::string::npos) ASSAY_CHECK_OK(RunModel(path));
    }
    return {};
  }

  void PrintSummary() const {
    fmt::print("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", "op", "cases", "exact", "legal", "other", "failed",
               "worst ULP");
    for (const auto& [op, row] : goldens_) PrintRow(op, row);
    if (options_.show_types) fmt::print("\n{}", matrix_.ToText());
    if (!model_lines_.empty()) fmt::print("\nmodels, with seeded inputs\n");
    for (const std::string& line : model_lines_) fmt::print("{}\n", line);
    std::vector<std::string> unsupported;
    for (const auto& [what, count] : unsupported_) unsupported.push_back(fmt::format("{} cases of {}", count, what));
    PrintList("unsupported by the backend (the report names each case)", unsupported);
    PrintList("as expected", expected_);
    PrintList("offenders", failures_);
    fmt::print("\n{} {}: {} cases", backend_.description().name, backend_.description().version, total_);
    for (const auto& [verdict, count] : totals_) fmt::print(", {} {}", count, VerdictName(verdict));
    fmt::print("\n");
  }

  json Report() const {
    return {{"backend", {{"name", backend_.description().name}, {"version", backend_.description().version}}},
            {"corpus", options_.corpus},
            {"profile", profile_.name()},
            {"cases", cases_},
            {"types", matrix_.ToJson()},
            {"models", models_}};
  }

  bool failed() const { return failed_; }
  int total() const { return total_; }

 private:
  static void PrintRow(const std::string& name, const Row& row) {
    const auto count = [&](Verdict verdict) {
      const auto it = row.verdicts.find(verdict);
      return it == row.verdicts.end() ? 0 : it->second;
    };
    const int exact = count(Verdict::kExact), legal = count(Verdict::kLegal);
    int failed = 0;
    for (const auto& [verdict, n] : row.verdicts) failed += verdict >= Verdict::kFail ? n : 0;
    fmt::print("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", name, row.cases, exact, legal,
               row.cases - exact - legal - failed, failed, fmt::format("{:.4g}", row.worst_ulps));
  }

  static void PrintList(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    fmt::print("\n{}\n", title);
    for (const std::string& line : lines) fmt::print("  {}\n", line);
  }

  // Sorts a verdict into what is shown and decides whether the run fails.
  void Conclude(const std::string& name, Verdict verdict, const std::string& reason, const std::string& detail) {
    ++total_;
    ++totals_[verdict];
    const std::string expected = expectations_.Of(name);
    const std::string line =
        fmt::format("{:<8} {}: {}{}", VerdictName(verdict), name, reason.substr(0, reason.find('\n')), detail);
    const bool is_expected = expected == VerdictName(verdict);
    if (is_expected && verdict != Verdict::kUnsupported) {
      expected_.push_back(line);
    } else if (!expected.empty() && !is_expected) {
      failures_.push_back(fmt::format("{}\n           {} was expected: correct the expectations", line, expected));
      failed_ = true;
    } else if (verdict == Verdict::kUnsupported) {
      ++unsupported_[fmt::format("{}: {}", name.substr(0, name.find('/')), reason.substr(0, reason.find('\n')))];
    } else if (verdict >= Verdict::kWeak) {
      failures_.push_back(line);
      failed_ |= verdict >= Verdict::kFail;
    }
  }

  Status RunFile(const GoldenFile& file) {
    const auto is_wanted = [&](const GoldenCase& golden) {
      return golden.name.find(options_.filter) != std::string::npos;
    };
    if (std::ranges::none_of(file.cases, is_wanted)) return {};
    std::map<std::string, std::unique_ptr<HloModule>> modules;
    for (const GoldenCase& golden : file.cases) {
      if (!is_wanted(golden)) continue;
      std::unique_ptr<HloModule>& module = modules[golden.entry];
      if (module == nullptr) {
        ASSAY_TRY(module, ReadGoldenModule(file, golden.entry));
      }
      ASSAY_CHECK_OK(RunCase(file, golden, *module));
    }
    return {};
  }

  Status RunCase(const GoldenFile& file, const GoldenCase& golden, const HloModule& module) {
    ASSAY_TRY(const RootValues reference, EvaluateGolden(file, golden, module, LimitsOf(options_.common)));
    Result<std::vector<Literal>> outputs = backend_.Run(module, ByDevice(module, golden.arguments));
    Judgement judgement;
    if (outputs) {
      judgement = JudgeInstruction(*module.entry->root, reference.operands, reference.want,
                                   OfAllDevices(*std::move(outputs)), profile_);
    } else {
      judgement.verdict = VerdictOf(outputs.error());
      judgement.reason = outputs.error().message;
    }
    Record(file, golden, TypesTested(file.op, module), judgement);
    return {};
  }

  void Record(const GoldenFile& file, const GoldenCase& golden, const std::set<PrimitiveType>& types,
              const Judgement& judgement) {
    for (PrimitiveType type : types) matrix_.Add(file.op, type, judgement.verdict);
    Row& row = goldens_[file.op];
    ++row.cases;
    ++row.verdicts[judgement.verdict];
    if (std::isfinite(judgement.worst.ulps)) row.worst_ulps = std::max(row.worst_ulps, judgement.worst.ulps);
    std::string detail = fmt::format(" ({}:{})", file.path, golden.line);
    if (judgement.not_exact > 0) {
      detail += "\n           " + DescribeWorst(judgement.worst);
    }
    Conclude(golden.name, judgement.verdict, judgement.reason, detail);
    json entry = JudgementToJson(judgement);
    entry["name"] = golden.name;
    entry["op"] = file.op;
    cases_.push_back(std::move(entry));
  }

  Status RunModel(const fs::path& path) {
    const std::string name = path.stem().string();
    ASSAY_TRY(const std::string text, ReadFile(path.string()));
    Result<std::unique_ptr<HloModule>> module = ParseHloModule(text, path.string());
    if (!module) return module.error();
    for (const Error& error : FindIllegal(**module)) {
      return Error{error.code, RenderError(error, text, path.string())};
    }
    if (const auto note = RunOnNamedDevices(**module)) fmt::print(stderr, "note: {}: {}\n", path.string(), *note);
    const std::int64_t filled = FillElidedConstants(**module, 0);
    ASSAY_TRY(const Inputs inputs, ReadInputs(**module, {}));
    CompareOptions compare;
    compare.profile = profile_;
    compare.limits = LimitsOf(options_.common);
    Result<ModuleReport> report = CompareModule(backend_, **module, inputs.per_device, compare);
    if (!report) {
      return Error{report.error().code, fmt::format("{}: {}", path.string(), report.error().message)};
    }
    model_lines_.push_back(fmt::format(
        "{:<11} {:<50} reference {:>7.2f} s, {} of {} outputs exact{}", VerdictName(report->verdict), name,
        report->reference_seconds, report->outputs.elements - report->outputs.not_exact, report->outputs.elements,
        report->was_cut ? fmt::format("; cut: {} of {} instructions exact", report->pieces_exact, report->pieces)
                        : ""));
    Conclude("model/" + name, report->verdict, report->reason, "");
    json entry = ReportToJson(name, *report);
    entry["elided_constants_filled"] = filled;
    models_.push_back(std::move(entry));
    return {};
  }

  const CheckOptions& options_;
  const Profile& profile_;
  const Expectations& expectations_;
  Backend& backend_;
  std::map<std::string, Row> goldens_;
  TypeMatrix matrix_;
  std::map<Verdict, int> totals_;
  std::vector<std::string> model_lines_;
  std::map<std::string, int> unsupported_;  // by op and reason
  std::vector<std::string> expected_;
  std::vector<std::string> failures_;
  json cases_ = json::array();
  json models_ = json::array();
  int total_ = 0;
  bool failed_ = false;
};

}  // namespace

int CheckCommand(const CheckOptions& options) {
  if (const Status prepared = Prepare(options.common); !prepared) return Fail(prepared.error());
  const Result<std::unique_ptr<Backend>> backend = OpenAnyBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  const Result<Profile> profile = FindProfile(options.profile);
  if (!profile) return Fail(profile.error());
  const Result<Expectations> expectations = Expectations::Read(options.expectations_file);
  if (!expectations) return Fail(expectations.error());
  Check check(options, *profile, *expectations, **backend);
  const Status status = WithoutThrowing([&]() -> Status {
    ASSAY_CHECK_OK(check.RunCorpus());
    for (const std::string& folder : options.models) ASSAY_CHECK_OK(check.RunModels(folder));
    return {};
  });
  if (!status) return Fail(status.error());
  if (check.total() == 0) return Fail({ErrorCode::kUsage, fmt::format("no case matches {}", options.filter)});
  check.PrintSummary();
  if (!options.report_directory.empty()) {
    std::error_code error;
    fs::create_directories(options.report_directory, error);
    const std::string path = options.report_directory + "/report.json";
    const Status written = WriteFileAtomically(path, JsonText(check.Report(), 1) + "\n");
    if (!written) return Fail(written.error());
    fmt::print("report: {}\n", path);
  }
  const int written = FlushOutput();
  return written == 0 && check.failed() ? 1 : written;
}

}  // namespace assay
