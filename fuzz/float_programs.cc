#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/drawn_programs.h"
#include "fuzz/generate/values.h"
#include "interpreter/hlo/make_instruction.h"

namespace assay {
using namespace generate;
namespace {

// Two operands are drawn the second one first, as gcc evaluated them when seeds of findings were recorded.
class FloatProgram {
 public:
  explicit FloatProgram(Random& random) : random_(random), size_(random.Between(1, 4)) {
    module_->name = "floats";
    entry_->name = "e";
    types_ = {random_.OneOf({F32, BF16, F16, F64, F32, BF16})};
    const PrimitiveType other = random_.OneOf({F32, BF16, F16, F64});
    if (random_.Flip() && other != types_[0]) types_.push_back(other);
    for (const PrimitiveType type : types_) {
      AddFolding(type, "add");
      AddFolding(type, "maximum");
      for (std::int64_t i = random_.Between(1, 3); i > 0; --i) AddParameter(type);
    }
  }

  void Grow() {
    const PrimitiveType type = random_.OneOf(types_);
    switch (random_.Below(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Binary(type, "multiply");
      case 4:
      case 5:
      case 6:
        return Binary(type, "add");
      case 7:
      case 8:
      case 9:
        return Binary(type, "subtract");
      case 10:
        return Binary(type, random_.OneOf({"maximum", "minimum", "divide"}));
      case 11:
        return Unary(type, random_.OneOf({"abs", "floor", "tanh", "exponential", "sqrt", "sign"}));
      case 12:
        return Unary(type, "negate");
      case 13:
        return Unary(type, "transpose", {{"dimensions", random_.Flip() ? Int64List{1, 0} : Int64List{0, 1}}});
      case 14:
        return Convert(type);
      case 15:
        return Choose(type);
      case 16:
      case 17:
        return Fold(type);
      case 18:
        return Binary(type, "dot", {{"lhs_contracting_dims", Int64List{1}}, {"rhs_contracting_dims", Int64List{0}}});
      default:
        return AddParameter(type);
    }
  }

  DrawnModule Finish() {
    std::vector<HloInstruction*> unused;
    std::ranges::copy_if(values_, std::back_inserter(unused),
                         [&](const HloInstruction* value) { return std::ranges::count(used_, value) == 0; });
    entry_->root = &entry_->Add(MakeTupleOf(std::move(unused)));
    entry_->root->name = "out";
    entry_->module = module_.get();
    module_->entry = entry_.get();
    module_->computations.push_back(std::move(entry_));
    SetEntryLayouts(*module_);
    MakeNamesUnique(*module_);
    return {std::move(module_), {std::move(arguments_)}, {{}}};
  }

 private:
  // Adds a computation that folds, for reductions.
  void AddFolding(PrimitiveType type, std::string_view op) {
    HloComputation& folding = module_->AddComputation(fmt::format("{}.{}", op, PrimitiveTypeName(type)));
    const Shape scalar = ShapeUtil::MakeScalarShape(type);
    std::vector<HloInstruction*> operands;
    for (const std::string_view name : {"x", "y"}) {
      auto parameter = MakeInstruction(OpRole::kParameter, scalar);
      parameter->name = name;
      parameter->parameter_number = std::ssize(operands);
      operands.push_back(&folding.Add(std::move(parameter)));
    }
    auto root = MakeInstruction(*FindOp(op), scalar, std::move(operands));
    root->name = "z";
    folding.root = &folding.Add(std::move(root));
  }

  Shape Square(PrimitiveType type) const { return ShapeUtil::MakeShape(type, {size_, size_}); }

  // Returns a value of the type, more often than not one of the last ones.
  HloInstruction* Any(PrimitiveType type) {
    std::vector<HloInstruction*> fitting;
    fitting.reserve(values_.size());
    for (HloInstruction* value : values_) {
      if (value->shape.element_type() == type) fitting.push_back(value);
    }
    const std::size_t first = fitting.size() > 3 && random_.Flip() ? fitting.size() - 3 : 0;
    used_.push_back(fitting[first + random_.Below(static_cast<std::int64_t>(fitting.size() - first))]);
    return used_.back();
  }
  std::vector<HloInstruction*> AnyTwo(PrimitiveType type) {
    HloInstruction* const second = Any(type);
    return {Any(type), second};
  }

  HloInstruction& Add(std::unique_ptr<HloInstruction> instruction, std::vector<Attribute> attributes = {}) {
    instruction->name = "v" + std::to_string(++count_);
    instruction->attributes = std::move(attributes);
    return entry_->Add(std::move(instruction));
  }
  // Adds a value of the program, a square matrix.
  void AddValue(PrimitiveType type, std::string_view op, std::vector<HloInstruction*> operands,
                std::vector<Attribute> attributes = {}) {
    values_.push_back(&Add(MakeInstruction(*FindOp(op), Square(type), std::move(operands)), std::move(attributes)));
  }

  void AddParameter(PrimitiveType type) {
    HloInstruction& parameter = Add(MakeInstruction(OpRole::kParameter, Square(type)));
    parameter.parameter_number = std::ssize(arguments_);
    values_.push_back(&parameter);
    arguments_.push_back(DrawValue(random_, parameter.shape,
                                   random_.OneOf({EdgeClass::kNormal, EdgeClass::kNormal, EdgeClass::kPositive,
                                                  EdgeClass::kCancelling, EdgeClass::kSmallIntegers})));
  }

  void Binary(PrimitiveType type, std::string_view op, std::vector<Attribute> attributes = {}) {
    AddValue(type, op, AnyTwo(type), std::move(attributes));
  }
  void Unary(PrimitiveType type, std::string_view op, std::vector<Attribute> attributes = {}) {
    AddValue(type, op, {Any(type)}, std::move(attributes));
  }

  void Convert(PrimitiveType type) { AddValue(type, "convert", {Any(random_.OneOf(types_))}); }

  void Choose(PrimitiveType type) {
    const PrimitiveType compared = random_.OneOf(types_);
    const std::string direction = random_.OneOf({"LT", "GE", "EQ", "NE"});
    auto compare = MakeInstruction(*FindOp("compare"), Square(PRED), AnyTwo(compared));
    HloInstruction& choice = Add(std::move(compare), {{"direction", direction}});
    std::vector<HloInstruction*> operands = AnyTwo(type);
    operands.insert(operands.begin(), &choice);
    AddValue(type, "select", std::move(operands));
  }

  // Reduces rows, and broadcasts the results.
  void Fold(PrimitiveType type) {
    const double number = random_.OneOf({0.0, 0.0, 0.0, 0.5});
    HloInstruction& start = Add(MakeInstruction(OpRole::kConstant, ShapeUtil::MakeScalarShape(type)));
    start.literal = ScalarOf(type, number);
    const std::string_view op = random_.OneOf({"add", "add", "maximum"});
    const Int64List dimension = {random_.Below(2)};
    auto reduce = MakeInstruction(*FindOp("reduce"), ShapeUtil::MakeShape(type, {size_}), {Any(type), &start});
    HloInstruction& fold = Add(std::move(reduce), {{"dimensions", dimension}, {"to_apply", FoldingOf(type, op)}});
    AddValue(type, "broadcast", {&fold}, {{"dimensions", Int64List{random_.Below(2)}}});
  }
  HloComputation* FoldingOf(PrimitiveType type, std::string_view op) const {
    const std::size_t first = 2 * (std::ranges::find(types_, type) - types_.begin());
    return module_->computations[first + (op == "maximum" ? 1 : 0)].get();
  }

  Random& random_;
  std::int64_t size_;
  std::vector<PrimitiveType> types_;
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  std::unique_ptr<HloComputation> entry_ = std::make_unique<HloComputation>();
  std::vector<HloInstruction*> values_, used_;
  std::vector<Literal> arguments_;
  int count_ = 0;
};

}  // namespace

DrawnModule DrawFloatProgram(Random& random) {
  FloatProgram program(random);
  for (std::int64_t i = random.Between(5, 15); i > 0; --i) program.Grow();
  return program.Finish();
}

}  // namespace assay
