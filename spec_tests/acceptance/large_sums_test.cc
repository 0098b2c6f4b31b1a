// Sums of large arrays in f64, for bounds, against sums of integers; and the last roundings of long sums.
#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/rounding_errors.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

constexpr std::int64_t kTerms = (std::int64_t{1} << 20) + 777;

const char* const kLargeSum = R"(x = f32[1049353] parameter(0)  init = f32[] parameter(1)
  ROOT r = f32[] reduce(x, init), dimensions={0}, to_apply=add_f32)";

TEST_CASE("a complex number counts as two numbers", "[acceptance]") {
  CHECK(NumbersOf(Values({"c64[3] {(1, 2), (3, 4), (5, 6)}", "f32[2] {1, 2}", "s32[] 7"})) == 9);
}

TEST_CASE("sums of a large array and of its magnitudes are rounded once", "[acceptance][sums]") {
  const auto module = Parsed(kLargeSum);
  const HloInstruction& reduce = *module->entry->root;
  std::vector<Literal> operands = Values({"f32[] -0.25"});
  operands.insert(operands.begin(), Literal::Uninitialized(reduce.operand(0).shape));
  const auto numbers = operands[0].mutable_values<float>();
  REQUIRE(std::ssize(numbers) == kTerms);
  std::mt19937 random(1);
  std::int64_t sum = -1, magnitudes = 1;  // in quarters
  for (float& number : numbers) {
    const auto quarters = static_cast<std::int64_t>(random() % (1 << 24)) - (1 << 23);
    number = static_cast<float>(quarters) / 4;
    sum += quarters;
    magnitudes += std::abs(quarters);
  }
  const auto in_f64 = [&](double (*map)(double)) {
    const auto result = EvaluateInF64(reduce, operands, map);
    REQUIRE(result);
    CHECK(result->shape() == ShapeUtil::MakeShape(F64, {}));
    return result->values<double>()[0];
  };
  const auto exact = [&] { return ExactResult(reduce, operands).At({}, Values({"f32[] 0"})[0], 0); };
  const auto magnitude = [](double x) { return std::fabs(x); };
  CHECK(in_f64(magnitude) == static_cast<double>(magnitudes) / 4);
  CHECK(exact() == static_cast<double>(sum) / 4);
  // Terms that cancel leave the rest: every bit of it counts.
  const double first = numbers[0], last = numbers[kTerms - 1], rest = static_cast<double>(sum) / 4 - first - last;
  numbers[0] = 0x1p100f;
  numbers[kTerms - 1] = -0x1p100f;
  CHECK(exact() == rest);
  CHECK(in_f64(magnitude) == 0x1p101);
  numbers[5] = INFINITY;
  CHECK(exact() == INFINITY);
  numbers[kTerms - 2] = -INFINITY;
  CHECK(std::isnan(exact().value()));
  CHECK(in_f64(magnitude) == INFINITY);
  CHECK(in_f64([](double x) { return std::isfinite(x) ? 1.0 : 0.0; }) == kTerms - 2 + 1);
}

