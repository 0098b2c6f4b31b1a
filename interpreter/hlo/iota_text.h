// Device lists written as a reshaped, transposed iota: "<=[4,2]T(1,0)".
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

struct IotaTile {
  Int64List reshape;
  Int64List permutation;  // of reshape's dimensions

  // 0, 1, ..., n-1 reshaped to `reshape`, transposed, and listed in row-major order.
  Result<Int64List> Devices(SourceLocation location) const;
  // "<=[4,2]T(1,0)"; one dimension needs no permutation.
  std::string ToString() const;
};

// The part from "<=" on.
Result<IotaTile> ParseIotaTile(TextParser& parser);

}  // namespace assay
