// Products of dequantized integers on the backend simd: sums of integers, scaled once.
#include <algorithm>
#include <cmath>
#include <random>

#include "backends/backend.h"
#include "backends/simd/quantized.h"
#include "conformance/judging/compare.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/backends/simd_targets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::simd {
namespace {

// A product of two operands, in text.
struct Case {
  std::string lhs = "s8[9,12]", rhs = "s8[12,10]", result = "9,10";
  std::string lhs_zero = "constant(-7)", rhs_zero = "constant(0)";
  std::string lhs_scale = "constant(0.047)", rhs_scale = "constant(0.0123)";
  std::string product = "dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  std::string type = "f32";  // of the numbers
};

// Returns the instructions of an operand (integers - zero_point) * scale. The zero point and the scale are scalars, or
// have a number for each index of the last dimension.
std::string Operand(char name, int number, const std::string& shape, const std::string& zero, const std::string& scale,
                    const std::string& type) {
  const std::string sizes = shape.substr(shape.find('['));
  const std::string last = sizes.substr(sizes.rfind(',') + 1), at = std::to_string(std::ranges::count(sizes, ','));
  const auto constant = [&](const std::string& of, const std::string& text) {
    const bool is_vector = text.find('{') != std::string::npos;
    return std::pair(of + (is_vector ? "[" + last : "[]"), is_vector ? "{" + at + "}" : "{}");
  };
  const auto [z, z_dimensions] = constant("s32", zero);
  const auto [s, s_dimensions] = constant(type, scale);
  return fmt::format(R"(  {0}q = {1} parameter({2})
  {0}w = s32{3} convert({0}q)
  {0}z = {4} {5}
  {0}zs = s32{3} broadcast({0}z), dimensions={6}
  {0}d = s32{3} subtract({0}w, {0}zs)
  {0}n = {10}{3} convert({0}d)
  {0}s = {7} {8}
  {0}ss = {10}{3} broadcast({0}s), dimensions={9}
  {0} = {10}{3} multiply({0}n, {0}ss)
)",
                     name, shape, number, sizes, z, zero, z_dimensions, s, scale, s_dimensions, type);
}

std::string TextOf(const Case& c) {
  return "HloModule m\nENTRY e {\n" + Operand('x', 0, c.lhs, c.lhs_zero, c.lhs_scale, c.type) +
         Operand('y', 1, c.rhs, c.rhs_zero, c.rhs_scale, c.type) +
         fmt::format("  ROOT r = {}[{}] {}\n}}\n", c.type, c.result, c.product);
}

std::int64_t CountIntegerProducts(HloModule& module) {
  FuseDequantizedProducts(module);
  INFO(PrintHloModule(module));
  const Status status = VerifyHloModule(module);
  INFO((status ? "" : status.error().message));
  CHECK(status);
  std::int64_t count = 0;
  for (const auto& computation : module.computations) {
    count += computation.get() != module.entry && IsDequantizedProduct(*computation);
  }
  return count;
}

// Any integers; those of small numbers are near the zero point 0.
std::vector<Literal> DrawnBytes(const HloModule& module, std::uint32_t seed, std::uint32_t most = 256) {
  std::mt19937 draw(seed);
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    Literal& array = arguments.emplace_back(parameter->shape);
    for (std::byte& byte : array.mutable_values<std::byte>()) byte = static_cast<std::byte>(draw() % most);
  }
  return arguments;
}

Literal OnSimd(const HloModule& module, const std::vector<Literal>& arguments) {
  const auto backend = *OpenBackend("simd", 0);
  return (*backend->Run(module, {arguments}))[0];
}

