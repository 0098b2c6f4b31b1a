#include "conformance/running/backend_pool.h"

#include <atomic>
#include <optional>

#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"

namespace assay {

Result<BackendPool> BackendPool::Open(std::string_view name, int count, double timeout_seconds) {
  // The backends start in parallel: a peer may take seconds.
  std::vector<std::optional<Result<std::unique_ptr<Backend>>>> opened(count);
  {
    JoinedThreads threads;
    for (auto& backend : opened) {
      const auto open = [&] { backend = OpenBackend(name, timeout_seconds); };
      if (!threads.Start(open)) open();
    }
  }
  BackendPool pool;
  for (auto& backend : opened) {
    ASSAY_TRY(pool.backends_.emplace_back(), *std::move(backend));
  }
  return pool;
}

void BackendPool::ForEach(std::int64_t items, const std::function<bool(int, std::int64_t)>& work) {
  std::atomic<std::int64_t> next = 0;
  std::atomic<bool> is_over = false;
  const auto take_turns = [&](int worker) {
    const DefaultFloatEnvironment environment;
    for (std::int64_t item; !is_over && (item = next++) < items;) {
      if (!work(worker, item)) is_over = true;
    }
  };
  JoinedThreads threads;
  for (int worker = 1; worker < size() && threads.Start([&, worker] { take_turns(worker); }); ++worker) {
  }
  take_turns(0);
}

}  // namespace assay
