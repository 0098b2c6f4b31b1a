#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "backends/process/server.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"

namespace assay {
namespace {

// Whoever has started the program knows how long a run may take, and ends it then.
constexpr double kAnyTime = 1e9;

struct ServeOptions {
  std::string backend = "reference";
  bool no_files = false;
  CommonOptions common;
};

int Serve(const ServeOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<std::unique_ptr<Backend>> backend = OpenBackend(options.backend, kAnyTime);
  if (!backend) return Fail(backend.error());
  Server server(**backend, !options.no_files);
  for (std::string line; std::getline(std::cin, line);) {
    const Result<Server::Answer> answer = server.Take(line);
    if (!answer) return Fail(answer.error());
    if (answer->reply) {
      fmt::print("{}\n", *answer->reply);
      if (const int written = FlushOutput(); written != 0) return written;
    }
    if (answer->is_last) break;
  }
  return 0;
}

std::function<int()> Bind(CLI::App& command) {
  const auto options = std::make_shared<ServeOptions>();
  AddBackend(command, options->backend, "who answers");
  AddFlag(command, "--no-files", options->no_files,
          "take and give all arrays on the pipe: the other end is a machine with other folders");
  AddLimits(command, options->common);
  return [options] { return Serve(*options); };
}

}  // namespace

const Command command_serve = {
    .name = "serve",
    .help = "answer requests of the process protocol with a backend",
    .example = "assay check --backend 'process:ssh board assay serve --backend cuda --no-files'",
    .bind = Bind,
};

}  // namespace assay
