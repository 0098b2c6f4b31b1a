// What happens when assay is told to end early, by SIGINT, SIGTERM or SIGHUP.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

namespace assay {

// Called once, at the start of the program. From then on these signals end it with exit code 128 + signal, and neither
// children nor temporary folders stay behind. One that is ignored (nohup) stays so. A second signal, a second later or
// more, ends it at once. Also ignores SIGPIPE and adopts orphans (child_starter.h): the process is the program's own.
void WatchForSignals();

// As long as it lives, a signal first takes the mutex for good, so that nobody changes what it guards, and then calls
// `say` with the signal's name; on a thread of its own, whatever the others are doing.
class LastWord {
 public:
  LastWord(std::mutex& guard, std::function<void(std::string_view signal)> say);
  ~LastWord();
  LastWord(const LastWord&) = delete;
  LastWord& operator=(const LastWord&) = delete;
};

}  // namespace assay
