// A thread for a flow. Starting a thread takes longer than most small modules run, so a thread outlives its flow and
// runs the next one.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace assay {

class FlowThread {
 public:
  // Runs `work` on an idle or a new thread. Returns null if the system has no thread left.
  static FlowThread* Start(std::function<void()> work);

  // Waits until the work is done, and makes the thread available to the next flow.
  void Leave();

 private:
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // empty: done
  bool is_over_ = false;        // the thread ends: there are enough idle ones
};

}  // namespace assay
