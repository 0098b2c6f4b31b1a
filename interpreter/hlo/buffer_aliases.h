// The values of the header attributes input_output_alias and buffer_donor; a module keeps their text.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

// A buffer of the entry's parameters.
struct ParameterBuffer {
  std::int64_t parameter = 0;
  Int64List index;
  auto operator<=>(const ParameterBuffer&) const = default;
  // Returns "(1, {2})".
  std::string ToString() const;
};

// An output of the entry that shares such a buffer.
struct BufferAlias : ParameterBuffer {
  static constexpr std::int64_t kMay = 1, kMust = 2;  // as in XLA's message
  Int64List output;
  std::int64_t kind = kMay;
};

// Parse "{ {0}: (1, {2}, may-alias), ... }" and "{ (0, {1}), ... }".
Result<std::vector<BufferAlias>> ParseAliases(TextParser& parser);
Result<std::vector<ParameterBuffer>> ParseDonors(TextParser& parser);
// Print the same; empty if there are none.
std::string PrintAliases(const std::vector<BufferAlias>& aliases);
std::string PrintDonors(const std::vector<ParameterBuffer>& donors);

}  // namespace assay
