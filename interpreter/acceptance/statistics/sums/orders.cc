#include "interpreter/acceptance/statistics/sums/orders.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

using Sequence = SumOrder::Sequence;

std::vector<SumOrder> MakeOrders() {
  std::vector<SumOrder> orders = {{}, {.sequence = Sequence::kBackward}};
  while (orders.size() < kSequentialOrders) orders.push_back({.sequence = Sequence::kShuffled});
  for (const std::int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    orders.push_back({.lanes = lanes});
    orders.push_back({.sequence = Sequence::kShuffled, .lanes = lanes, .is_tree = true});
  }
  for (const std::int64_t chunk : {8, 32, 128}) orders.push_back({.chunk = chunk});
  for (const std::int64_t window : {16, 32}) orders.push_back({.window = window});
  orders.push_back({.lanes = SumOrder::kAll, .is_tree = true});
  for (const std::int64_t block : {8, 32, 128}) orders.push_back({.block = block});
  orders.push_back({.block = SumOrder::kAll});
  orders.push_back({.sequence = Sequence::kColumnMajor});
  orders.push_back({.sequence = Sequence::kColumnMajor, .lanes = 8});
  orders.push_back({.sequence = Sequence::kDescending});
  return orders;
}

// The numbers of a type of up to 32 bits, held as doubles; f64 as they are.
class NarrowArithmetic {
 public:
  explicit NarrowArithmetic(PrimitiveType type) : format_(FloatFormatOf(type)), type_(type) {
    if (BitWidth(type) < 32 && format_.has_sign) normal_.emplace(type);
  }

  double Round(double x) {
    if (!std::isfinite(x)) return x;
    if (type_ == F32 || type_ == F64) {
      const double rounded = type_ == F64 ? x : static_cast<double>(static_cast<float>(x));
      reach_ = std::max(reach_, std::fabs(rounded));
      return rounded;
    }
    if (normal_ && normal_->Takes(x)) {
      const double rounded = (*normal_)(x);
      reach_ = std::max(reach_, std::fabs(rounded));
      return rounded;
    }
    const Reals rounded = Rounded(format_, Reals::Point(x));
    if (rounded.may_be_nan) return NAN;
    reach_ = std::max(reach_, std::fabs(rounded.low));
    return rounded.low;
  }
  double reach() const { return reach_; }

 private:
  const FloatFormat& format_;
  PrimitiveType type_;
  std::optional<NormalRounding> normal_;
  double reach_ = 0;
};

void Shuffle(std::vector<Factors>& terms, std::uint64_t seed) {
  for (std::size_t i = terms.size(); i > 1; --i) std::swap(terms[i - 1], terms[SplitMix(seed += kSplitMixStep) % i]);
}

double AddInPairs(std::vector<double>& parts, NarrowArithmetic& arithmetic) {
  for (std::size_t n = parts.size(); n > 1; n = (n + 1) / 2) {
    for (std::size_t i = 0; i < n / 2; ++i) parts[i] = arithmetic.Round(parts[2 * i] + parts[2 * i + 1]);
    if (n % 2 != 0) parts[n / 2] = parts[n - 1];
  }
  return parts[0];
}

double AddInLine(double sum, std::span<const double> parts, NarrowArithmetic& arithmetic) {
  for (const double part : parts) sum = arithmetic.Round(sum + part);
  return sum;
}

double AddInLine(std::span<const double> parts, NarrowArithmetic& arithmetic) {
  return AddInLine(parts[0], parts.subspan(1), arithmetic);
}

double AddInWindows(std::vector<double> parts, std::int64_t window, NarrowArithmetic& arithmetic) {
  for (auto n = static_cast<std::int64_t>(parts.size()); n > window; n = static_cast<std::int64_t>(parts.size())) {
    const std::int64_t windows = (n + window - 1) / window, padding = (windows * window - n) / 2;
    std::vector<double> sums;
    for (std::int64_t i = 0; i < windows; ++i) {
      const std::int64_t begin = std::max<std::int64_t>(i * window - padding, 0);
      const std::int64_t end = std::min((i + 1) * window - padding, n);
      sums.push_back(AddInLine(std::span(parts).subspan(begin, end - begin), arithmetic));
    }
    parts = std::move(sums);
  }
  return AddInLine(parts, arithmetic);
}

