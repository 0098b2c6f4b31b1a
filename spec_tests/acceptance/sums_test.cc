// Sums at the corners of their rule: overflow, one addition, chosen terms, dots by algorithm, and the errors of many
// sums together.
#include <cmath>
#include <random>

#include "interpreter/numerics/round.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/nightly.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {
namespace {

// n numbers of a type folded by an op of two parameters.
Judged Folded(const std::string& op, const std::string& type, int n, std::string_view x, std::string_view start) {
  return Judged(fmt::format(R"(x = {0}[{1}] parameter(0)  s = {0}[] parameter(1)
  ROOT r = {0}[] reduce(x, s), dimensions={{0}}, to_apply={2}_{0})",
                            type, n, op),
                {x, start});
}

Judged Reduced(const std::string& type, int n, std::string_view x, std::string_view start) {
  return Folded("add", type, n, x, start);
}

Judged Multiplied(const std::string& type, int n, std::string_view x) {
  return Folded("multiply", type, n, x, type + "[] 1");
}

TEST_CASE("two terms have one sum", "[acceptance]") {
  Reduced("f32", 1, "f32[1] {1}", "f32[] 3").Expect("EXACT off 0; FAIL off 1");
  Reduced("f32", 2, "f32[2] {1.00000012, 1}", "f32[] 3").Expect("LEGAL off 1");
  // Two products are two roundings more.
  Dot("f32", 2, "f32[2] {1.1, 1.2}", "f32[2] {1.3, 1.4}").Expect("LEGAL off 1");
}

