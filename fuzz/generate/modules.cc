#include "fuzz/generate/modules.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/generate/instructions.h"
#include "fuzz/generate/values.h"
#include "interpreter/builder/xla_builder.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/instruction_places.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/per_device.h"

namespace assay::generate {
using namespace xla;
namespace {

// The time at which legality of the whole module is checked.
enum class Looks { kAtTheEnd, kAtEachStep };

// A module under construction.
class Growth {
 public:
  Growth(Random& random, const ModuleWishes& constraints, Looks looks) : random_(random), looks_(looks) {
    module_->name = "drawn";
    module_->entry = &module_->AddComputation("entry");
    may_ask_host_ = constraints.may_ask_host;
    const bool is_about_devices = !constraints.targets.empty() && DependsOnDevice(constraints.targets[0]);
    const bool is_about_others = !constraints.targets.empty() && !is_about_devices;
    if (constraints.may_have_devices && (is_about_devices ? !random.OneIn(4) : random.OneIn(is_about_others ? 8 : 3))) {
      module_->replica_count = random.Between(1, 3);
      module_->num_partitions = random.Between(1, 2);
    }
    arguments_ = from_host_ = DeviceValues(module_->device_count());
    constraints_.most_elements = constraints.most_elements;
    constraints_.classes = constraints.classes;
    constraints_.replica_count = module_->replica_count;
    constraints_.num_partitions = module_->num_partitions;
    constraints_.is_part = looks == Looks::kAtTheEnd;
  }

  // Adds one drawn instruction, unless the module is illegal with it.
  void Grow(const Op& op) {
    std::vector<Shape> at_hand;
    for (const auto& instruction : module_->entry->instructions) {
      if (instruction->shape.IsFixedArray()) at_hand.push_back(instruction->shape);
    }
    constraints_.at_hand = at_hand;
    Add(DrawInstruction(random_, op, constraints_));
  }

  // Adds the producer first; the target's instruction uses its results if a shape fits.
  void Grow(const Target& target) {
    if (target.type != PRIMITIVE_TYPE_INVALID) constraints_.types = TypesOf(target.type);
    constraints_.optional_attributes_one_in = 2;
    std::vector<Shape> at_hand;
    if (target.producer != nullptr) {
      const std::size_t before = module_->entry->instructions.size();
      Grow(*target.producer);
      for (const auto& instruction : std::span(module_->entry->instructions).subspan(before)) {
        if (!instruction->shape.IsFixedArray() || instruction->op->role == OpRole::kParameter) continue;
        if (!constraints_.types.contains(instruction->shape.element_type())) continue;
        preferred_.insert(instruction.get());
        at_hand.push_back(instruction->shape);
      }
    }
    constraints_.at_hand = at_hand;
    constraints_.attribute_class = target.attribute_class;
    Add(DrawInstruction(random_, *target.op, constraints_));
    preferred_.clear();
    constraints_.types = DrawConstraints().types;
    constraints_.attribute_class = DrawConstraints().attribute_class;
    constraints_.optional_attributes_one_in = DrawConstraints().optional_attributes_one_in;
  }

  // Draws other minor-to-major orders for some values of more than one dimension.
  void DrawLayouts() {
    for (const auto& instruction : module_->entry->instructions) {
      const bool has_order = instruction->shape.IsFixedArray() && instruction->shape.rank() > 1;
      if (!has_order || random_.Flip()) continue;
      Layout layout = instruction->shape.layout();
      layout.minor_to_major = random_.Permutation(instruction->shape.rank());
      instruction->shape.set_layout(std::move(layout));
      if (instruction->literal) instruction->literal = instruction->literal->WithShape(instruction->shape);
    }
  }

  DrawnModule Finish() {
    Close();
    return {std::move(module_), std::move(arguments_), std::move(from_host_)};
  }

 private:
  // Copies with a clone of the module: the original is unchanged.
  Growth(const Growth& other)
      : random_(other.random_),
        looks_(other.looks_),
        module_(CloneModule(*other.module_)),
        arguments_(other.arguments_),
        from_host_(other.from_host_) {}

  static bool DependsOnDevice(const Target& target) {
    return target.op->evaluation.depends_on_device ||
           (target.producer != nullptr && target.producer->evaluation.depends_on_device);
  }

  void Add(DrawnInstruction drawn) {
    // Values from the host are consumed in the order of instructions, which printing does not preserve.
    if (!drawn.from_host[0].empty() && (!may_ask_host_ || !from_host_[0].empty())) return;
    if (looks_ == Looks::kAtTheEnd) return Take(drawn);
    Growth grown(*this);
    grown.Take(drawn);
    Growth closed(grown);
    closed.Close();
    if (!FindIllegal(*closed.module_).empty()) return;
    module_ = std::move(grown.module_);
    arguments_ = std::move(grown.arguments_);
    from_host_ = std::move(grown.from_host_);
  }