TEST_CASE("simd's product of dequantized bytes is the sum of integers, scaled and rounded once") {
  const auto module = testing::Parsed(TextOf({.lhs = "u8[9,12]", .lhs_zero = "constant(131)"}));
  const std::vector<Literal> arguments = DrawnBytes(*module, 1);
  OnEveryTarget([&] {
    const Literal got = OnSimd(*module, arguments);
    for (std::int64_t i = 0; i < 9; ++i) {
      for (std::int64_t j = 0; j < 10; ++j) {
        std::int64_t sum = 0;
        for (std::int64_t l = 0; l < 12; ++l) {
          sum += (arguments[0].Get<std::uint8_t>({i, l}) - 131) * std::int64_t{arguments[1].Get<std::int8_t>({l, j})};
        }
        // The product of both scales has 48 bits. Its product with a sum of these sizes is rounded to f64 below a tie.
        CHECK(got.Get<float>({i, j}) ==
              static_cast<float>(double{0.047f} * double{0.0123f} * static_cast<double>(sum)));
      }
    }
  });
}

const std::string kColumns = "constant({0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5})";
const std::string kConvolution = "convolution(x, y), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f";

TEST_CASE("simd's products of exact numbers are the reference's to the bit") {
  const Case cases[] = {
      {.lhs_scale = "constant(0.375)", .rhs_scale = "constant(0.125)"},
      {.lhs_scale = "constant(0.375)", .rhs_scale = kColumns},
      {.lhs_zero = "constant(-128)", .rhs_zero = "constant(127)", .lhs_scale = "constant(3)", .rhs_scale = kColumns},
      {.rhs_zero = "constant({4, 4, 4, 4, 4, 4, 4, 4, 4, 4})", .lhs_scale = "constant(3)", .rhs_scale = kColumns},
      {.lhs = "s4[9,12]", .rhs = "u4[12,10]", .lhs_scale = "constant(3)", .rhs_scale = "constant(0.75)"},
      {.lhs = "u8[2,9,5]",
       .rhs = "s8[3,5,10]",
       .result = "2,9,10",
       .lhs_zero = "constant(128)",
       .lhs_scale = "constant(0.625)",
       .rhs_scale = kColumns,
       .product = kConvolution},
      {.lhs = "s8[2,9,5]",
       .rhs = "s8[3,5,10]",
       .result = "2,10,9",
       .lhs_scale = "constant(0.625)",
       .rhs_scale = kColumns,
       .product = "convolution(x, y), window={size=3 pad=1_1}, dim_labels=b0f_0io->bf0"},
      {.lhs = "s8[2,9,6]",
       .rhs = "s8[3,1,6]",
       .result = "2,9,6",
       .lhs_scale = "constant(0.625)",
       .rhs_scale = "constant({1, 2, 3, 4, 5, 6})",
       .product = kConvolution + ", feature_group_count=6"},
      {.lhs = "s8[3,4,7]",
       .rhs = "s8[3,7,10]",
       .result = "3,4,10",
       .lhs_scale = "constant(0.625)",
       .rhs_scale = kColumns,
       .product =
           "dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"},
  };
  for (const Case& c : cases) {
    const std::string text = TextOf(c);
    INFO(text);
    const auto module = testing::Parsed(text);
    const std::vector<Literal> arguments =
        DrawnBytes(*module, 2, BitWidth(module->entry->Parameters()[0]->shape.element_type()) < 8 ? 8 : 256);
    CHECK(OnSimd(*module, arguments).BitwiseEqual(*Evaluate(*module, arguments)));
    CHECK(CountIntegerProducts(*module) == 1);
  }
}

