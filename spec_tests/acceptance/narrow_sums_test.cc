// Sums that a profile lets be kept in a narrow type: wrong arrays are SUSPECT, those of any algorithm are not.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/statistics/sums/orders.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

using TermNumbers = std::vector<double>;
using Random = std::mt19937_64;

// The signs and sizes of the terms.
enum class Terms { kPositive, kBothSigns, kFewLarge, kGrowing };
constexpr Terms kAllTerms[] = {Terms::kPositive, Terms::kBothSigns, Terms::kFewLarge, Terms::kGrowing};

double TermAt(Terms terms, double share, Random& random) {
  const double unit = std::uniform_real_distribution<double>(0.05, 1)(random);
  const double normal = std::normal_distribution<double>()(random);
  switch (terms) {
    case Terms::kPositive:
      return unit;
    case Terms::kBothSigns:
      return normal;
    case Terms::kFewLarge:
      return normal * (unit > 0.97 ? 100 : 1);
    case Terms::kGrowing:
      return normal * share;
  }
  return 0;
}

double RoundedTo(PrimitiveType type, double x) {
  return ToDouble(FloatFormatOf(type), RoundDouble(FloatFormatOf(type), x));
}

// Sums over the rows of an array, each of `terms` numbers.
class RowSums {
 public:
  enum class Op { kReduce, kWindow, kDot };

  RowSums(Op op, PrimitiveType type, std::int64_t rows, std::int64_t terms, Terms kind, std::uint64_t seed)
      : type_(type), rows_(rows) {
    Random random(seed);
    for (std::int64_t row = 0; row < rows; ++row) {
      TermNumbers& numbers = numbers_.emplace_back();
      for (std::int64_t i = 0; i < terms; ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(terms);
        numbers.push_back(RoundedTo(type, TermAt(kind, share, random)));
      }
    }
    const std::string name(PrimitiveTypeName(type));
    const std::string operands = fmt::format("ENTRY e {{ x = {0}[{1},{2}] parameter(0)\nz = {0}[{3}] parameter(1)\n",
                                             name, rows, terms, op == Op::kDot ? std::to_string(terms) : "");
    const char* const roots[] = {
        "ROOT r = {0}[{1}] reduce(x, z), dimensions={{1}}, to_apply=add_{0} }}",
        "ROOT r = {0}[{1},1] reduce-window(x, z), window={{size=1x{2}}}, to_apply=add_{0} }}",
        "ROOT r = {0}[{1}] dot(x, z), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}} }}"};
    module_ = Parsed(operands + fmt::format(fmt::runtime(roots[static_cast<int>(op)]), name, rows, terms));
    Literal array(module_->entry->Parameters()[0]->shape), other(module_->entry->Parameters()[1]->shape);
    TermNumbers flat;
    for (const TermNumbers& row : numbers_) flat.insert(flat.end(), row.begin(), row.end());
    StoreReals(type, flat.data(), array.mutable_data(), rows * terms);
    const TermNumbers ones(other.element_count(), op == Op::kDot ? 1 : 0);
    StoreReals(type, ones.data(), other.mutable_data(), other.element_count());
    operands_ = {std::move(array), std::move(other)};
    want_ = Evaluated(*module_, operands_);
  }

  // Judges sum(row, random) in place of each sum.
  Judgement Of(const std::function<double(const TermNumbers&, Random&)>& sum, std::uint64_t seed = 1,
               std::string_view profile = "xla") const {
    Random random(seed);
    TermNumbers sums;
    for (const TermNumbers& row : numbers_) sums.push_back(sum(row, random));
    return Judge(sums, profile);
  }
  // Does the same for sum(exact sum).
  Judgement OfExact(const std::function<double(double)>& sum, std::string_view profile = "xla") const {
    TermNumbers sums(rows_);
    LoadReals(type_, want_.data(), sums.data(), rows_);
    for (double& x : sums) x = sum(x);
    return Judge(sums, profile);
  }

