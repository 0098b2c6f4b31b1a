// Values as golden files write them: a shape, then elements, a seed or a digest (docs/golden_format.md#values).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A leaf of a result: its value, or of a large array its digest.
struct WantedLeaf {
  Shape shape;
  Literal value;
  std::optional<std::uint64_t> digest;
};

// Takes the first word off a text; empty where there is none.
std::string_view NextWord(std::string_view& text);

// "f32[2] x3f800000 x40000000" or "f32[1000] seeded 7".
Result<Literal> ParseValues(std::string_view text);

// As ParseValues, or "f32[1025] digest 0123456789abcdef".
Result<WantedLeaf> ParseWanted(std::string_view text);

// As ParseValues; several with bars between them are a tuple.
Result<Literal> ParseHostValue(std::string_view text);

// Any NaN counts as the positive quiet one.
std::uint64_t DigestOf(const Literal& array);

}  // namespace assay
