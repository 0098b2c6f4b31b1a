// The window of an operation, from the lists that the builder's functions take. Only the sources of this folder include
// it.
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

// An empty list stands for its default in every dimension; all others have an entry for each size.
Result<Window> MakeWindow(const WindowLists& lists);

// The attribute: absent where there are no dimensions, as in text.
AttributeValue WindowAttribute(Window window);

}  // namespace assay::xla
