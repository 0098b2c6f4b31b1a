// Starts programs that end when assay ends, and ends them with all processes that they have started.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

// A running program, the leader of a process group. The descriptors are non-blocking and belong to the caller.
struct StartedChild {
  pid_t pid = -1;
  int to_child = -1;
  int from_child = -1;
  int errors = -1;
};

// Starts a program. Fails with kBackend if it cannot be started.
Result<StartedChild> StartChild(const std::vector<std::string>& command, const std::string& directory);

// Kills the child, its group, and processes that left the group but kept the environment. Waits a few seconds at most
// until they have ended. A process in uninterruptible sleep ends later and delays no other child.
void EndChild(pid_t pid);

// Does the same for all children. Later calls that start or end a child block until the process ends, which the caller
// must cause.
void EndAllChildrenForGood();

// Makes this process the parent of processes whose parents end (PR_SET_CHILD_SUBREAPER). EndChild then waits for all
// children that StartChild has not started. Only for assay's own programs: in another program's process, EndChild
// affects only the descendants of a child of StartChild, which it finds in /proc by the environment.
void AdoptOrphans();

}  // namespace assay
