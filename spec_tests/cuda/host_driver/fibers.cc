#include "spec_tests/cuda/host_driver/fibers.h"

#include <ucontext.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "spec_tests/cuda/host_driver/checks.h"

namespace host_driver {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack = std::unique_ptr<char[]>(new char[kStackBytes]);
  bool has_ended = false;
  int line = 0;  // where it waits
};

struct Block {
  const std::function<void(unsigned)>* body = nullptr;
  ucontext_t scheduler;
  std::vector<Fiber> fibers;
  void (*resume)(unsigned) = nullptr;
  unsigned threads = 0, running = 0;
};

thread_local Block block;

// Switches from the running thread, or the scheduler, to a thread; after the last thread to the scheduler.
void SwitchTo(unsigned thread, ucontext_t& from) {
  block.running = thread;
  if (thread == block.threads) {
    swapcontext(&from, &block.scheduler);
    return;
  }
  block.resume(thread);
  checks::StartThread(thread);
  swapcontext(&from, &block.fibers[thread].context);
}

void Start() {
  (*block.body)(block.running);
  Fiber& fiber = block.fibers[block.running];
  fiber.has_ended = true;
  SwitchTo(block.running + 1, fiber.context);
}

std::string WhereaboutsOf(const Fiber& fiber) {
  return fiber.has_ended ? "has ended" : "waits at line " + std::to_string(std::abs(fiber.line));
}

}  // namespace

void Barrier(int line) {
  Fiber& fiber = block.fibers[block.running];
  fiber.line = line;
  SwitchTo(block.running + 1, fiber.context);
}

bool RunFibers(unsigned threads, const std::function<void(unsigned)>& body, void (*resume)(unsigned)) {
  block.body = &body;
  block.resume = resume;
  block.threads = threads;
  if (block.fibers.size() < threads) block.fibers.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    Fiber& fiber = block.fibers[i];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;  // never used: a thread ends with a switch
    fiber.has_ended = false;
    makecontext(&fiber.context, Start, 0);
  }
  while (true) {
    SwitchTo(0, block.scheduler);
    const Fiber& first = block.fibers[0];
    for (unsigned i = 0; i < threads; ++i) {
      const Fiber& fiber = block.fibers[i];
      if (fiber.has_ended == first.has_ended && (fiber.has_ended || fiber.line == first.line)) continue;
      checks::Find("barrier: thread 0 " + WhereaboutsOf(first) + ", and thread " + std::to_string(i) + " " +
                   WhereaboutsOf(fiber));
      return false;
    }
    if (first.has_ended) return true;
    // The lanes of a warp that exchange numbers do not wait for the rest of the block.
    if (first.line > 0) checks::PassBarrier();
  }
}

}  // namespace host_driver
