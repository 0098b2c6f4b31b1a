// Products of integers on the backend simd, by hand and by the definitions of the reference: every instruction set adds
// several terms to an element at once.
#include <random>
#include <tuple>

#include "backends/simd/simd.h"
#include "spec_tests/backends/simd_targets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::simd {
namespace {

Literal Product(const HloModule& module, const std::vector<Literal>& arguments) {
  return Evaluate(module, arguments, {}, Overrides()).value();
}

TEST_CASE("simd's dot of two bytes wraps") {
  // Two products of the least s16 are 2^31, which s32 does not have.
  const auto module = testing::Parsed(R"(a = s16[2,3] parameter(0)
  ROOT r = s32[2,2] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={1})");
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
      const auto module = testing::Parsed(
          fmt::format("c = {0}[] constant({2})\n d = {1}[] constant({3})\n"
                      " a = {0}[9,{4}] broadcast(c), dimensions={{}}\n b = {1}[{4},3] broadcast(d), dimensions={{}}\n"
                      " ROOT r = s32[9,3] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
                      lhs, rhs, low, high, k));
      const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(low * high * k));
      OnEveryTarget([&] {
        const Literal got = Product(*module, {});
        for (const std::int32_t number : got.values<std::int32_t>()) CHECK(number == sum);
      });
    }
  }
}

// Any numbers of a type, its least and greatest ones among them.
Literal AnyIntegers(const Shape& shape, std::uint32_t seed) {
  Literal array(shape);
  std::mt19937 draw(seed);
  const PrimitiveType type = shape.element_type();
  const int unused = 8 * StorageBytes(type) - BitWidth(type);
  for (std::int64_t i = 0; i < array.byte_size(); ++i) {
    auto byte = static_cast<std::uint8_t>(draw() % 4 == 0 ? (draw() % 2 == 0 ? 0x80 : 0x7f) : draw());
    if (unused > 0) byte = static_cast<std::uint8_t>(static_cast<std::int8_t>(byte) >> unused);
    array.mutable_data()[i] = std::byte{byte};
  }
  return array;
}

TEST_CASE("simd's products of narrow integers are the reference's") {
  const char* const products[][4] = {
      {"7,5", "5,33", "7,33", "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
      {"3,129", "129,40", "3,40", "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
      {"66,1030", "1030,1", "66,1", "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
      {"31,13", "17,31", "13,17", "dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
      {"4,9,3,2", "3,7,4,2", "4,2,9,7",
       "dot(a, b), lhs_batch_dims={0,3}, rhs_batch_dims={2,3}, lhs_contracting_dims={2}, rhs_contracting_dims={0}"},
      {"5,0", "0,6", "5,6", "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
      {"2,7,6,3", "3,2,3,9", "2,7,6,9", "convolution(a, b), window={size=3x2 pad=1_1x1_0}, dim_labels=b01f_01io->b01f"},
      {"2,5,9", "13,5,4", "2,13,8",
       "convolution(a, b), window={size=4 stride=2 pad=3_2 lhs_dilate=2 rhs_dilate=2 rhs_reversal=1}, "
       "dim_labels=bf0_oi0->bf0"},
      {"3,10,6", "3,2,27", "3,8,27",
       "convolution(a, b), window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=3"},
      {"4,5,3", "2,3,16", "2,4,16", "convolution(a, b), window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2"},
      {"2,9,6", "3,1,6", "2,9,6",
       "convolution(a, b), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=6"},
  };
  for (const auto& [lhs, rhs, result, op] : products) {
    for (const std::string_view left : {"s8", "u8", "s16", "s4"}) {
      for (const std::string_view right : {"s8", "u8", "s16"}) {
        const std::string text = fmt::format("a = {}[{}] parameter(0)\n b = {}[{}] parameter(1)\n ROOT r = s32[{}] {}",
                                             left, lhs, right, rhs, result, op);
        INFO(text);
        const auto module = testing::Parsed(text);
        std::vector<Literal> arguments;
        for (const HloInstruction* parameter : module->entry->Parameters()) {
          arguments.push_back(AnyIntegers(parameter->shape, 1 + static_cast<std::uint32_t>(arguments.size())));
        }
        const Literal expected = *Evaluate(*module, arguments);
        OnEveryTarget([&] { CHECK(Product(*module, arguments).BitwiseEqual(expected)); });
      }
    }
  }
}

}  // namespace
}  // namespace assay::simd
