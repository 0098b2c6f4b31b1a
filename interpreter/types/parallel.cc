#include "interpreter/types/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "interpreter/types/limits.h"
#include "interpreter/types/thread.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace assay {
namespace {

thread_local bool inside_parallel_for = false;

// One ParallelFor: hands out its pieces in ascending order until none is left or one has thrown.
class Loop {
 public:
  Loop(std::int64_t n, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body)
      : n_(n), grain_(grain), pieces_((n - 1) / grain + 1), body_(body), limits_(Limits::Current()) {}

  std::int64_t pieces() const { return pieces_; }

  void Run() {
    const DefaultFloatEnvironment environment;
    const LimitScope scope(limits_);
    // A loop of a single piece leaves the pool to the loops inside it.
    const bool nested = std::exchange(inside_parallel_for, inside_parallel_for || pieces_ > 1);
    for (std::int64_t piece; !failed_ && (piece = next_++) < pieces_;) {
      try {
        CheckLimits();
        body_(piece * grain_, std::min(n_ - piece * grain_, grain_) + piece * grain_);
      } catch (...) {
        KeepLowest(piece, std::current_exception());
      }
    }
    inside_parallel_for = nested;
  }

  void Rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  // Every piece below a failing one has already been handed out, so the exception that is kept does not depend on
  // timing.
  void KeepLowest(std::int64_t piece, std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    if (!exception_ || piece < exception_piece_) {
      exception_ = std::move(exception);
      exception_piece_ = piece;
    }
    failed_ = true;
  }

  const std::int64_t n_;
  const std::int64_t grain_;
  const std::int64_t pieces_;
  const std::function<void(std::int64_t, std::int64_t)>& body_;
  const Limits limits_;
  std::atomic<std::int64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::int64_t exception_piece_ = 0;
};

// Tests the condition some microseconds long. Threads that sleep and wake each other take as long as a short loop does.
template <class Condition>
bool BecomesTrue(const Condition& condition) {
  constexpr int kTests = 400;
  for (int i = 0; i < kTests; ++i) {
    if (condition()) return true;
#if defined(__SSE2__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }
  return condition();
}

// Threads that sleep until there is a Loop to help with. The first Loop starts them; they live as long as the process.
class Pool {
 public:
  bool BelongsToThisProcess() const { return process_ == getpid(); }

  // Returns false if another thread has the pool.
  bool TryRun(Loop& loop) {
    const std::unique_lock owner(owner_, std::try_to_lock);
    if (!owner) return false;
    // If the system has no thread left, the other threads do its share.
    while (workers_ < ParallelThreads() - 1 && StartDetachedThread([this] { Work(); })) ++workers_;
    {
      const std::lock_guard lock(mutex_);
      loop_ = &loop;
      ++loops_started_;
    }
    work_.notify_all();
    loop.Run();
    {
      const std::lock_guard lock(mutex_);
      loop_ = nullptr;
    }
    const auto is_done = [this] { return helpers_ == 0; };
    if (!BecomesTrue(is_done)) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, is_done);
    }
    return true;
  }

 private:
  void Work() {
    std::uint64_t seen = 0;
    const auto is_new = [&] { return loops_started_ != seen; };
    while (true) {
      BecomesTrue(is_new);
      std::unique_lock lock(mutex_);
      work_.wait(lock, is_new);
      seen = loops_started_;
      Loop* loop = loop_;
      if (loop == nullptr) continue;
      ++helpers_;
      lock.unlock();
      loop->Run();
      lock.lock();
      if (--helpers_ == 0) done_.notify_one();
    }
  }

  const pid_t process_ = getpid();
  std::mutex owner_;  // held by the thread whose Loop runs
  int workers_ = 0;
  std::mutex mutex_;  // held by whoever changes the members below
  std::condition_variable work_;
  std::condition_variable done_;
  Loop* loop_ = nullptr;
  std::atomic<std::uint64_t> loops_started_ = 0;
  std::atomic<int> helpers_ = 0;
};

// Returns the pool of this process, which is never destroyed: its threads may still sleep in it while the process
// exits. A forked child has a copy of its parent's pool but none of the threads, and starts its own pool.
Pool& ProcessPool() {
  static std::atomic<Pool*> pool = nullptr;
  Pool* current = pool;
  while (current == nullptr || !current->BelongsToThisProcess()) {
    auto fresh = std::make_unique<Pool>();
    if (pool.compare_exchange_strong(current, fresh.get())) return *fresh.release();
  }
  return *current;
}

}  // namespace

// The words that control rounding and the flushing of subnormals, in one number. Reading them costs a cycle or two,
// writing dozens: they are written only where they differ.
namespace {

#if defined(__SSE2__)
// The control words of SSE, and in the upper half of x87, which long double and the C library's conversions of text
// use. Both have 16 bits. The default is the values after a processor reset.
constexpr unsigned kDefaultControlWord = 0x037F'1F80;

unsigned ControlWord() {
  std::uint16_t x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return _mm_getcsr() | unsigned{x87} << 16;
}

void WriteControlWord(unsigned word, unsigned before) {
  const auto x87 = static_cast<std::uint16_t>(word >> 16);
  if ((word ^ before) & 0xFFFF) _mm_setcsr(word & 0xFFFF);
  if ((word ^ before) >> 16) __asm__ volatile("fldcw %0" : : "m"(x87));
}
#elif defined(__aarch64__)
constexpr unsigned kDefaultControlWord = 0;

unsigned ControlWord() {
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return static_cast<unsigned>(fpcr);
}

void WriteControlWord(unsigned word, unsigned before) {
  if (word != before) __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{word}));
}
#else
// No library is known that leaves other control words on other processors.
constexpr unsigned kDefaultControlWord = 0;

unsigned ControlWord() { return kDefaultControlWord; }

void WriteControlWord(unsigned, unsigned) {}
#endif

}  // namespace

DefaultFloatEnvironment::DefaultFloatEnvironment() : saved_(ControlWord()) {
  WriteControlWord(kDefaultControlWord, saved_);
}
DefaultFloatEnvironment::~DefaultFloatEnvironment() { WriteControlWord(saved_, ControlWord()); }

int ParallelThreads() {
  static const int threads = std::max(1u, std::thread::hardware_concurrency());
  return threads;
}

void ParallelFor(std::int64_t n, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  if (n <= 0) return;
  if (n <= grain) {  // one piece, without the cost of handing it out
    const DefaultFloatEnvironment environment;
    CheckLimits();
    return body(0, n);
  }
  Loop loop(n, std::max<std::int64_t>(grain, 1), body);
  const bool alone = loop.pieces() == 1 || inside_parallel_for || ParallelThreads() == 1;
  if (alone || !ProcessPool().TryRun(loop)) loop.Run();
  loop.Rethrow();
}

}  // namespace assay
