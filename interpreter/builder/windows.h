// The window of an operation, from the lists that are arguments of the builder's functions. Internal to this folder.
#pragma once

#include <string>

#include "interpreter/builder/padding.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/types/result.h"

namespace assay::xla {

struct WindowLists {
  const Int64List& sizes;
  const Int64List& strides;
  const PaddingList& padding;
  const Int64List& base_dilations;
  const Int64List& window_dilations;
  const std::vector<bool>& reversal = {};
};

// Returns the attribute: absent if there are no dimensions, as in text. An empty list means the default in every
// dimension; other lists have one entry per dimension.
Result<AttributeValue> MakeWindow(const WindowLists& lists);

}  // namespace assay::xla
