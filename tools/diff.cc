#include <fmt/format.h>

#include <cstdio>

#include "backends/json_text.h"
#include "tools/backends.h"
#include "tools/commands.h"
#include "tools/compare.h"
#include "tools/report.h"

namespace assay {
namespace {

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
  fmt::print("  cut into {} executed instructions, each on the reference's operands: {} exact\n", report.pieces,
             report.pieces_exact);
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

}  // namespace

int DiffCommand(const DiffOptions& options) {
  if (const Status prepared = Prepare(options.common); !prepared) return Fail(prepared.error());
  int exit_code = 0;
  const Result<LoadedModule> loaded = LoadModule(options.module_file, options.devices, options.inputs.seed, &exit_code);
  if (!loaded) return exit_code;
  const Result<Inputs> inputs = ReadInputs(*loaded->module, options.inputs);
  if (!inputs) return Fail(inputs.error());
  if (inputs->are_seeded) fmt::print(stderr, "note: no inputs given; made from seed {}\n", options.inputs.seed);
  const Result<std::unique_ptr<Backend>> backend = OpenAnyBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  const Result<Profile> profile = FindProfile(options.profile);
  if (!profile) return Fail(profile.error());
  CompareOptions compare;
  compare.profile = *profile;
  compare.limits = LimitsOf(options.common);
  const Result<ModuleReport> report = CompareModule(**backend, *loaded->module, inputs->per_device, compare);
  if (!report) return Fail(report.error(), options.module_file, loaded->text);
  if (options.format == "json") {
    fmt::print("{}\n", JsonText(ReportToJson(options.module_file, *report), 2));
  } else {
    PrintReport(options.module_file, (*backend)->description(), *report);
  }
  const int written = FlushOutput();
  return written == 0 && report->verdict >= Verdict::kFail ? 1 : written;
}

}  // namespace assay
