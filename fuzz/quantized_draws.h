// The parts of random quantized programs: types as steps write them, quantizations and values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fuzz/generate/random.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/literal.h"

namespace assay {

// Takes the text up to a separator, without spaces around it, and the separator.
std::string_view Take(std::string_view& text, std::string_view separator);

// A type in a step: `q1:0[N,M+1]` (quantized_programs.h).
struct TypeSpec {
  std::string_view name, sizes;
  std::optional<std::int64_t> dimension;

  // Reads one from the start of a text.
  static TypeSpec Read(std::string_view& text);
  char kind() const { return name[0]; }
  bool has_number() const { return name.size() > 1; }
};

// Reads types with spaces between them.
std::vector<TypeSpec> ReadSpecs(std::string_view text);

// Returns a storage type with its own limits, without scales.
stablehlo::Quantization WholeStorage(PrimitiveType storage, PrimitiveType expressed);
// Draws a storage type; one in three has other limits.
stablehlo::Quantization DrawStorage(generate::Random& random, PrimitiveType expressed);
// The least scale of factors: its square is a number of every expressed type.
inline constexpr double kLeastScale = 0x1p-12;
// Draws a scale of at least kLeastScale; every second one is a power of two.
double DrawScale(generate::Random& random, PrimitiveType storage);
// Draws an integer between the limits of a type, often one of them or near 0.
std::int64_t DrawInteger(generate::Random& random, const stablehlo::Quantization& type);
// The zero points of 32 bits are near 0: others leave no digits of most numbers.
std::int64_t DrawZeroPoint(generate::Random& random, const stablehlo::Quantization& type);
// Draws integers of a quantized type, small integers, predicates, or numbers that `types` quantize: integers and ties
// of a type, or next to a tie, and a little beyond the limits.
Literal DrawArgument(generate::Random& random, const stablehlo::TensorType& type,
                     std::span<const stablehlo::Quantization* const> types);

}  // namespace assay
