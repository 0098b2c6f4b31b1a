// The results of lawful noise, checked without the judge: against every order of a sum, the definition of a unit in the
// last place, and the exact result.
#include "backends/lawful/lawful.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

Literal Run(const std::string& profile, std::uint64_t seed, const std::string& text, std::vector<Literal> arguments) {
  const auto module = Parsed(text);
  LawfulBackend backend(BuiltInProfile(profile), seed);
  return backend.Run(*module, {std::move(arguments)}).value()[0];
}

Literal Floats(const std::vector<float>& values) {
  return LiteralUtil::Create<float>(F32, {static_cast<std::int64_t>(values.size())}, values);
}

std::string Unary(const std::string& op, int n) {
  return fmt::format("a = f32[{0}] parameter(0) ROOT r = f32[{0}] {1}(a)", n, op);
}

constexpr char kDot[] = R"(a = f32[5] parameter(0)  b = f32[5] parameter(1)
  ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})";

constexpr char kReduce[] =
    R"(a = f32[4] parameter(0)  i = f32[] parameter(1)  ROOT r = f32[] reduce(a, i), dimensions={0}, to_apply=add_f32)";

// Returns the results of all ways to add numbers in pairs, with each addition rounded to f32 or to f64.
std::set<float> AllSums(std::vector<double> terms) {
  if (terms.size() == 1) return {static_cast<float>(terms[0])};
  std::set<float> sums;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      std::vector<double> rest;
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (k != i && k != j) rest.push_back(terms[k]);
      }
      const double sum = terms[i] + terms[j];
      for (const double rounded : {sum, static_cast<double>(static_cast<float>(sum))}) {
        rest.push_back(rounded);
        sums.merge(AllSums(rest));
        rest.pop_back();
      }
    }
  }
  return sums;
}

TEST_CASE("a lawful sum is the sum in some order", "[lawful]") {
  const std::vector<float> terms = {1e8f, 3.3f, -1e8f, 7.7f};
  const std::set<float> legal = AllSums({1e8f, 3.3f, -1e8f, 7.7f, 0.1f});
  std::set<float> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const float sum = Run("ieee", seed, kReduce, {Floats(terms), LiteralUtil::CreateR0(F32, 0.1f)}).values<float>()[0];
    CHECK(legal.contains(sum));
    seen.insert(sum);
  }
  // Not only the exact one.
  CHECK(seen.contains(11.1f));
  CHECK(seen.size() > 5);
}

// Returns the results of all ways to multiply numbers in pairs, with each product rounded to f32.
std::set<float> AllProducts(std::vector<float> factors) {
  if (factors.size() == 1) return {factors[0]};
  std::set<float> products;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    for (std::size_t j = i + 1; j < factors.size(); ++j) {
      std::vector<float> rest = {factors[i] * factors[j]};
      for (std::size_t k = 0; k < factors.size(); ++k) {
        if (k != i && k != j) rest.push_back(factors[k]);
      }
      products.merge(AllProducts(std::move(rest)));
    }
  }
  return products;
}

TEST_CASE("a lawful product is the product in some order", "[lawful]") {
  std::string text = kReduce;
  text.replace(text.find("add_f32"), 7, "multiply_f32");
  const std::set<float> legal = AllProducts({1.1f, 3.3f, -2.7f, 7.7f, 0.1f});
  std::set<float> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Literal start = LiteralUtil::CreateR0(F32, 0.1f);
    const float product = Run("ieee", seed, text, {Floats({1.1f, 3.3f, -2.7f, 7.7f}), start}).values<float>()[0];
    CHECK(legal.contains(product));
    seen.insert(product);
  }
  CHECK(seen.size() > 1);
}

TEST_CASE("a lawful dot adds rounded or exact products", "[lawful]") {
  const std::vector<float> a = {1e4f, 1.1f, -1e4f, 2.3f, 0.7f}, b = {1e4f, 3.7f, 1e4f, 1.9f, 0.3f};
  std::vector<double> exact, rounded;
  for (int i = 0; i < 5; ++i) {
    exact.push_back(static_cast<double>(a[i]) * b[i]);
    rounded.push_back(a[i] * b[i]);
  }
  std::set<float> legal = AllSums(exact);
  legal.merge(AllSums(rounded));
  std::set<float> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    seen.insert(Run("ieee", seed, kDot, {Floats(a), Floats(b)}).values<float>()[0]);
  for (const float sum : seen) {
    // Mixtures of fused and rounded products are between the sums of either kind.
    CHECK(sum >= *legal.begin());
    CHECK(sum <= *legal.rbegin());
  }
  CHECK(seen.size() > 5);
}

