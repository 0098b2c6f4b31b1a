// The attribute sparsity_config: operands of dot and convolution that store `kept` elements of each block
// (xla_data.proto, SparsityConfig).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/text_parser.h"

namespace assay {

// One sparse operand: `kept` of each `block` elements along `dimension`, whose places in their blocks operand `index`
// has.
struct TensorSparsity {
  std::int64_t kept = 0, block = 0, dimension = 0, stride = 0, index = 0;
};

struct SparsityConfig {
  std::optional<TensorSparsity> lhs, rhs;
};

// Parses "{lhs={sparsity=1x4 dimension=1 stride=1 idx=2} rhs={...}}". The numbers may be any.
Result<SparsityConfig> ParseSparsityConfig(TextParser& parser);

// Returns the text, without a stride and an index of 0.
std::string ToText(const SparsityConfig& sparsity);

// Returns the value of an attribute that the parser has read; no operand is sparse in an empty text.
SparsityConfig SparsityOfText(std::string_view text);

}  // namespace assay
