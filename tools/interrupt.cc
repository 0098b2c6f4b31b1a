#include "tools/interrupt.h"

#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "backends/process/child_starter.h"
#include "backends/process/temporary_folder.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/thread.h"

namespace assay {
namespace {

constexpr std::pair<int, std::string_view> kSignals[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

std::atomic<int> first_signal = 0;
std::atomic<std::int64_t> second_of_first = 0;
sem_t has_signal;

struct CurrentHook {
  std::mutex mutex;
  std::mutex* guard = nullptr;
  std::function<void(std::string_view)> say;
};
CurrentHook& TheHook() {
  static auto* const hook = new CurrentHook;
  return *hook;
}

// A signal handler instead of a thread that waits for blocked signals: libraries start threads before main.
void OnSignal(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    second_of_first = now.tv_sec;
    sem_post(&has_signal);
  } else if (now.tv_sec > second_of_first + 1) {
    _exit(128 + signal);
  }
}

void End() {
  while (sem_wait(&has_signal) != 0) {
  }
  const int signal = first_signal;
  CurrentHook& hook = TheHook();
  hook.mutex.lock();
  if (hook.guard != nullptr) hook.guard->lock();
  // The message may need some memory, and the process ends after it anyway.
  MemoryUse::SetLimit(INT64_MAX);
  EndAllChildrenForGood();
  TemporaryFolder::RemoveAllForGood();
  for (const auto& [number, name] : kSignals) {
    if (number == signal && hook.say) hook.say(name);
  }
  _exit(128 + signal);
}

}  // namespace

void WatchForSignals() {
  // Without a reader a write fails, and the command ends with the exit code of FlushOutput.
  signal(SIGPIPE, SIG_IGN);
  AdoptOrphans();
  sem_init(&has_signal, 0, 0);
  // Without the thread the signals end the process as usual.
  if (!StartDetachedThread(End)) return;
  for (const auto& [number, name] : kSignals) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
}

ShutdownHook::ShutdownHook(std::mutex& guard, std::function<void(std::string_view)> say) {
  CurrentHook& hook = TheHook();
  const std::lock_guard lock(hook.mutex);
  hook.guard = &guard;
  hook.say = std::move(say);
}

ShutdownHook::~ShutdownHook() {
  CurrentHook& hook = TheHook();
  const std::lock_guard lock(hook.mutex);
  hook.guard = nullptr;
  hook.say = nullptr;
}

}  // namespace assay
