#include "interpreter/types/parallel.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "interpreter/types/limits.h"
#include "interpreter/types/thread.h"
#include "spec_tests/catch.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

using namespace assay;

namespace {

using Pieces = std::set<std::pair<std::int64_t, std::int64_t>>;

Pieces PiecesOf(std::int64_t n, std::int64_t grain) {
  std::mutex mutex;
  Pieces pieces;
  int repeated = 0;
  ParallelFor(n, grain, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    if (!pieces.emplace(begin, end).second) ++repeated;
  });
  CHECK(repeated == 0);
  return pieces;
}

// Runs a loop in which every thread of the pool runs a piece: each waits until the others have arrived.
template <class Body>
int OnEveryThread(const Body& body) {
  std::atomic<int> arrived = 0;
  const int threads = ParallelThreads();
  ParallelFor(threads, 1, [&](std::int64_t, std::int64_t) {
    body();
    ++arrived;
    // If a thread never arrives, the time limit of the test ends it.
    while (arrived < threads) std::this_thread::yield();
  });
  return arrived;
}

// The word that controls rounding and subnormals, and its bits that are to be clear in every thread.
#if defined(__SSE2__)
#define ASSAY_CONTROL_WORD
constexpr unsigned kFlushAndRound = 0x8000 | 0x0040 | 0x6000;  // flush to zero, denormals are zero, toward zero
unsigned ControlWord() { return _mm_getcsr(); }
void SetControlWord(unsigned word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
#define ASSAY_CONTROL_WORD
constexpr std::uint64_t kFlushAndRound = 3 << 24 | 3 << 22;  // flush to zero, default NaN, toward zero
std::uint64_t ControlWord() {
  std::uint64_t word = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void SetControlWord(std::uint64_t word) { __asm__ volatile("msr fpcr, %0" : : "r"(word)); }
#endif

}  // namespace

TEST_CASE("every thread has a stack for deep calls") {
  std::mutex mutex;
  std::set<std::size_t> sizes;
  const auto note_size = [&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    std::size_t size = 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    const std::lock_guard lock(mutex);
    sizes.insert(size);
  };
  const auto caller = std::this_thread::get_id();
  OnEveryThread([&] {
    if (std::this_thread::get_id() != caller) note_size();
  });
  {
    const TimeLimit limit(60);
    RunUninterruptible(note_size);
    JoinedThreads joined;
    REQUIRE(joined.Start(note_size));
  }
  CHECK(!sizes.empty());
  for (const std::size_t size : sizes) CHECK(size >= kThreadStackBytes);
}

TEST_CASE("ParallelFor covers the range in pieces of the grain") {
  CHECK(PiecesOf(0, 4).empty());
  CHECK(PiecesOf(-3, 4).empty());
  CHECK(PiecesOf(3, 4) == Pieces{{0, 3}});
  CHECK(PiecesOf(4, 4) == Pieces{{0, 4}});
  CHECK(PiecesOf(10, 4) == Pieces{{0, 4}, {4, 8}, {8, 10}});
  CHECK(PiecesOf(2, 0) == Pieces{{0, 1}, {1, 2}});
}

TEST_CASE("ParallelFor visits every index once, however often it is called") {
  std::vector<int> visits(100000);
  for (int round = 0; round < 50; ++round) {
    ParallelFor(visits.size(), 100, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++visits[i];
    });
  }
  CHECK(visits == std::vector<int>(visits.size(), 50));
}

TEST_CASE("ParallelFor uses every thread") {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  const int arrived = OnEveryThread([&] {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  CHECK(arrived == ParallelThreads());
  CHECK(static_cast<int>(ids.size()) == ParallelThreads());
}

TEST_CASE("a ParallelFor inside another stays on its thread") {
  std::atomic<int> inner_pieces = 0;
  std::atomic<int> strays = 0;
  ParallelFor(8, 1, [&](std::int64_t, std::int64_t) {
    const auto outer = std::this_thread::get_id();
    ParallelFor(8, 2, [&](std::int64_t begin, std::int64_t end) {
      inner_pieces += static_cast<int>(end - begin);
      if (std::this_thread::get_id() != outer) ++strays;
    });
  });
  CHECK(inner_pieces == 64);
  CHECK(strays == 0);
}

TEST_CASE("a ParallelFor inside a single piece uses every thread") {
  int arrived = 0;
  ParallelFor(1, 1, [&](std::int64_t, std::int64_t) { arrived = OnEveryThread([] {}); });
  CHECK(arrived == ParallelThreads());
}

TEST_CASE("ParallelFor may be called from several threads at once") {
  std::atomic<std::int64_t> total = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        ParallelFor(64, 1, [&](std::int64_t begin, std::int64_t) { total += begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(total == 4 * 100 * (63 * 64 / 2));
}

TEST_CASE("ParallelFor rethrows the exception of the lowest range") {
  for (int round = 0; round < 20; ++round) {
    std::string message;
    try {
      ParallelFor(1000, 10, [](std::int64_t begin, std::int64_t) {
        if (begin >= 300) throw std::runtime_error(std::to_string(begin));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK(message == "300");
  }
  CHECK(PiecesOf(3, 1).size() == 3);
}

#ifdef ASSAY_CONTROL_WORD
TEST_CASE("no thread flushes subnormals, whatever the caller had set") {
  const auto before = ControlWord();
  SetControlWord(before | kFlushAndRound);
  std::atomic<bool> seen = false;
  std::atomic<int> wrong_sums = 0;
  const int arrived = OnEveryThread([&] {
    if (ControlWord() & kFlushAndRound) seen = true;
    volatile double smallest = 0x1p-1074;
    if (smallest + smallest != 0x1p-1073) ++wrong_sums;
  });
  const auto after = ControlWord();
  SetControlWord(before);
  CHECK(arrived == ParallelThreads());
  CHECK_FALSE(seen);
  CHECK(wrong_sums == 0);
  CHECK((after & kFlushAndRound) == kFlushAndRound);
}
#endif

TEST_CASE("no thread has the rounding of the caller, which fesetround sets for x87 too") {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  std::atomic<int> wrong = 0;
  const int arrived = OnEveryThread([&] {
    volatile long double one = 1, tiny = 1e-60L;
    if (std::fegetround() != FE_TONEAREST || one + tiny != one) ++wrong;
  });
  const int after = std::fegetround();
  std::fesetround(before);
  CHECK(arrived == ParallelThreads());
  CHECK(wrong == 0);
  CHECK(after == FE_UPWARD);
}

TEST_CASE("a forked child has threads of its own") {
  CHECK(PiecesOf(8, 1).size() == 8);
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> sum = 0;
    for (int round = 0; round < 10; ++round) {
      ParallelFor(100, 1, [&](std::int64_t begin, std::int64_t) { sum += static_cast<int>(begin); });
    }
    _exit(sum == 49500 ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
