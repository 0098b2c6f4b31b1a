#include <algorithm>
#include <string_view>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr double kContracted = 0.5;
// Ops that return a product, if an operand is one.
constexpr std::string_view kSignKeepingMovers[] = {"abs",     "broadcast", "negate", "reshape",
                                                   "reverse", "select",    "slice",  "transpose"};

// True if products of the type's numbers are exact in f64.
bool FitsTwice(PrimitiveType type) { return type == F32 || type == F16 || type == BF16; }

class Contraction : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& sum) override {
    if (sum.op->name != "add" && sum.op->name != "subtract") return;
    if (!IsPlainArray(sum.shape) || !FitsTwice(sum.shape.element_type())) return;
    std::vector<HloInstruction*> operands;
    for (HloInstruction* operand : sum.operands) {
      operands.push_back(IsProduct(*operand) && noise().Chance(kContracted) ? &Unrounded(*operand, sum) : nullptr);
    }
    if (std::ranges::all_of(operands, [](const HloInstruction* operand) { return operand == nullptr; })) return;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == nullptr) operands[i] = &Widened(*sum.operands[i], F64, sum);
    }
    BecomeConversionOf(sum, MakeLike(sum, F64, std::move(operands)));
  }

  bool IsProduct(const HloInstruction& value) const {
    if (!IsPlainArray(value.shape) || !FitsTwice(value.shape.element_type())) return false;
    if (IsMultiplication(value)) return IsOpenFor(value.op->name);
    const auto is_product = [&](const HloInstruction* operand) { return IsProduct(*operand); };
    return std::ranges::count(kSignKeepingMovers, value.op->name) > 0 &&
           std::ranges::any_of(value.operands, is_product);
  }

  static bool IsMultiplication(const HloInstruction& value) {
    if (value.op->name == "multiply" || IsComputedAsProduct(value)) return true;
    return IsOneProduct(value) && !value.Has("algorithm") && FitsTwice(value.operand(0).shape.element_type()) &&
           FitsTwice(value.operand(1).shape.element_type());
  }

  static bool IsConstantPowerOfTwo(const HloInstruction& value) {
    if (value.op->name == "broadcast") return IsConstantPowerOfTwo(value.operand(0));
    if (!value.literal || value.literal->element_count() != 1) return false;
    return IsPowerOfTwo(NumberAt(*value.literal, 0));
  }

  // True if the operand of a product stays unrounded: a factor that is a power of two changes only its exponent.
  bool StaysUnrounded(const HloInstruction& product, std::size_t operand) {
    if (product.op->name != "multiply" || !IsConstantPowerOfTwo(product.operand(1 - operand))) return false;
    return IsProduct(product.operand(operand)) && noise().Chance(kContracted);
  }

  HloInstruction& Unrounded(const HloInstruction& value, const HloInstruction& sum) {
    std::vector<HloInstruction*> operands = value.operands;
    const bool is_product = IsMultiplication(value);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      HloInstruction& operand = *value.operands[k];
      if (operand.shape.element_type() == PRED) continue;
      const bool is_rounded = is_product ? !StaysUnrounded(value, k) : !IsProduct(operand);
      operands[k] = is_rounded ? &Widened(operand, F64, sum) : &Unrounded(operand, sum);
    }
    return MakeLike(value, F64, std::move(operands));
  }
};

}  // namespace

const RewritePass pass_contract_products = Rewriter::ApplyTo<Contraction>;

}  // namespace assay
