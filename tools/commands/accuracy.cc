#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/judging/compare.h"
#include "conformance/running/backend_pool.h"
#include "conformance/sweeps/sweep.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_card.h"

namespace assay {
namespace {

struct AccuracyOptions {
  std::string backend;
  std::string out_directory;
  std::vector<std::string> ops;    // empty: all
  std::vector<std::string> types;  // empty: all
  std::int64_t samples = 1 << 18;
  bool only_moderate = false;  // samples between 2^-8 and 2^8
  std::string profile;         // a name or a file; empty: the backend's
  int jobs = 0;                // number of backends; 0: one for each core
  double case_timeout = 600;
};

// Wider types are sampled: a report card has hundreds of rows.
constexpr int kExhaustiveBits = 16;

bool IsChosen(std::string_view name, const std::vector<std::string>& chosen) {
  return chosen.empty() || std::ranges::find(chosen, name) != chosen.end();
}

Status CheckNames(const AccuracyOptions& options) {
  for (const std::string& op : options.ops) {
    if (FindOp(op) == nullptr) return UnknownOperation(op);
  }
  for (const std::string& type : options.types) {
    const auto found = PrimitiveTypeFromName(type);
    if (!found || !IsInexactType(*found)) {
      return Error{ErrorCode::kUsage, fmt::format("{} is not a float or complex type", type)};
    }
  }
  return {};
}

AccuracyRow Measure(const Op& op, PrimitiveType type, const AccuracyOptions& options, const Profile& profile,
                    BackendPool& pool) {
  const int operands = SweepOperands(op);
  const bool is_exhaustive = BitWidth(type) * operands <= kExhaustiveBits && !options.only_moderate;
  const SweepInputs inputs = is_exhaustive
                                 ? SweepInputs::All(type, operands)
                                 : SweepInputs::Sample(type, operands, options.samples, options.only_moderate);
  const ErrorSurvey none(SweepResultType(op, type));
  SweepProgress progress{{}, none};
  const SweepRange range{.first = 0, .count = inputs.size(), .piece = 1 << 19};
  const std::optional<SweepEnd> end =
      RunSweep(op, inputs, range, profile, pool, progress, [](const SweepProgress&) { return Status(); });
  if (end) return {&op, type, is_exhaustive, VerdictOf(end->error), end->error.message, none};
  const Verdict verdict = progress.survey.verdict();
  const std::string reason = progress.survey.reason();
  return {&op, type, is_exhaustive, verdict, reason, std::move(progress.survey)};
}

Result<int> Accuracy(const AccuracyOptions& options) {
  ASSAY_CHECK_OK(CheckNames(options));
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.backend, Jobs(options.jobs), options.case_timeout));
  const BackendDescription& description = pool.description();
  ReportCard card{fmt::format("{} {}", description.name, description.version), profile.name(), {}};
  for (const Op* op : AllOps()) {
    for (const PrimitiveType type : ArrayTypes()) {
      if (!IsChosen(op->name, options.ops) || !IsChosen(PrimitiveTypeName(type), options.types)) continue;
      if (CheckSweepable(*op, type)) card.rows.push_back(Measure(*op, type, options, profile, pool));
    }
  }
  if (card.rows.empty()) return Error{ErrorCode::kUsage, "no element-wise operation of one or two floats is chosen"};
  if (!options.out_directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out_directory, error);
    const std::string name = options.out_directory + "/accuracy";
    for (const auto& [file, text] :
         {std::pair{name + ".json", JsonText(ReportCardJson(card), 1) + "\n"},
          std::pair{name + ".html", ReportCardPage(card)}, std::pair{name + ".md", ReportCardTable(card)}}) {
      ASSAY_CHECK_OK(WriteFileAtomically(file, text));
    }
  }
  fmt::print("{}: accuracy of {}\n\n{}", VerdictName(card.worst()), card.backend, ReportCardTable(card));
  return CodeOf(card.worst());
}

void AddAccuracyOptions(CLI::App& command, AccuracyOptions& options) {
  AddBackend(command, options.backend, "the backend to measure");
  AddText(command, "--out", options.out_directory, "folder for accuracy.json, .html and .md");
  AddTexts(command, "--op", options.ops, "only this operation");
  AddTexts(command, "--type", options.types, "only this float or complex type");
  AddNumber(command, "--samples", options.samples, "inputs where there are more than 65536", 1, std::int64_t{1} << 32);
  AddFlag(command, "--moderate", options.only_moderate, "sample only numbers between 2^-8 and 2^8");
  AddJobs(command, options.jobs);
  AddTimeout(command, options.case_timeout, "one piece");
  AddProfile(command, options.profile);
}

}  // namespace

const Command command_accuracy = {
    .name = "accuracy",
    .help = "report the errors of a backend in every element-wise operation and float or complex type",
    .example = "assay accuracy --backend xla-cpu --type f32 --out out",
    .bind = BindCommand<AccuracyOptions, AddAccuracyOptions, Accuracy>,
};

}  // namespace assay
