#include "conformance/reports/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "backends/files.h"
#include "conformance/cases/golden.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/judging/compare.h"
#include "conformance/reports/check_report.h"
#include "conformance/running/check_run.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

// `module` is the name of a golden case, a module's file, or the folder of a report.
struct ReproOptions : ProgramOptions {
  std::string backend;
  std::string out = "repro";
  std::string corpus;
  std::string profile;  // a name or a file; empty: the backend's
  double budget = 60;   // seconds for judging, and as many for the search of the part that fails
  double case_timeout = 120;
};

namespace fs = std::filesystem;

// The number of runs in which a case must fail whose failure came and went in the check.
constexpr int kRunsOfFlake = 20;

Result<ReproSubject> SubjectOfCase(const ReproOptions& options, const std::string& name) {
  ASSAY_TRY(const NamedCase named, FindCase(options.corpus, name));
  ReproSubject subject;
  subject.title = named.Title();
  subject.is_of_root = true;
  ASSAY_TRY(subject.module, ReadGoldenModule(named.file, named.golden.entry));
  ASSAY_TRY(subject.exact, EvaluateGolden(named.file, named.golden, *subject.module, options.common.limits()));
  subject.arguments = ByDevice(subject.module->device_count(), named.golden.arguments);
  return subject;
}

// Returns "m.hlo, line 5: %c = ..." for the part that fails.
std::string TitleOf(const std::string& file, const Diagnosis& diagnosis) {
  if (!diagnosis.part) return DisplayName(file);
  const std::vector<const HloInstruction*> instructions = diagnosis.part->Instructions();
  if (instructions.size() == 1) return fmt::format("{}, {}", DisplayName(file), OnlyInstructionText(diagnosis));
  std::vector<std::string> lines, ops;
  for (const HloInstruction* one : instructions) {
    lines.push_back(std::to_string(one->location.line));
    ops.emplace_back(one->op->name);
  }
  return fmt::format("{}, lines {}: {}", DisplayName(file), JoinText(lines, ", "), JoinText(ops, ", "));
}

Status WriteReproFolder(const ReproOptions& options, Backend& backend, const ReproSubject& subject,
                        const ReproFinding& finding, const Profile& profile, const std::string& folder) {
  ASSAY_CHECK_OK(PrepareFolder(folder));
  std::string names;
  for (const auto& [name, text] : MakeRepro(backend, options.backend, subject, finding, profile)) {
    ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", folder, name), text));
    names += (names.empty() ? "" : ", ") + name;
  }
  fmt::print("  {}: {}\n", DisplayName(folder), ForTerminal(names));
  return {};
}

// Writes the smallest part of a module that fails. The verdict is that of `diff`.
Result<Verdict> OfModule(const ReproOptions& options, const LoadedModule& loaded, Backend& backend,
                         const Profile& profile) {
  ASSAY_TRY(const Inputs inputs, LoadInputs(loaded, options.inputs));
  const EvaluationLimits limits = options.common.limits();
  const CompareOptions compare = {.profile = profile, .limits = limits, .judging = {options.budget, "--budget"}};
  ASSAY_TRY(const Diagnosis diagnosis, Diagnose(backend, *loaded.module, inputs.per_device, compare, options.budget));
  NoteSearchError(diagnosis);
  PrintDiagnosis(DisplayName(options.module.file), backend.description(), diagnosis);
  if (!IsFailure(diagnosis.verdict())) {
    fmt::print("  nothing to reproduce\n");
    return diagnosis.verdict();
  }
  const std::optional<FailingPart>& part = diagnosis.part;
  const JudgedRun& run = part ? part->run : diagnosis.run;
  ReproSubject subject;
  subject.title = TitleOf(options.module.file, diagnosis);
  subject.module = part ? part->subject().module : CloneModule(*loaded.module);
  subject.arguments = part ? part->subject().arguments : inputs.per_device;
  subject.is_of_root = part && part->OnlyInstruction() != nullptr;
  ASSAY_TRY(subject.exact, EvaluateRoot(*subject.module, subject.arguments, limits));
  ASSAY_CHECK_OK(
      WriteReproFolder(options, backend, subject, {run.got, run.judgement(), run.report.failed}, profile, options.out));
  return diagnosis.verdict();
}

