// The layouts of arrays, as PJRT's extension for layouts has them: orders of dimensions, without tiles.
#pragma once

#include <string>
#include <vector>

#include "backends/pjrt/abi/api.h"
#include "backends/pjrt/device/entry_layouts.h"
#include "backends/pjrt/device/shards.h"
#include "interpreter/types/layout.h"

namespace assay::pjrt {

struct PJRT_Layouts_MemoryLayout {
  Layout layout;
};

// The layouts of the parameters or results of an executable, with the pointers that PJRT's functions return.
class LayoutList {
 public:
  LayoutList(const std::vector<ShardedValue>& values, const std::vector<ElementOrder>& orders);
  LayoutList(const LayoutList&) = delete;
  LayoutList& operator=(const LayoutList&) = delete;

  std::size_t size() const { return pointers_.size(); }
  PJRT_Layouts_MemoryLayout** data() { return pointers_.data(); }

 private:
  std::vector<PJRT_Layouts_MemoryLayout> layouts_;
  std::vector<PJRT_Layouts_MemoryLayout*> pointers_;
};

}  // namespace assay::pjrt
