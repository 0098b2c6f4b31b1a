#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/json/json_text.h"
#include "backends/pass_dumps.h"
#include "conformance/pairs/judge_pair.h"
#include "conformance/reports/shell_word.h"
#include "fuzz/pair_search.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct PassesOptions {
  std::string folder;
  std::string module;       // "module_0001.m", or a part of it; empty: the only one
  std::int64_t search = 0;  // inputs to try for each pass; 0: only those given
  std::string profile;
  std::string format = "text";
  double budget = 60;
  InputOptions inputs;
  CommonOptions common;
};

// A module of the chain, after a pass.
struct PassModule {
  PassDump dump;
  LoadedModule loaded;
};

constexpr std::string_view kStart = "pipeline-start";

std::string NameOf(const PassDump& dump) {
  if (dump.pass == kStart) return fmt::format("what runs before {}", dump.pipeline);
  if (dump.file.find(".after_pipeline-start.") != std::string::npos) {
    return fmt::format("{}, or a pass between it and {}", dump.pass, dump.pipeline);
  }
  return dump.pipeline.empty() ? dump.pass : fmt::format("{} ({})", dump.pass, dump.pipeline);
}

// Returns the dumps of one module: before all passes, after each, and after all.
Result<std::vector<PassDump>> DumpsOfModule(const PassesOptions& options) {
  std::vector<PassDump> dumps = FindPassDumps(options.folder);
  std::vector<std::string> modules;  // the dumps come by modules
  for (const PassDump& dump : dumps) {
    const bool is_new = modules.empty() || modules.back() != dump.module;
    if (is_new && dump.module.find(options.module) != std::string::npos) modules.push_back(dump.module);
  }
  if (modules.empty()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: no module {}with its passes: XLA writes them with XLA_FLAGS=\"--xla_dump_to={} "
                             "--xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text\"",
                             options.folder, options.module.empty() ? "" : options.module + " ", options.folder)};
  }
  if (modules.size() > 1) {
    return Error{ErrorCode::kUsage, fmt::format("{} has the passes of {} modules: name one with --module:\n  {}",
                                                options.folder, modules.size(), JoinText(modules, "\n  "))};
  }
  const std::string& module = modules.front();
  std::erase_if(dumps, [&](const PassDump& dump) { return dump.module != module; });
  const fs::path folder = options.folder;
  const std::string first = (folder / (module + ".before_optimizations.txt")).string();
  std::error_code error;
  if (fs::exists(first, error)) dumps.insert(dumps.begin(), {module, "", "", "", "", first});
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(module + ".") && name.ends_with("after_optimizations.txt")) {
      dumps.push_back({module, "", "", "after_optimizations", "", entry.path().string()});
    }
  }
  // A pass that runs a pipeline of its own has changed the module when that starts.
  for (std::size_t i = 1; i < dumps.size(); ++i) {
    const std::string& next = dumps[i - 1].next;
    if (dumps[i].pass == kStart && !next.empty() && next != "pipeline-end") dumps[i].pass = next;
  }
  return dumps;
}

// True if a pass cuts whole arrays into shards.
bool HasPartitioner(const std::vector<PassDump>& dumps) {
  static constexpr std::string_view kPartitioner = "spmd-partitioning";
  return std::ranges::any_of(
      dumps, [](const PassDump& dump) { return dump.pass == kPartitioner || dump.next == kPartitioner; });
}

// Follows a module through its passes. Each pass is judged against the module before it.
class PassChain {
 public:
  PassChain(const PassesOptions& options, CompareOptions compare) : options_(options), compare_(std::move(compare)) {}

  Status Start(PassModule first, const std::vector<PassDump>& dumps) {
    before_.emplace(std::move(first));
    InputOptions inputs = options_.inputs;
    inputs.are_whole_arrays = HasPartitioner(dumps);
    ASSAY_TRY(const Inputs given, LoadInputs(before_->loaded, inputs));
    arguments_ = given.per_device;
    return {};
  }

  // Judges the next module and makes it the last one. Returns nothing if it is the same text.
  Result<std::optional<PairSearch>> Judge(PassModule& after) {
    if (after.loaded.file.text == before_->loaded.file.text) return std::optional<PairSearch>();
    HloModule& before = *before_->loaded.module;
    ASSAY_TRY(EntryBridge bridge, EntryBridge::Make(before, *after.loaded.module));
    const ModulePair pair(before, *after.loaded.module, bridge);
    ASSAY_TRY(PairSearch search, SearchInputs(pair, arguments_, options_.search, options_.inputs.seed, compare_));
    ASSAY_TRY(arguments_after_, bridge.ArgumentsOfAfter(arguments_));
    return std::optional(std::move(search));
  }
  void Advance(PassModule after) {
    before_.emplace(std::move(after));
    arguments_ = std::move(arguments_after_);
  }
  const PassModule& before() const { return *before_; }

 private:
  const PassesOptions& options_;
  CompareOptions compare_;
  std::optional<PassModule> before_;
  DeviceValues arguments_, arguments_after_;
};

// Prints the steps as they come, or collects them as JSON.
class PassReport {
 public:
  explicit PassReport(const PassesOptions& options) : options_(options) {}