TEST_CASE("terms that are zero do not count in a sum", "[acceptance]") {
  // One of several products counts as two: (2 + 2) u 0.3 is 2.4 steps. Two terms that are not products have one sum.
  const Judged row = Dot("f32", 4, "f32[4] {0, 1, 0, 0}", "f32[4] {0.1, 0.3, 7, 1e30}");
  row.Expect("EXACT off 0; LEGAL off 2; FAIL off 3; FAIL off -3");
  row.Expect("xla-gpu LEGAL off 1000");  // TF32
  Dot("f32", 4, "f32[4] {1, 1, 1, 1}", "f32[4] {0.1, 0.3, 7, 2}").Expect("LEGAL off 1");
  Reduced("f32", 6, "f32[6] {0, 1.1, 0, 0, 2.3, 0}", "f32[] 0").Expect("EXACT off 0; FAIL off 1");
  Reduced("f32", 6, "f32[6] {0, 1.1, 0, 0.1, 2.3, 0}", "f32[] 0").Expect("LEGAL off 1");
  // A row of the same matrix that has more of them: (3 + 2) u 3.6 is 2.5 steps.
  const Judged rows("ROOT r = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                    {"a = f32[2,4] {{0, 1, 0, 0}, {1.1, 1, 0, 1.3}}", "b = f32[4] {1.1, 1.3, 7, 1.7}"});
  rows.Expect("LEGAL at 0 1.3000001; FAIL at 0 1.3000003; LEGAL at 1 4.7200003");
  // The exponential reaches 4 units in the last place, and the sum 2.7 more; with all eight it would be 6.8.
  Program("y = f32[8] exponential(x)  ROOT r = f32[] dot(h, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
          {"x = f32[8] {1, 1, 1, 1, 1, 1, 1, 1}", "h = f32[8] {0, 1, 0, 0, 0, 0, 0, 0}"})
      .Expect("EXACT x402df854; LEGAL x402df85b; FAIL x402df85e; LEGAL x402df84d; FAIL x402df84a");
}

TEST_CASE("an infinite sum may be NaN if its finite terms may overflow", "[acceptance]") {
  // inf - 3e38 - 3e38: the finite terms may add up to -inf first, and the sum to NaN; it cannot be a number.
  const Judged sum = Reduced("f32", 3, "f32[3] {inf, -3e38, -3e38}", "f32[] 0");
  REQUIRE(sum.want().BitwiseEqual(Value("f32[] inf")));
  sum.Expect("LEGAL at 0 nan; FAIL at 0 -inf; FAIL at 0 3e38");
  Reduced("f32", 3, "f32[3] {inf, -3, -3}", "f32[] 0").Expect("FAIL at 0 nan");
}

// (inf + i) (1 + i) has the parts inf - 1 and inf + 1; a multiplication by moduli, or of inf by 0, gives NaN.
TEST_CASE("products of complex numbers that are not finite are open", "[acceptance]") {
  Dot("c64", 2, "c64[2] {(inf, 1), (1, 0)}", "c64[2] {(1, 1), (2, 0)}")
      .Expect("EXACT (inf, inf); SPEC-GAP (nan, inf); SPEC-GAP (3, inf)");
  Dot("c64", 2, "c64[2] {(3, 1), (1, 0)}", "c64[2] {(1, 1), (2, 0)}").Expect("EXACT (4, 4); FAIL (nan, 4)");
  Program("d = c64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}  ROOT r = c64[] negate(d)",
          {"a = c64[2] {(inf, 1), (1, 0)}", "b = c64[2] {(1, 1), (2, 0)}"})
      .Expect("EXACT (-inf, -inf); WEAK (nan, -inf)");
}

// Two arrays at once, each added separately.
TEST_CASE("sums of several arrays are judged array by array", "[acceptance]") {
  const std::string text =
      R"(two { two.a = f32[] parameter(0)  two.b = f32[] parameter(1)  two.c = f32[] parameter(2)
  two.d = f32[] parameter(3)
  two.e = f32[] add(two.a, two.c)  two.f = f32[] FOLD(two.b, two.d)
  ROOT two.r = (f32[], f32[]) tuple(two.e, two.f) }
ENTRY e { x = f32[4] parameter(0)  y = f32[4] parameter(1)  z = f32[] parameter(2)  w = f32[] parameter(3)
  ROOT r = (f32[], f32[]) reduce(x, y, z, w), dimensions={0}, to_apply=two })";
  const auto with = [&](std::string_view fold) {
    std::string filled = text;
    filled.replace(filled.find("FOLD"), 4, fold);
    return Judged(filled, {"f32[4] {1.1, 1.9, 3.3, 3.7}", "f32[4] {100.1, 199.9, 300.3, 399.7}", "f32[] 0", "f32[] 0"});
  };
  // Four terms, the start is zero: (4 + 2) u 10 and (4 + 2) u 1000; u = 2^-24.
  const Judged sums = with("add");
  CHECK(sums.WithPart(0, 0, 10 + 3 * 0x1p-20F) == Verdict::kLegal);
  CHECK(sums.WithPart(0, 0, 10 + 4 * 0x1p-20F) == Verdict::kFail);
  CHECK(sums.WithPart(1, 0, 1000 + 5 * 0x1p-14F) == Verdict::kLegal);
  CHECK(sums.WithPart(1, 0, 1000 + 6 * 0x1p-14F) == Verdict::kFail);
  CHECK(sums.WithPart(0, 0, 10 + 0x1p-20F, BuiltInProfile("exact")) == Verdict::kFail);
  // Integers are added without rounding, if all arrays have them.
  const Judged integers(std::string(text).replace(text.find("FOLD"), 4, "add"),
                        {"f32[4] {1, 2, 3, 4}", "f32[4] {100, 200, 300, 400}", "f32[] 0", "f32[] 0"});
  CHECK(integers.WithPart(0, 0, 10 + 0x1p-20F) == Verdict::kFail);
  // Different ops have no common bound.
  CHECK(with("multiply").WithPart(0, 0, 10 + 0x1p-20F) == Verdict::kWeak);
}

TEST_CASE("cumulative sums are sums where their order is open", "[acceptance]") {
  const std::string text =
      R"(running { running.a = f32[] parameter(0)  running.b = f32[] parameter(1)
  running.s = f32[] add(running.b, running.a)
  ROOT running.r = (f32[], f32[]) tuple(running.s, running.s) }
