#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "backends/backend.h"
#include "backends/json/json_text.h"
#include "conformance/judging/compare.h"
#include "conformance/reports/report_json.h"
#include "diagnosis/failing_module.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/failing_region.h"
#include "tools/judging_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct DiffOptions {
  std::string module_file;
  DeviceOptions devices;
  std::string backend;
  InputOptions inputs;
  std::string profile;  // a name or a file; empty: the backend's
  std::string format = "text";
  std::string extract;  // the folder for the failing region; empty: it is not written
  double budget = 60;   // seconds for judging, and as many for the search of the region
  double case_timeout = 600;
  CommonOptions common;
};

void PrintReport(const std::string& file, const BackendDescription& backend, const ModuleReport& report) {
  fmt::print("{}: {} on {} {}\n", VerdictName(report.verdict), file, backend.name, backend.version);
  if (!report.reason.empty()) fmt::print("  {}\n", ForTerminal(report.reason));
  const Judgement& outputs = report.outputs;
  if (outputs.elements > 0) {
    fmt::print("  outputs: {} elements, {} not equal to the last bit", outputs.elements, outputs.not_exact);
    if (outputs.not_exact > 0) {
      fmt::print("; the worst: {}", DescribeWorst(outputs.worst));
    }
    fmt::print("\n");
  }
  if (!report.distinct_values.empty()) {
    fmt::print("  distinct values in each array of the outputs: at least {}\n",
               std::ranges::min(report.distinct_values));
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

// Returns the text of an instruction, followed by its place in the user's source.
std::string WithOrigin(const HloInstruction& instruction) {
  HloInstruction bare = instruction;
  bare.annotations.erase("metadata");
  const auto metadata = instruction.annotations.find("metadata");
  return fmt::format("line {}: {}{}", instruction.location.line, Shortened(PrintInstruction(bare)),
                     metadata == instruction.annotations.end() ? "" : "  " + metadata->second);
}

void PrintRegion(const FoundRegion& found, const DiffOptions& options) {
  const auto instructions = InstructionsOf(found.reduction.subject);
  fmt::print("  smallest part that fails alone ({} tries{}): {} of {} instructions\n", found.reduction.tries,
             found.reduction.is_cut_short ? ", the time of --budget was up" : "", found.reduction.after.instructions,
             found.reduction.before.instructions);
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < instructions.size() && i < kShown; ++i) {
    fmt::print("    {}\n", WithOrigin(*instructions[i]));
  }
  if (instructions.size() > kShown) fmt::print("    and {} more\n", instructions.size() - kShown);
  fmt::print("    {}: {}\n", VerdictName(found.failure.verdict), Shortened(found.failure.reason));
  if (!options.extract.empty()) {
    fmt::print("  {}: command.txt, inputs.json, module.hlo\n", DisplayName(options.extract));
  }
}

// Finds the smallest part that fails, if the report has one. An error of the search, such as the end of its budget, is
// a note: the verdict is that of the whole module.
std::optional<FoundRegion> SearchRegion(Backend& backend, const HloModule& module, const Inputs& inputs,
                                        const CompareOptions& compare, const ModuleReport& report, double seconds) {
  if (!HasRegion(report)) return std::nullopt;
  const Subject subject = {CloneModule(module), inputs.per_device};
  Result<FoundRegion> found = FindRegion(backend, subject, compare, report, seconds);
  if (found) return *std::move(found);
  fmt::print(stderr, "note: the search for the smallest part that fails has ended: {}\n",
             ForTerminal(found.error().message));
  return std::nullopt;
}

void PrintAll(const DiffOptions& options, const BackendDescription& backend, const ModuleReport& report,
              const std::optional<FoundRegion>& region) {
  if (options.format == "json") {
    nlohmann::json json = ReportToJson(options.module_file, report);
    if (region) json["region"] = RegionToJson(*region);
    fmt::print("{}\n", JsonText(json, 2));
    return;
  }
  PrintReport(DisplayName(options.module_file), backend, report);
  if (region) {
    PrintRegion(*region, options);
  } else if (!options.extract.empty()) {
    fmt::print("  {}: nothing was written, for {}\n", DisplayName(options.extract),
               HasRegion(report) ? "no smaller part was found" : "nothing fails");
  }
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
  compare.judging = {options.budget, "--budget"};
  std::optional<JudgingLine> line(std::in_place);
  compare.on_judging = line->Observer();
  const Result<ModuleReport> report = CompareModule(**backend, *loaded->module, inputs->per_device, compare);
  if (!report) return Fail(report.error(), loaded->file.file_name, loaded->file.text);
  const std::optional<FoundRegion> region =
      SearchRegion(**backend, *loaded->module, *inputs, compare, *report, options.budget);
  line.reset();
  if (region && !options.extract.empty()) {
    const FailingModule place = {options.extract, options.backend, options.profile,
                                 options.common.custom_call_libraries};
    if (const Status written = WriteFailingModule(place, region->reduction.subject); !written) {
      return Fail(written.error());
    }
  }
  PrintAll(options, (*backend)->description(), *report, region);
  return FlushVerdict(report->verdict);
}

std::function<int()> BindDiff(CLI::App& command) {
  const auto options = std::make_shared<DiffOptions>();
  AddModule(command, options->module_file);
  AddBackend(command, options->backend, "the backend to compare");
  AddProfile(command, options->profile);
  AddFormat(command, options->format);
  AddTimeout(command, options->case_timeout, "one request");
  AddText(command, "--extract", options->extract,
          "the folder for the smallest part that fails, with its inputs, as a module that runs alone");
  AddSeconds(command, "--budget", options->budget, "seconds for judging, and for the search of that part (60)");
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
    .bind = BindDiff,
};

}  // namespace assay
