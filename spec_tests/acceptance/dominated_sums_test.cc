// Sums whose roundings are not independent: a term that dominates lets every smaller one be rounded in one direction.
// Lawful algorithms are not SUSPECT on such data, and wrong ones still are.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "interpreter/acceptance/judge.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

using Row = std::vector<double>;
constexpr std::int64_t kHeads = 128, kKeys = 64, kColumns = 32;

// Rows of weights. `size` is the logit, in front of noise, of the term that dominates a softmax.
struct Weights {
  std::string_view name;
  std::function<Row(double size, std::mt19937_64&)> row;
};

Row Softmax(const std::function<double(std::int64_t)>& logit, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.3);
  Row row;
  for (std::int64_t k = 0; k < kKeys; ++k) row.push_back(std::exp(logit(k) + noise(random)));
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  for (double& x : row) x /= sum;
  return row;
}

Row DominatedAt(std::int64_t place, double size, std::mt19937_64& random) {
  return Softmax([=](std::int64_t k) { return k == place ? size : 0; }, random);
}

const Weights kWeights[] = {
    {"first", [](double size, std::mt19937_64& random) { return DominatedAt(0, size, random); }},
    {"last", [](double size, std::mt19937_64& random) { return DominatedAt(kKeys - 1, size, random); }},
    {"anywhere", [](double size, std::mt19937_64& random) { return DominatedAt(random() % kKeys, size, random); }},
    {"several",
     [](double size, std::mt19937_64& random) {
       return Softmax([=](std::int64_t k) { return k % 16 == 0 ? size : 0; }, random);
     }},
    {"falling",
     [](double size, std::mt19937_64& random) {
       return Softmax([=](std::int64_t k) { return -size * k / kKeys; }, random);
     }},
    {"rising",
     [](double size, std::mt19937_64& random) {
       return Softmax([=](std::int64_t k) { return size * k / kKeys; }, random);
     }},
    {"cancelling",
     [](double size, std::mt19937_64& random) {
       Row row = DominatedAt(0, 0, random);
       row[0] = std::exp(size), row[kKeys / 2] = -row[0];
       return row;
     }},
    {"equal", [](double, std::mt19937_64&) { return Row(kKeys, 1.0 / 3); }},
    {"one-hot", [](double, std::mt19937_64&) {
       Row row(kKeys, 0);
       row[3] = 1;
       return row;
     }}};

// A dot of rows of weights with numbers in [0.5, 1), as a layer of attention has them.
class WeightedMeans {
 public:
  WeightedMeans(const Weights& weights, double size, PrimitiveType type, std::uint64_t seed) : type_(type) {
    std::mt19937_64 random(seed);
    const std::string name(PrimitiveTypeName(type));
    module_ = Parsed("HloModule m\nENTRY e { p = " + name + "[128,64] parameter(0)\nv = " + name +
                     "[64,32] parameter(1)\nROOT r = " + name +
                     "[128,32] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0} }");
    Row p;
    for (std::int64_t row = 0; row < kHeads; ++row) {
      const Row weight = weights.row(size, random);
      p.insert(p.end(), weight.begin(), weight.end());
    }
    Row v(kKeys * kColumns);
    for (double& x : v) x = std::uniform_real_distribution<double>(0.5, 1)(random);
    operands_ = {Stored(0, p), Stored(1, v)};
    want_ = Evaluated(*module_, operands_);
  }

  // Judges sum(products) in place of each element, rounded to the type.
  Judgement Of(const std::function<double(const Row&)>& sum) const {
    Row p(kHeads * kKeys), v(kKeys * kColumns), sums;
    LoadReals(type_, operands_[0].data(), p.data(), kHeads * kKeys);
    LoadReals(type_, operands_[1].data(), v.data(), kKeys * kColumns);
    for (std::int64_t i = 0; i < kHeads * kColumns; ++i) {
      Row products;
      for (std::int64_t k = 0; k < kKeys; ++k) {
        products.push_back(p[i / kColumns * kKeys + k] * v[k * kColumns + i % kColumns]);
      }
      sums.push_back(sum(products));
    }
    Literal got(want_.shape());
    StoreReals(type_, sums.data(), got.mutable_data(), kHeads * kColumns);
    return JudgeInstruction(*module_->entry->root, operands_, want_, got, BuiltInProfile("xla"));
  }

