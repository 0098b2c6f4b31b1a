#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "backends/json/json_text.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/failing_module.h"
#include "conformance/reports/report_json.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/judging_line.h"
#include "tools/options.h"

namespace assay {
namespace {

struct DiffOptions {
  ModuleOptions module;
  DeviceOptions devices;
  std::string backend;
  InputOptions inputs;
  std::string profile;  // a name or a file; empty: the backend's
  std::string format = "text";
  std::string extract;  // the folder for the failing region; empty: it is not written
  double budget = 60;   // seconds for judging, and as many for the search of the region
  double case_timeout = 600;
  bool suspects_pass = false;
  CommonOptions common;
};

// `files` are those of --extract.
void PrintAll(const DiffOptions& options, const BackendDescription& backend, const Diagnosis& diagnosis,
              std::string_view files) {
  if (options.format == "json") {
    nlohmann::json json = ReportToJson(options.module.file, diagnosis.run.report);
    if (diagnosis.part) json["region"] = PartToJson(*diagnosis.part);
    fmt::print("{}\n", JsonText(json, 2));
    return;
  }
  PrintDiagnosis(DisplayName(options.module.file), backend, diagnosis);
  if (options.extract.empty()) return;
  const std::string_view nothing = HasFailingPart(diagnosis.run.report)
                                       ? "nothing was written, for no smaller part was found"
                                       : "nothing was written, for nothing fails";
  fmt::print("  {}: {}\n", DisplayName(options.extract), diagnosis.part ? files : nothing);
}

int Diff(const DiffOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  const Result<Inputs> inputs = LoadInputs(*loaded, options.inputs);
  if (!inputs) return Fail(inputs.error());
  const Result<std::unique_ptr<Backend>> backend = OpenBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  std::optional<JudgingLine> line(std::in_place);
  const CompareOptions compare = {.profile = *profile,
                                  .limits = options.common.limits(),
                                  .judging = {options.budget, "--budget"},
                                  .on_judging = line->Observer()};
  const Result<Diagnosis> diagnosis = Diagnose(**backend, *loaded->module, inputs->per_device, compare, options.budget);
  if (!diagnosis) return Fail(diagnosis.error(), loaded->file.file_name, loaded->file.text);
  line.reset();
  NoteSearchError(*diagnosis);
  std::string files;
  if (diagnosis->part && !options.extract.empty()) {
    const FailingModule place = {options.extract,
                                 options.backend,
                                 options.profile,
                                 options.common.custom_call_libraries,
                                 0,
                                 0,
                                 (*backend)->description().takes_stablehlo};
    const Result<std::string> names = WriteFailingModule(place, diagnosis->part->subject());
    if (!names) return Fail(names.error());
    files = *names;
  }
  PrintAll(options, (*backend)->description(), *diagnosis, files);
  const bool passes = diagnosis->verdict() == Verdict::kSuspect && options.suspects_pass;
  return FlushVerdict(passes ? Verdict::kExact : diagnosis->verdict());
}

std::function<int()> BindDiff(CLI::App& command) {
  const auto options = std::make_shared<DiffOptions>();
  AddModule(command, options->module);
  AddBackend(command, options->backend, "the backend to compare");
  AddProfile(command, options->profile);
  AddFormat(command, options->format);
  AddTimeout(command, options->case_timeout, "one request");
  AddText(command, "--extract", options->extract,
          "the folder for the smallest part that fails, with its inputs, as a module that runs alone");
  AddSeconds(command, "--budget", options->budget, "seconds for judging, and for the search of that part (60)");
  AddFlag(command, "--suspects-pass", options->suspects_pass, "the exit code of SUSPECT is 0");
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
