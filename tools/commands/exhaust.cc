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

struct ExhaustOptions {
  std::string op;
  std::string type;
  std::string backend;
  std::string out_directory;
  std::int64_t first = 0;  // number of the first input
  std::int64_t count = 0;  // 0: all from `first` on
  std::int64_t piece = 1 << 22;
  int jobs = 0;         // number of backends; 0: one for each core
  std::string profile;  // a name or a file; empty: the backend's
  double case_timeout = 600;
};

using nlohmann::json;

// Returns the fields that must be equal in a sweep and in the one that it continues.
json IdentityOf(const ExhaustOptions& options, const BackendDescription& backend, const Profile& profile,
                const SweepRange& range) {
  return {{"op", options.op},           {"type", options.type},
          {"backend", options.backend}, {"backend_version", backend.version},
          {"first", range.first},       {"count", range.count},
          {"piece", range.piece},       {"profile", profile.name()}};
}

Result<SweepRange> RangeOf(const ExhaustOptions& options, const SweepInputs& inputs) {
  SweepRange range{options.first, options.count > 0 ? options.count : inputs.size() - options.first, options.piece};
  if (range.count <= 0 || range.first + range.count > inputs.size() || range.count > inputs.size()) {
    return Error{ErrorCode::kUsage, fmt::format("--first and --count must be within the {} inputs", inputs.size())};
  }
  return range;
}

Status ReadState(const std::string& file, const json& identity, SweepProgress& progress) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  ASSAY_TRY(const std::string text, ReadFile(file));
  const Result<json> state = ParseJson(text);
  const auto unfit = [&](std::string_view why) { return Error{ErrorCode::kInput, fmt::format("{}: {}", file, why)}; };
  if (!state || !state->is_object() || !state->contains("survey") || !state->contains("pieces_done") ||
      !(*state)["pieces_done"].is_array()) {
    return unfit("is not the state of a sweep");
  }
  if (state->value("sweep", json()) != identity) return unfit("belongs to another sweep; remove it to start anew");
  Result<ErrorSurvey> survey = ErrorSurvey::FromJson(progress.survey.type(), (*state)["survey"]);
  if (!survey) return unfit(survey.error().message);
  progress.survey = *std::move(survey);
  for (const json& piece : (*state)["pieces_done"]) {
    if (piece.is_number_integer()) progress.done.insert(piece.get<std::int64_t>());
  }
  return {};
}

Status WriteResults(const std::string& name, const std::string& title, const json& identity,
                    const ErrorSurvey& survey) {
  ASSAY_CHECK_OK(
      WriteFileAtomically(name + ".json", JsonText({{"sweep", identity}, {"survey", survey.ToJson()}}, 1) + "\n"));
  ASSAY_CHECK_OK(WriteFileAtomically(name + ".svg", SurveyPlot(survey, title)));
  std::error_code error;
  std::filesystem::remove(name + ".state.json", error);
  return {};
}

// Returns the exit code of a sweep that ended early.
Result<int> BrokenOff(const SweepEnd& end, const std::string& title, const SweepProgress& progress,
                      const SweepRange& range) {
  if (!end.is_of_backend) return end.error;
  const Verdict verdict = VerdictOf(end.error);
  fmt::print("{}: {}: {} ({} of {} pieces done)\n", VerdictName(verdict), title, end.error.message,
             progress.done.size(), range.pieces());
  return CodeOf(verdict);
}

struct SweepPlan {
  const Op& op;
  PrimitiveType type;
  const Profile& profile;
  const SweepInputs& inputs;
  const SweepRange& range;
};

// Runs the sweep, from where an earlier run ended, and returns the exit code.
Result<int> RunAndReport(const ExhaustOptions& options, const SweepPlan& plan, BackendPool& pool) {
  const BackendDescription& backend = pool.description();
  const std::string title = fmt::format("{} {} on {} {}", options.op, options.type, backend.name, backend.version);
  const json identity = IdentityOf(options, backend, plan.profile, plan.range);
  SweepProgress progress{{}, ErrorSurvey(SweepResultType(plan.op, plan.type))};
  const std::string name = fmt::format("{}/{}.{}", options.out_directory, options.op, options.type);
  const bool has_files = !options.out_directory.empty();
  if (has_files) {
    std::error_code error;
    std::filesystem::create_directories(options.out_directory, error);
    ASSAY_CHECK_OK(ReadState(name + ".state.json", identity, progress));
  }
  const auto save = [&](const SweepProgress& now) -> Status {
    if (!has_files) return {};
    const json state = {{"sweep", identity}, {"pieces_done", now.done}, {"survey", now.survey.ToJson()}};
    return WriteFileAtomically(name + ".state.json", JsonText(state) + "\n");
  };
  const auto end = RunSweep(plan.op, plan.inputs, plan.range, plan.profile, pool, progress, save);
  if (end) return BrokenOff(*end, title, progress, plan.range);
  const ErrorSurvey& survey = progress.survey;
  if (has_files) {
    ASSAY_CHECK_OK(WriteResults(name, title, identity, survey));
  }
  fmt::print("{}: {}{}{}\n{}", VerdictName(survey.verdict()), title, survey.reason().empty() ? "" : ": ",
             survey.reason(), SurveyText(survey));
  return CodeOf(survey.verdict());
}

Result<int> Exhaust(const ExhaustOptions& options) {
  const Op* op = FindOp(options.op);
  const auto type = PrimitiveTypeFromName(options.type);
  if (op == nullptr) return UnknownOperation(options.op);
  if (!type) return Error{ErrorCode::kUsage, fmt::format("unknown element type {}", options.type)};
  ASSAY_CHECK_OK(CheckSweepable(*op, *type));
  if (!SweepInputs::CanHaveAll(*type, SweepOperands(*op))) {
    return Error{ErrorCode::kUsage, fmt::format("{} {}: more than 2^32 inputs; assay accuracy measures a sample",
                                                options.op, options.type)};
  }
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  const SweepInputs inputs = SweepInputs::All(*type, SweepOperands(*op));
  ASSAY_TRY(const SweepRange range, RangeOf(options, inputs));

  const auto workers = static_cast<int>(std::min<std::int64_t>(Jobs(options.jobs), range.pieces()));
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.backend, workers, options.case_timeout));
  return RunAndReport(options, {*op, *type, profile, inputs, range}, pool);
}

void AddExhaustOptions(CLI::App& command, ExhaustOptions& options) {
  AddRequiredText(command, "op", options.op, "an element-wise operation of one or two operands");
  AddRequiredText(command, "--type", options.type, "a float type");
  AddBackend(command, options.backend, "the backend to measure");
  AddText(command, "--out", options.out_directory,
          "folder for the results and for the state from which a sweep continues");
  AddNumber(command, "--first", options.first, "number of the first input: its bit pattern", 0, std::int64_t{1} << 32);
  AddNumber(command, "--count", options.count, "inputs (default: all from there on)", 1, std::int64_t{1} << 32);
  AddNumber(command, "--piece", options.piece, "inputs that one module takes", 1, std::int64_t{1} << 28);
  AddJobs(command, options.jobs);
  AddTimeout(command, options.case_timeout, "one piece");
  AddProfile(command, options.profile);
}

}  // namespace

const Command command_exhaust = {
    .name = "exhaust",
    .help = "measure the error of an operation of a backend on every input of a float type",
    .example = "assay exhaust tanh --type f16 --backend xla-cpu --out out",
    .bind = BindCommand<ExhaustOptions, AddExhaustOptions, Exhaust>,
};

}  // namespace assay
