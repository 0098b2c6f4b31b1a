// The files that XLA writes after each pass (--xla_dump_hlo_pass_re).
#pragma once

#include <string>
#include <vector>

namespace assay {

// A file "module_0001.m.0006.simplification.after_algsimp.before_dce.txt": the module after one pass of a pipeline.
struct PassDump {
  std::string module;    // "module_0001.m"
  std::string number;    // "0006"
  std::string pipeline;  // "simplification"
  std::string pass;      // "algsimp"; "pipeline-start" before the first one, and the name of a pipeline inside this one
  std::string next;      // "dce"; empty for a step inside of a pass
  std::string file;      // its path
};

// Returns the dumps of a folder by modules, in the order of their numbers; empty if there are none.
std::vector<PassDump> FindPassDumps(const std::string& folder);

}  // namespace assay
