// The settings of a shadow: the plugin that it shadows, and what it judges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/pjrt/client_options.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

struct ShadowedPlugin {
  std::string file;
  std::string backend;    // the plugin's name for assay's commands
  ClientOptions options;  // of its client

  // Reads "FILE[:OPTION=VALUE;...]", or the name of a plugin in a backends.json. Errors are kUsage and kBackend.
  static Result<ShadowedPlugin> Find(const std::string& name);
};

struct ShadowOptions {
  std::int64_t every = 0;  // share: each so many executions of a program are judged; 0: its first one alone
  std::string profile;     // a name or a file; empty: the plugin's
  std::string folder = "assay-shadow";
  std::int64_t most_bytes = std::int64_t{64} << 20;  // of the arguments and results of a judged execution
  std::int64_t queue = 1000;                         // executions that wait to be judged
  std::int64_t queue_bytes = std::int64_t{4} << 30;  // of those that wait
  bool waits_for_room = false;                       // full: the program waits while the queue is full
  bool runs_pieces = true;
  double seconds = 60;  // of the reference for one execution
  double budget = 60;   // seconds for judging one execution
  double wait = 600;    // seconds for what is left in the queue when the program ends

  // Reads "OPTION=VALUE;OPTION=VALUE". Errors are kUsage.
  static Result<ShadowOptions> Read(std::string_view text);
  // True for the n-th execution of a program, counted from 1.
  bool Judges(std::int64_t execution) const { return every == 0 ? execution == 1 : (execution - 1) % every == 0; }
  // The share as the option names it.
  std::string Share() const;
};

}  // namespace assay::pjrt
