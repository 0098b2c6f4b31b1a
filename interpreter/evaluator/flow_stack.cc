#include "interpreter/evaluator/flow_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "interpreter/types/sanitizers.h"
#include "interpreter/types/thread.h"

#if defined(ASSAY_ADDRESS_SANITIZER)
#include <dlfcn.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(ASSAY_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace assay {

// The lowest page cannot be accessed: calls that nest too deep end the process, as on a thread's stack.
struct FlowStack::Memory {
  Memory() : guard(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE;
    mapped = mmap(nullptr, guard + kThreadStackBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    is_there = mapped != MAP_FAILED && mprotect(mapped, guard, PROT_NONE) == 0;
  }
  ~Memory() {
    if (mapped != MAP_FAILED) munmap(mapped, guard + kThreadStackBytes);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* bottom() const { return static_cast<std::byte*>(mapped) + guard; }

  std::size_t guard;
  void* mapped;
  bool is_there;
};

namespace {

constexpr std::size_t kMostSpare = 16;
thread_local std::vector<std::unique_ptr<FlowStack>> spare_stacks;

// The last switch of the thread.
thread_local FlowStack* left_stack = nullptr;
thread_local FlowStack* taken_stack = nullptr;

int Swap(ucontext_t* from, const ucontext_t* to) {
#if defined(ASSAY_ADDRESS_SANITIZER)
  // The sanitizer's own version warns of switches; it is told of these.
  static const auto swap =
      reinterpret_cast<decltype(&swapcontext)>(dlsym(dlopen("libc.so.6", RTLD_LAZY), "swapcontext"));
  return swap(from, to);
#else
  return swapcontext(from, to);
#endif
}

}  // namespace

FlowStack::FlowStack() {
#if defined(ASSAY_THREAD_SANITIZER)
  fiber_ = __tsan_get_current_fiber();
#endif
}

FlowStack::FlowStack(std::unique_ptr<Memory> memory)
    : memory_(std::move(memory)), bottom_(memory_->bottom()), bytes_(kThreadStackBytes) {
  getcontext(&suspended_);
  suspended_.uc_stack.ss_sp = memory_->bottom();
  suspended_.uc_stack.ss_size = kThreadStackBytes;
  suspended_.uc_link = nullptr;
  makecontext(&suspended_, Run, 0);
#if defined(ASSAY_THREAD_SANITIZER)
  fiber_ = __tsan_create_fiber(0);
#endif
}

FlowStack::~FlowStack() {
#if defined(ASSAY_THREAD_SANITIZER)
  if (memory_ != nullptr) __tsan_destroy_fiber(fiber_);
#endif
}

std::unique_ptr<FlowStack> FlowStack::Take() {
  if (!spare_stacks.empty()) {
    std::unique_ptr<FlowStack> stack = std::move(spare_stacks.back());
    spare_stacks.pop_back();
    return stack;
  }
  auto memory = std::make_unique<Memory>();
  if (!memory->is_there) return nullptr;
  return std::unique_ptr<FlowStack>(new FlowStack(std::move(memory)));
}

void FlowStack::Leave(std::unique_ptr<FlowStack> stack) {
  if (spare_stacks.size() < kMostSpare) spare_stacks.push_back(std::move(stack));
}

void FlowStack::Start(FlowStack& next, Work work) {
  next.work_ = std::move(work);
  SwitchTo(next);
}

void FlowStack::SwitchTo(FlowStack& next) {
  left_stack = this;
  taken_stack = &next;
#if defined(ASSAY_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(&frames_, next.bottom_, next.bytes_);
#elif defined(ASSAY_THREAD_SANITIZER)
  __tsan_switch_to_fiber(next.fiber_, 0);
#endif
  Swap(&suspended_, &next.suspended_);
  Arrive();
}

void FlowStack::Arrive() {
#if defined(ASSAY_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(taken_stack->frames_, &left_stack->bottom_, &left_stack->bytes_);
#endif
}

// Begins anew with each Start.
void FlowStack::Run() {
  Arrive();
  FlowStack& own = *taken_stack;
  while (true) own.SwitchTo(own.work_());
}

}  // namespace assay