// f8e8m0fnu has no zero to begin with: an accumulator of that type would make NaN of the first product, which is 0.
TEST_CASE("no sum is accumulated in a type without zero", "[lawful]") {
  const std::string text = R"(x = f32[2] parameter(0)  y = f8e8m0fnu[2] parameter(1)
  ROOT r = f8e8m0fnu[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0})";
  Literal one(ShapeUtil::MakeShape(F8E8M0FNU, {2}));
  std::ranges::fill(one.mutable_values<std::uint8_t>(), std::uint8_t{0x7f});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CHECK(Run("ftz", seed, text, {Floats({0, 1}), one}).values<std::uint8_t>()[0] == 0x7f);
  }
}

TEST_CASE("lawful functions are off by what the profile allows", "[lawful]") {
  std::vector<float> x(2000);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::ldexp(1.0f + static_cast<float>(i) / 1000, static_cast<int>(i % 7) - 4);
  double most = 0;
  const Literal result = Run("xla", 1, Unary("tanh", 2000), {Floats(x)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double truth = std::tanh(static_cast<double>(x[i]));
    const double unit = std::ldexp(1.0, std::ilogb(truth) - 23);
    most = std::max(most, std::fabs(result.values<float>()[i] - truth) / unit);
  }
  CHECK(most <= 5);
  CHECK(most > 4.5);
}

// sqrt(3.5) is 1.8708287; in f32 2.3708 is within the tolerance, and it rounds to 2.375.
TEST_CASE("a narrow result keeps the accuracy that its instruction asks for", "[lawful]") {
  const std::string text =
      R"(a = bf16[8] parameter(0)  ROOT r = bf16[8] sqrt(a), result_accuracy={tolerance={atol=0.5,rtol=0,ulps=0}})";
  double farthest = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Literal result = Run("xla", seed, text, {Value("bf16[8] {3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5}")});
    for (int i = 0; i < 8; ++i) {
      farthest = std::max(farthest, std::fabs(RealValue(ComponentAt(result, i)) - std::sqrt(3.5)));
    }
  }
  CHECK(farthest > 0.4);
  CHECK(farthest <= 0.5);
}

TEST_CASE("a zero that no error reaches keeps its sign", "[lawful]") {
  const std::string text = R"(a = c128[] parameter(0)
  ROOT r = c128[] exponential-minus-one(a), result_accuracy={tolerance={atol=0,rtol=0,ulps=6}})";
  const Literal want = Value("c128[] (-0, 5e-324)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) CHECK(Run("ieee", seed, text, {want}).BitwiseEqual(want));
}

// The tolerance is 5 units of 2^-1074 of the modulus. 4 in each part would exceed it.
TEST_CASE("the error of a complex number of the least magnitude keeps to the modulus", "[lawful]") {
  const std::string text =
      R"(a = c128[] parameter(0)  ROOT r = c128[] asinh(a), result_accuracy={tolerance={atol=0,rtol=0,ulps=5}})";
  const Literal want = Value("c128[] (2.2250738585072014e-308, -5e-324)");
  double farthest = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Literal result = Run("ieee", seed, text, {want});
    const auto units = [&](int part) {
      return (RealValue(ComponentAt(result, part)) - RealValue(ComponentAt(want, part))) * 0x1p1000 * 0x1p74;
    };
    farthest = std::max(farthest, std::hypot(units(0), units(1)));
  }
  CHECK(farthest > 3);
  CHECK(farthest <= 5);
}

// The sum is -5.2734375, and rounds to -5.28125. From the left it is -6.625 and -5.25 in bf16.
TEST_CASE("a sum over devices is rounded once where no accumulator may be narrow", "[lawful]") {
  const auto module = Parsed(R"(HloModule m, replica_count=3
ENTRY e { x = bf16[] parameter(0)  ROOT r = bf16[] all-reduce(x), replica_groups={}, to_apply=add_bf16 })");
  const DeviceValues arguments = {{Value("bf16[] x3eb8")}, {Value("bf16[] xc0e0")}, {Value("bf16[] x3faf")}};
  const auto sums = [&](std::string_view profile) {
    std::set<double> found;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      LawfulBackend backend(BuiltInProfile(profile), seed);
      found.insert(RealValue(ComponentAt(backend.Run(*module, arguments).value()[0], 0)));
    }
    return found;
  };
  CHECK(sums("xla").size() > 1);
  CHECK(sums("xla-wide") == std::set<double>{-5.28125});
}

TEST_CASE("special values stay", "[lawful]") {
  const float kInfinity = std::numeric_limits<float>::infinity();
  const Literal result = Run("xla", 3, Unary("exponential", 4), {Floats({-kInfinity, kInfinity, NAN, 200})});
  CHECK(result.values<float>()[0] == 0);
  CHECK(result.values<float>()[1] == kInfinity);
  CHECK(std::isnan(result.values<float>()[2]));
  CHECK(result.values<float>()[3] == kInfinity);
}

