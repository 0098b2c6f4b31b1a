// Random arrays of small integers, and modules that compute with them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/types/join_text.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/property.h"

namespace assay::testing {

using Sizes = std::vector<std::int64_t>;

inline std::int64_t Between(std::int64_t low, std::int64_t high) { return InRange(low, high + 1); }

inline Sizes AnySizes(std::int64_t min_rank, std::int64_t max_rank, std::int64_t least = 0) {
  Sizes sizes(Between(min_rank, max_rank));
  for (std::int64_t& size : sizes) size = Between(least, 4);
  return sizes;
}

inline Sizes AllOf(const Sizes& sizes) {
  Sizes dimensions(sizes.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

inline Sizes AnyOrder(std::size_t n) {
  Sizes order = AllOf(Sizes(n));
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[Between(0, static_cast<std::int64_t>(i) - 1)]);
  return order;
}

inline std::int64_t Count(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

inline Literal FloatArray(const Sizes& sizes, const std::vector<float>& numbers) {
  Literal array(ShapeUtil::MakeShape(F32, sizes));
  std::ranges::copy(numbers, array.mutable_values<float>().begin());
  return array;
}

inline std::vector<float> AnyNumbers(std::int64_t count, std::int64_t low = -8, std::int64_t high = 8) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(Between(low, high));
  return numbers;
}
inline Literal AnyArray(const Sizes& sizes, std::int64_t low = -8, std::int64_t high = 8) {
  return FloatArray(sizes, AnyNumbers(Count(sizes), low, high));
}

inline std::string F32Of(const Sizes& sizes) { return fmt::format("f32[{}]", JoinText(sizes, ",")); }
inline std::string Braces(const Sizes& numbers) { return fmt::format("{{{}}}", JoinText(numbers, ",")); }

inline constexpr std::string_view kComputations = R"(
sum { sum.a = f32[] parameter(0) sum.b = f32[] parameter(1) ROOT sum.r = f32[] add(sum.a, sum.b) }
less { less.a = f32[] parameter(0) less.b = f32[] parameter(1) ROOT less.r = pred[] compare(less.a, less.b), direction=LT }
greater { gt.a = f32[] parameter(0) gt.b = f32[] parameter(1) ROOT gt.r = pred[] compare(gt.a, gt.b), direction=GT }
most { most.a = f32[] parameter(0) most.b = f32[] parameter(1) ROOT most.r = f32[] maximum(most.a, most.b) }
)";

// The entry has parameters x, y, ... of the arguments' shapes, and its instructions end in one named r.
inline Literal Result(std::string_view instructions, std::vector<Literal> arguments,
                      std::string_view computations = "") {
  std::string text = fmt::format("HloModule m\n{}{}\nENTRY e {{\n", kComputations, computations);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += fmt::format("{} = {} parameter({})\n", "xyzw"[i], arguments[i].shape().ToStringWithoutLayout(), i);
  }
  return Evaluated(text + std::string(instructions) + "\n}\n", std::move(arguments));
}

}  // namespace assay::testing
