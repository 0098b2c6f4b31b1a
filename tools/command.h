// A subcommand of assay: one constant in one file of tools/commands/. Only the list in tools/meson.build names it too.
#pragma once

#include <functional>
#include <span>

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
  // could not be started, 4 a resource limit.
  std::function<int()> (*bind)(CLI::App& command);
};

// The commands listed in tools/meson.build.
#define ASSAY_COMMAND(name) extern const Command command_##name;
#include "tools/command_list.inc"
#undef ASSAY_COMMAND

// Returns the commands in the order of the help.
std::span<const Command* const> AllCommands();

}  // namespace assay
