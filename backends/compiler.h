// The compiler behind a backend: what it does to a module, and which passes it skips
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

// A pass that has changed the module. One pass may run several times.
struct PassRun {
  std::string name;
  std::string before, after;  // the module as the compiler writes it
};

struct CompilerTrace {
  std::vector<PassRun> passes;  // in order
  // Settings to try one at a time: other ways to generate code after the passes.
  std::vector<CompilerSetting> settings;
};

}  // namespace assay