// A bf16 dot of random numbers of both signs, and what follows it, whose sums end as `last` rounds them.
struct Dots {
  std::unique_ptr<HloModule> module;
  std::vector<Literal> operands;
  Literal want, got;
};
Dots DotsRounded(std::uint16_t (*last)(double), const std::string& after, std::int64_t terms = 2048) {
  constexpr std::int64_t kRows = 128;
  constexpr std::string_view kComputation = R"(f { s = bf16[128] parameter(0)  q = bf16[8,16] reshape(s)
  ROOT t = (bf16[8,16], bf16[128]) tuple(q, s) }
)";
  const auto program = [&](const std::string& start) {
    return fmt::format("{}ENTRY e {{ {}{} }}", kComputation, start, after);
  };
  const std::string dot = fmt::format(R"(a = bf16[{0},{1}] parameter(0)  b = bf16[{1}] parameter(1)
  {2} = bf16[{0}] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
)",
                                      kRows, terms, after.empty() ? "ROOT d" : "d");
  Dots dots = {Parsed(program(dot)), {}, Literal(), Literal(ShapeUtil::MakeShape(BF16, {kRows}))};
  std::mt19937 random(11);
  std::normal_distribution<double> numbers;
  for (const HloInstruction* parameter : dots.module->entry->Parameters()) {
    for (auto& x : dots.operands.emplace_back(parameter->shape).mutable_values<std::uint16_t>()) {
      x = static_cast<std::uint16_t>(RoundDouble(FloatFormatOf(BF16), numbers(random)));
    }
  }
  for (std::int64_t row = 0; row < kRows; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < terms; ++i) {
      sum += RealValue(ComponentAt(dots.operands[0], row * terms + i)) * RealValue(ComponentAt(dots.operands[1], i));
    }
    dots.got.mutable_values<std::uint16_t>()[row] = last(sum);
  }
  dots.want = Evaluated(*dots.module, dots.operands);
  if (!after.empty()) dots.got = Evaluated(program("d = bf16[128] parameter(0)\n"), {dots.got});
  return dots;
}

std::uint16_t Truncated(double sum) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(sum)) >> 16);
}
std::uint16_t ToNearest(double sum) { return static_cast<std::uint16_t>(RoundDouble(FloatFormatOf(BF16), sum)); }

TEST_CASE("last roundings that truncate sums of both signs are SUSPECT", "[acceptance]") {
  const auto judged = [](std::uint16_t (*last)(double)) {
    const Dots dots = DotsRounded(last, "");
    return JudgeInstruction(*dots.module->entry->root, dots.operands, dots.want, dots.got, XlaProfile());
  };
  CHECK(judged(ToNearest).verdict == Verdict::kExact);
  const Judgement cut = judged(Truncated);
  CHECK(cut.verdict == Verdict::kSuspect);
  CHECK(cut.reason.starts_with("test of bias: the errors of 128 sums are -"));
  CHECK(cut.reason.find("of their last rounding in the mean") != std::string::npos);
}

TEST_CASE("last roundings that truncate are SUSPECT behind instructions that move the sums", "[acceptance][samples]") {
  const auto suspect = [](std::uint16_t (*last)(double), const std::string& after, std::int64_t terms = 2048) {
    const Dots dots = DotsRounded(last, after, terms);
    return JudgeBySamples(*dots.module, {dots.operands}, dots.want, dots.got, XlaProfile()).suspect;
  };
  for (const std::string after : {
           "r = bf16[8,16] reshape(d)  ROOT t = bf16[16,8] transpose(r), dimensions={1,0}",
           "ROOT s = bf16[100] slice(d), slice={[0:100]}",
           "c = bf16[2] constant({1, 2})  ROOT j = bf16[130] concatenate(c, d), dimensions={0}",
           "z = bf16[] constant(0)  p = bf16[131] pad(d, z), padding=1_2  c = bf16[131] copy(p)\n"
           "ROOT t = (bf16[131], bf16[128]) tuple(c, d)",
           "c = (bf16[8,16], bf16[128]) call(d), to_apply=f  q = bf16[8,16] get-tuple-element(c), index=0\n"
           "ROOT r = bf16[8,16] copy(q)",
           "i = s32[] constant(7)  ROOT s = bf16[90] dynamic-slice(d, i), dynamic_slice_sizes={90}",
           "i = bf16[128] imag(d)  ROOT j = bf16[256] concatenate(i, d), dimensions={0}",
       }) {
    INFO(after);
    const std::string reason = suspect(Truncated, after);
    CHECK(reason.starts_with("dot (line "));
    CHECK(reason.find("of their last rounding in the mean") != std::string::npos);
    CHECK(suspect(ToNearest, after).empty());
    // The bound of few terms leaves no room for a truncation. Only the set of the program is as wide.
    CHECK(suspect(Truncated, after, 16).ends_with("outside the bound of a sum in any order"));
    CHECK(suspect(ToNearest, after, 16).empty());
  }
}

}  // namespace
}  // namespace assay::testing