// Returns the verdict of a golden case. Writes the folder if it is a failure.
Result<Verdict> OfCase(const ReproOptions& options, Backend& backend, const ReproSubject& subject,
                       const Profile& profile, const std::string& folder, int most_runs = 1) {
  const ReproFinding finding = RunCase(backend, subject, profile, most_runs);
  const Verdict verdict = finding.judgement.verdict;
  const std::string& reason = finding.judgement.reason;
  fmt::print("{} {}{}\n", VerdictName(verdict), ForTerminal(subject.title),
             reason.empty() ? "" : "; " + Shortened(reason));
  if (!IsFailure(verdict)) {
    fmt::print("  nothing to reproduce\n");
    return verdict;
  }
  ASSAY_CHECK_OK(WriteReproFolder(options, backend, subject, finding, profile, folder));
  return verdict;
}

// Returns the causes of the failures in a report; those that are expected if there are no others.
std::vector<Cluster> FailuresOf(const CheckReport& report) {
  std::vector<Cluster> clusters = ClustersOf(report, {Standing::kFailed, Standing::kUnexpected, Standing::kFlaky});
  if (!clusters.empty()) return clusters;
  clusters = ClustersOf(report, {Standing::kExpected});
  std::erase_if(clusters, [](const Cluster& cluster) {
    return !cluster.outcome().unjudged && !IsFailure(cluster.outcome().verdict());
  });
  return clusters;
}

// Writes the smallest case of each cause for which the check of a report failed, each into its own folder.
Result<Verdict> OfReport(const ReproOptions& options, Backend& backend, const Profile& profile) {
  ASSAY_TRY(const MergedReport merged, MergeReports({options.module.file}, {}));
  const std::vector<Cluster> clusters = FailuresOf(merged.report);
  if (clusters.empty()) {
    fmt::print("{}: nothing failed\n", DisplayName(options.module.file));
  } else if (clusters.front().witness->standing == Standing::kExpected) {
    fmt::print("{}: every failure is expected, by {} causes; the smallest case of each:\n",
               DisplayName(options.module.file), clusters.size());
  }
  Verdict worst = Verdict::kExact;
  for (const Cluster& cluster : clusters) {
    const std::string& name = cluster.outcome().name;
    if (cluster.outcome().is_model()) {
      fmt::print("{} {}\n  a model: assay repro MODULE writes it\n", cluster.outcome().VerdictText(), name);
      continue;
    }
    std::string folder = name;
    std::ranges::replace(folder, '/', '-');
    const Result<ReproSubject> subject = SubjectOfCase(options, name);
    if (!subject) {
      fmt::print("{} {}\n  {}\n", cluster.outcome().VerdictText(), name, subject.error().message);
      continue;
    }
    const int most_runs = cluster.outcome().is_flake() ? kRunsOfFlake : 1;
    ASSAY_TRY(const Verdict verdict,
              OfCase(options, backend, *subject, profile, fmt::format("{}/{}", options.out, folder), most_runs));
    worst = std::max(worst, verdict);
  }
  return worst;
}

// Writes a golden case, or the cases of a report.
Result<Verdict> OfCorpus(const ReproOptions& options, Backend& backend, const Profile& profile) {
  std::error_code error;
  if (fs::is_directory(options.module.file, error)) return OfReport(options, backend, profile);
  ASSAY_TRY(const ReproSubject subject, SubjectOfCase(options, options.module.file));
  return OfCase(options, backend, subject, profile, options.out);
}

Result<int> RunRepro(const ReproOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  std::error_code error;
  Verdict verdict = Verdict::kExact;
  if (options.module.file == "-" || options.module.is_read() || fs::is_regular_file(options.module.file, error)) {
    const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
    if (!loaded) return ExitCode(loaded.error());
    ASSAY_TRY(verdict, OfModule(options, *loaded, *backend, profile));
  } else {
    ASSAY_TRY(verdict, OfCorpus(options, *backend, profile));
  }
  return CodeOf(verdict);
}

void AddReproOptions(CLI::App& command, ReproOptions& options) {
  AddRequiredText(command, "case", options.module.file, "name of a golden case, HLO text, or the folder of a report");
  AddModuleReading(command, options.module);
  AddBackend(command, options.backend, "the backend that fails");
  AddText(command, "--out", options.out, "the folder that is written (repro)");
  AddCorpus(command, options.corpus);
  AddProfile(command, options.profile);
  AddTimeout(command, options.case_timeout, "one request");
  AddSeconds(command, "--budget", options.budget,
             "seconds for judging, and for the search of the part that fails (60)");
  AddProgram(command, options);
}

}  // namespace

const Command command_repro = {
    .name = "repro",
    .help = "write a failure as a module without parameters, a script and the text of an issue",
    .example = "assay repro exponential/f32/limits --backend xla-cpu --out overflow",
    .bind = BindCommand<ReproOptions, AddReproOptions, RunRepro>,
};

}  // namespace assay