  // Moves the instructions out of the drawn module.
  void Take(DrawnInstruction& drawn) {
    HloComputation& entry = *module_->entry;
    HloComputation& taken = *drawn.module->entry;
    for (std::unique_ptr<HloComputation>& called : drawn.module->computations) {
      if (called.get() == &taken) continue;
      called->module = module_.get();
      module_->computations.insert(module_->computations.end() - 1, std::move(called));  // before its caller
    }
    const InstructionPlaces places(taken);
    std::vector<HloInstruction*> stand_ins(places.size());  // of parameters
    const auto stand_in_of = [&](HloInstruction* instruction) {
      HloInstruction* const stand_in = stand_ins[places[instruction]];
      return stand_in == nullptr ? instruction : stand_in;
    };
    for (std::unique_ptr<HloInstruction>& instruction : taken.instructions) {
      if (instruction->op->role == OpRole::kParameter) {
        stand_ins[places[instruction.get()]] = &OperandFor(drawn, *instruction);
        continue;
      }
      for (HloInstruction*& operand : instruction->operands) operand = stand_in_of(operand);
      entry.Add(std::move(instruction));
    }
    AddElements(*stand_in_of(taken.root));
    for (std::size_t device = 0; device < from_host_.size(); ++device) {
      std::ranges::copy(drawn.from_host[device], std::back_inserter(from_host_[device]));
    }
  }

  // Returns an existing value, or a new parameter with the drawn value.
  HloInstruction& OperandFor(const DrawnInstruction& drawn, const HloInstruction& parameter) {
    const std::int64_t number = parameter.parameter_number;
    if (drawn.takes_any_value[number] && !random_.OneIn(8)) {
      std::vector<HloInstruction*> fitting;
      for (const auto& instruction : module_->entry->instructions) {
        const bool fits =
            instruction->shape.IsFixedArray() && ShapeUtil::Compatible(instruction->shape, parameter.shape);
        if (fits) fitting.push_back(instruction.get());
      }
      std::vector<HloInstruction*> preferred;
      std::ranges::copy_if(fitting, std::back_inserter(preferred),
                           [&](HloInstruction* value) { return preferred_.contains(value); });
      if (!preferred.empty()) return *random_.OneOf(preferred);
      if (!fitting.empty()) return *random_.OneOf(fitting);
    }
    HloInstruction& added = module_->entry->Add(MakeInstruction(OpRole::kParameter, parameter.shape));
    added.attributes = parameter.attributes;
    added.parameter_number = static_cast<std::int64_t>(arguments_[0].size());
    added.name = "p" + std::to_string(added.parameter_number);
    for (std::size_t device = 0; device < arguments_.size(); ++device) {
      arguments_[device].push_back(drawn.operands[device][number]);
    }
    return added;
  }

  // Adds the arrays of a tuple as values of their own.
  void AddElements(HloInstruction& value) {
    if (!value.shape.IsTuple()) return;
    for (std::size_t i = 0; i < value.shape.tuple_shapes().size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      if (!value.shape.tuple_shapes(index).IsArray()) continue;
      module_->entry->Add(MakeInstruction(OpRole::kGetTupleElement, value.shape.tuple_shapes(index), {&value}))
          .Set("index", index);
    }
  }

  std::vector<HloInstruction*> UnusedArrays() const {
    const HloComputation& entry = *module_->entry;
    const InstructionPlaces places(entry);
    std::vector<bool> used(places.size());
    for (const auto& instruction : entry.instructions) {
      for (const HloInstruction* operand : instruction->operands) used[places[operand]] = true;
    }
    std::vector<HloInstruction*> unused;
    for (std::size_t i = 0; i < places.size(); ++i) {
      HloInstruction& instruction = *entry.instructions[i];
      if (!used[i] && instruction.shape.IsArray()) unused.push_back(&instruction);
    }
    return unused;
  }

  // Makes unused results the root, names unique, and the order of instructions that of the printed text.
  void Close() {
    HloComputation& entry = *module_->entry;
    entry.root = &entry.Add(MakeTupleOf(UnusedArrays()));
    const InstructionPlaces places(entry);
    std::vector<std::unique_ptr<HloInstruction>> ordered;
    for (const HloInstruction* instruction : InstructionPostOrder(entry)) {
      ordered.push_back(std::move(entry.instructions[places[instruction]]));
    }
    entry.instructions = std::move(ordered);
    MakeNamesUnique(*module_);
    SetEntryLayouts(*module_);
  }