ENTRY e { x = f32[3] parameter(0)  z = f32[] parameter(1)
  ROOT r = (f32[3], f32[]) scan(x, z), dimensions={0}, num_carries=1, ORDERto_apply=running })";
  const auto with = [&](std::string_view order) {
    std::string filled = text;
    filled.replace(filled.find("ORDER"), 5, order);
    return Judged(filled, {"f32[3] {1.00000012, 2, 5}", "f32[] 0"});
  };
  // The last one has three terms, and a start that is zero: (3 + 2) u 8.
  const Judged open = with("is_associative=true, ");
  CHECK(open.WithPart(0, 2, 8 + 2 * 0x1p-20F) == Verdict::kLegal);
  CHECK(open.WithPart(0, 2, 8 + 3 * 0x1p-20F) == Verdict::kFail);
  CHECK(open.WithPart(1, 0, 8 + 3 * 0x1p-20F) == Verdict::kFail);
  // No step of the one order rounds.
  CHECK(with("").WithPart(0, 2, 8 + 2 * 0x1p-20F) == Verdict::kFail);
}

TEST_CASE("formats without infinity overflow to NaN", "[acceptance]") {
  // 448 is the largest f8e4m3fn; 448 + 64 - 64 + 0 may pass through 512.
  const Judged through = Reduced("f8e4m3fn", 3, "f8e4m3fn[3] {448, 64, -64}", "f8e4m3fn[] 0");
  REQUIRE(through.want().BitwiseEqual(Value("f8e4m3fn[] 448")));
  through.Expect("LEGAL nan");
  // 416 + 16 + 8 = 440 is below 464, from where on numbers become NaN, by less than the roundings on the way.
  const Judged near = Reduced("f8e4m3fn", 3, "f8e4m3fn[3] {416, 16, 8}", "f8e4m3fn[] 0");
  REQUIRE(near.want().BitwiseEqual(Value("f8e4m3fn[] 448")));
  near.Expect("LEGAL nan");
  Reduced("f8e4m3fn", 3, "f8e4m3fn[3] {4, 1, -1}", "f8e4m3fn[] 0").Expect("FAIL nan");
}

TEST_CASE("a sum whose magnitudes are beyond f64 is WEAK", "[acceptance]") {
  Reduced("f64", 3, "f64[3] {1.7e308, 1.7e308, -1.7e308}", "f64[] 0").Expect("WEAK inf; EXACT 1.7e308");
}

TEST_CASE("products and partial sums may be flushed", "[acceptance][flush]") {
  // 1e-20 1e-20 = 1e-40 is subnormal, and the sum may lack it.
  Dot("f32", 2, "f32[2] {1e-20, 1}", "f32[2] {1e-20, 1.2e-38}").Expect("WEAK 1.2e-38; ieee FAIL 1.2e-38; FAIL 1e-37");
}

TEST_CASE("a sum that no order rounds has one value, and so has one product", "[acceptance]") {
  // Multiples of 1 up to 3 of 7.5, in a format of four bits.
  const Judged sum = Reduced("f6e2m3fn", 3, "f6e2m3fn[3] {1, -1, 1}", "f6e2m3fn[] 0");
  sum.Expect("FAIL 0; FAIL 1.125");
  Reduced("f4e2m1fn", 2, "f4e2m1fn[2] {1, -1}", "f4e2m1fn[] 0").Expect("FAIL 0.5");
  // 4 + 1 has three bits, and the format two.
  Reduced("f4e2m1fn", 3, "f4e2m1fn[3] {4, 1, -1}", "f4e2m1fn[] 0").Expect("WEAK 3");
  Judged("ROOT r = f6e2m3fn[2] all-reduce(p), replica_groups={{0}}, to_apply=add_f6e2m3fn",
         {"p = f6e2m3fn[2] {0.5, 0.75}"})
      .Expect("FAIL {0.75, 0.5}");
  const Judged product = Dot("f32", 1, "f32[1] {1.1}", "f32[1] {1.3}");
  product.Expect("FAIL off 1; ieee FAIL off -1");
  Dot("f16", 1, "f16[1] {1.1}", "f16[1] {1.3}").Expect("FAIL 1.432");
  // In f16, where the sum may be kept, a product of 8 bits may be subnormal.
  Dot("f8e5m2", 1, "f8e5m2[1] {0.00390625}", "f8e5m2[1] {0.0048828125}").Expect("WEAK x02");
}

TEST_CASE("the zero of a flushed sum is LEGAL by flush, not by reassociation", "[acceptance][flush]") {
  // The sum 3 x 2^-149 is subnormal.
  const Judged dot = Dot("f32", 2, "f32[2] {x00000001, x00000002}", "f32[2] {1, 1}");
  REQUIRE(dot.want().BitwiseEqual(Value("f32[] x00000003")));
  const Judgement zero = dot.Of("f32[] 0");
  CHECK(zero.verdict == Verdict::kLegal);
  CHECK(zero.reason == "flush");
  CHECK(dot.Is("f32[] 0", BuiltInProfile("ieee")) != Verdict::kLegal);
}

