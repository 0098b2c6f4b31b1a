#include "interpreter/types/limits.h"

#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include "interpreter/types/array_memory.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"

namespace assay {

class ArrayAccount {
 public:
  ArrayAccount(std::int64_t limit, std::shared_ptr<ArrayAccount> outer) : limit_(limit), outer_(std::move(outer)) {}

  bool HasRoomFor(std::int64_t bytes) const { return bytes_ <= limit_ - bytes; }
  // Returns false, and counts nothing, if the bytes would pass the limit.
  bool TryAdd(std::int64_t bytes) {
    if (bytes_.fetch_add(bytes) <= limit_ - bytes) return true;
    bytes_.fetch_sub(bytes);
    return false;
  }
  void Remove(std::int64_t bytes) { bytes_.fetch_sub(bytes); }

  std::int64_t limit() const { return limit_; }
  std::int64_t bytes() const { return bytes_; }
  ArrayAccount* outer() const { return outer_.get(); }

 private:
  const std::int64_t limit_;
  const std::shared_ptr<ArrayAccount> outer_;
  std::atomic<std::int64_t> bytes_ = 0;
};

namespace {

using Clock = std::chrono::steady_clock;

thread_local Limits::Deadline current_deadline;
thread_local std::shared_ptr<ArrayAccount> current_arrays;
std::atomic<bool> is_work_left_behind = false;

std::atomic<std::int64_t> array_bytes = 0;
std::atomic<std::int64_t> scratch_bytes = 0;
std::atomic<std::int64_t> bytes_limit = INT64_MAX;

constexpr std::int64_t kScratchBesides = std::int64_t{64} << 20;
// Scratch bytes that a thread counts locally before it adds them to the shared count: avoids contention.
constexpr std::int64_t kCountedAlone = 4096;
thread_local std::int64_t counted_alone = 0;

bool IsBeyondLimit(std::int64_t scratch) {
  const std::int64_t limit = bytes_limit.load(std::memory_order_relaxed);
  if (limit > INT64_MAX / 2) return false;
  return array_bytes.load(std::memory_order_relaxed) + scratch > limit + limit / 4 + kScratchBesides;
}

// Checks again after dropping the kept memory of freed arrays, if the first check fails.
bool IsBeyondLimitWithoutSpare(std::int64_t scratch) {
  if (!IsBeyondLimit(scratch)) return false;
  ArrayMemory::DropKept();
  return IsBeyondLimit(scratch_bytes.load(std::memory_order_relaxed));
}

std::int64_t CountScratch(std::int64_t bytes) {
  counted_alone += bytes;
  if (counted_alone > -kCountedAlone && counted_alone < kCountedAlone) return 0;
  const std::int64_t flushed = counted_alone;
  counted_alone = 0;
  return scratch_bytes.fetch_add(flushed, std::memory_order_relaxed) + flushed;
}

// Returns "64 MiB", "1.5 GiB", "100 bytes".
std::string Size(std::int64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1024 && unit < 6; ++unit) size /= 1024;
  return fmt::format("{:.4g} {}", size, kUnits[unit]);
}

[[noreturn]] void RefuseArray(std::int64_t bytes, std::int64_t limit, std::string_view option, std::int64_t used) {
  throw EvaluationError{{ErrorCode::kLimit, fmt::format("memory limit of {} ({}): arrays have {}, {} more needed",
                                                        Size(limit), option, Size(used), Size(bytes))}};
}

[[noreturn]] void RefuseArray(std::int64_t bytes, const ArrayAccount& account) {
  RefuseArray(bytes, account.limit(), "EvaluationLimits::array_bytes", account.bytes());
}

void CheckProcessHasRoomFor(std::int64_t bytes) {
  const std::int64_t limit = bytes_limit, used = array_bytes;
  if (bytes > limit || used > limit - bytes) RefuseArray(bytes, limit, "--memory-limit", used);
}

Error TimeIsUp() {
  return {ErrorCode::kLimit,
          fmt::format("time limit of {:g} s ({})", current_deadline.seconds, current_deadline.option)};
}

// Reads the clock for a deadline. The coarse clock lags by one tick of the system, 1 to 10 ms, and costs a quarter as
// much to read: limits of a second and more need no better one.
Clock::time_point NowFor(const Limits::Deadline& deadline) {
#ifdef CLOCK_MONOTONIC_COARSE
  constexpr double kCoarse = 1;  // seconds
  timespec now;
  if (deadline.seconds >= kCoarse && clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0) {
    return Clock::time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
  }
#endif
  return Clock::now();
}

Limits::Deadline Earlier(const Limits::Deadline& a, const Limits::Deadline& b) { return b.at < a.at ? b : a; }

Limits::Deadline DeadlineIn(double seconds, std::string_view option) {
  // Beyond a year there is no limit: the clock's unit would overflow eventually.
  constexpr double kYear = 366.0 * 24 * 3600;
  if (!(seconds > 0) || seconds > kYear) return {};
  return {Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)), seconds,
          option};
}

// The limit for a program that sets none, below the memory of common machines.
constexpr std::int64_t kDefaultArrayBytes = std::int64_t{4} << 30;

