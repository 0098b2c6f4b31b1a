// The functions of PJRT and its extensions that the plugin has. Each reads and writes the struct of its arguments;
// Enter (entry.h) is the boundary around it.
#pragma once

#include "backends/pjrt/abi/api.h"
#include "backends/pjrt/device/entry.h"

namespace assay::pjrt {

#define ASSAY_FUNCTION(name, ...) Status name(PJRT_##name##_Args& args);
#define ASSAY_GETTER(name, ...) void name(PJRT_##name##_Args& args);
#define ASSAY_NO_FUNCTION(name)
#include "backends/pjrt/abi/functions.inc"
#include "backends/pjrt/abi/layouts.inc"
#include "backends/pjrt/abi/shardings.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION

// Sets the begin and the size of a list that a function returns.
template <class List, class Begin, class Size>
void SetList(List&& list, Begin& begin, Size& size) {
  begin = list.data();
  size = list.size();
}

}  // namespace assay::pjrt
