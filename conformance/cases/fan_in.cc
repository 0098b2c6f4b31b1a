#include "conformance/cases/fan_in.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// One number for each array of a value.
using FanIns = std::vector<double>;

std::size_t ArraysIn(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  std::size_t count = 0;
  for (const Shape& element : shape.tuple_shapes()) count += ArraysIn(element);
  return count;
}

// Returns the number of products that each sum of the instruction adds; 0 if it adds no products.
double TermsOf(const HloInstruction& instruction) {
  if (const auto* labels = instruction.Find<ConvolutionDimensionNumbers>("dim_labels")) {
    // A custom call may have dim_labels that do not fit its operands.
    const std::int64_t feature = labels->kernel_output_feature_dimension;
    if (instruction.operands.size() < 2 || instruction.operand(1).shape.rank() <= feature) return 0;
    const Shape& kernel = instruction.operand(1).shape;
    const auto terms = static_cast<double>(Product(kernel.dimensions()));
    return terms / static_cast<double>(std::max<std::int64_t>(kernel.dimensions(feature), 1));
  }
  if (instruction.op->FindAttribute("lhs_contracting_dims") == nullptr) return 0;
  double terms = 1;
  for (const std::int64_t d : instruction.Int64s("lhs_contracting_dims")) {
    terms *= static_cast<double>(instruction.operand(0).shape.dimensions(d));
  }
  return terms;
}

// A walk from the users of a value to its producers.
class Walk {
 public:
  void Visit(const HloComputation& computation) {
    visited_.insert(&computation);
    for (auto at = computation.instructions.rbegin(); at != computation.instructions.rend(); ++at) Pass(**at);
  }

  FanIns& Of(const HloInstruction& instruction) {
    FanIns& fan_ins = fan_ins_[&instruction];
    fan_ins.resize(ArraysIn(instruction.shape));
    return fan_ins;
  }

 private:
  // Raises the fan-ins of an instruction's arrays to at least `least`, from array `first` on. Returns true if one has
  // grown. Ignores values of `least` beyond the last array.
  bool Raise(const HloInstruction& instruction, std::span<const double> least, std::size_t first = 0) {
    FanIns& fan_ins = Of(instruction);
    bool has_grown = false;
    for (std::size_t i = 0; i < least.size() && first + i < fan_ins.size(); ++i) {
      if (least[i] <= fan_ins[first + i]) continue;
      fan_ins[first + i] = least[i];
      has_grown = true;
    }
    return has_grown;
  }

  void RaiseAll(const HloInstruction& instruction, double least) {
    Raise(instruction, FanIns(ArraysIn(instruction.shape), least));
  }

  void VisitWithResult(const HloComputation& called, const FanIns& result) {
    if (Raise(*called.root, result) || !visited_.contains(&called)) Visit(called);
  }

  void Pass(const HloInstruction& instruction) {
    const FanIns result = Of(instruction);
    const auto called = instruction.CalledComputations();
    if (instruction.op->role == OpRole::kTuple) {
      std::size_t first = 0;
      for (const HloInstruction* operand : instruction.operands) {
        const std::size_t count = ArraysIn(operand->shape);
        Raise(*operand, std::span(result).subspan(first, count));
        first += count;
      }
    } else if (instruction.op->role == OpRole::kGetTupleElement) {
      const auto shapes = std::span(instruction.operand(0).shape.tuple_shapes());
      std::size_t first = 0;
      for (const Shape& shape : shapes.first(instruction.tuple_index())) first += ArraysIn(shape);
      Raise(*instruction.operands[0], result, first);
    } else if (instruction.op->role == OpRole::kCall) {
      VisitWithResult(*called[0], result);
      RaiseOperands(instruction, *called[0], 0);
    } else if (instruction.Has("body")) {
      PassLoop(instruction, result);
    } else if (instruction.operands.size() == called.size() + 1 && called.size() > 1) {  // conditional
      for (std::size_t branch = 0; branch < called.size(); ++branch) {
        VisitWithResult(*called[branch], result);
        RaiseOperands(instruction, *called[branch], branch + 1);
      }
    } else {
      const double terms = TermsOf(instruction), largest = result.empty() ? 0 : std::ranges::max(result);
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        if (terms == 0 || i < 2) RaiseAll(*instruction.operands[i], terms == 0 ? largest : terms);
      }
    }
  }

  // Raises the operands from `first` on, which are the arguments of `called`.
  void RaiseOperands(const HloInstruction& instruction, const HloComputation& called, std::size_t first) {
    const auto parameters = called.Parameters();
    for (std::size_t i = 0; i < parameters.size() && first + i < instruction.operands.size(); ++i) {
      if (parameters[i] != nullptr) Raise(*instruction.operands[first + i], Of(*parameters[i]));
    }
  }

  // Iterates to a fixed point: the result of one iteration is the argument of the next.
  void PassLoop(const HloInstruction& loop, FanIns state) {
    const HloComputation &body = loop.Computation("body"), &condition = loop.Computation("condition");
    VisitWithResult(condition, {});
    Raise(*body.root, state);
    do {
      Visit(body);
      state = Of(*body.Parameters()[0]);
    } while (Raise(*body.root, state));
    Raise(*loop.operands[0], state);
    Raise(*loop.operands[0], Of(*body.root));
    Raise(*loop.operands[0], Of(*condition.Parameters()[0]));
  }

  std::map<const HloInstruction*, FanIns> fan_ins_;
  std::set<const HloComputation*> visited_;
};

}  // namespace

std::vector<std::vector<double>> FanInOfParameters(const HloModule& module) {
  Walk walk;
  if (VerifyHloModule(module)) walk.Visit(*module.entry);  // an illegal module gets no inputs that matter
  std::vector<FanIns> result;
  for (const HloInstruction* parameter : module.entry->Parameters()) result.push_back(walk.Of(*parameter));
  return result;
}

}  // namespace assay
