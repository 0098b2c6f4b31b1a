// The compiler behind a backend: what it does to a module, and what it is told to leave out
// (docs/process_protocol.md#options-of-a-compiler).
#pragma once

#include <string>
#include <vector>

namespace assay {

struct CompilerSetting {
  std::string name;
  std::string value;
  bool operator==(const CompilerSetting&) const = default;
};

struct CompilerOptions {
  std::vector<std::string> disabled_passes;
  std::vector<CompilerSetting> settings;
};

// A pass that has changed the module. A pass may run several times.
struct PassRun {
  std::string name;
  std::string before, after;  // the module as the compiler writes it
};

struct CompilerTrace {
  std::vector<PassRun> passes;  // in order
  // What else may be tried, one at a time: another way to make code of what the passes leave.
  std::vector<CompilerSetting> settings;
};

}  // namespace assay
