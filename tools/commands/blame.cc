#include "conformance/diagnosis/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "backends/json/printable.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct BlameOptions : ProgramOptions {
  std::string backend;
  std::string profile;  // a name or a file; empty: the backend's
  std::string pass;     // empty: any
  double case_timeout = 60;
};

constexpr std::size_t kLinesShown = 16;

void ShowRun(const CompilerTrace& trace, const std::string& pass, const Subject& subject,
             const EvaluationLimits& limits) {
  const BlamedRun blamed = FindRun(trace, pass, subject, limits);
  if (blamed.run == nullptr) return;
  const std::vector<std::string> lines = DifferentLines(blamed.run->before, blamed.run->after);
  for (std::size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i) {
    fmt::print("    {}\n", Printable(lines[i], Lines::kOne, 200));
  }
  if (lines.size() > kLinesShown) fmt::print("    and {} more lines\n", lines.size() - kLinesShown);
  switch (blamed.value) {
    case BlamedRun::Value::kOther:
      fmt::print("  by the reference, the module has another value after it\n");
      break;
    case BlamedRun::Value::kSame:
      fmt::print("  by the reference, the module has the same value after it: what comes later is wrong about it\n");
      break;
    case BlamedRun::Value::kUnknown:
      break;
  }
}

std::string CommandOf(const BlameOptions& options, const std::string& pass) {
  std::string command = fmt::format("assay blame {} --backend {} --pass {}", ShellWord(options.module.file),
                                    ShellWord(options.backend), ShellWord(pass));
  if (!options.module.function.empty()) command += " --function " + ShellWord(options.module.function);
  if (options.module.mixed_precision) command += " --mixed-precision";
  if (!options.profile.empty()) command += " --profile " + ShellWord(options.profile);
  for (const std::string& input : options.inputs.inputs) command += " --input " + ShellWord(input);
  if (!options.inputs.inputs_file.empty()) command += " --inputs " + ShellWord(options.inputs.inputs_file);
  if (options.inputs.seed != 0) command += fmt::format(" --seed {}", options.inputs.seed);
  return command;
}

void ShowBlame(const BlameOptions& options, const Blame& blame, const CompilerTrace& trace, const Subject& subject) {
  if (!blame.needed.empty()) fmt::print("  cannot be left out: {}\n", JoinText(blame.needed, ", "));
  if (blame.passes.size() == 1) {
    const std::string& pass = blame.passes[0];
    fmt::print("  {} tries; what {} changes:\n", blame.tries, pass);
    ShowRun(trace, pass, subject, options.common.limits());
    fmt::print("{}\n  {}\n", pass, CommandOf(options, pass));
  } else if (!blame.passes.empty()) {
    fmt::print("no single pass explains it: it is right without {} together\n", JoinText(blame.passes, ", "));
  } else if (blame.setting) {
    fmt::print("no single pass explains it: it is right with {}={}\n", blame.setting->name, blame.setting->value);
  } else if (!blame.changing.empty()) {
    fmt::print("what {} changes:\n", blame.changing);
    ShowRun(trace, blame.changing, subject, options.common.limits());
    fmt::print("no pass that can be left out explains it, nor does any setting that was tried\n");
  } else {
    fmt::print("no pass that can be left out explains it, nor does any setting that was tried\n");
  }
}

Result<Verdict> RunBlame(const BlameOptions& options, const LoadedModule& loaded, const Inputs& inputs) {
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  if (!backend->description().takes_options) {
    return Error{ErrorCode::kBackend,
                 fmt::format("{} takes no options for its compiler: blame needs a backend that lists its passes and "
                             "leaves some out (docs/process_protocol.md)",
                             backend->description().name)};
  }
  const Subject subject = {CloneModule(*loaded.module), inputs.per_device};
  const CompareOptions compare = {.profile = profile, .limits = options.common.limits()};
  const auto start = std::chrono::steady_clock::now();
  ASSAY_TRY(const Failure failure, FindFailure(*backend, *subject.module, subject.arguments, compare));
  fmt::print("{}: {}{}{}\n", VerdictName(failure.verdict), DisplayName(options.module.file),
             failure.reason.empty() ? "" : "\n  ", Shortened(failure.reason));
  if (!failure.IsOne()) return failure.verdict;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSAY_TRY(const std::unique_ptr<Backend> of_tries,
            OpenBackend(options.backend, TimeoutOfTries(options.case_timeout, failure, seconds.count())));
  const TryOptions try_options = TryOn(*of_tries, subject, compare, failure);
  if (!options.pass.empty()) {
    constexpr std::string_view kWords[] = {"fails as before", "is right", "fails in another way"};
    fmt::print("without {} it {}\n", options.pass, kWords[static_cast<int>(try_options({{options.pass}, {}}))]);
    return failure.verdict;
  }
  const Result<CompilerTrace> trace = backend->Trace(*subject.module);
  if (!trace) return Error{ErrorCode::kBackend, "the passes cannot be listed: " + trace.error().message};
  ShowBlame(options, FindBlame(*trace, try_options, ChangesValueOf(*trace, subject, compare.limits)), *trace, subject);
  return failure.verdict;
}

Result<int> FindPass(const BlameOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  ASSAY_TRY(const Inputs inputs, LoadInputs(*loaded, options.inputs));
  const Result<Verdict> verdict = RunBlame(options, *loaded, inputs);
  if (!verdict) return Fail(verdict.error(), loaded->file.file_name, loaded->file.text);
  return *verdict >= Verdict::kWeak ? 1 : 0;
}

void AddBlameOptions(CLI::App& command, BlameOptions& options) {
  AddModule(command, options.module);
  AddBackend(command, options.backend, "the backend that fails");
  AddText(command, "--pass", options.pass, "only report the verdict without this pass");
  AddProfile(command, options.profile);
  AddTimeout(command, options.case_timeout, "one request");
  AddProgram(command, options);
}

}  // namespace

const Command command_blame = {
    .name = "blame",
    .help = "name the compiler pass that makes a result wrong",
    .example = "assay blame reduced/module.hlo --inputs reduced/inputs.json --backend xla-cpu",
    .bind = BindCommand<BlameOptions, AddBlameOptions, FindPass>,
};

}  // namespace assay