 private:
  Judgement Judge(const TermNumbers& sums, std::string_view profile) const {
    Literal got(want_.shape());
    StoreReals(type_, sums.data(), got.mutable_data(), rows_);
    return JudgeInstruction(*module_->entry->root, operands_, want_, got, BuiltInProfile(profile));
  }

  PrimitiveType type_;
  std::int64_t rows_;
  std::vector<TermNumbers> numbers_;
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> operands_;
  Literal want_;
};

// Algorithms that the judge does not know, in a narrow type.
double OneByOne(PrimitiveType type, const TermNumbers& terms) {
  double sum = 0;
  for (const double x : terms) sum = RoundedTo(type, sum + x);
  return sum;
}

double InLanes(PrimitiveType type, TermNumbers terms, std::size_t lanes, Random& random) {
  std::ranges::shuffle(terms, random);
  TermNumbers sums(lanes, 0);
  for (std::size_t i = 0; i < terms.size(); ++i) sums[i % lanes] = RoundedTo(type, sums[i % lanes] + terms[i]);
  return OneByOne(type, sums);
}

double InChunks(PrimitiveType type, const TermNumbers& terms, std::size_t chunk) {
  TermNumbers sums;
  for (std::size_t i = 0; i < terms.size(); i += chunk) {
    sums.push_back(OneByOne(type, {terms.begin() + i, terms.begin() + std::min(i + chunk, terms.size())}));
  }
  return OneByOne(type, sums);
}

// Adds two of the numbers until one remains: a tree of any form.
double InAnyTree(PrimitiveType type, TermNumbers terms, Random& random) {
  while (terms.size() > 1) {
    std::swap(terms[random() % terms.size()], terms.back());
    const double x = terms.back();
    terms.pop_back();
    double& other = terms[random() % terms.size()];
    other = RoundedTo(type, other + x);
  }
  return terms[0];
}

std::function<double(const TermNumbers&, Random&)> AnyAlgorithm(PrimitiveType type, Random& random) {
  const std::size_t number = random();
  switch (random() % 6) {
    case 0:
      return [=](const TermNumbers& row, Random& noise) { return InLanes(type, row, number % 16 + 1, noise); };
    case 1:
      return [=](const TermNumbers& row, Random&) { return InChunks(type, row, number % 60 + 2); };
    case 2:
      return [=](const TermNumbers& row, Random& noise) { return InAnyTree(type, row, noise); };
    case 3:
      return [=](const TermNumbers& row, Random&) { return OneByOne(type, row); };
    case 4:
      return [=](const TermNumbers& row, Random&) { return OneByOne(F32, row); };
    default:  // another algorithm for each
      return [=](const TermNumbers& row, Random& noise) { return InLanes(type, row, noise() % 16 + 1, noise); };
  }
}

constexpr PrimitiveType kNarrow[] = {BF16, F16, F8E5M2, F8E4M3FN};

// Returns the judgements that are FAIL or SUSPECT, of sums by algorithms that the judge mostly does not know.
std::vector<std::string> Accusations(int trials, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> accusations;
  for (int trial = 0; trial < trials; ++trial) {
    const PrimitiveType type = kNarrow[random() % std::size(kNarrow)];
    const Terms kind = kAllTerms[random() % std::size(kAllTerms)];
    const auto rows = static_cast<std::int64_t>(random() % 4 == 0 ? 1 + random() % 8 : 64 + random() % 64);
    const auto terms = static_cast<std::int64_t>(std::exp2(2 + static_cast<double>(random() % 70) / 10));
    const auto op = random() % 2 == 0 ? RowSums::Op::kReduce : RowSums::Op::kWindow;
    const RowSums sums(op, type, rows, terms, kind, random());
    const Judgement judgement = sums.Of(AnyAlgorithm(type, random), random());
    if (!IsFailure(judgement.verdict)) continue;
    accusations.push_back(fmt::format("{}: {}[{},{}], terms of kind {}: {}", trial, PrimitiveTypeName(type), rows,
                                      terms, static_cast<int>(kind), judgement.reason));
  }
  return accusations;
}

