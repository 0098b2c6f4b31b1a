#include "conformance/reports/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "backends/files.h"
#include "conformance/cases/find_case.h"
#include "conformance/judging/compare.h"
#include "conformance/reports/clusters.h"
#include "conformance/running/check_run.h"
#include "interpreter/hlo/extract.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct ReproOptions {
  std::string target;  // the name of a golden case, a module's file, or the folder of a report
  std::string backend;
  std::string out = "repro";
  std::string corpus;
  std::string profile;  // a name or a file; empty: the backend's
  DeviceOptions devices;
  InputOptions inputs;
  double case_timeout = 120;
  CommonOptions common;
};

namespace fs = std::filesystem;

Result<ReproSubject> SubjectOfCase(const ReproOptions& options, const std::string& name) {
  ASSAY_TRY(const NamedCase named, FindCase(options.corpus, name));
  ReproSubject subject;
  subject.title = named.Title();
  ASSAY_TRY(subject.module, ReadGoldenModule(named.file, named.golden.entry));
  ASSAY_TRY(subject.exact, EvaluateGolden(named.file, named.golden, *subject.module, options.common.limits()));
  subject.arguments = ByDevice(subject.module->device_count(), named.golden.arguments);
  return subject;
}

// Returns the module itself, or the first of its entry's instructions that fails alone on its operands in the
// reference.
Result<ReproSubject> SubjectOfModule(const ReproOptions& options, Backend& backend, const Profile& profile) {
  ASSAY_TRY(LoadedModule loaded, LoadModule(options.target, options.devices, options.inputs.seed));
  ASSAY_TRY(Inputs inputs, LoadInputs(loaded, options.inputs));
  const EvaluationLimits limits = options.common.limits();
  ASSAY_TRY(const ModuleReport report,
            CompareModule(backend, *loaded.module, inputs.per_device, {.profile = profile, .limits = limits}));
  ReproSubject subject;
  const auto& instructions = loaded.module->entry->instructions;
  for (const PieceReport& offender : report.offenders) {
    if (offender.judgement.verdict < Verdict::kFail) continue;
    const auto found =
        std::ranges::find_if(instructions, [&](const auto& one) { return one->location.line == offender.line; });
    if (found == instructions.end()) continue;
    const HloInstruction* const instruction = found->get();
    ASSAY_TRY(const auto values, EvaluateInstructions(*loaded.module, inputs.per_device, limits, {instruction}));
    subject.exact = values.at(instruction);
    subject.title = fmt::format("{}, line {}: {}", DisplayName(options.target), offender.line, offender.instruction);
    subject.module = ExtractInstructions({&instruction, 1});
    subject.arguments = subject.exact.operands;
    return subject;
  }
  ASSAY_TRY(subject.exact, EvaluateRoot(*loaded.module, inputs.per_device, limits));
  subject.title = DisplayName(options.target);
  subject.module = std::move(loaded.module);
  subject.arguments = std::move(inputs.per_device);
  return subject;
}

// Returns the verdict. Writes the folder if it is a failure.
Result<Verdict> WriteRepro(const ReproOptions& options, Backend& backend, const ReproSubject& subject,
                           const Profile& profile, const std::string& folder) {
  const ReproFinding finding = RunSubject(backend, subject, profile);
  const Verdict verdict = finding.judgement.verdict;
  const std::string& reason = finding.judgement.reason;
  fmt::print("{} {}{}\n", VerdictName(verdict), ForTerminal(subject.title),
             reason.empty() ? "" : "; " + Shortened(reason));
  if (verdict < Verdict::kFail) {
    fmt::print("  nothing to reproduce\n");
    return verdict;
  }
  ASSAY_CHECK_OK(PrepareFolder(folder));
  std::string names;
  for (const auto& [name, text] : MakeRepro(backend, options.backend, subject, finding, profile)) {
    ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", folder, name), text));
    names += (names.empty() ? "" : ", ") + name;
  }
  fmt::print("  {}: {}\n", DisplayName(folder), ForTerminal(names));
  return verdict;
}

// Writes the smallest case of each cause for which the check of a report failed, each into its own folder.
Result<Verdict> OfReport(const ReproOptions& options, Backend& backend, const Profile& profile) {
  ASSAY_TRY(const MergedReport merged, MergeReports({options.target}, {}));
  const std::vector<Cluster> clusters =
      ClustersOf(merged.report, {Standing::kFailed, Standing::kUnexpected, Standing::kFlaky});
  if (clusters.empty()) fmt::print("{}: nothing failed\n", options.target);
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
    ASSAY_TRY(const Verdict verdict,
              WriteRepro(options, backend, *subject, profile, fmt::format("{}/{}", options.out, folder)));
    worst = std::max(worst, verdict);
  }
  return worst;
}

Result<Verdict> Repro(const ReproOptions& options, Backend& backend, const Profile& profile) {
  std::error_code error;
  if (fs::is_directory(options.target, error)) return OfReport(options, backend, profile);
  const bool is_module = options.target == "-" || fs::is_regular_file(options.target, error);
  ASSAY_TRY(const ReproSubject subject,
            is_module ? SubjectOfModule(options, backend, profile) : SubjectOfCase(options, options.target));
  return WriteRepro(options, backend, subject, profile, options.out);
}

int RunRepro(const ReproOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  const Result<std::unique_ptr<Backend>> backend = OpenBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  const Result<Verdict> verdict = Repro(options, **backend, *profile);
  if (!verdict) return Fail(verdict.error());
  return FlushVerdict(*verdict);
}

std::function<int()> BindRepro(CLI::App& command) {
  const auto options = std::make_shared<ReproOptions>();
  AddRequiredText(command, "case", options->target, "name of a golden case, HLO text, or the folder of a report");
  AddBackend(command, options->backend, "the backend that fails");
  AddText(command, "--out", options->out, "the folder that is written (repro)");
  AddCorpus(command, options->corpus);
  AddProfile(command, options->profile);
  AddTimeout(command, options->case_timeout, "one request");
  AddDevices(command, options->devices);
  AddInputs(command, options->inputs);
  AddLimits(command, options->common);
  return [options] {
    options->corpus = CorpusFolder(options->corpus);
    return RunRepro(*options);
  };
}

}  // namespace

const Command command_repro = {
    .name = "repro",
    .help = "write a failure as a module without parameters, a script and the text of an issue",
    .example = "assay repro exponential/f32/limits --backend xla-cpu --out overflow",
    .bind = BindRepro,
};

}  // namespace assay
