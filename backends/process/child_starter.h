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

// Kills the child, its group, and what left the group but kept the environment. Waits until they have ended, at most
// some seconds: a process in uninterruptible sleep ends when it can, and holds up no other child.
void EndChild(pid_t pid);

// The same for all children. Nothing can be started or ended from then on: whoever tries waits for the end of the
// process, which the caller must bring about.
void EndAllChildrenForGood();

// Makes this process the parent of processes whose parents end (PR_SET_CHILD_SUBREAPER), and has EndChild wait for all
// of its children that StartChild has not started. For programs of assay's own: in another program's process EndChild
// touches nothing but what a child of StartChild has started, which it finds in /proc by the environment.
void AdoptOrphans();

}  // namespace assay
