#include "interpreter/evaluator/flow_thread.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"

namespace assay {
namespace {

constexpr std::size_t kMostIdle = 64;

// The idle threads of the process.
class IdleThreads {
 public:
  static IdleThreads& OfProcess() {
    static auto& threads = *new IdleThreads;  // threads wait until the process ends
    return threads;
  }

  FlowThread* Take() {
    const std::lock_guard lock(mutex_);
    // A forked process has none of its parent's threads.
    if (process_ != getpid()) idle_.clear();
    process_ = getpid();
    if (idle_.empty()) return nullptr;
    FlowThread* const thread = idle_.back();
    idle_.pop_back();
    return thread;
  }

  // Returns false if there are enough idle threads already.
  bool Keep(FlowThread* thread) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= kMostIdle) return false;
    idle_.push_back(thread);
    return true;
  }

 private:
  std::mutex mutex_;
  pid_t process_ = getpid();
  std::vector<FlowThread*> idle_;
};

}  // namespace

FlowThread* FlowThread::Start(std::function<void()> work) {
  FlowThread* thread = IdleThreads::OfProcess().Take();
  if (thread == nullptr) {
    const auto made = std::make_shared<FlowThread>();
    if (!StartDetachedThread([made] { made->Work(); })) return nullptr;
    thread = made.get();
  }
  {
    const std::lock_guard lock(thread->mutex_);
    thread->work_ = std::move(work);
  }
  thread->changed_.notify_all();
  return thread;
}

void FlowThread::Leave() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_ == nullptr; });
  }
  if (IdleThreads::OfProcess().Keep(this)) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
}

void FlowThread::Work() {
  const DefaultFloatEnvironment environment;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || work_ != nullptr; });
    if (is_over_) return;
    lock.unlock();
    work_();
    lock.lock();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace assay
