#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "backends/backend.h"
#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/failing_module.h"
#include "conformance/pairs/judge_pair.h"
#include "conformance/reports/report_json.h"
#include "conformance/reports/shell_word.h"
#include "fuzz/pair_search.h"
#include "interpreter/hlo/literal_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/options.h"
#include "tools/progress.h"

namespace assay {
namespace {

struct DiffOptions : ProgramOptions {
  std::string after;        // the module after a change; empty: the backend is compared
  std::int64_t search = 0;  // inputs to try on two modules; 0: only those given
  std::string backend;      // empty with two modules: the reference
  std::string profile;      // a name or a file; empty: the backend's
  std::string format = "text";
  std::string extract;  // the folder for the failing region; empty: it is not written
  double budget = 60;   // seconds for judging, and as many for the search of the region
  double case_timeout = 600;
  bool suspects_pass = false;
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

CompareOptions CompareOptionsOf(const DiffOptions& options, const Profile& profile, JudgingLine& line) {
  return {.profile = profile,
          .limits = options.common.limits(),
          .judging = {options.budget, "--budget"},
          .on_judging = line.Observer()};
}

int ExitVerdict(const DiffOptions& options, Verdict verdict) {
  return CodeOf(verdict == Verdict::kSuspect && options.suspects_pass ? Verdict::kExact : verdict);
}

void PrintSearch(const DiffOptions& options, const PairSearch& search, std::uint64_t seed) {
  const std::string skipped = search.skipped == 0 ? "" : fmt::format(", {} skipped", search.skipped);
  fmt::print("  inputs: {} tried, {} with the same bits{}; above are those with the worst verdict ({})\n", search.tried,
             search.equal, skipped, search.kind);
  if (search.kind == "given" && options.inputs.inputs.empty()) fmt::print("    --seed {}\n", seed);
  if (search.kind == "given") return;
  std::int64_t bytes = 0;
  for (const Literal& argument : search.inputs.front()) bytes += argument.total_byte_size();
  constexpr std::int64_t kMostShown = 256;
  if (bytes > kMostShown || search.inputs.size() > 1) {
    fmt::print("    --write-inputs FILE writes them\n");
    return;
  }
  for (const Literal& argument : search.inputs.front()) {
    fmt::print("    --input {}\n", ShellWord(PrintLiteral(argument)));
  }
}

Result<Verdict> JudgeTwo(const DiffOptions& options, LoadedModule& before, const LoadedModule& after) {
  ASSAY_CHECK_OK(RequireConstants(before));
  ASSAY_CHECK_OK(RequireConstants(after));
  ASSAY_TRY(EntryBridge bridge, EntryBridge::Make(*before.module, *after.module));
  InputOptions given = options.inputs;
  given.written_file.clear();
  given.are_whole_arrays = bridge.is_whole();
  ASSAY_TRY(const Inputs inputs, LoadInputs(before, given));
  std::unique_ptr<Backend> backend;
  if (!options.backend.empty()) {
    ASSAY_TRY(backend, OpenBackend(options.backend, options.case_timeout));
  }
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  const ModulePair pair(*before.module, *after.module, std::move(bridge), backend.get());
  std::optional<JudgingLine> line(std::in_place);
  ASSAY_TRY(const PairSearch search, SearchInputs(pair, inputs.per_device, options.search, options.inputs.seed,
                                                  CompareOptionsOf(options, profile, *line)));
  line.reset();
  if (!options.inputs.written_file.empty()) {
    ASSAY_CHECK_OK(WriteFileAtomically(options.inputs.written_file, InputsText(search.inputs)));
  }
  const PairNames names = {DisplayName(options.module.file), DisplayName(options.after)};
  if (options.format == "json") {
    nlohmann::json json = PairToJson(names, search.report);
    json["inputs_tried"] = search.tried;
    fmt::print("{}\n", JsonText(json, 2));
  } else {
    PrintPair(names, search.report);
    if (options.search > 0) PrintSearch(options, search, options.inputs.seed);
  }
  return search.report.report.verdict;
}

Result<int> DiffTwo(const DiffOptions& options, LoadedModule before) {
  if (!options.extract.empty()) return Error{ErrorCode::kUsage, "--extract cuts one module: two modules are not cut"};
  ModuleOptions module = options.module;
  module.file = options.after;
  const Result<LoadedModule> after = LoadModule(module, options.devices, options.inputs);
  if (!after) return ExitCode(after.error());
  ASSAY_TRY(const Verdict verdict, JudgeTwo(options, before, *after));
  return ExitVerdict(options, verdict);
}

Result<int> Diff(const DiffOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  if (options.after.empty() && options.backend.empty()) {
    return Error{ErrorCode::kUsage, "expected a second module to compare, or --backend"};
  }
  if (options.after.empty() && options.search > 0) {
    return Error{ErrorCode::kUsage, "--search tries inputs of two modules: expected a second module"};
  }
  Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  if (!options.after.empty()) return DiffTwo(options, *std::move(loaded));
  ASSAY_TRY(const Inputs inputs, LoadInputs(*loaded, options.inputs));
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  std::optional<JudgingLine> line(std::in_place);
  const CompareOptions compare = CompareOptionsOf(options, profile, *line);
  const Result<Diagnosis> diagnosis = Diagnose(*backend, *loaded->module, inputs.per_device, compare, options.budget);
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
                                 backend->description().takes_stablehlo};
    ASSAY_TRY(files, WriteFailingModule(place, diagnosis->part->subject()));
  }
  PrintAll(options, backend->description(), *diagnosis, files);
  return ExitVerdict(options, diagnosis->verdict());
}

void AddDiffOptions(CLI::App& command, DiffOptions& options) {
  AddModule(command, options.module);
  AddText(command, "after", options.after, "the module after a change, to compare with the first one");
  AddText(command, "--backend", options.backend, "the backend to compare; with two modules it runs the second one");
  AddNumber(command, "--search", options.search, "inputs to try on two modules until they differ unlawfully", 1);
  AddProfile(command, options.profile);
  AddFormat(command, options.format);
  AddTimeout(command, options.case_timeout, "one request");
  AddText(command, "--extract", options.extract,
          "the folder for the smallest part that fails, with its inputs, as a module that runs alone");
  AddSeconds(command, "--budget", options.budget, "seconds for judging, and for the search of that part (60)");
  AddFlag(command, "--suspects-pass", options.suspects_pass, "the exit code of SUSPECT is 0");
  AddProgram(command, options);
}

}  // namespace

const Command command_diff = {
    .name = "diff",
    .help = "compare a backend with the reference, or a module with what a change made of it",
    .example = "assay diff m.hlo --backend xla-cpu --seed 7",
    .bind = BindCommand<DiffOptions, AddDiffOptions, Diff>,
};

}  // namespace assay
