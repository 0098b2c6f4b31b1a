#include "conformance/diagnosis/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "backends/json/json_text.h"
#include "conformance/cases/case_files.h"
#include "conformance/cases/golden.h"
#include "conformance/running/backend_pool.h"
#include "interpreter/types/without_throwing.h"
#include "tools/check_plan.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

constexpr std::size_t kMostDifferencesShown = 20;

struct BatchOptions {
  CheckOptions check;
  std::vector<std::string> modules;  // instead of the corpus
  std::string format = "text";
  bool is_strict = false;
};

// A batch dimension of a case.
struct BatchFinding {
  std::string name;
  std::string op;  // "models" for a module
  BatchDimension dimension;
};

nlohmann::json FindingToJson(const BatchFinding& finding) {
  const BatchDimension& found = finding.dimension;
  nlohmann::json json = {{"name", finding.name},
                         {"op", finding.op},
                         {"parameter_number", found.parameter},
                         {"dimension", found.dimension},
                         {"size", found.size},
                         {"invariant", found.is_invariant},
                         {"verdict", VerdictName(found.verdict)}};
  if (!found.reason.empty()) json["reason"] = found.reason;
  if (!found.element.empty()) {
    json.update({{"element", found.element}, {"in_batch", found.in_batch}, {"alone", found.alone}});
  }
  return json;
}

// Finds the batch dimensions of all cases of the files.
class BatchCheck {
 public:
  BatchCheck(BackendPool& pool, const CaseOptions& cases) : pool_(pool), cases_(cases) {}

  std::vector<BatchFinding> Run(const std::vector<CaseFile>& files) {
    Progress progress(files.size(), "files of cases");
    std::map<std::int64_t, std::vector<BatchFinding>> by_file;
    pool_.ForEach(std::ssize(files), [&](int worker, std::int64_t number) {
      const CaseFile& file = files[static_cast<std::size_t>(number)];
      std::vector<BatchFinding> found = InFile(pool_.backend(worker), file);
      const std::lock_guard lock(mutex_);
      progress.Step(file.path);
      by_file[number] = std::move(found);
      return true;
    });
    progress.Clear();
    std::vector<BatchFinding> all;
    for (auto& [number, found] : by_file) std::ranges::move(found, std::back_inserter(all));
    return all;
  }

 private:
  std::vector<BatchFinding> InFile(Backend& backend, const CaseFile& file) const {
    std::vector<BatchFinding> found;
    const auto add = [&](const std::string& name, const std::string& op, const HloModule& module,
                         const DeviceValues& arguments) {
      Result<std::vector<BatchDimension>> dimensions =
          FindBatchDimensions(backend, module, arguments, cases_.profile, cases_.limits);
      if (!dimensions) return;  // the check of the case reports its error
      for (BatchDimension& dimension : *dimensions) found.push_back({name, op, std::move(dimension)});
    };
    if (file.is_model) {
      const auto model = WithoutThrowing([&] { return ReadModel(file.path, [](const std::string&) {}); });
      if (model) add(ModelName(file.path), "models", *model->module, model->arguments);
      if (!model) Fail(model.error());
      return found;
    }
    (void)VisitCases(
        file.path, cases_, [&](const GoldenFile& golden_file, GoldenModules& modules, const GoldenCase& golden) {
          if (golden.has_host() || !golden.refused.empty()) return;
          const auto module = WithoutThrowing([&] { return modules.WithEntry(golden.entry); });
          if (!module) return;
          add(golden.name, golden_file.op, **module, ByDevice((*module)->device_count(), golden.arguments));
        });
    return found;
  }

  BackendPool& pool_;
  const CaseOptions& cases_;
  std::mutex mutex_;
};

