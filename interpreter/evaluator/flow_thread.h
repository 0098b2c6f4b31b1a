// A thread for a flow. Starting a thread takes longer than most small modules run, so a thread outlives its flow and
// serves the next one.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace assay {

class FlowThread {
 public:
  // Hands a thread its work. Null where the system has no thread left.
  static FlowThread* Start(std::function<void()> work);

  // Waits until the work is done, and lets the next flow have the thread.
  void Leave();

 private:
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // empty: done
  bool is_over_ = false;        // there are enough others
};

}  // namespace assay
