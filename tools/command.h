// A subcommand of assay: one constant in one file of tools/commands/, which nothing else names but the list in
// tools/meson.build.
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
  // Adds the command's options, with their defaults and checks. What it gives runs the command with what was parsed,
  // and gives the exit code: 0 all well, 1 a comparison failed, 2 bad usage or input, 3 a backend could not be started,
  // 4 a resource limit.
  std::function<int()> (*bind)(CLI::App& command);
};

// The list in tools/meson.build.
#define ASSAY_COMMAND(name) extern const Command command_##name;
#include "tools/command_list.inc"
#undef ASSAY_COMMAND

// In the order in which the help lists them.
std::span<const Command* const> AllCommands();

}  // namespace assay
