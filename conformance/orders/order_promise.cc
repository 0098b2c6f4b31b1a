#include "conformance/orders/order_promise.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/orders/summation_tree.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/statistics/sums/promised_order.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Returns the only instruction of a module that adds terms; null if there is another number of them.
const HloInstruction* OnlySumOf(const HloModule& module) {
  const HloInstruction* only = nullptr;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (AcceptanceOf(*instruction).terms == nullptr) continue;
      if (only != nullptr) return nullptr;
      only = instruction.get();
    }
  }
  return only == nullptr || only->op->evaluation.depends_on_device ? nullptr : only;
}

// Returns the shapes of an instruction's operands, any size above 1 as 0.
std::vector<Dimensions> ShapesOf(const HloInstruction& instruction) {
  std::vector<Dimensions> shapes;
  for (const HloInstruction* operand : instruction.operands) {
    Dimensions& sizes = shapes.emplace_back(operand->shape.dimensions());
    std::ranges::replace_if(
        sizes, [](std::int64_t size) { return size > 1; }, 0);
  }
  return shapes;
}

// Returns the type of all accumulators; nullopt if they are those of no type, or differ.
std::optional<PrimitiveType> AccumulatorOf(const SumArithmetic& arithmetic) {
  if (arithmetic.sums.empty()) return std::nullopt;
  const int precision = arithmetic.sums.front().precision;
  const bool is_one = std::ranges::all_of(arithmetic.sums, [=](const PartialSum& sum) {
    return sum.precision == precision && sum.rounding == SumRounding::kNearest && sum.aligned_bits == 0;
  });
  for (const PrimitiveType type : {F64, F32, F16, BF16}) {
    if (is_one && FloatFormatOf(type).precision() == precision) return type;
  }
  return std::nullopt;
}

// True if the promise gives the values of the tree on sums whose every rounding matters.
bool Agree(const Profile::Promise& promise, const SumProbe& probe, const SummationTree& tree,
           const SumArithmetic& arithmetic) {
  const FloatFormat& format = probe.result_format();
  const auto rounded = [&](double number) {
    return ToDouble(probe.term_format(), RoundDouble(probe.term_format(), number));
  };
  for (int trial = 1; trial <= 20; ++trial) {
    const double factor = probe.has_factor() ? rounded(1 + trial / 37.0) : 1;
    std::vector<double> terms;
    std::vector<Factors> factors;
    for (int term = 0; term < tree.terms; ++term) {
      const int remainder = (term * 7919 + trial * 104729) % 997 - 498;
      terms.push_back(rounded((remainder + 0.5) / 97.0));
      factors.push_back({terms.back(), factor});
    }
    const std::optional<double> sum = AddInPromisedOrder(factors, promise);
    if (!sum || ToDouble(format, RoundDouble(format, *sum)) != arithmetic.Evaluate(tree, terms, factor, format)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Profile::Promise> PromiseOf(const HloModule& module, const SumProbe& probe, const SummationTree& tree,
                                          const SumArithmetic& arithmetic) {
  const HloInstruction* const sum = OnlySumOf(module);
  const std::optional<PrimitiveType> accumulator = AccumulatorOf(arithmetic);
  std::vector<Profile::Promise::Level> levels = LevelsOf(tree);
  if (sum == nullptr || !accumulator || levels.empty()) return std::nullopt;
  Profile::Promise promise = {std::string(sum->op->name),
                              {module.entry->root->shape.element_type()},
                              ShapesOf(*sum),
                              tree.terms,
                              std::move(levels),
                              *accumulator,
                              false,
                              "measured"};
  for (const bool is_fused : {false, true}) {
    promise.is_fused = is_fused;
    if (Agree(promise, probe, tree, arithmetic)) return promise;
  }
  return std::nullopt;
}

nlohmann::json PromiseToJson(const Profile::Promise& promise) {
  nlohmann::json levels = nlohmann::json::array(), types = nlohmann::json::array();
  for (const auto& [distance, count] : promise.levels) levels.push_back({distance, count});
  for (const PrimitiveType type : promise.types) types.push_back(PrimitiveTypeName(type));
  return {
      {"op", promise.op},          {"types", types},          {"operands", promise.operands},
      {"terms", promise.terms},    {"levels", levels},        {"accumulator", PrimitiveTypeName(promise.accumulator)},
      {"fused", promise.is_fused}, {"source", promise.source}};
}

}  // namespace assay
