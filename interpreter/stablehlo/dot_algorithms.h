// The algorithms of a dot: the fields of #stablehlo.dot_algorithm, and the names that HLO has for them.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::stablehlo {

struct DotAlgorithmRow {
  std::string_view lhs, rhs, accumulation;
  std::int64_t components, operations;
  bool allows_imprecise;
  std::string_view name;
};
inline constexpr DotAlgorithmRow kDotAlgorithms[] = {
    {"f16", "f16", "f16", 1, 1, false, "dot_f16_f16_f16"},
    {"f16", "f16", "f32", 1, 1, false, "dot_f16_f16_f32"},
    {"bf16", "bf16", "bf16", 1, 1, false, "dot_bf16_bf16_bf16"},
    {"bf16", "bf16", "f32", 1, 1, false, "dot_bf16_bf16_f32"},
    {"bf16", "bf16", "f32", 1, 3, false, "dot_bf16_bf16_f32_x3"},
    {"bf16", "bf16", "f32", 1, 6, false, "dot_bf16_bf16_f32_x6"},
    {"bf16", "bf16", "f32", 1, 9, false, "dot_bf16_bf16_f32_x9"},
    {"tf32", "tf32", "f32", 1, 1, false, "dot_tf32_tf32_f32"},
    {"tf32", "tf32", "f32", 1, 3, false, "dot_tf32_tf32_f32_x3"},
    {"f32", "f32", "f32", 1, 1, false, "dot_f32_f32_f32"},
    {"f64", "f64", "f64", 1, 1, false, "dot_f64_f64_f64"},
};
// The algorithms of any two types of 8 bits, accumulated in f32.
inline constexpr std::string_view kF8Algorithm = "dot_any_f8_any_f8_f32";
inline constexpr std::string_view kFastF8Algorithm = "dot_any_f8_any_f8_f32_fast_accum";

}  // namespace assay::stablehlo