std::shared_ptr<ArrayAccount> AccountFor(std::int64_t bytes) {
  const bool has_outer_limit = current_arrays != nullptr || bytes_limit != INT64_MAX;
  if (bytes == INT64_MAX && has_outer_limit) return current_arrays;
  return std::make_shared<ArrayAccount>(bytes == INT64_MAX ? kDefaultArrayBytes : bytes, current_arrays);
}

}  // namespace

Limits Limits::Current() { return {current_deadline, current_arrays}; }

LimitScope::LimitScope(Limits limits) : before_(Limits::Current()) {
  current_deadline = limits.deadline;
  current_arrays = std::move(limits.arrays);
}

LimitScope::~LimitScope() {
  current_deadline = before_.deadline;
  current_arrays = std::move(before_.arrays);
}

TimeLimit::TimeLimit(double seconds, std::string_view option)
    : LimitScope({Earlier(current_deadline, DeadlineIn(seconds, option)), current_arrays}) {}

ArrayLimit::ArrayLimit(std::int64_t bytes) : LimitScope({current_deadline, AccountFor(bytes)}) {}

void CheckLimits() {
  if (current_deadline.seconds > 0 && NowFor(current_deadline) > current_deadline.at) throw EvaluationError{TimeIsUp()};
  if (IsBeyondLimitWithoutSpare(scratch_bytes.load(std::memory_order_relaxed)))
    throw EvaluationError{ScratchBeyondLimit(0).error()};
}

void RunUninterruptible(std::function<void()> work) {
  if (current_deadline.seconds == 0) return work();
  struct Progress {
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
    std::exception_ptr exception;
  };
  const auto progress = std::make_shared<Progress>();
  const bool has_thread = StartDetachedThread([progress, work = std::move(work), limits = Limits::Current()]() mutable {
    const DefaultFloatEnvironment environment;
    std::exception_ptr exception;
    try {
      const LimitScope scope(limits);
      work();
    } catch (...) {
      exception = std::current_exception();
    }
    work = nullptr;
    const std::lock_guard lock(progress->mutex);
    progress->exception = exception;
    progress->has_ended = true;
    progress->ended.notify_all();
  });
  if (!has_thread) throw EvaluationError{{ErrorCode::kLimit, "the system has no thread left"}};
  std::unique_lock lock(progress->mutex);
  if (!progress->ended.wait_until(lock, current_deadline.at, [&] { return progress->has_ended; })) {
    is_work_left_behind = true;
    throw EvaluationError{TimeIsUp()};
  }
  if (progress->exception) std::rethrow_exception(progress->exception);
}

bool IsWorkLeftBehind() { return is_work_left_behind; }

namespace MemoryUse {

void SetLimit(std::int64_t bytes) { bytes_limit = bytes; }
std::int64_t ArrayBytes() { return array_bytes; }

void CheckRoomForArrays(std::int64_t bytes) {
  CheckProcessHasRoomFor(bytes);
  for (const ArrayAccount* account = current_arrays.get(); account != nullptr; account = account->outer()) {
    if (!account->HasRoomFor(bytes)) RefuseArray(bytes, *account);
  }
}

std::shared_ptr<ArrayAccount> AddArray(std::int64_t bytes) {
  CheckProcessHasRoomFor(bytes);
  for (ArrayAccount* account = current_arrays.get(); account != nullptr; account = account->outer()) {
    if (account->TryAdd(bytes)) continue;
    for (ArrayAccount* inner = current_arrays.get(); inner != account; inner = inner->outer()) inner->Remove(bytes);
    RefuseArray(bytes, *account);
  }
  array_bytes.fetch_add(bytes);
  if (IsBeyondLimit(scratch_bytes.load(std::memory_order_relaxed))) ArrayMemory::DropKept();
  return current_arrays;
}

void RemoveArray(std::int64_t bytes, const std::shared_ptr<ArrayAccount>& account) {
  array_bytes.fetch_sub(bytes);
  for (ArrayAccount* of = account.get(); of != nullptr; of = of->outer()) of->Remove(bytes);
}

bool TryAddScratch(std::int64_t bytes) {
  const std::int64_t total = CountScratch(bytes);
  if (bytes <= 0 || total == 0 || !IsBeyondLimitWithoutSpare(total)) return true;
  CountScratch(-bytes);
  return false;
}

void AddScratch(std::int64_t bytes) { CountScratch(bytes); }

}  // namespace MemoryUse

ScratchBeyondLimit::ScratchBeyondLimit(std::int64_t needed)
    : needed_(needed), limit_(bytes_limit), arrays_(array_bytes), scratch_(scratch_bytes) {}

Error ScratchBeyondLimit::error() const {
  return {ErrorCode::kLimit,
          fmt::format("memory limit of {} (--memory-limit): arrays have {}, all else {}, {} more needed", Size(limit_),
                      Size(arrays_), Size(scratch_), Size(needed_))};
}

Error OutOfMemory(const std::bad_alloc& exception) {
  if (const auto* limit = dynamic_cast<const ScratchBeyondLimit*>(&exception)) return limit->error();
  return {ErrorCode::kLimit, "the system has no memory left"};
}

}  // namespace assay