 private:
  Literal Stored(std::size_t parameter, const Row& numbers) const {
    Literal array(module_->entry->Parameters()[parameter]->shape);
    StoreReals(type_, numbers.data(), array.mutable_data(), static_cast<std::int64_t>(numbers.size()));
    return array;
  }

  PrimitiveType type_;
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> operands_;
  Literal want_;
};

// Algorithms in f32.
double OneAfterTheOther(const Row& products) {
  float sum = 0;
  for (const double x : products) sum = static_cast<float>(sum + x);
  return sum;
}

double Backward(Row products) {
  std::ranges::reverse(products);
  return OneAfterTheOther(products);
}

double InEightLanes(const Row& products) {
  Row lanes(8, 0);
  for (std::size_t k = 0; k < products.size(); ++k) lanes[k % 8] = static_cast<float>(lanes[k % 8] + products[k]);
  return OneAfterTheOther(lanes);
}

double InHalves(Row products) {
  for (double& x : products) x = static_cast<float>(x);
  for (std::size_t n = products.size() / 2; n > 0; n /= 2) {
    for (std::size_t k = 0; k < n; ++k) products[k] = static_cast<float>(products[k] + products[k + n]);
  }
  return products[0];
}

double Truncating(const Row& products) {
  float sum = 0;
  for (const double x : products) {
    const double exact = sum + x;
    sum = static_cast<float>(exact);
    if (std::fabs(sum) > std::fabs(exact)) sum = std::nextafter(sum, 0.0f);
  }
  return sum;
}

TEST_CASE("lawful sums of terms that others dominate are not SUSPECT", "[acceptance][sums]") {
  for (const PrimitiveType type : {F32, BF16}) {
    for (const Weights& weights : kWeights) {
      for (const double size : {0.0, 5.0, 12.0, 17.0, 18.0, 40.0}) {
        const WeightedMeans means(weights, size, type, 1);
        for (const auto& [name, sum] :
             {std::pair<const char*, std::function<double(const Row&)>>("one after the other", OneAfterTheOther),
              {"backward", Backward},
              {"lanes", InEightLanes},
              {"halves", InHalves}}) {
          const Judgement judgement = means.Of(sum);
          INFO(PrimitiveTypeName(type) << " " << weights.name << " " << size << " " << name << ": "
                                       << judgement.reason);
          CHECK(!IsFailure(judgement.verdict));
        }
      }
    }
  }
}

TEST_CASE("an accumulator that truncates is SUSPECT unless a term dominates", "[acceptance][sums]") {
  // The products of the first weight are half of each sum, or nearly all of it.
  CHECK(WeightedMeans(kWeights[0], 4.0, F32, 2).Of(Truncating).verdict == Verdict::kSuspect);
  CHECK(WeightedMeans(kWeights[0], 18.0, F32, 2).Of(Truncating).verdict == Verdict::kLegal);
}

TEST_CASE("products of 18 bits are SUSPECT, also behind a term that dominates", "[acceptance][sums]") {
  const auto narrowed = [](Row products) {
    for (double& x : products) {
      int exponent = 0;
      const double fraction = std::frexp(x, &exponent);
      x = std::ldexp(std::nearbyint(std::ldexp(fraction, 18)), exponent - 18);
    }
    return std::accumulate(products.begin(), products.end(), 0.0);
  };
  for (const double size : {8.0, 12.0}) {
    const Judgement judgement = WeightedMeans(kWeights[0], size, F32, 2).Of(narrowed);
    CHECK(judgement.verdict == Verdict::kSuspect);
    CHECK(judgement.reason.starts_with("test of spread"));
  }
}

}  // namespace
}  // namespace assay::testing
