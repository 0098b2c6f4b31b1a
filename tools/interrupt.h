// Ends assay early and cleanly on SIGINT, SIGTERM or SIGHUP.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

namespace assay {

// Called once, at the start of the program. From then on these signals end the program with exit code 128 + signal, and
// remove its children and temporary folders. A signal that is ignored (nohup) stays ignored. A second signal, at least
// a second later, ends the program at once. Also ignores SIGPIPE and adopts orphans (child_starter.h): the process is
// the program's own.
void WatchForSignals();

// A hook that a signal runs on its own thread before the process ends: it locks the mutex for good, so that no other
// thread changes the guarded data, and calls `say` with the signal's name.
class ShutdownHook {
 public:
  ShutdownHook(std::mutex& guard, std::function<void(std::string_view signal)> say);
  ~ShutdownHook();
  ShutdownHook(const ShutdownHook&) = delete;
  ShutdownHook& operator=(const ShutdownHook&) = delete;
};

}  // namespace assay
