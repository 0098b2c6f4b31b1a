// Long sums in f32 and f64: the bound of any order is wide, and a sum that no algorithm comes near is SUSPECT inside
// it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

using Addends = std::vector<double>;

// Terms made so that roundings depend on each other.
struct TermsOfSum {
  const char* name;
  std::function<double(double place, std::mt19937_64& random)> at;  // the place is in [0, 1)
};

double Uniform(std::mt19937_64& random) { return std::uniform_real_distribution<double>(0.5, 1.5)(random); }

const TermsOfSum kTermsOfSums[] = {
    {"uniform", [](double, std::mt19937_64& random) { return Uniform(random); }},
    {"of both signs", [](double, std::mt19937_64& random) { return std::normal_distribution<double>()(random); }},
    {"large first", [](double place, std::mt19937_64& random) { return place == 0 ? 0x1p23 : Uniform(random); }},
    {"large last", [](double place, std::mt19937_64& random) { return place > 0.999 ? 0x1p21 : Uniform(random); }},
    {"falling", [](double place, std::mt19937_64& random) { return Uniform(random) * std::exp2(-30 * place); }},
    {"rising", [](double place, std::mt19937_64& random) { return Uniform(random) * std::exp2(30 * place); }},
    {"positive, then negative",
     [](double place, std::mt19937_64& random) { return place < 0.5 ? Uniform(random) : -Uniform(random); }},
    {"cancelling",
     [](double place, std::mt19937_64& random) {
       return place == 0 ? 0x1p25 : place == 0.5 ? -0x1p25 : Uniform(random);
     }},
    {"equal", [](double, std::mt19937_64&) { return 0.1; }},
    {"mostly zero", [](double, std::mt19937_64& random) { return random() % 64 == 0 ? Uniform(random) : 0; }},
    {"tiny", [](double, std::mt19937_64& random) { return Uniform(random) * 0x1p-126; }},
};

class LongSum {
 public:
  LongSum(PrimitiveType type, std::int64_t count, const TermsOfSum& kind, std::uint64_t seed) : type_(type) {
    std::mt19937_64 random(seed);
    for (std::int64_t i = 0; i < count; ++i) {
      const double x = kind.at(static_cast<double>(i) / static_cast<double>(count), random);
      terms_.push_back(Rounded(x));
    }
    const std::string name(PrimitiveTypeName(type));
    module_ =
        Parsed("HloModule m\nadd { a = " + name + "[] parameter(0)\nb = " + name + "[] parameter(1)\nROOT s = " + name +
               "[] add(a, b) }\nENTRY e { x = " + name + "[" + std::to_string(count) + "] parameter(0)\nz = " + name +
               "[] parameter(1)\nROOT r = " + name + "[] reduce(x, z), dimensions={0}, to_apply=add }");
    Literal array(module_->entry->Parameters()[0]->shape);
    StoreReals(type, terms_.data(), array.mutable_data(), count);
    operands_ = {std::move(array), Literal(module_->entry->Parameters()[1]->shape)};
    want_ = Evaluated(*module_, operands_);
  }

  const Addends& terms() const { return terms_; }
  double exact() const {
    double sum = 0;
    LoadReals(type_, want_.data(), &sum, 1);
    return sum;
  }
  double Rounded(double x) const { return type_ == F32 ? static_cast<float>(x) : x; }
  double InLine(const Addends& terms) const {
    double sum = 0;
    for (const double x : terms) sum = Rounded(sum + x);
    return sum;
  }
  double InLanes(const Addends& terms, std::size_t count) const {
    Addends lanes(count, 0);
    for (std::size_t i = 0; i < terms.size(); ++i) lanes[i % count] = Rounded(lanes[i % count] + terms[i]);
    return InLine(lanes);
  }
  Judgement Of(double sum) const {
    Literal got(want_.shape());
    StoreReals(type_, &sum, got.mutable_data(), 1);
    return JudgeInstruction(*module_->entry->root, operands_, want_, got, BuiltInProfile("xla"));
  }

 private:
  PrimitiveType type_;
  Addends terms_;
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> operands_;
  Literal want_;
};