std::vector<Factors> InSequence(std::span<const Factors> terms, Sequence sequence, std::uint64_t seed) {
  std::vector<Factors> result(terms.begin(), terms.end());
  if (sequence == Sequence::kBackward) std::ranges::reverse(result);
  if (sequence == Sequence::kShuffled) Shuffle(result, seed);
  if (sequence == Sequence::kColumnMajor) std::ranges::stable_sort(result, {}, &Factors::column_major);
  if (sequence == Sequence::kDescending) {
    std::ranges::stable_sort(result, std::greater(), [](const Factors& term) { return std::fabs(term.a * term.b); });
  }
  return result;
}

// Adds each block of neighbours to one term: exactly, with one rounding.
std::vector<double> AddInBlocks(std::span<const Factors> terms, std::int64_t block, bool is_fused,
                                NarrowArithmetic& arithmetic) {
  std::vector<double> sums;
  sums.reserve(terms.size());
  if (block == 1) {
    for (const Factors& term : terms) {
      const double product = 0 + term.a * term.b;  // no term is -0
      sums.push_back(is_fused ? product : arithmetic.Round(product));
    }
    return sums;
  }
  for (std::size_t i = 0; i < terms.size(); i += block) {
    double sum = 0;
    for (const Factors& term : terms.subspan(i, std::min<std::size_t>(block, terms.size() - i))) sum += term.a * term.b;
    sums.push_back(arithmetic.Round(sum));
  }
  return sums;
}

}  // namespace

std::span<const SumOrder> AllSumOrders() {
  static const std::vector<SumOrder> kOrders = MakeOrders();
  return kOrders;
}

std::span<const SumOrder> SumOrdersInALine() {
  static constexpr SumOrder kOrders[] = {{}, {.sequence = Sequence::kBackward}, {.sequence = Sequence::kDescending}};
  return kOrders;
}

OrderedSum AddInOrder(std::span<const Factors> terms, const SumOrder& order, PrimitiveType type, bool is_fused,
                      std::uint64_t seed) {
  if (terms.empty()) return {};
  NarrowArithmetic arithmetic(type);
  const auto count = static_cast<std::int64_t>(terms.size());
  std::vector<Factors> visited;
  if (order.sequence != Sequence::kForward) terms = visited = InSequence(terms, order.sequence, seed);
  std::vector<double> numbers = AddInBlocks(terms, std::min(order.block, count), is_fused, arithmetic);
  if (order.window > 0) return {AddInWindows(std::move(numbers), order.window, arithmetic), arithmetic.reach()};
  const auto n = static_cast<std::int64_t>(numbers.size());
  const std::int64_t chunk = order.chunk > 0 ? order.chunk : order.lanes == 1 ? n : 0;
  std::vector<double> parts(chunk > 0 ? (n + chunk - 1) / chunk : std::min(order.lanes, n));
  for (std::size_t lane = 0; chunk > 0 && lane < parts.size(); ++lane) {
    const auto first = static_cast<std::int64_t>(lane) * chunk;
    parts[lane] = AddInLine(0, std::span(numbers).subspan(first, std::min(chunk, n - first)), arithmetic);
  }
  // Without chunks the next number is one of the next lane.
  for (std::size_t i = 0, lane = 0; chunk == 0 && i < numbers.size(); ++i) {
    parts[lane] = arithmetic.Round(parts[lane] + numbers[i]);
    lane = lane + 1 < parts.size() ? lane + 1 : 0;
  }
  const double sum = order.is_tree ? AddInPairs(parts, arithmetic) : AddInLine(parts, arithmetic);
  return {sum, arithmetic.reach()};
}

}  // namespace assay