TEST_CASE("sums by algorithms that the judge does not know are not SUSPECT", "[acceptance][sums]") {
  CHECK(Accusations(100, 20) == std::vector<std::string>());
}

TEST_CASE("thousands of sums by algorithms that the judge does not know are not SUSPECT", "[.][nightly][sums]") {
  CHECK(Accusations(3000, 21) == std::vector<std::string>());
}

TEST_CASE("arrays of wrong sums are SUSPECT, however many terms they have", "[acceptance][sums]") {
  struct Size {
    PrimitiveType type;
    std::int64_t rows, terms;
  };
  const bool has_long_rows = IsNightly("arrays of wrong sums of more than 1024 terms");
  for (const auto& [type, rows, terms] :
       {Size{BF16, 64, 128}, {BF16, 64, 1024}, {BF16, 64, 3000}, {F16, 64, 2048}, {F16, 100, 500}, {F8E4M3, 300, 40}}) {
    for (const auto op : {RowSums::Op::kReduce, RowSums::Op::kWindow}) {
      if (terms > 1024 && !has_long_rows) continue;
      const RowSums sums(op, type, rows, terms, Terms::kBothSigns, 3);
      INFO(PrimitiveTypeName(type) << "[" << rows << "," << terms << "] " << static_cast<int>(op));
      CHECK(IsFailure(sums.OfExact([](double) { return 0.0; }).verdict));
      CHECK(IsFailure(sums.OfExact([](double x) { return 1.5 * x; }).verdict));
      CHECK(IsFailure(sums.OfExact([](double x) { return -x; }).verdict));
      CHECK(IsFailure(sums.OfExact([](double x) { return x / 2; }).verdict));
      CHECK(IsFailure(sums.OfExact([](double x) { return std::fabs(x); }).verdict));
    }
  }
}

TEST_CASE("one wrong sum of many terms is SUSPECT", "[acceptance][sums]") {
  const RowSums one(RowSums::Op::kReduce, BF16, 1, 4096, Terms::kPositive, 4);
  CHECK(one.OfExact([](double x) { return 1.2 * x; }).verdict == Verdict::kSuspect);
  CHECK(one.OfExact([](double) { return 0.0; }).verdict == Verdict::kFail);
  const RowSums two(RowSums::Op::kReduce, F16, 2, 9000, Terms::kBothSigns, 4);
  CHECK(two.OfExact([](double x) { return x + 400; }).verdict == Verdict::kSuspect);
}

TEST_CASE("a sum of terms of one sign is no smaller than their mean", "[acceptance][sums]") {
  // Two of the three are subnormal beside the other one, and the bound of f8e4m3fn has room for zero.
  const RowSums sums(RowSums::Op::kReduce, F8E4M3FN, 4, 20, Terms::kPositive, 5);
  const Judgement zeros = sums.OfExact([](double) { return 0.0; });
  CHECK(zeros.verdict == Verdict::kFail);
  CHECK(zeros.reason == "a sum of terms of one sign is no smaller than their mean");
  // Nothing is known about terms of both signs.
  const RowSums both(RowSums::Op::kReduce, F8E4M3FN, 4, 20, Terms::kBothSigns, 5);
  CHECK(both.OfExact([](double) { return 0.0; }).verdict == Verdict::kWeak);
}

TEST_CASE("products of narrow numbers are judged so where a profile lets them be added in their type",
          "[acceptance][sums]") {
  const RowSums sums(RowSums::Op::kDot, BF16, 64, 1024, Terms::kBothSigns, 6);
  const auto one_by_one = [](const TermNumbers& row, Random&) { return OneByOne(BF16, row); };
  CHECK(!IsFailure(sums.Of(one_by_one, 1, "ieee").verdict));
  CHECK(sums.OfExact([](double x) { return 1.5 * x; }, "ieee").verdict == Verdict::kSuspect);
  // XLA's dots are added in f32.
  CHECK(sums.Of(one_by_one, 1, "xla").verdict == Verdict::kFail);
}

