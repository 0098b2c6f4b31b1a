// Random numbers judged as a whole: good generators pass, and each kind of fault is detected.
#include "interpreter/acceptance/statistics/distribution.h"

#include <cmath>
#include <random>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

constexpr int kCount = 4096;

class Draw {
 public:
  Draw(PrimitiveType type, const char* distribution, double a, double b)
      : rng_(g_.Add(op_rng, ShapeUtil::MakeShape(type, {kCount}), {&g_.Parameter(type, {}), &g_.Parameter(type, {})},
                    {{"distribution", std::string(distribution)}})),
        operands_{Array(type, {}, {a}), Array(type, {}, {b})} {}

  DistributionReport Judge(const std::vector<double>& numbers) const {
    return JudgeDistribution(AcceptanceOf(op_rng).Fact<DistributionFunction>()(rng_), operands_,
                             Array(operands_[0].element_type(), {kCount}, numbers));
  }

 private:
  Graph g_;
  HloInstruction& rng_;
  std::vector<Literal> operands_;
};

template <class Distribution>
std::vector<double> Numbers(Distribution distribution, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<double> numbers(kCount);
  for (double& x : numbers) x = distribution(engine);
  return numbers;
}

TEST_CASE("numbers of the distribution pass, whatever the seed", "[acceptance][distribution]") {
  const Draw uniform(F64, "rng_uniform", -1, 3), normal(F32, "rng_normal", 2, 0.5), coarse(BF16, "rng_normal", 0, 1);
  const Draw integers(S32, "rng_uniform", -5, 100), bytes(U8, "rng_uniform", 0, 7);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CHECK(uniform.Judge(Numbers(std::uniform_real_distribution<>(-1, 3), seed)).fault.empty());
    CHECK(normal.Judge(Numbers(std::normal_distribution<>(2, 0.5), seed)).fault.empty());
    CHECK(coarse.Judge(Numbers(std::normal_distribution<>(0, 1), seed)).fault.empty());
    CHECK(integers.Judge(Numbers(std::uniform_int_distribution<>(-5, 99), seed)).fault.empty());
    CHECK(bytes.Judge(Numbers(std::uniform_int_distribution<>(0, 6), seed)).fault.empty());
  }
}

TEST_CASE("numbers outside the range fail, those at its ends do not", "[acceptance][distribution]") {
  const Draw uniform(F32, "rng_uniform", 0, 1);
  std::vector<double> numbers = Numbers(std::uniform_real_distribution<>(0, 1), 1);
  numbers[7] = 0;
  numbers[8] = 1 - 0x1p-24;
  CHECK(uniform.Judge(numbers).fault.empty());
  numbers[8] = 1;
  CHECK(uniform.Judge(numbers).fault == "a number outside [0, 1): 1");
  numbers[8] = -0x1p-149;
  CHECK_FALSE(uniform.Judge(numbers).fault.empty());
  numbers[8] = NAN;
  CHECK(uniform.Judge(numbers).fault == "a NaN among the numbers");

  const Draw integers(S8, "rng_uniform", -2, 2);
  numbers = Numbers(std::uniform_int_distribution<>(-2, 1), 1);
  CHECK(integers.Judge(numbers).fault.empty());
  numbers[9] = 2;
  CHECK(integers.Judge(numbers).fault == "a number outside the range: 2");
}

