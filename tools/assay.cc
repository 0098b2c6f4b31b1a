// The command line. Its contract is docs/commands.md.
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "interpreter/types/limits.h"
#include "interpreter/types/thread.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/counted_allocations.h"
#include "tools/interrupt.h"
#include "tools/report_text.h"
#include "tools/usage.h"

// Replaces a function of libhwy (backend simd), which measures the resolution of a timer when the library is loaded.
// That takes 4 ms, a third of the start of a command, and assay does not use the timer. The dynamic linker prefers this
// definition to the library's.
namespace hwy::platform {
std::uint64_t TimerResolution();
std::uint64_t TimerResolution() { return 1; }
}  // namespace hwy::platform

namespace {

bool IsCommand(std::string_view word) {
  const auto commands = assay::AllCommands();
  return std::ranges::find(commands, word, &assay::Command::name) != commands.end();
}

// Adds the commands that arguments name; the one that is parsed sets the exit code. Adds all of them, those that no
// argument names without options, if the first argument is no command: help and complaints list them. To add all
// commands takes a sixth of the start, and all options a third.
void AddCommands(CLI::App& app, std::span<const char* const> arguments, int& exit_code) {
  const bool begins_with_command = !arguments.empty() && IsCommand(arguments[0]);
  for (const assay::Command* command : assay::AllCommands()) {
    const bool is_named = std::ranges::find(arguments, std::string_view(command->name)) != arguments.end();
    if (begins_with_command && !is_named) continue;
    CLI::App* subcommand = app.add_subcommand(command->name, command->help);
    if (!is_named) continue;
    subcommand->footer(fmt::format("Example: {}", command->example));
    subcommand->callback([&exit_code, run = command->bind(*subcommand)] { exit_code = assay::EndCommand(run()); });
  }
}

// Returns the words of `assay COMMAND --help` for those of `assay help COMMAND`, and of `assay WORD` if that is no
// command; others unchanged.
std::vector<const char*> WithHelpAsOption(std::span<const char* const> words) {
  std::vector<const char*> result(words.begin(), words.end());
  if (words.size() > 1 && std::string_view(words[1]) == "help") {
    result.erase(result.begin() + 1);
    if (result.size() == 1 || IsCommand(result[1])) result.push_back("--help");
  }
  return result;
}

int Main(int argc, char** argv) {
  // Evaluation often allocates and frees large arrays: keep their pages.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  assay::CountAllocations();
  // The limit of commands without an option for it.
  assay::MemoryUse::SetLimit(assay::CommonOptions().memory_limit);
  assay::WatchForSignals();

  CLI::App app{"assay defines XLA operations to the last bit, and grades programs that run them."};
  app.require_subcommand(1);
  app.set_version_flag("--version", assay::VersionText);
  app.footer(
      "Exit codes: 0 all well; 1 a comparison failed; 2 bad usage or input; 3 no backend; 4 a limit of the reference;\n"
      "128 + N ended by signal N. docs/commands.md has every command, docs/verdicts.md defines the verdicts.\n"
      "assay COMMAND --help lists the options of a command.");
  int exit_code = 0;
  const std::vector<const char*> words = WithHelpAsOption(std::span(argv, static_cast<std::size_t>(argc)));
  AddCommands(app, std::span(words).subspan(argc > 0), exit_code);
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // help or the version; all else is wrong usage
      app.exit(error);
      return assay::FlushOutput();
    }
    fmt::print(stderr, "{}\n", assay::ForTerminal(assay::Complaint(app, error, words)));
    return 2;
  } catch (const std::system_error&) {
    // fmt throws this when a write fails.
    return assay::FlushOutput();
  } catch (const std::bad_alloc& exception) {
    return assay::Fail(assay::OutOfMemory(exception));
  } catch (const assay::EvaluationError& error) {
    return assay::Fail(error.error);
  }
  if (!assay::IsWorkLeftBehind()) return exit_code;
  std::fflush(nullptr);
  _exit(exit_code);
}

// Opens /dev/null for each closed descriptor from 0 to 2, so that no file or pipe of a peer gets its number. The access
// modes of the first two are wrong on purpose: reading standard input and writing standard output still fail.
void OccupyStandardDescriptors() {
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", kModes[descriptor]);  // takes the lowest free number
  }
}

// Makes every write to standard error succeed. A note that cannot be written (a full disk, a reader that has ended)
// must change neither the results nor the exit code of a command.
void IgnoreErrorsOfStandardError() {
  const auto write_what_is_possible = [](void*, const char* text, std::size_t size) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, size);
    return static_cast<ssize_t>(size);
  };
  std::FILE* const stream =
      fopencookie(nullptr, "w", {.read = nullptr, .write = write_what_is_possible, .seek = nullptr, .close = nullptr});
  if (stream == nullptr) return;
  std::setvbuf(stream, nullptr, _IONBF, 0);
  stderr = stream;
}

}  // namespace

// Calls may nest 1000 deep, whatever `ulimit -s` says: with a smaller stack, the program runs on a thread with a stack
// of the usual size.
int main(int argc, char** argv) {
  OccupyStandardDescriptors();
  IgnoreErrorsOfStandardError();
  constexpr std::size_t kUsualStack = std::size_t{8} << 20;
  rlimit stack = {};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur >= kUsualStack) return Main(argc, argv);
  int exit_code = 0;
  bool has_thread = false;
  {
    assay::JoinedThreads thread;
    has_thread = thread.Start([&] { exit_code = Main(argc, argv); });
  }
  return has_thread ? exit_code : Main(argc, argv);
}