TEST_CASE("a select-and-scatter adds the terms that its comparison chooses", "[acceptance]") {
  // The windows {-3, 5} and {-7, 2} choose 5 and 2 by value; by magnitude it would be -7. Each place has its source and
  // the start: two terms.
  const Judged scattered(
      "x = f32[4] parameter(0)\n y = f32[2] parameter(1)\n s = f32[] parameter(2)\n ROOT r = f32[4] "
      "select-and-scatter(x, y, s), window={size=2 stride=2}, select=GE_f32, scatter=add_f32",
      {"f32[4] {-3, 5, -7, 2}", "f32[2] {0.1, 0.3}", "f32[] 1"});
  scattered.Expect("EXACT at 1 1.1");
  CHECK(scattered.With(1, std::nextafter(1.1f, 2.0f)) == Verdict::kFail);
  scattered.Expect("FAIL at 2 1.3");
}

TEST_CASE("a select-and-scatter may flush what it compares alone", "[acceptance][flush]") {
  // {0, 2e-39} chooses 2e-39, or 0 if both count as zeros. The start may stay subnormal all the same.
  const Judged scattered(
      "x = f32[2] parameter(0)\n y = f32[1] parameter(1)\n s = f32[] parameter(2)\n ROOT r = f32[2] "
      "select-and-scatter(x, y, s), window={size=2}, select=GE_f32, scatter=add_f32",
      {"f32[2] {0, 2e-39}", "f32[1] {0.5}", "f32[] 1e-45"});
  scattered.Expect("EXACT f32[2] {1e-45, 0.5}; LEGAL f32[2] {0.5, 1e-45}; LEGAL f32[2] {0.5, 0}");
  scattered.Expect("ieee FAIL f32[2] {0.5, 1e-45}; FAIL f32[2] {0.5, 2e-39}");
}

TEST_CASE("a dot's algorithm opens the roundings that it names", "[acceptance]") {
  // 1.001 1.001 as bf16 is 1; (3 2^-8 + 2.25 2^-16) of 1.002 is allowed, 0.01178, for the product may be rounded too.
  const auto dot = [](const std::string& attributes) {
    return Judged(Entry("a = f32[1] parameter(0)\nb = f32[1] parameter(1)\nROOT r = f32[] dot(a, b), "
                        "lhs_contracting_dims={0}, rhs_contracting_dims={0}" +
                        attributes),
                  {"f32[1] {1.001}", "f32[1] {1.001}"});
  };
  dot("").Expect("FAIL at 0 1");
  const Judged rounded = dot(", algorithm=dot_bf16_bf16_f32");
  rounded.Expect("LEGAL at 0 1");
  CHECK(rounded.With(0, 1.002001f + 0.0117f) == Verdict::kLegal);
  CHECK(rounded.With(0, 1.002001f + 0.0119f) == Verdict::kFail);
  rounded.Expect("exact FAIL at 0 1");
  dot(", algorithm=dot_bf16_bf16_f32_x3").Expect("FAIL at 0 1; LEGAL off 200");
  dot(", algorithm=dot_f32_f32_f32").Expect("FAIL at 0 1");
}

