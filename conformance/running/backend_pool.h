// Several backends of one name that work side by side: what makes a conformance run as quick as the machine allows.
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
  // Opens `count` backends; the error is the first one's that cannot be opened.
  static Result<BackendPool> Open(std::string_view name, int count, double timeout_seconds);

  int size() const { return static_cast<int>(backends_.size()); }
  Backend& backend(int worker) { return *backends_[worker]; }
  const BackendDescription& description() const { return backends_.front()->description(); }

  // Calls work(worker, item) for the items [0, items) in their order, as workers get free, each on a thread of its own:
  // worker i alone uses backend(i). When `work` says false no more items are given out. Returns when all have ended.
  void ForEach(std::int64_t items, const std::function<bool(int worker, std::int64_t item)>& work);

 private:
  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace assay
