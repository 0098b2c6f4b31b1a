#include <fmt/format.h>

#include <cstdio>

#include "backends/backend.h"
#include "backends/json/json_text.h"
#include "conformance/compare.h"
#include "conformance/report_json.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct DiffOptions {
  std::string module_file;
  DeviceOptions devices;
  std::string backend;
  InputOptions inputs;
  std::string profile;  // a name or a file; empty: that of the backend
  std::string format = "text";
  double case_timeout = 600;
  CommonOptions common;
};

void PrintReport(const std::string& file, const BackendDescription& backend, const ModuleReport& report) {
  fmt::print("{}: {} on {} {}\n", VerdictName(report.verdict), file, backend.name, backend.version);
  if (!report.reason.empty()) fmt::print("  {}\n", report.reason);
  const Judgement& outputs = report.outputs;
  if (outputs.elements > 0) {
    fmt::print("  outputs: {} elements, {} not equal to the last bit", outputs.elements, outputs.not_exact);
    if (outputs.not_exact > 0) {
      fmt::print("; the worst: {}", DescribeWorst(outputs.worst));
    }
    fmt::print("\n");
  }
  fmt::print("  time: reference {:.3f} s, backend {:.3f} s (start and compilation included)\n",
             report.reference_seconds, report.backend_seconds);
  if (!report.was_cut) return;
  fmt::print("  cut into {} executed instructions, each on the operands that {} gave it: {} exact\n", report.pieces,
             report.on_own_values ? "the backend itself" : "the reference", report.pieces_exact);
  if (report.pieces_of_devices > 0) {
    fmt::print("  not judged alone: {} starts and ends of asynchronous operations\n", report.pieces_of_devices);
  }
  if (!report.offenders.empty()) fmt::print("  first to diverge:\n");
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < report.offenders.size() && i < kShown; ++i) {
    const PieceReport& offender = report.offenders[i];
    const Judgement& judgement = offender.judgement;
    fmt::print("    {:<8} line {}: {}\n             {}", VerdictName(judgement.verdict), offender.line,
               Shortened(offender.instruction), judgement.reason);
    if (judgement.not_exact > 0) {
      fmt::print("; {} of {} elements differ, {}", judgement.not_exact, judgement.elements,
                 DescribeWorst(judgement.worst));
    }
    fmt::print("\n");
  }
  if (report.offenders.size() > kShown) fmt::print("    and {} more\n", report.offenders.size() - kShown);
}

int Diff(const DiffOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<LoadedModule> loaded = LoadModule(options.module_file, options.devices, options.inputs.seed);
  if (!loaded) return ExitCode(loaded.error());
  const Result<Inputs> inputs = LoadInputs(*loaded, options.inputs);
  if (!inputs) return Fail(inputs.error());
  const Result<std::unique_ptr<Backend>> backend = OpenBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  CompareOptions compare;
  compare.profile = *profile;
  compare.limits = options.common.limits();
  const Result<ModuleReport> report = CompareModule(**backend, *loaded->module, inputs->per_device, compare);
  if (!report) return Fail(report.error(), loaded->file.file_name, loaded->file.text);
  if (options.format == "json") {
    fmt::print("{}\n", JsonText(ReportToJson(options.module_file, *report), 2));
  } else {
    PrintReport(options.module_file, (*backend)->description(), *report);
  }
  return FlushVerdict(report->verdict);
}

std::function<int()> Bind(CLI::App& command) {
  const auto options = std::make_shared<DiffOptions>();
  AddModule(command, options->module_file);
  AddBackend(command, options->backend, "who is compared");
  AddProfile(command, options->profile);
  AddFormat(command, options->format);
  AddTimeout(command, options->case_timeout, "one request");
  AddDevices(command, options->devices);
  AddInputs(command, options->inputs);
  AddLimits(command, options->common);
  return [options] { return Diff(*options); };
}

}  // namespace

const Command command_diff = {
    .name = "diff",
    .help = "compare a backend with the reference, instruction by instruction",
    .example = "assay diff m.hlo --backend xla-cpu --seed 7",
    .bind = Bind,
};

}  // namespace assay
