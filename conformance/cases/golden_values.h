// The value syntax of golden files: a shape, then elements, a seed or a digest (docs/golden_format.md#values).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A leaf of an expected result: its value, or the digest of a large array.
struct WantedLeaf {
  Shape shape;
  Literal value;
  std::optional<std::uint64_t> digest;
};

// Removes the first word of a text and returns it; returns an empty word if there is none.
std::string_view NextWord(std::string_view& text);

// Parses a float, an integer or a pred: "x" and the bits in hexadecimal, or a decimal that is exactly a number of the
// type. Returns the bits.
Result<std::uint64_t> ParseComponent(std::string_view word, PrimitiveType type);

// Parses "f32[2] x3f800000 x40000000" or "f32[1000] seeded 7".
Result<Literal> ParseValues(std::string_view text);

// Parses the syntax of ParseValues, or "f32[1025] digest 0123456789abcdef".
Result<WantedLeaf> ParseWanted(std::string_view text);

// Parses the syntax of ParseValues; several values with bars between them are a tuple.
Result<Literal> ParseHostValue(std::string_view text);

// Returns the digest of an array's elements. Every NaN counts as the positive quiet one.
std::uint64_t DigestOf(const Literal& array);

}  // namespace assay