TEST_CASE("simd leaves products of dequantized numbers whose sums of integers may be outside of the bound") {
  const std::string stays[] = {
      // One product has one rounding, and 0.047 * q has another.
      TextOf({.lhs = "s8[9,1]", .rhs = "s8[1,10]"}),
      // Five terms in the middle, but one in the corners.
      TextOf({.lhs = "s8[2,9,1]",
              .rhs = "s8[5,1,4]",
              .result = "2,13,4",
              .product = "convolution(x, y), window={size=5 pad=4_4}, dim_labels=b0f_0io->b0f"}),
      // Sums of few multiples of a power of two are never rounded.
      TextOf({.lhs_scale = "constant(0.5)"}),
      // An explicit order.
      TextOf({.product = "dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, control-predecessors={xn}"}),
      // Several zero points.
      TextOf({.rhs_zero = "constant({1, 2, 3, -4, 5, 6, -128, 127, 0, 1})"}),
      // 2^31 and more.
      TextOf({.lhs = "u8[1,33200]", .rhs = "u8[33200,1]", .result = "1,1", .lhs_zero = "constant(0)"}),
      // Differences of more than 16 bits; scales near underflow; scales of the left operand's rows; another type.
      TextOf({.lhs_zero = "constant(-40000)"}),
      TextOf({.lhs_scale = "constant(1e-30)"}),
      TextOf({.lhs = "s8[12,9]",
              .lhs_scale = "constant({1, 2, 3, 4, 5, 6, 7, 8, 9})",
              .product = "dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}"}),
      TextOf({.type = "f64"}),
      TextOf({.product = "dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_f32_f32_f32"}),
  };
  for (const std::string& text : stays) {
    INFO(text);
    const auto module = testing::Parsed(text);
    CHECK(CountIntegerProducts(*module) == 0);
  }
}

TEST_CASE("simd multiplies numbers as they are if no order of their sums rounds") {
  // The significands of 125 * 0.047 and 97 * 0.0123 in f32 end with 18 and 7 zeros, so the sum of two products has 24
  // bits. The product of the scales times 2 * 125 * 97 is another number.
  const auto module = testing::Parsed(TextOf({.lhs = "s8[3,2]", .rhs = "s8[2,4]", .result = "3,4"}));
  std::vector<Literal> arguments = DrawnBytes(*module, 1);
  std::ranges::fill(arguments[0].mutable_values<std::int8_t>(), 118);
  std::ranges::fill(arguments[1].mutable_values<std::int8_t>(), 97);
  const float sum = 2 * (125 * 0.047f) * (97 * 0.0123f);
  REQUIRE(static_cast<double>(sum) == 2.0 * (125 * 0.047f) * (97 * 0.0123f));
  const Literal got = OnSimd(*module, arguments);
  for (const float number : got.values<float>()) CHECK(number == sum);
  CHECK(CountIntegerProducts(*module) == 1);
}

TEST_CASE("simd's products of dequantized numbers are legal, also of few terms and few numbers") {
  const auto backend = *OpenBackend("simd", 0);
  std::mt19937 draw(3);
  const auto pick = [&](const auto&... choices) {
    return std::vector{std::string(choices)...}[draw() % sizeof...(choices)];
  };
  std::int64_t replaced = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string m = pick("1", "3", "16"), n = pick("2", "10"), k = pick("2", "3", "4", "9", "40");
    const auto scale = [&] {
      return fmt::format("constant({})", std::ldexp(static_cast<float>(draw() >> draw() % 31 | 1), -28));
    };
    const Case c = {.lhs = fmt::format("{}[{},{}]", pick("s8", "u8"), m, k),
                    .rhs = fmt::format("s8[{},{}]", k, n),
                    .result = m + "," + n,
                    .lhs_zero = fmt::format("constant({})", pick("0", "-3", "128")),
                    .lhs_scale = scale(),
                    .rhs_scale = scale()};
    const std::string text = TextOf(c);
    const auto module = testing::Parsed(text);
    const std::vector<Literal> arguments = DrawnBytes(*module, static_cast<std::uint32_t>(i), i % 2 == 0 ? 4 : 256);
    const auto report =
        CompareModule(*backend, *module, {arguments}, {.profile = BuiltInProfile("simd"), .limits = {}});
    REQUIRE(report);
    INFO(text << VerdictName(report->verdict) << ": " << report->reason);
    CHECK(!IsFailure(report->verdict));
    replaced += CountIntegerProducts(*module);
  }
  CHECK(replaced > 50);
}

}  // namespace
}  // namespace assay::simd
