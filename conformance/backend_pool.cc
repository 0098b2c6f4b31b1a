#include "conformance/backend_pool.h"

#include <atomic>
#include <optional>
#include <thread>

#include "interpreter/types/parallel.h"

namespace assay {

Result<BackendPool> BackendPool::Open(std::string_view name, int count, double timeout_seconds) {
  // All at once: a peer may take seconds to start.
  std::vector<std::optional<Result<std::unique_ptr<Backend>>>> opened(count);
  {
    std::vector<std::jthread> threads;
    for (auto& backend : opened) threads.emplace_back([&] { backend = OpenBackend(name, timeout_seconds); });
  }
  BackendPool pool;
  for (auto& backend : opened) {
    ASSAY_TRY(pool.backends_.emplace_back(), *std::move(backend));
  }
  return pool;
}

void BackendPool::ForEach(std::int64_t items, const std::function<bool(int, std::int64_t)>& work) {
  std::atomic<std::int64_t> next = 0;
  const auto take_turns = [&](int worker) {
    const DefaultFloatEnvironment environment;
    for (std::int64_t item; (item = next++) < items;) {
      if (!work(worker, item)) next = items;
    }
  };
  std::vector<std::jthread> threads;
  for (int worker = 1; worker < size(); ++worker) threads.emplace_back(take_turns, worker);
  take_turns(0);
}

}  // namespace assay
