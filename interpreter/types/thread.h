// The threads of assay. Each has a stack for calls that nest 1000 deep, regardless of `ulimit -s`.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace assay {

// Twice the usual stack of a main thread.
inline constexpr std::size_t kThreadStackBytes = std::size_t{16} << 20;

// Starts `work` on a thread that is never joined. Returns false if the system has no thread left; `work` has not run
// then.
[[nodiscard]] bool StartDetachedThread(std::function<void()> work);

// Threads that the destructor joins.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  ~JoinedThreads();
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;

  // Starts `work`. Returns false if the system has no thread left; `work` has not run then.
  [[nodiscard]] bool Start(std::function<void()> work);

 private:
  std::vector<pthread_t> threads_;
};

}  // namespace assay