TEST_CASE("dots of eight bits are added in f16 or wider", "[acceptance][sums]") {
  const RowSums sums(RowSums::Op::kDot, F8E5M2, 64, 64, Terms::kPositive, 6);
  CHECK(sums.Of([](const TermNumbers& row, Random&) { return OneByOne(F8E5M2, row); }).verdict == Verdict::kFail);
  CHECK(!IsFailure(sums.Of([](const TermNumbers& row, Random&) { return OneByOne(F16, row); }).verdict));
}

// XLA:CPU's TreeReductionRewriter: windows of 32 with the terms in the middle, until no more than 32 are left.
double InWindowsOf32(const TermNumbers& terms) {
  if (terms.size() <= 32) return OneByOne(BF16, terms);
  const std::size_t windows = (terms.size() + 31) / 32;
  TermNumbers padded((windows * 32 - terms.size()) / 2, 0.0), sums;
  padded.insert(padded.end(), terms.begin(), terms.end());
  padded.resize(windows * 32, 0.0);
  for (std::size_t i = 0; i < padded.size(); i += 32) {
    sums.push_back(OneByOne(BF16, {padded.begin() + i, padded.begin() + i + 32}));
  }
  return InWindowsOf32(sums);
}

TEST_CASE("sums that a known algorithm gives are LEGAL where the bound says nothing", "[acceptance][sums]") {
  for (const std::int64_t terms : {1000, 1024, 3000}) {
    const RowSums sums(RowSums::Op::kReduce, BF16, 64, terms, Terms::kBothSigns, 7);
    const Judgement judgement = sums.Of([](const TermNumbers& row, Random&) { return InWindowsOf32(row); });
    INFO(terms << ": " << judgement.reason);
    CHECK(judgement.verdict == Verdict::kLegal);
  }
}

TEST_CASE("WEAK names the profile that decides", "[acceptance][sums]") {
  const RowSums sums(RowSums::Op::kReduce, BF16, 64, 1024, Terms::kBothSigns, 8);
  Random random(1);
  const Judgement weak = sums.Of([](const TermNumbers& row, Random& noise) { return InAnyTree(BF16, row, noise); });
  CHECK(weak.verdict == Verdict::kWeak);
  CHECK(weak.reason.find("--profile xla-wide") != std::string::npos);
  CHECK(sums.OfExact([](double x) { return 1.05 * x; }, "xla-wide").verdict == Verdict::kFail);
}

TEST_CASE("sums whose subnormal operands were flushed are not unlike lawful ones", "[acceptance][sums]") {
  const auto module = Parsed(R"(x = bf16[128,3] parameter(0)  y = bf16[3] parameter(1)
  ROOT r = bf16[128] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0})");
  TermNumbers x, y(3, 64);
  for (int i = 0; i < 384; ++i) x.push_back(std::ldexp(1 + i % 8, -131));  // below 2^-126
  std::vector<Literal> operands = {Literal(module->entry->Parameters()[0]->shape),
                                   Literal(module->entry->Parameters()[1]->shape)};
  StoreReals(BF16, x.data(), operands[0].mutable_data(), 384);
  StoreReals(BF16, y.data(), operands[1].mutable_data(), 3);
  const Literal want = Evaluated(*module, operands), zeros(want.shape());
  const HloInstruction& dot = *module->entry->root;
  CHECK(!IsFailure(JudgeInstruction(dot, operands, want, zeros, BuiltInProfile("xla")).verdict));
  CHECK(JudgeInstruction(dot, operands, want, zeros, BuiltInProfile("ieee")).verdict == Verdict::kFail);
}

