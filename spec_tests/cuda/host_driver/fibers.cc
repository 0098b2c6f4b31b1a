#include "spec_tests/cuda/host_driver/fibers.h"

#include <ucontext.h>

#include <memory>
#include <vector>

namespace host_driver {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack = std::unique_ptr<char[]>(new char[kStackBytes]);
  bool has_ended = false;
};

struct Block {
  const std::function<void(unsigned)>* body = nullptr;
  ucontext_t scheduler;
  std::vector<Fiber> fibers;
  unsigned running = 0;
};

thread_local Block block;

void Start() {
  (*block.body)(block.running);
  block.fibers[block.running].has_ended = true;
}

}  // namespace

void Barrier() { swapcontext(&block.fibers[block.running].context, &block.scheduler); }

bool RunFibers(unsigned threads, const std::function<void(unsigned)>& body, void (*resume)(unsigned)) {
  block.body = &body;
  if (block.fibers.size() < threads) block.fibers.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    Fiber& fiber = block.fibers[i];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &block.scheduler;
    fiber.has_ended = false;
    makecontext(&fiber.context, Start, 0);
  }
  unsigned ended = 0;
  while (ended == 0) {
    for (unsigned i = 0; i < threads; ++i) {
      block.running = i;
      resume(i);
      swapcontext(&block.scheduler, &block.fibers[i].context);
      ended += block.fibers[i].has_ended ? 1 : 0;
    }
  }
  return ended == threads;
}

}  // namespace host_driver
