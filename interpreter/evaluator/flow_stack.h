// Stacks for the flows of a thread: a flow that waits keeps its stack, and the thread goes on with another flow on
// another stack. To wake another thread takes twenty times as long.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace assay {

class FlowStack {
 public:
  // Returns the stack with which the thread goes on.
  using Work = std::function<FlowStack&()>;

  // The stack that the calling thread is on.
  FlowStack();
  ~FlowStack();
  FlowStack(const FlowStack&) = delete;
  FlowStack& operator=(const FlowStack&) = delete;

  // Returns a stack for calls that nest 1000 deep, on which nothing runs. Returns null if the system has no memory
  // left.
  static std::unique_ptr<FlowStack> Take();
  // Keeps a stack on which nothing runs for the thread's next Take.
  static void Leave(std::unique_ptr<FlowStack> stack);

  // Suspends what runs on this stack until another one switches to it, and goes on with `next`.
  void SwitchTo(FlowStack& next);
  // The same for a stack on which nothing runs: starts `work` there.
  void Start(FlowStack& next, Work work);

 private:
  struct Memory;

  explicit FlowStack(std::unique_ptr<Memory> memory);
  static void Run();
  static void Arrive();

  std::unique_ptr<Memory> memory_;  // null: the thread's own
  Work work_;
  ucontext_t suspended_;
  // For the sanitizers.
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  void* frames_ = nullptr;
  void* fiber_ = nullptr;
};

}  // namespace assay