TEST_CASE("a sum that no algorithm comes near is SUSPECT though its bound admits it", "[acceptance][sums]") {
  for (const PrimitiveType type : {F32, F64}) {
    const LongSum sum(type, 4096, kTermsOfSums[0], 1);
    // One term twice, one term missing, and sums that are too large by the share of an epsilon that is 20 times the
    // error of 4096 roundings.
    const double unit = type == F32 ? 0x1p-24 : 0x1p-53;
    const double off = 20 * 64 * unit * sum.exact();
    if (type == F32) {
      CHECK(sum.Of(sum.exact() + sum.terms()[7]).verdict == Verdict::kSuspect);
      CHECK(sum.Of(sum.exact() - sum.terms()[7]).verdict == Verdict::kSuspect);
    }
    const Judgement far = sum.Of(sum.Rounded(sum.exact() + off));
    CHECK(far.verdict == Verdict::kSuspect);
    CHECK(far.reason.starts_with("far from lawful results: element 0 of 1 is "));
    CHECK(sum.Of(sum.Rounded(sum.exact() + off / 40)).verdict == Verdict::kLegal);
    CHECK(sum.Of(2 * sum.exact()).verdict == Verdict::kFail);
  }
}

TEST_CASE("long sums in any order of any terms are not SUSPECT", "[acceptance][sums]") {
  const int seeds = IsNightly("more seeds of long sums") ? 40 : 2;
  for (const TermsOfSum& kind : kTermsOfSums) {
    for (const std::int64_t count : {64, 1000, 16384}) {
      for (int seed = 0; seed < seeds; ++seed) {
        const LongSum sum(F32, count, kind, seed);
        Addends terms = sum.terms();
        std::mt19937_64 random(seed);
        const auto check = [&](const char* order, double value) {
          const Judgement judgement = sum.Of(value);
          INFO(kind.name << ", " << count << " terms, seed " << seed << ", " << order << ": " << judgement.reason);
          CHECK(!IsFailure(judgement.verdict));
        };
        check("in line", sum.InLine(terms));
        for (const std::size_t lanes : {3, 8, 100}) check("in lanes", sum.InLanes(terms, lanes));
        std::ranges::reverse(terms);
        check("backward", sum.InLine(terms));
        std::ranges::shuffle(terms, random);
        check("shuffled", sum.InLine(terms));
        std::ranges::sort(terms);
        check("rising", sum.InLine(terms));
        std::ranges::reverse(terms);
        check("falling", sum.InLine(terms));
        std::ranges::sort(terms, {}, [](double x) { return std::fabs(x); });
        check("from the least magnitude", sum.InLine(terms));
      }
    }
  }
}

// Normally distributed numbers of `bits` bits: those of bf16 have 8.
std::vector<float> ShortNumbers(std::size_t count, int bits, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<float> numbers(count);
  for (float& x : numbers) {
    int exponent = 0;
    const double fraction = std::frexp(normal(random), &exponent);
    x = static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits));
  }
  return numbers;
}

// Products of short numbers have bits to spare, so the samples may round no partial sum of an element.
TEST_CASE("sums that only some orders round are not SUSPECT", "[acceptance][samples]") {
  constexpr int kTerms = 18, kRows = 1024, kBits = 8;
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = f32[1024,18] parameter(0)  y = f32[18] parameter(1)
  ROOT r = f32[1024] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} })");
  for (int seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<float> rows = ShortNumbers(kRows * kTerms, kBits, random);
    const std::vector<float> factors = ShortNumbers(kTerms, kBits, random);
    const std::vector<Literal> operands = {LiteralUtil::Create<float>(F32, {kRows, kTerms}, rows),
                                           LiteralUtil::Create<float>(F32, {kTerms}, factors)};
    Literal got(module->entry->root->shape);
    for (int row = 0; row < kRows; ++row) {
      std::vector<float> terms(kTerms);
      for (int k = 0; k < kTerms; ++k) terms[k] = rows[row * kTerms + k] * factors[k];
      std::ranges::shuffle(terms, random);
      for (const float x : terms) got.mutable_values<float>()[row] += x;
    }
    INFO("seed " << seed);
    const Literal want = Evaluated(*module, operands);
    CHECK(JudgeBySamples(*module, {operands}, want, got, BuiltInProfile("xla")).suspect.empty());
    Literal wrong = want;
    wrong.mutable_values<float>()[seed] += 0.001F;
    CHECK(!JudgeBySamples(*module, {operands}, want, wrong, BuiltInProfile("xla")).suspect.empty());
  }
}

}  // namespace
}  // namespace assay::testing