TEST_CASE("of two zeros either is chosen, and no other sign is invented", "[lawful]") {
  const std::string text = "a = f32[3] parameter(0) b = f32[3] parameter(1) ROOT r = f32[3] maximum(a, b)";
  std::set<bool> signs;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Literal result = Run("xla", seed, text, {Floats({-0.0f, -0.0f, 1}), Floats({0, -1, 2})});
    const auto values = result.values<float>();
    CHECK(values[0] == 0);
    signs.insert(std::signbit(values[0]));
    CHECK((values[1] == 0 && std::signbit(values[1])));
    CHECK(values[2] == 2);
    CHECK(!std::signbit(Run("ieee", seed, text, {Floats({-0.0f, 1, 1}), Floats({0, 1, 1})}).values<float>()[0]));
  }
  CHECK(signs.size() == 2);
}

TEST_CASE("subnormal numbers are flushed where the profile says so", "[lawful]") {
  const std::vector<float> x = {1e-40f, -1e-40f, 1};
  bool flushed = false, kept = false;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CHECK(Run("ieee", seed, Unary("negate", 3), {Floats(x)}).values<float>()[0] == -1e-40f);
    const Literal result = Run("ftz", seed, Unary("negate", 3), {Floats(x)});
    (result.values<float>()[0] == 0 ? flushed : kept) = true;
    if (result.values<float>()[0] == 0) CHECK(std::signbit(result.values<float>()[0]));
    CHECK(result.values<float>()[2] == -1);
  }
  CHECK(flushed);
  CHECK(kept);
}

TEST_CASE("an instruction flushes all of its operands or none and keeps the signs of their zeros", "[lawful]") {
  // Numbers and zeros next to themselves: they differ only if one operand is changed alone.
  static constexpr char kCompare[] =
      R"(a = {0}[4] constant({{{1}, -{1}, 0, {1}}})  b = {0}[4] constant({{{1}, -{1}, 0, 0}})
  ROOT r = pred[4] compare(a, b), direction=NE, type={2})";
  for (const auto& [type, subnormal] : {std::pair{"f16", "5.9604645e-08"}, {"bf16", "1e-40"}, {"f32", "1e-40"}}) {
    for (const std::string_view order : {"FLOAT", "TOTALORDER"}) {
      const std::string text = fmt::format(kCompare, type, subnormal, order);
      for (const char* profile : {"ftz", "xla", "fast"}) {
        bool flushed = false, kept = false;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
          INFO(profile << " " << type << " " << order << " " << seed);
          const Literal result = Run(profile, seed, text, {});
          const auto differs = result.values<bool>();
          CHECK(!(differs[0] || differs[1] || differs[2]));
          (differs[3] ? kept : flushed) = true;
        }
        CHECK(flushed);
        CHECK(kept);
      }
    }
  }
}

TEST_CASE("ties of a sort that is not stable come in any order", "[lawful]") {
  constexpr char kSort[] =
      R"(less { a = f32[] parameter(0)  b = f32[] parameter(1)  c = s32[] parameter(2)  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e { k = f32[4] parameter(0)  v = s32[4] parameter(1)
  ROOT r = (f32[4], s32[4]) sort(k, v), dimensions={0}, to_apply=less })";
  std::set<std::vector<int>> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<int> numbers = {0, 1, 2, 3};
    const Literal result =
        Run("ieee", seed, kSort, {Floats({2, 1, 1, 1}), LiteralUtil::Create<int>(S32, {4}, numbers)});
    const auto keys = result.elements()[0].values<float>();
    CHECK(std::ranges::equal(keys, std::vector<float>{1, 1, 1, 2}));
    const auto rows = result.elements()[1].values<int>();
    CHECK(rows[3] == 0);
    std::vector<int> order(rows.begin(), rows.end());
    seen.insert(order);
    std::ranges::sort(order);
    CHECK(order == numbers);
  }
  CHECK(seen.size() == 6);
}

TEST_CASE("exact is exact, and a seed gives the same result again", "[lawful]") {
  std::vector<float> x(100);
  std::iota(x.begin(), x.end(), 0.25f);
  const auto module = Parsed(Unary("sine", 100));
  const Literal reference = *Evaluate(*module, {Floats(x)});
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CHECK(Run("exact", seed, Unary("sine", 100), {Floats(x)}).BitwiseEqual(reference));
    const Literal once = Run("xla", seed, Unary("sine", 100), {Floats(x)});
    CHECK(once.BitwiseEqual(Run("xla", seed, Unary("sine", 100), {Floats(x)})));
    differs |= !once.BitwiseEqual(Run("xla", seed + 1, Unary("sine", 100), {Floats(x)}));
  }
  CHECK(differs);
}

}  // namespace
}  // namespace assay::testing