std::string BatchTable(const std::vector<BatchFinding>& findings) {
  struct Row {
    int dimensions = 0, exact = 0, legal = 0, other = 0, failed = 0;
  };
  std::map<std::string, Row> rows;
  for (const auto& [name, op, found] : findings) {
    Row& row = rows[op];
    ++row.dimensions;
    int& count = found.is_invariant                 ? row.exact
                 : IsFailure(found.verdict)         ? row.failed
                 : found.verdict == Verdict::kLegal ? row.legal
                                                    : row.other;
    ++count;
  }
  std::string text =
      fmt::format("{:<28} {:>10} {:>6} {:>6} {:>6} {:>6}\n", "op", "dimensions", "exact", "legal", "other", "failed");
  for (const auto& [op, row] : rows) {
    text += fmt::format("{:<28} {:>10} {:>6} {:>6} {:>6} {:>6}\n", op, row.dimensions, row.exact, row.legal, row.other,
                        row.failed);
  }
  return text;
}

std::string BatchText(const std::vector<BatchFinding>& findings) {
  std::string text = BatchTable(findings);
  std::vector<const BatchFinding*> differing;
  for (const BatchFinding& finding : findings) {
    if (!finding.dimension.is_invariant) differing.push_back(&finding);
  }
  std::ranges::stable_sort(differing, std::ranges::greater(),
                           [](const BatchFinding* finding) { return finding->dimension.verdict; });
  if (!differing.empty()) text += "\nnot invariant\n";
  for (std::size_t i = 0; i < std::min(differing.size(), kMostDifferencesShown); ++i) {
    const auto& [name, op, found] = *differing[i];
    const std::string values = found.element.empty() ? ""
                                                     : fmt::format("; {}: {} in the batch, {} alone", found.element,
                                                                   found.in_batch, found.alone);
    text += fmt::format("  {:<8} {}: dimension {} of parameter {}, size {}{}{}\n", VerdictName(found.verdict), name,
                        found.dimension, found.parameter, found.size,
                        found.reason.empty() ? "" : Shortened(": " + found.reason), values);
  }
  if (differing.size() > kMostDifferencesShown) {
    text += fmt::format("  and {} more (--format json)\n", differing.size() - kMostDifferencesShown);
  }
  return text +
         fmt::format("{} of {} batch dimensions are invariant\n", findings.size() - differing.size(), findings.size());
}

Result<int> RunBatch(BatchOptions& options) {
  ASSAY_TRY(CheckPlan plan, PlanCheck(options.check));
  if (!options.modules.empty()) {
    plan.found.files.clear();
    for (const std::string& module : options.modules) plan.found.files.push_back({module, true});
  }
  const auto files = static_cast<int>(plan.found.files.size());
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.check.backend, std::clamp(files, 1, Jobs(options.check.jobs)),
                                                options.check.case_timeout));
  const std::vector<BatchFinding> findings = BatchCheck(pool, plan.cases).Run(plan.found.files);
  if (findings.empty()) return Error{ErrorCode::kUsage, "no case has a batch dimension"};
  if (options.format == "json") {
    nlohmann::json json = nlohmann::json::array();
    for (const BatchFinding& finding : findings) json.push_back(FindingToJson(finding));
    fmt::print("{}\n", JsonText(json, 1));
  } else {
    fmt::print("{}", ForTerminal(BatchText(findings)));
  }
  const bool fails = std::ranges::any_of(findings, [&](const BatchFinding& finding) {
    return IsFailure(finding.dimension.verdict) || (options.is_strict && !finding.dimension.is_invariant);
  });
  return fails ? 1 : 0;
}

void AddBatchOptions(CLI::App& command, BatchOptions& options) {
  AddTexts(command, "module", options.modules, "modules, with recorded or seeded inputs (default: the corpus)");
  AddBackend(command, options.check.backend, "the backend to check");
  AddGoldens(command, options.check);
  AddFlag(command, "--strict", options.is_strict, "a lawful difference fails too");
  AddFormat(command, options.format);
  AddTimeout(command, options.check.case_timeout, "one case");
}

}  // namespace

const Command command_batch = {
    .name = "batch",
    .help = "compare a backend's results in a batch with those of its elements alone",
    .example = "assay batch --backend xla-cpu --filter op=dot",
    .bind = BindCommand<BatchOptions, AddBatchOptions, RunBatch>,
};

}  // namespace assay
