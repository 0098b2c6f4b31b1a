// A subcommand of assay: one constant in one file of tools/commands/. Only the list in tools/meson.build names it too.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "interpreter/types/result.h"

namespace CLI {
class App;
}

namespace assay {

struct Command {
  const char* name;
  const char* help;     // one line
  const char* example;  // below the list of options
  // Adds the command's options, with their defaults and checks. Returns a function that runs the command with the
  // parsed options and returns the exit code: 0 success, 1 a comparison failed, 2 wrong usage or input, 3 a backend
  // could not be started, 4 a resource limit. An error has the exit code of its kind.
  std::function<Result<int>()> (*bind)(CLI::App& command);
};

// A command's `bind`: kAdd adds the options, a struct with their defaults, and kRun runs the command with them.
template <class Options, auto kAdd, auto kRun>
std::function<Result<int>()> BindCommand(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  kAdd(command, *options);
  return [options] { return kRun(*options); };
}

// The commands listed in tools/meson.build.
#define ASSAY_COMMAND(name) extern const Command command_##name;
#include "tools/command_list.inc"
#undef ASSAY_COMMAND

// Returns the commands in the order of the help.
std::span<const Command* const> AllCommands();

}  // namespace assay