  void Add(const PassDump& dump, Verdict verdict, const std::string& reason) {
    worst_ = std::max(worst_, verdict);
    ++judged_;
    if (is_json()) {
      steps_.push_back({{"file", dump.file},
                        {"pass", dump.pass},
                        {"pipeline", dump.pipeline},
                        {"verdict", VerdictName(verdict)},
                        {"reason", reason}});
    } else {
      fmt::print("{:<11} {:>4} {}{}{}\n", VerdictName(verdict), dump.number, NameOf(dump), reason.empty() ? "" : ": ",
                 Shortened(reason));
    }
  }
  // Reports the first wrong pass.
  void Blame(const PassDump& before, const PassDump& after, const PairReport& pair) {
    const PairNames names = {before.file, after.file};
    wrong_ = after.pass;
    if (is_json()) {
      pair_ = PairToJson(names, pair);
      return;
    }
    PrintPair(names, pair);
    std::string command = fmt::format("assay diff {} {}", ShellWord(before.file), ShellWord(after.file));
    if (!options_.profile.empty()) command += " --profile " + ShellWord(options_.profile);
    if (options_.inputs.seed != 0) command += fmt::format(" --seed {}", options_.inputs.seed);
    if (options_.search > 0) command += fmt::format(" --search {}", options_.search);
    fmt::print("{}\n  {}\n", after.pass, command);
  }
  Verdict Finish() const {
    if (is_json()) {
      nlohmann::json json = {{"verdict", VerdictName(worst_)}, {"steps", steps_}};
      if (!wrong_.empty()) json.update({{"wrong_pass", wrong_}, {"pair", pair_}});
      fmt::print("{}\n", JsonText(json, 2));
    } else if (wrong_.empty()) {
      fmt::print("{}: {} changes of the module, none of which fails\n", VerdictName(worst_), judged_);
    }
    return worst_;
  }

 private:
  bool is_json() const { return options_.format == "json"; }

  const PassesOptions& options_;
  Verdict worst_ = Verdict::kExact;
  std::size_t judged_ = 0;
  nlohmann::json steps_ = nlohmann::json::array(), pair_;
  std::string wrong_;
};

Result<PassModule> LoadPass(const PassesOptions& options, const PassDump& dump) {
  ModuleOptions module;
  module.file = dump.file;
  ASSAY_TRY(LoadedModule loaded, LoadModule(module, {}, options.inputs));
  if (const Status known = RequireConstants(loaded); !known) {
    Fail(known.error());
    return known.error();
  }
  return PassModule{dump, std::move(loaded)};
}

// Judges each pass until one fails. A text that cannot be read or evaluated is a step of the verdict UNSUPPORTED; the
// next one is judged against the module before it.
Result<Verdict> JudgePasses(const PassesOptions& options, const std::vector<PassDump>& dumps, PassChain& chain) {
  PassReport report(options);
  for (const PassDump& dump : std::span(dumps).subspan(1)) {
    Result<PassModule> after = LoadPass(options, dump);
    if (!after) {
      report.Add(dump, Verdict::kUnsupported, after.error().message);
      continue;
    }
    Result<std::optional<PairSearch>> judged = chain.Judge(*after);
    if (!judged) {
      report.Add(dump, VerdictOf(judged.error()), judged.error().message);
      continue;
    }
    if (!*judged) continue;
    const PairReport& pair = (*judged)->report;
    report.Add(dump, pair.report.verdict, pair.report.reason);
    if (IsFailure(pair.report.verdict)) {
      report.Blame(chain.before().dump, dump, pair);
      break;
    }
    chain.Advance(*std::move(after));
  }
  return report.Finish();
}

Result<int> Passes(const PassesOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const std::vector<PassDump> dumps, DumpsOfModule(options));
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, ""));
  Result<PassModule> first = LoadPass(options, dumps.front());
  if (!first) return ExitCode(first.error());
  JudgingLine line;
  PassChain chain(options, {.profile = profile,
                            .limits = options.common.limits(),
                            .judging = {options.budget, "--budget"},
                            .on_judging = line.Observer()});
  ASSAY_CHECK_OK(chain.Start(*std::move(first), dumps));
  ASSAY_TRY(const Verdict verdict, JudgePasses(options, dumps, chain));
  return CodeOf(verdict);
}

void AddPassesOptions(CLI::App& command, PassesOptions& options) {
  AddRequiredText(command, "folder", options.folder, "the folder that XLA has dumped the passes to");
  AddText(command, "--module", options.module, "a part of the module's name, if there are several");
  AddProfile(command, options.profile);
  AddFormat(command, options.format);
  AddNumber(command, "--search", options.search, "inputs to try for each pass", 1);
  AddSeconds(command, "--budget", options.budget, "seconds for judging one pass on one input (60)");
  AddInputs(command, options.inputs);
  AddLimits(command, options.common);
}

}  // namespace

const Command command_passes = {
    .name = "passes",
    .help = "name the first pass of XLA's dump that changes the meaning of a module",
    .example = "assay passes dump --module jit_step",
    .bind = BindCommand<PassesOptions, AddPassesOptions, Passes>,
};

}  // namespace assay