  Random& random_;
  Looks looks_;
  bool may_ask_host_ = true;
  std::set<const HloInstruction*> preferred_;  // preferred operands
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  DrawConstraints constraints_;
  DeviceValues arguments_, from_host_;
};

const std::vector<const Op*>& ElementWiseOps() {
  static const std::vector<const Op*> ops = [] {
    std::vector<const Op*> found;
    std::ranges::copy_if(DrawableOps(), std::back_inserter(found),
                         [](const Op* op) { return op->evaluation.kernel != nullptr; });
    return found;
  }();
  return ops;
}

DrawnModule Grown(Random& random, const ModuleWishes& constraints, Looks looks) {
  Growth growth(random, constraints, looks);
  for (const Target& target : constraints.targets) growth.Grow(target);
  for (std::int64_t i = random.Between(constraints.least_draws, constraints.most_draws); i > 0; --i) {
    if (constraints.op != nullptr && i % 8 == 0) growth.Grow(*constraints.op);
    // Most instructions of real programs are element-wise.
    growth.Grow(*(random.OneIn(3) ? random.OneOf(ElementWiseOps()) : random.OneOf(DrawableOps())));
  }
  if (constraints.draws_layouts && random.OneIn(3)) growth.DrawLayouts();
  return growth.Finish();
}

}  // namespace

DrawnModule DrawModule(Random& random, const ModuleWishes& constraints) {
  // Instructions that are legal alone are seldom illegal together: only in that case, each instruction is checked
  // before it is added.
  const Random before = random;
  DrawnModule drawn = Grown(random, constraints, Looks::kAtTheEnd);
  if (FindIllegal(*drawn.module).empty()) return drawn;
  random = before;
  return Grown(random, constraints, Looks::kAtEachStep);
}

namespace {

// Draws a number of elements: small numbers are likelier, and every range between powers of two occurs.
std::int64_t DrawCount(Random& random) {
  if (random.OneIn(8)) return random.Between(65'537, 70'000);
  const std::int64_t power = std::int64_t{1} << random.Between(10, 15);
  return random.Between(power + 1, 2 * power);
}

class LargeModule {
 public:
  explicit LargeModule(Random& random) : random_(random) {
    const PrimitiveType type = random_.OneOf({S8, U8, S32, S64, F32, F64, BF16, PRED, U16});
    const std::int64_t count = DrawCount(random_), rows = random_.OneOf({1, 2, 3, 7});
    const Dimensions dimensions = random_.Flip()   ? Dimensions{count}
                                  : random_.Flip() ? Dimensions{count / rows, rows}
                                                   : Dimensions{rows, count / rows};
    shape_ = ShapeUtil::MakeShape(type, dimensions);
    const bool has_iota = type != PRED && random_.OneIn(3);
    value_ = has_iota ? Iota(&builder_, shape_, random_.Below(shape_.rank())) : AnyValue(shape_);
  }

  void Grow() {
    const std::int64_t dimension = random_.Below(shape_.rank()), size = shape_.dimensions(dimension);
    const bool is_number = shape_.element_type() != PRED;
    switch (random_.Below(7)) {
      case 0:
        value_ = is_number ? Add(value_, AnyValue(shape_)) : Xor(value_, AnyValue(shape_));
        return;
      case 1:
        value_ = Rev(value_, {dimension});
        return;
      case 2: {
        if (size < 3) return;  // at least one element remains
        const std::int64_t end = size - random_.Below(2), start = random_.Below(2);
        return Become(SliceInDim(value_, start, end, 1, dimension));
      }
      case 3: {
        const std::int64_t high = random_.Below(3), low = random_.Below(3);
        const XlaOp padding = AnyValue(ShapeUtil::MakeScalarShape(shape_.element_type()));
        return Become(PadInDim(value_, padding, dimension, low, high));
      }
      case 4: {
        const std::int64_t place = random_.Below(size);
        const XlaOp first = SliceInDim(value_, 0, place, 1, dimension),
                    rest = SliceInDim(value_, place, size, 1, dimension);
        value_ = ConcatInDim(&builder_, {rest, first}, dimension);
        return;
      }
      case 5: {
        const XlaOp on_false = AnyValue(shape_);
        value_ = Select(AnyValue(ShapeUtil::ChangeElementType(shape_, PRED)), value_, on_false);
        return;
      }
      default:
        if (shape_.rank() == 2) return Become(Transpose(value_, {1, 0}));
        if (is_number) value_ = Max(value_, AnyValue(shape_));
    }
  }

  DrawnModule Finish() {
    const XlaComputation built = builder_.Build(value_).value();
    return {CloneModule(built.module()), {std::move(arguments_)}, {{}}};
  }

 private:
  XlaOp AnyValue(const Shape& shape) {
    const EdgeClass edge_class = random_.OneOf({EdgeClass::kNormal, EdgeClass::kAnyBits, EdgeClass::kDistinct});
    arguments_.push_back(DrawValue(random_, shape, edge_class));
    const auto number = static_cast<std::int64_t>(arguments_.size()) - 1;
    return Parameter(&builder_, number, shape, "p" + std::to_string(number));
  }

  void Become(XlaOp value) {
    value_ = value;
    shape_ = *FindShape(value);
  }

  Random& random_;
  XlaBuilder builder_{"large"};
  Shape shape_;
  XlaOp value_;
  std::vector<Literal> arguments_;
};

}  // namespace

DrawnModule DrawLargeModule(Random& random) {
  LargeModule module(random);
  for (std::int64_t i = random.Below(4); i > 0; --i) module.Grow();
  return module.Finish();
}

}  // namespace assay::generate