TEST_CASE("a product is LEGAL within the bound of any order", "[acceptance]") {
  // Three factors and the start: gamma(5) = 5 2^-24 of 1.331 is 3.97e-7, and a step of f32 there 1.19e-7; the canonical
  // order is at most one step from the exact product.
  const Judged product = Multiplied("f32", 3, "f32[3] {1.1, 1.1, 1.1}");
  for (const int side : {1, -1}) {
    CHECK(product.Off(2 * side) == Verdict::kLegal);
    CHECK(product.Off(5 * side) == Verdict::kFail);
    CHECK(product.Off(side, ExactProfile()) == Verdict::kFail);
  }
  product.Expect("FAIL at 0 -1.331; FAIL at 0 inf");
  // One order overflows, another does not.
  Multiplied("f32", 3, "f32[3] {1e30, 1e-30, 1e30}").Expect("SPEC-GAP at 0 inf");
  Multiplied("f32", 3, "f32[3] {0, 2, 3}").Expect("FAIL at 0 -0; FAIL at 0 1e-38");
  Multiplied("f32", 2, "f32[2] {inf, 3}").Expect("FAIL at 0 nan");
  Multiplied("f32", 1, "f32[1] {1.1}").Expect("FAIL off 1");
  Multiplied("s32", 2, "s32[2] {2, 3}").Expect("FAIL 7");
  // f64: gamma(2 * 4) = 8 2^-53 of 1.331, units of 2^-52: five steps are inside, six not.
  const Judged wide = Multiplied("f64", 3, "f64[3] {1.1, 1.1, 1.1}");
  const auto off = [&](std::int64_t steps) {
    Literal got = wide.want();
    got.mutable_values<std::int64_t>()[0] += steps;
    return wide.Of(got).verdict;
  };
  CHECK(off(5) == Verdict::kLegal);
  CHECK(off(6) == Verdict::kFail);
}

// Rows of random numbers summed in f32, in another way each time.
class ManySums {
 public:
  static constexpr int kRows = 512, kTerms = 256;

  explicit ManySums(void (*change)(std::span<float> row) = [](std::span<float>) {}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> numbers(0.5f, 1.0f);
    x_ = Literal::Uninitialized(ShapeUtil::MakeShape(F32, {kRows, kTerms}));
    for (float& number : x_.mutable_values<float>()) number = numbers(random);
    for (int row = 0; row < kRows; ++row) change(x_.mutable_values<float>().subspan(row * kTerms, kTerms));
    module_ = Parsed(R"(x = f32[512,256] parameter(0)  s = f32[] constant(0)
  ROOT r = f32[512] reduce(x, s), dimensions={1}, to_apply=add_f32)");
  }

  // Judges sum(row) for the numbers of every row.
  template <class Sum>
  Judgement Of(const Sum& sum, const Profile& profile = XlaProfile()) const {
    const Literal want = Evaluated(*module_, {x_});
    Literal got = want;
    got.mutable_data();
    for (int row = 0; row < kRows; ++row) {
      got.mutable_values<float>()[row] = sum(x_.values<float>().subspan(row * kTerms, kTerms));
    }
    return JudgeInstruction(*module_->entry->root, std::vector{x_, Value("f32[] 0")}, want, got, profile);
  }

 private:
  Literal x_;
  std::unique_ptr<HloModule> module_;
};

float TowardsZero(float a, float b) {
  const double exact = double{a} + double{b};
  const auto nearest = static_cast<float>(exact);
  return nearest > exact ? std::nextafter(nearest, 0.0f) : nearest;
}

TEST_CASE("many sums are judged together", "[acceptance]") {
  const ManySums sums;
  const auto in_order = [](std::span<const float> row) {
    float sum = 0;
    for (const float x : row) sum += x;
    return sum;
  };
  CHECK(sums.Of(in_order).verdict == Verdict::kLegal);
  // Each of these sums is inside its bound, but all of them are too small.
  const auto truncated = [](std::span<const float> row) {
    float sum = 0;
    for (const float x : row) sum = TowardsZero(sum, x);
    return sum;
  };
  const Judgement biased = sums.Of(truncated);
  CHECK(biased.verdict == Verdict::kSuspect);
  CHECK(biased.reason.starts_with("test of bias: the errors of 512 sums"));
  for (const Tally& tally : biased.tallies) CHECK(tally.verdict == Verdict::kLegal);
  // Terms rounded to 14 bits: errors to both sides, too large for a sum of f32 numbers.
  const auto narrowed = [](std::span<const float> row) {
    double sum = 0;
    for (const float x : row) sum += std::nearbyint(x * 0x1p14f) * 0x1p-14;
    return static_cast<float>(sum);
  };
  const Judgement spread = sums.Of(narrowed);
  CHECK(spread.verdict == Verdict::kSuspect);
  CHECK(spread.reason.starts_with("test of spread"));
  // In pairs: smaller errors than in order.
  const auto pairwise = [](std::span<const float> row) {
    std::vector<float> partial(row.begin(), row.end());
    for (std::size_t n = partial.size() / 2; n > 0; n /= 2) {
      for (std::size_t i = 0; i < n; ++i) partial[i] += partial[i + n];
    }
    return partial[0];
  };
  CHECK(sums.Of(pairwise).verdict == Verdict::kLegal);
}