TEST_CASE("a narrow sum over several devices has a result for each of them", "[acceptance][sums]") {
  const auto module = Parsed(R"(HloModule m, replica_count=4
ENTRY e { x = bf16[2] parameter(0)  y = bf16[2] parameter(1)
  ROOT r = (bf16[2], bf16[2]) all-reduce(x, y), to_apply=add_bf16 })");
  std::vector<Literal> operands, want, got;
  for (int device = 0; device < 4; ++device) {
    for (int k = 0; k < 2; ++k) operands.push_back(Value("bf16[2] {1, 2}"));
    want.push_back(Literal::MakeTuple({Value("bf16[2] {4, 8}"), Value("bf16[2] {4, 8}")}));
    got.push_back(Literal::MakeTuple({Value("bf16[2] {4, 8}"), Value("bf16[2] {4, 9}")}));
  }
  const Judgement judgement =
      JudgeInstruction(*module->entry->root, operands, Literal::MakeTuple(want), Literal::MakeTuple(got), XlaProfile());
  CHECK(judgement.verdict == Verdict::kFail);
  CHECK(judgement.not_exact == 4);
}

TEST_CASE("the dimensions of a narrow sum may be added in any order, and so may its terms", "[acceptance][sums]") {
  // Terms that fall along the last dimension. If they are added from the largest to the least, the small ones are lost.
  constexpr int kRows = 64, kSize = 32, kTerms = kSize * kSize;
  const auto module = Parsed(R"(x = bf16[64,32,32] parameter(0)  z = bf16[] parameter(1)
  ROOT r = bf16[64] reduce(x, z), dimensions={1,2}, to_apply=add_bf16)");
  Random random(7);
  TermNumbers numbers(kRows * kTerms);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double k = static_cast<double>(i % kSize) + 1;
    numbers[i] = RoundedTo(BF16, std::fabs(std::normal_distribution<double>()(random)) / (k * k));
  }
  std::vector<Literal> operands = {Literal(module->entry->Parameters()[0]->shape), Value("bf16[] 0")};
  StoreReals(BF16, numbers.data(), operands[0].mutable_data(), numbers.size());
  const Literal want = Evaluated(*module, operands);
  const auto verdict_of = [&](const std::function<double(TermNumbers)>& sum) {
    TermNumbers sums;
    for (auto row = numbers.begin(); row != numbers.end(); row += kTerms) sums.push_back(sum({row, row + kTerms}));
    Literal got(want.shape());
    StoreReals(BF16, sums.data(), got.mutable_data(), kRows);
    return JudgeInstruction(*module->entry->root, operands, want, got, BuiltInProfile("xla")).verdict;
  };
  const auto by_columns = [](const TermNumbers& terms) {
    TermNumbers columns;
    for (int i = 0; i < kTerms; ++i) columns.push_back(terms[i % kSize * kSize + i / kSize]);
    return OneByOne(BF16, columns);
  };
  const auto from_the_largest = [](TermNumbers terms) {
    std::ranges::sort(terms, std::greater());
    return OneByOne(BF16, terms);
  };
  CHECK(!IsFailure(verdict_of(by_columns)));
  CHECK(!IsFailure(verdict_of(from_the_largest)));
  CHECK(verdict_of([&](const TermNumbers& terms) { return by_columns(terms) * 0.75; }) == Verdict::kSuspect);
  CHECK(verdict_of([&](const TermNumbers& terms) { return OneByOne(BF16, terms) * 1.25; }) == Verdict::kSuspect);
}

TEST_CASE("every algorithm adds every term once", "[acceptance][sums]") {
  // Powers of two, whose sums no order rounds.
  for (std::size_t count : {0, 1, 2, 3, 7, 8}) {
    std::vector<Factors> terms;
    for (std::size_t i = 0; i < count; ++i) terms.push_back({std::exp2(static_cast<double>(i)), 1});
    for (const SumOrder& order : AllSumOrders()) {
      CHECK(AddInOrder(terms, order, BF16, false, 1).sum == std::exp2(static_cast<double>(count)) - 1);
    }
  }
}

}  // namespace
}  // namespace assay::testing
