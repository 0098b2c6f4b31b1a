// Several backends of one name that work in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace assay {

class BackendPool {
 public:
  // Opens `count` backends. Returns the error of the first one that cannot be opened.
  static Result<BackendPool> Open(std::string_view name, int count, double timeout_seconds);

  int size() const { return static_cast<int>(backends_.size()); }
  Backend& backend(int worker) { return *backends_[worker]; }
  const BackendDescription& description() const { return backends_.front()->description(); }

  // Calls work(worker, item) for the items [0, items) in order, each worker on its own thread: only worker i uses
  // backend(i). Starts no more items once `work` returns false. Returns when all calls have ended.
  void ForEach(std::int64_t items, const std::function<bool(int worker, std::int64_t item)>& work);

 private:
  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace assay