TEST_CASE("uniform numbers of a program are in their range, and pass the tests", "[acceptance][programs]") {
  const std::string text = R"(x = f32[4] parameter(0)  a = f32[] constant(-1)  b = f32[] constant(3)
  u = f32[64] rng(a, b), distribution=rng_uniform
  n = f32[64] negate(u)  i = s32[] constant(2)  j = s32[] constant(5)  w = s32[4] rng(i, j), distribution=rng_uniform
  y = f32[4] exponential(x)  ROOT t = (f32[64], f32[64], s32[4], f32[4]) tuple(n, u, w, y))";
  const Program program(text, {"f32[4] {0, 0, 0, 0}"});
  const auto got = [](double negated, const std::string& integer) {
    std::string numbers, uniform;
    for (int i = 0; i < 64; ++i) {
      numbers += fmt::format("{}{}", i == 0 ? "" : ", ", i == 5 ? negated : 0.5);
      uniform += fmt::format("{}{}", i == 0 ? "" : ", ", -1 + (i * 29 % 64 + 0.5) / 16);
    }
    return fmt::format("(f32[64], f32[64], s32[4], f32[4]) ({{{}}}, {{{}}}, {{2, {}, 3, 2}}, {{1, 1, 1, 1}})", numbers,
                       uniform, integer);
  };
  CHECK(program.Is(got(1, "4")) <= Verdict::kWeak);
  CHECK(program.Is(got(1.5, "4")) == Verdict::kFail);
  CHECK(program.Is(got(-3.5, "4")) == Verdict::kFail);
  CHECK(program.Is(got(-2.999, "4")) <= Verdict::kWeak);
  CHECK(program.Is(got(-3, "4")) == Verdict::kFail);  // the end 3 is open
  CHECK(program.Is(got(1, "5")) == Verdict::kFail);
  // The numbers themselves are spread evenly; half of them are not.
  const auto module = Parsed(text);
  const std::vector<Literal> arguments = Values({"f32[4] {0, 0, 0, 0}"});
  const Literal want = *Evaluate(*module, arguments);
  const auto suspicion = [&](double factor) {
    Literal numbers = Value(got(1, "4"));
    for (float& x : numbers.mutable_elements()[1].mutable_values<float>()) x = static_cast<float>(x * factor);
    return JudgeBySamples(*module, {arguments}, want, numbers, XlaProfile()).suspect;
  };
  CHECK(suspicion(1) == "");
  CHECK(suspicion(0.25) != "");
}

TEST_CASE("numbers of another distribution fail", "[acceptance][distribution]") {
  const Draw normal(F32, "rng_normal", 0, 1), uniform(F32, "rng_uniform", 0, 1), bytes(U8, "rng_uniform", 0, 7);
  CHECK_FALSE(normal.Judge(Numbers(std::normal_distribution<>(0.2, 1), 1)).fault.empty());
  CHECK_FALSE(normal.Judge(Numbers(std::normal_distribution<>(0, 1.3), 1)).fault.empty());
  CHECK_FALSE(normal.Judge(Numbers(std::uniform_real_distribution<>(-1.7, 1.7), 1)).fault.empty());
  CHECK_FALSE(uniform.Judge(Numbers(std::uniform_real_distribution<>(0, 0.9), 1)).fault.empty());
  CHECK_FALSE(uniform.Judge(std::vector<double>(kCount, 0.5)).fault.empty());
  CHECK_FALSE(bytes.Judge(Numbers(std::uniform_int_distribution<>(0, 5), 1)).fault.empty());
  CHECK_FALSE(bytes.Judge(Numbers(std::binomial_distribution<>(6, 0.5), 1)).fault.empty());
}

TEST_CASE("numbers that repeat after one half fail", "[acceptance][distribution]") {
  const auto repeated = [](std::vector<double> numbers, double share) {
    const auto count = static_cast<std::size_t>(share * kCount / 2);
    for (std::size_t i = 0; i < count; ++i) numbers[kCount / 2 + i] = numbers[i];
    return numbers;
  };
  const Draw uniform(F32, "rng_uniform", 0, 1), narrow(BF16, "rng_uniform", 0, 1), integer(S32, "rng_uniform", 0, 16);
  for (const double share : {1.0, 0.1}) {
    INFO(share);
    CHECK_FALSE(uniform.Judge(repeated(Numbers(std::uniform_real_distribution<>(0, 1), 1), share)).fault.empty());
  }
  const auto uniforms = Numbers(std::uniform_real_distribution<>(0, 0.99), 2);
  CHECK_FALSE(narrow.Judge(repeated(uniforms, 1)).fault.empty());
  CHECK(narrow.Judge(uniforms).fault.empty());
  const auto integers = Numbers(std::uniform_int_distribution<>(0, 15), 3);
  CHECK_FALSE(integer.Judge(repeated(integers, 1)).fault.empty());
  CHECK(integer.Judge(integers).fault.empty());
}

TEST_CASE("an empty range leaves the numbers open", "[acceptance][distribution]") {
  CHECK(Draw(F32, "rng_uniform", 2, 2).Judge(std::vector<double>(kCount, 77)).fault.empty());
  CHECK(Draw(U8, "rng_uniform", 3, 2).Judge(std::vector<double>(kCount, 77)).fault.empty());
}

}  // namespace
}  // namespace assay::testing
