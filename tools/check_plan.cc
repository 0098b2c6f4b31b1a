#include "tools/check_plan.h"

#include <filesystem>

#include "backends/files.h"
#include "conformance/reports/report_files.h"
#include "tools/command_line.h"

namespace assay {
namespace {

Status CheckFlags(const CheckOptions& options) {
  const bool has_report = !options.report_directory.empty();
  if (options.resume && !has_report) {
    return Error{ErrorCode::kUsage, "--resume needs --report, the folder with the journal"};
  }
  if (options.is_shared && !has_report) {
    return Error{ErrorCode::kUsage, "--mpi needs --report, the folder in which the processes meet"};
  }
  if (options.updates_expectations && options.expectations_file.empty()) {
    return Error{ErrorCode::kUsage, "--update-expectations needs --expectations, the file that is rewritten"};
  }
  return {};
}

// Reads the expectations. The file may be absent if the check writes it.
Result<Expectations> ReadExpectations(const CheckOptions& options) {
  std::error_code error;
  const bool is_new = options.updates_expectations && !std::filesystem::exists(options.expectations_file, error);
  return Expectations::Read(is_new ? "" : options.expectations_file);
}

}  // namespace

void AddGoldens(CLI::App& command, CheckOptions& options) {
  AddProfile(command, options.profile);
  AddCorpus(command, options.corpus);
  AddText(command, "--filter", options.filter,
          "only these cases: a part of the name, or e.g. op=reduce* & type=bf16 & !dynamic");
  AddFlag(command, "--quick", options.is_quick, "only the goldens that the corpus names in quick.txt");
  AddJobs(command, options.jobs);
  AddLimits(command, options.common);
}

Result<CheckPlan> PlanCheck(const CheckOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  ASSAY_TRY(const CaseFilter filter, CaseFilter::Parse(options.filter));
  CheckPlan plan;
  if (!options.shard.empty()) {
    ASSAY_TRY(plan.shard, Shard::Parse(options.shard));
  }
  ASSAY_TRY(plan.demands, options.demands.Read());
  plan.cases = {.profile = profile,
                .limits = options.common.limits(),
                .filter = filter,
                .tags = options.tags,
                .retries = options.retries,
                .judging = {options.case_timeout, "--timeout"}};
  if (options.is_quick) {
    ASSAY_TRY(plan.cases.names, ReadCaseNames(options.corpus + "/quick.txt"));
  }
  const bool has_report = !options.report_directory.empty();
  ASSAY_TRY(plan.found, FindCaseFiles(options.corpus, options.models, plan.cases, plan.shard, has_report));
  ASSAY_CHECK_OK(CheckFlags(options));
  if (options.only_list) return plan;
  ASSAY_TRY(plan.expectations, ReadExpectations(options));
  if (options.is_shared) {
    ASSAY_TRY(plan.rank, Rank::FromEnvironment());
  }
  if (has_report && plan.rank.number == 0) {
    ASSAY_TRY(plan.report_folder, ReportFolder::Open(options.report_directory));
  } else if (has_report) {
    ASSAY_CHECK_OK(PrepareFolder(options.report_directory));
  }
  return plan;
}

CheckRun RunOf(const CheckOptions& options, const CheckPlan& plan, const BackendDescription& backend) {
  CheckRun run = {.backend = backend,
                  .backend_option = options.backend,
                  .corpus = options.corpus,
                  .profile = std::string(plan.cases.profile.name()),
                  .filter = options.filter,
                  .tags = options.tags,
                  .shard = plan.shard,
                  .digest = plan.found.digest};
  if (options.is_quick) run.tags.push_back("quick.txt");
  return run;
}

}  // namespace assay
