// Limits on the time and memory of an evaluation. Code that runs long calls CheckLimits() regularly.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

// The total bytes of the live arrays that were made under one ArrayLimit.
class ArrayAccount;

// The limits that hold for the calling thread.
struct Limits {
  struct Deadline {
    std::chrono::steady_clock::time_point at = std::chrono::steady_clock::time_point::max();
    double seconds = 0;       // the limit as the user set it; 0: none
    std::string_view option;  // the option that set the limit
  };

  Deadline deadline;
  std::shared_ptr<ArrayAccount> arrays;  // null: only the limit of the process

  static Limits Current();
};

// A scope in which limits hold for the calling thread and for the threads that help it in ParallelFor.
class LimitScope {
 public:
  // Sets the limits of another thread, from Limits::Current().
  explicit LimitScope(Limits limits);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  Limits before_;
};

// A limit on time. Limits nest: the earliest deadline holds. 0 seconds sets no limit. Error messages name `option`.
class TimeLimit : public LimitScope {
 public:
  explicit TimeLimit(double seconds, std::string_view option = "--time-limit");
};

// A limit on the bytes of the arrays that are made under it. Limits nest: each holds. INT64_MAX sets no limit of its
// own; without an outer limit the default of 4 GiB then holds.
class ArrayLimit : public LimitScope {
 public:
  explicit ArrayLimit(std::int64_t bytes);
};

// Throws EvaluationError (kLimit) if the calling thread's deadline has passed, or if memory that could not be refused
// has passed the limit. Costs some 25 ns: for loops with iterations that take longer, and less than 100 ms.
void CheckLimits();

// Calls CheckLimits once every `turns` calls, for loops with short iterations: below 100 us for the default.
class LimitCheck {
 public:
  explicit LimitCheck(int turns = 1024) : turns_(turns), left_(turns) {}
  void operator()() {
    if (--left_ > 0) return;
    left_ = turns_;
    CheckLimits();
  }

 private:
  int turns_;
  int left_;
};

// Runs `work`, which cannot be interrupted, to its end or until the calling thread's deadline. At the deadline throws
// as CheckLimits does; `work` continues on its own thread until the process ends. So `work` must own everything it
// uses.
void RunUninterruptible(std::function<void()> work);
// True if such work is still running. The process must then end by _exit, which leaves alone what the work may be
// using.
bool IsWorkLeftBehind();

// The same for a function with a value.
template <class Function>
auto Uninterruptible(Function function) {
  const auto value = std::make_shared<std::optional<decltype(function())>>();
  RunUninterruptible([value, function = std::move(function)]() mutable { value->emplace(function()); });
  return *std::move(*value);
}

// The memory of the process, under one limit. Arrays, the elements of literals, must keep to the limit itself. Scratch
// is all other counted memory; arrays and scratch together may exceed the limit by a quarter of it plus 64 MiB.
namespace MemoryUse {

void SetLimit(std::int64_t bytes);
std::int64_t ArrayBytes();

// Throws EvaluationError (kLimit) if that many more bytes of arrays would pass the limit of the process or one of the
// calling thread's. Counts nothing.
void CheckRoomForArrays(std::int64_t bytes);
// Counts an array, or throws as CheckRoomForArrays does. Returns the account to pass to RemoveArray.
std::shared_ptr<ArrayAccount> AddArray(std::int64_t bytes);
void RemoveArray(std::int64_t bytes, const std::shared_ptr<ArrayAccount>& account);

// Counts scratch memory; a negative number frees it. Returns false, and counts nothing, if a request passes the limit.
bool TryAddScratch(std::int64_t bytes);
// Counts memory that cannot be refused: CheckLimits throws later.
void AddScratch(std::int64_t bytes);

}  // namespace MemoryUse

// Thrown by an allocator when scratch memory would exceed the limit.
class ScratchBeyondLimit : public std::bad_alloc {
 public:
  explicit ScratchBeyondLimit(std::int64_t needed);
  const char* what() const noexcept override { return "memory limit reached"; }
  Error error() const;

 private:
  std::int64_t needed_, limit_, arrays_, scratch_;  // bytes, when it was thrown
};

// Returns the error that describes a bad_alloc.
Error OutOfMemory(const std::bad_alloc& exception);

}  // namespace assay
