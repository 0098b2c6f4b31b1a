// Products of integers on the backend simd, by hand: every instruction set adds several terms to an element at once.
#include <fmt/format.h>

#include <string_view>
#include <tuple>
#include <vector>

#include "backends/simd/simd.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "spec_tests/backends/simd_targets.h"

namespace assay::simd {
namespace {

Literal Product(const HloModule& module, const std::vector<Literal>& arguments) {
  return Evaluate(module, arguments, {}, Overrides()).value();
}

TEST_CASE("simd's dot of two bytes wraps") {
  // Two products of the least s16 are 2^31, which s32 does not have.
  const auto module = *ParseHloModule(R"(HloModule m
ENTRY e {
  a = s16[2,3] parameter(0)
  ROOT r = s32[2,2] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={1}
})");
  const Literal least = *ParseLiteral("s16[2,3] {{-32768, -32768, -32768}, {-32768, -32768, 1}}");
  const Literal expected = *ParseLiteral("s32[2,2] {{-1073741824, 2147450880}, {2147450880, -2147483647}}");
  OnEveryTarget([&] { CHECK(Product(*module, {least}).BitwiseEqual(expected)); });
}

TEST_CASE("simd's dot of bytes is exact for the ends of their ranges") {
  for (const auto& [lhs, rhs, low, high] :
       {std::tuple{"s8", "s8", -128, -128}, {"s8", "u8", -128, 255}, {"u8", "s8", 255, -128}, {"u8", "u8", 255, 255}}) {
    // An odd number of terms, and one whose sums wrap.
    for (const std::int64_t k : {5, 70001}) {
      INFO(lhs << " " << rhs << " " << k);
      const auto module = *ParseHloModule(
          fmt::format("HloModule m\nENTRY e {{\n c = {0}[] constant({2})\n d = {1}[] constant({3})\n"
                      " a = {0}[9,{4}] broadcast(c), dimensions={{}}\n b = {1}[{4},3] broadcast(d), dimensions={{}}\n"
                      " ROOT r = s32[9,3] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n",
                      lhs, rhs, low, high, k));
      const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(low * high * k));
      OnEveryTarget([&] {
        const Literal got = Product(*module, {});
        for (const std::int32_t number : got.values<std::int32_t>()) CHECK(number == sum);
      });
    }
  }
}

}  // namespace
}  // namespace assay::simd