// Two numbers that cancel in a line absorb every other number of their two lanes. The zeros between them keep the lanes
// apart.
TEST_CASE("a bias that only lanes have is lawful", "[acceptance]") {
  const ManySums sums([](std::span<float> row) {
    const float large = 0.9f + row[0] / 5;
    for (float& x : row) x *= 0x1p-24f;
    row[0] = large;
    row[3] = -large;
    row[1] = row[2] = 0;
  });
  const auto in_two_lanes = [](std::span<const float> row) {
    float lanes[2] = {};
    for (std::size_t i = 0; i < row.size(); ++i) lanes[i % 2] += row[i];
    return lanes[0] + lanes[1];
  };
  CHECK(sums.Of(in_two_lanes).verdict == Verdict::kLegal);
}

// Judges zeros in place of the sums or products of K random bf16 numbers in each of 96 rows.
Judgement ZerosFor(bool is_product, std::int64_t k) {
  constexpr std::int64_t kRows = 96;
  const std::string text =
      is_product ? fmt::format(
                       "a = bf16[{0},{1}] parameter(0)\nb = bf16[{1}] parameter(1)\n"
                       "ROOT r = bf16[{0}] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
                       kRows, k)
                 : fmt::format(
                       "a = bf16[{0},{1}] parameter(0)\nb = bf16[] parameter(1)\n"
                       "ROOT r = bf16[{0}] reduce(a, b), dimensions={{1}}, to_apply=add_bf16",
                       kRows, k);
  const auto module = Parsed(text);
  std::vector<Literal> operands;
  std::uint64_t seed = 5;
  for (const HloInstruction* parameter : module->entry->Parameters()) {
    Literal value(parameter->shape);
    if (parameter->shape.rank() > 0) {
      for (std::uint16_t& x : value.mutable_values<std::uint16_t>()) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        const double unit = static_cast<double>(seed >> 40) * 0x1p-23 - 1;  // in [-1, 1)
        x = static_cast<std::uint16_t>(RoundDouble(FloatFormatOf(BF16), unit));
      }
    }
    operands.push_back(std::move(value));
  }
  const Literal want = Evaluated(*module, operands);
  return JudgeInstruction(*module->entry->root, operands, want, Literal(want.shape()), XlaProfile());
}

TEST_CASE("zeros for products and sums of bf16 are wrong", "[acceptance]") {
  std::vector<std::int64_t> terms = {128, 512, 4096};
  if (IsNightly("zeros for sums of 65536 terms")) terms.push_back(65536);
  for (const std::int64_t k : terms) {
    INFO(k);
    CHECK(ZerosFor(true, k).verdict == Verdict::kFail);
    CHECK(ZerosFor(false, k).verdict == Verdict::kSuspect);
  }
}

TEST_CASE("partial sums beyond the largest number are infinite, and other numbers far from the sum are FAIL",
          "[acceptance]") {
  const auto module = Parsed(R"(x = f32[1,2] parameter(0)  y = f32[2,2] parameter(1)
  ROOT r = f32[1,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0})");
  // The first sum is -1e43 + 3e48, and no term of it is infinite; the second is 0 + inf.
  const std::vector<Literal> operands = {Value("f32[1,2] {{-1.4e11, 5.5e11}}"),
                                         Value("f32[2,2] {{8.1e31, 0}, {5.3e36, inf}}")};
  const Literal want = Evaluated(*module, operands);
  const auto verdict = [&](const std::string& got) {
    return JudgeInstruction(*module->entry->root, operands, want, Value(got), XlaProfile()).verdict;
  };
  CHECK(want.BitwiseEqual(Value("f32[1,2] {{inf, inf}}")));
  CHECK(verdict("f32[1,2] {{-inf, inf}}") == Verdict::kLegal);  // -1e43 overflows first
  CHECK(verdict("f32[1,2] {{0, inf}}") == Verdict::kFail);
  CHECK(verdict("f32[1,2] {{inf, -inf}}") == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
