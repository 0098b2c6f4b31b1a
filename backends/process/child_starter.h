// Starts programs that end when assay ends, and ends them with whatever they have started.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

// A program that runs, the leader of a process group. The descriptors do not block and belong to the caller.
struct StartedChild {
  pid_t pid = -1;
  int to_child = -1;
  int from_child = -1;
  int errors = -1;
};

// kBackend when the program cannot be started.
Result<StartedChild> StartChild(const std::vector<std::string>& command, const std::string& directory);

// Kills the child, its group, and what left the group but kept the environment; waits for them.
void EndChild(pid_t pid);

// The same for all children. Nothing can be started or ended from then on: whoever tries waits for the end of the
// process, which the caller must bring about.
void EndAllChildrenForGood();

}  // namespace assay
