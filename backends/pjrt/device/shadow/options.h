// The settings of a shadow: the plugin, and the executions to judge (docs/shadow.md#options).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/pjrt/client_options.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

struct ShadowedPlugin {
  std::string file;       // an absolute path
  std::string backend;    // the plugin's name for assay's commands: "pjrt:FILE[:OPTION=VALUE;...]"
  ClientOptions options;  // of the plugin's client

  // Reads "FILE[:OPTION=VALUE;...]", or the name of a plugin in a backends.json. Fails with kUsage, or with kBackend if
  // the named plugin is not installed.
  static Result<ShadowedPlugin> Find(const std::string& name);
};

struct ShadowOptions {
  std::int64_t every = 0;  // share: a program's first execution and every N-th after it; 0: the first only
  std::string profile;     // a name or a file; empty: that of the plugin's entry in backends.json
  std::string folder = "assay-shadow";
  std::int64_t most_bytes = std::int64_t{64} << 20;  // arguments and results of one judged execution together
  std::int64_t queue = 1000;                         // executions that wait to be judged
  std::int64_t queue_bytes = std::int64_t{4} << 30;  // of those that wait
  bool waits_for_room = false;                       // full: the program waits while the queue is full
  bool runs_pieces = true;
  double seconds = 60;  // of the reference for one execution
  double budget = 60;   // seconds for judging one execution
  double wait = 600;    // seconds for what is left in the queue when the program ends

  // Reads "OPTION=VALUE;OPTION=VALUE". Fails with kUsage.
  static Result<ShadowOptions> Read(std::string_view text);
  // True for the n-th execution of a program, counted from 1.
  bool Judges(std::int64_t execution) const { return every == 0 ? execution == 1 : (execution - 1) % every == 0; }
  // Returns the share as the option spells it: "once", "all" or a number.
  std::string Share() const;
};

}  // namespace assay::pjrt
