// The judge of a shadow: a thread sends executions to another process, `assay serve --judge`, so that a crash of the
// judge does not end the program. The thread runs no Python and calls no function of the plugin.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "backends/pjrt/device/shadow/options.h"
#include "backends/pjrt/device/shadow/tally.h"
#include "backends/pjrt/device/whole_program.h"
#include "backends/process/child_process.h"
#include "backends/process/temporary_folder.h"
#include "interpreter/types/per_device.h"

namespace assay::pjrt {

// A program that the plugin has compiled.
struct ShadowedProgram {
  std::string name;
  std::string source = {};  // ProgramSource::Serialize; empty: not known
  EntryShardings shardings = {};
  std::size_t results = 0;  // on one device
  std::atomic<std::int64_t> executions = 0;
  std::string file = {};  // the path of a file with the source; empty before the first request
};

// One execution: the arguments and results of each device, sharded arrays as their parts.
struct ShadowedExecution {
  std::shared_ptr<ShadowedProgram> program;
  std::int64_t number = 0;  // counted from 1
  DeviceValues inputs = {}, outputs = {};
  std::int64_t bytes = 0;  // of both
};

class ShadowJudge {
 public:
  // Opens the journal and starts the process and the thread. `backend` is the plugin's name for assay's commands. Fails
  // with kIo for the journal, with kLimit without a thread, and with kBackend if the process does not judge. The judge
  // is never destroyed: threads of the program may call it until the process ends.
  static Result<ShadowJudge*> Start(ShadowOptions options, std::string backend);

  const ShadowOptions& options() const { return options_; }
  // False in a process that was forked from the program: a fork has no judging thread.
  bool IsHere() const;

  // Writes the journal's first line for this program: the plugin, the profile and the share.
  void Begin(const std::string& plugin, const std::string& version);
  // Queues an execution. If the queue is full, waits for room or skips the execution, by the option `full`.
  void Add(ShadowedExecution execution);
  // Writes that an execution is not judged, with the reason.
  void Skip(const ShadowedProgram& program, std::int64_t number, const std::string& reason);
  void CountProgram() { ++programs_; }
  void CountExecution() { ++executions_; }
  // Waits for the rest of the queue, at most as long as the option `wait` says, and prints the table to standard error.
  void Finish();

 private:
  ShadowJudge(ShadowOptions options, std::string backend, int journal);
  void Work();
  void JudgeNow(ShadowedExecution& execution);
  Result<nlohmann::json> Ask(ShadowedExecution& execution);
  nlohmann::json RequestFor(ShadowedExecution& execution, TemporaryFolder& files);
  Status Connect();
  // Writes and counts a line of the journal.
  void Write(const nlohmann::json& line);
  void SkipRest();
  void FinishJournal();

  const ShadowOptions options_;
  const std::string backend_;  // the plugin's name for assay's commands
  const int process_;
  const int journal_;            // a descriptor
  const std::string directory_;  // the working directory of every judging process
  std::string version_;
  std::atomic<bool> has_begun_ = false;  // false: the plugin has made no client
  std::atomic<std::int64_t> programs_ = 0, executions_ = 0;

  // For the judging thread alone.
  std::optional<ChildProcess> child_;
  TemporaryFolder sources_;
  std::int64_t requests_ = 0, files_ = 0;

  std::mutex mutex_;  // guards the next five members
  std::condition_variable changed_;
  std::deque<ShadowedExecution> queue_;
  std::int64_t queued_bytes_ = 0;
  bool is_judging_ = false, is_finished_ = false;
  std::map<std::string, std::int64_t> without_room_;  // the number of skipped executions by program

  std::mutex journal_mutex_;
  ShadowTally tally_;
};

}  // namespace assay::pjrt
