// What an evaluation may use up: time and memory. Whoever works for long asks CheckLimits() now and then.
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

// The bytes of the arrays that were made under one ArrayLimit and are still there.
class ArrayAccount;

// What the calling thread may still use up.
struct Limits {
  struct Deadline {
    std::chrono::steady_clock::time_point at = std::chrono::steady_clock::time_point::max();
    double seconds = 0;       // the limit as it was given; 0: none
    std::string_view option;  // which one
  };

  Deadline deadline;
  std::shared_ptr<ArrayAccount> arrays;  // null: no limit but the process's

  static Limits Current();
};

// Limits hold for what the calling thread does, with the threads that help it in ParallelFor, while the object lives.
class LimitScope {
 public:
  // Those of another thread.
  explicit LimitScope(Limits limits);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  Limits before_;
};

// A limit on time. Limits nest: the earliest deadline holds. 0 seconds: no limit of its own. `option` is the one that
// errors name.
class TimeLimit : public LimitScope {
 public:
  explicit TimeLimit(double seconds, std::string_view option = "--time-limit");
};

// A limit on the bytes of the arrays that are made under it. Limits nest: each holds. INT64_MAX: none of its own.
class ArrayLimit : public LimitScope {
 public:
  explicit ArrayLimit(std::int64_t bytes);
};

// Throws EvaluationError (kLimit) when the calling thread's time is up, or when memory that could not be refused has
// passed the limit. Costs some 25 ns: for loops whose turns take longer, and less than 100 ms.
void CheckLimits();

// CheckLimits for every `turns` calls, in loops of short turns: below 100 us where the default is taken.
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

// Runs `work`, which cannot be interrupted, to its end, or until the calling thread's time is up: then it throws as
// CheckLimits does, and `work` goes on by itself on a thread of its own until the process ends. So `work` owns whatever
// it touches.
void RunUninterruptible(std::function<void()> work);
// Whether such work goes on. The process must then end by _exit, which leaves alone what the work may be using.
bool IsWorkLeftBehind();

// The same for a function's value.
template <class Function>
auto Uninterruptible(Function function) {
  const auto value = std::make_shared<std::optional<decltype(function())>>();
  RunUninterruptible([value, function = std::move(function)]() mutable { value->emplace(function()); });
  return *std::move(*value);
}

// Memory of the process, under one limit. Arrays, that is what literals hold, must keep to the limit itself. Scratch is
// all else that is counted; with it a quarter of the limit more may be in use, and 64 MiB.
namespace MemoryUse {

void SetLimit(std::int64_t bytes);
std::int64_t ArrayBytes();

// Throws EvaluationError (kLimit) when so many more bytes would pass the limit, or one of the calling thread's. The
// result is what RemoveArray is to have.
std::shared_ptr<ArrayAccount> AddArray(std::int64_t bytes);
void RemoveArray(std::int64_t bytes, const std::shared_ptr<ArrayAccount>& account);

// Counts scratch memory, negative when it is given back. False when memory that was asked for passes the limit, and
// then nothing is counted.
bool TryAddScratch(std::int64_t bytes);
// The same for memory that cannot be refused: CheckLimits throws later.
void AddScratch(std::int64_t bytes);

}  // namespace MemoryUse

// What an allocator throws for scratch memory beyond the limit.
class ScratchBeyondLimit : public std::bad_alloc {
 public:
  explicit ScratchBeyondLimit(std::int64_t needed);
  const char* what() const noexcept override { return "memory limit reached"; }
  Error error() const;

 private:
  std::int64_t needed_, limit_, arrays_, scratch_;  // bytes, as they were then
};

// The error that bad_alloc stands for.
Error OutOfMemory(const std::bad_alloc& exception);

}  // namespace assay
