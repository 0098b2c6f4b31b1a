#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "backends/process/server.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/serving/judging_server.h"

namespace assay {
namespace {

// No limit on the time of a run: the client knows how long a run may take and ends the process.
constexpr double kAnyTime = 1e9;

struct ServeOptions {
  std::string backend = "reference";
  std::string files;  // the folder of arrays in files; empty: none
  bool no_files = false;
  bool judges = false;
  CommonOptions common;
};

// Returns what standard output was. From now on, what libraries print there goes to standard error. Null if there are
// no descriptors left.
std::FILE* TakeStandardOutput() {
  std::FILE* const replies = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "w");
  return replies != nullptr && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? replies : nullptr;
}

Result<int> Serve(const ServeOptions& options) {
  std::FILE* const replies = TakeStandardOutput();
  if (replies == nullptr) return Error{ErrorCode::kIo, "standard output cannot be taken"};
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, kAnyTime));
  std::error_code error;
  if (!options.files.empty() && !std::filesystem::is_directory(options.files, error)) {
    return Error{ErrorCode::kUsage, fmt::format("--files: {}: expected a folder", options.files)};
  }
  const std::unique_ptr<Server> server = options.judges ? std::make_unique<JudgingServer>(*backend, options.files)
                                                        : std::make_unique<Server>(*backend, options.files);
  std::ios::sync_with_stdio(false);  // getline reads character by character otherwise
  for (std::string line; std::getline(std::cin, line);) {
    ASSAY_TRY(const Server::Answer answer, server->Take(line));
    if (answer.reply) {
      fmt::print(replies, "{}\n", *answer.reply);
      if (const int written = FlushOutput(replies); written != 0) return written;
    }
    if (answer.is_last) return 0;
  }
  // getline reports an exception of the allocator like the end of the input, but sets badbit.
  if (!std::cin.bad()) return 0;
  return Error{ErrorCode::kLimit, "a request was too long for the memory that --memory-limit allows"};
}

void AddServeOptions(CLI::App& command, ServeOptions& options) {
  AddBackend(command, options.backend, "the backend that answers");
  AddText(command, "--files", options.files,
          "large arrays may go through files of this folder and those in it (none: all arrays on the pipe)");
  AddFlag(command, "--no-files", options.no_files, "all arrays on the pipe (the default)", "--files");
  AddFlag(command, "--judge", options.judges,
          "also judge backends that a request names: for a client that may open any file and start any program");
  AddLimits(command, options.common);
}

}  // namespace

const Command command_serve = {
    .name = "serve",
    .help = "answer requests of the process protocol with a backend",
    .example = "assay check --backend 'process:ssh board assay serve --backend cuda'",
    .bind = BindCommand<ServeOptions, AddServeOptions, Serve>,
};

}  // namespace assay
