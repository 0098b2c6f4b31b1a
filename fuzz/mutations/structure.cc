// Mutations of structure: parts of a program as calls, branches and bodies of loops, another root, and another program.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fuzz/generate/values.h"
#include "fuzz/mutations/mutation.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"

namespace assay {
using namespace generate;
namespace {

constexpr std::int64_t kMostMoved = 24;     // instructions
constexpr std::int64_t kMostTurns = 3;      // of a loop
constexpr std::int64_t kMostJoined = 2000;  // instructions of a program that joins another one

// True if a copy of the instruction, on the same operands, has the same value.
bool MayMove(const HloInstruction& instruction) {
  const Op& op = *instruction.op;
  const bool is_pure = op.role == OpRole::kOrdinary || op.role == OpRole::kConstant ||
                       op.role == OpRole::kGetTupleElement || op.role == OpRole::kTuple;
  return is_pure && !op.evaluation.has_side_effect && !op.evaluation.depends_on_device && op.legality.done.empty() &&
         (instruction.shape.IsFixedArray() || instruction.shape.IsTuple());
}

// A part of a computation: the site's instruction and some of those that it is computed from.
class Part {
 public:
  explicit Part(Site& site) : site_(site) {
    const std::int64_t most = site.random().Between(1, kMostMoved);
    members_ = {&site.at()};
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (HloInstruction* operand : members_[i]->operands) {
        const bool is_new = std::ranges::count(members_, operand) == 0;
        const bool joins = std::ssize(members_) < most && MayMove(*operand) && !site.random().OneIn(4);
        if (is_new && joins) members_.push_back(operand);
      }
    }
    for (const HloInstruction* member : members_) {
      for (HloInstruction* operand : member->operands) {
        const bool is_inside = std::ranges::count(members_, operand) > 0;
        if (!is_inside && std::ranges::count(inputs_, operand) == 0) inputs_.push_back(operand);
      }
    }
    std::ranges::sort(members_, {}, [](const HloInstruction* member) { return PlaceOf(*member); });
  }

  const std::vector<HloInstruction*>& inputs() const { return inputs_; }
  bool has_arrays_only() const {
    return !inputs_.empty() &&
           std::ranges::all_of(inputs_, [](const HloInstruction* input) { return input->shape.IsFixedArray(); });
  }
  std::vector<Shape> shapes() const {
    std::vector<Shape> shapes;
    for (const HloInstruction* input : inputs_) shapes.push_back(input->shape);
    return shapes;
  }

  // Copies the part to the end of a computation, on these inputs. Returns the copy of the site's instruction.
  HloInstruction& CopyTo(HloComputation& to, const std::vector<HloInstruction*>& inputs) const {
    std::unordered_map<const HloInstruction*, HloInstruction*> copies;
    for (std::size_t i = 0; i < inputs_.size(); ++i) copies[inputs_[i]] = inputs[i];
    for (const HloInstruction* member : members_) {
      auto copy = std::make_unique<HloInstruction>(*member);
      for (HloInstruction*& operand : copy->operands) operand = copies.at(operand);
      copy->control_predecessors.clear();
      copies[member] = &to.Add(std::move(copy));
    }
    return *copies.at(&site_.at());
  }

  // Returns the number of an input with the shape of the result; the number of inputs if there is none.
  std::size_t InputLikeResult() const {
    return std::ranges::find_if(inputs_,
                                [&](const HloInstruction* input) { return input->shape == site_.at().shape; }) -
           inputs_.begin();
  }

 private:
  Site& site_;
  std::vector<HloInstruction*> members_, inputs_;
};

HloInstruction& AddTo(HloComputation& to, std::string_view op, const Shape& shape,
                      std::vector<HloInstruction*> operands) {
  return to.Add(MakeInstruction(*FindOp(op), shape, std::move(operands)));
}

// Adds the elements of a computation's only parameter.
std::vector<HloInstruction*> ElementsIn(HloComputation& computation) {
  HloInstruction& state = *computation.root;
  std::vector<HloInstruction*> elements;
  for (std::int64_t i = 0; i < std::ssize(state.shape.tuple_shapes()); ++i) {
    elements.push_back(&AddTo(computation, "get-tuple-element", state.shape.tuple_shapes(i), {&state}));
    elements.back()->Set("index", i);
  }
  return elements;
}

// Returns a computation of a part on its inputs, as parameters.
HloComputation& ComputationOf(Site& site, const Part& part) {
  HloComputation& called = site.NewComputation("part", part.shapes());
  std::vector<HloInstruction*> parameters;
  for (const auto& parameter : called.instructions) parameters.push_back(parameter.get());
  called.root = &part.CopyTo(called, parameters);
  return called;
}

HloInstruction* AsCall(Site& site) {
  if (!MayMove(site.at())) return nullptr;
  const Part part(site);
  if (!part.has_arrays_only()) return nullptr;
  return site.Add("call", part.inputs(), {{"to_apply", &ComputationOf(site, part)}}, site.shape());
}

HloInstruction* AsFusion(Site& site) {
  if (!MayMove(site.at())) return nullptr;
  const Part part(site);
  if (!part.has_arrays_only()) return nullptr;
  const std::string kind = site.random().OneOf({"kLoop", "kInput", "kOutput"});
  return site.Add("fusion", part.inputs(), {{"kind", kind}, {"calls", &ComputationOf(site, part)}}, site.shape());
}

HloInstruction* TupleOf(Site& site, const std::vector<HloInstruction*>& elements) {
  std::vector<Shape> shapes;
  for (const HloInstruction* element : elements) shapes.push_back(element->shape);
  return site.Add("tuple", elements, {}, ShapeUtil::MakeTupleShape(shapes));
}

// One branch computes the part, the other one returns an input, or the part again.
HloInstruction* InConditional(Site& site) {
  if (!MayMove(site.at())) return nullptr;
  const Part part(site);
  if (!part.has_arrays_only()) return nullptr;
  HloInstruction* const operand = TupleOf(site, part.inputs());
  std::vector<HloComputation*> branches;
  for (int i = 0; i < 2; ++i) {
    HloComputation& branch = site.NewComputation("branch", {operand->shape});
    const std::vector<HloInstruction*> elements = ElementsIn(branch);
    const std::size_t like = part.InputLikeResult();
    branch.root = i == 1 && like < elements.size() ? elements[like] : &part.CopyTo(branch, elements);
    branches.push_back(&branch);
  }
  if (site.random().Flip()) std::ranges::reverse(branches);
  if (site.random().Flip()) {
    HloInstruction* index = site.Scalar(S32, static_cast<double>(site.random().Between(-1, 2)));
    return site.Add("conditional", {index, operand, operand}, {{"branch_computations", branches}}, site.shape());
  }
  HloInstruction* condition = AnyBefore(
      site, [](const auto& before) { return before.shape.IsScalar() && before.shape.element_type() == PRED; });
  if (condition == nullptr) condition = site.Scalar(PRED, site.random().Flip() ? 1 : 0);
  return site.Add("conditional", {condition, operand, operand},
                  {{"true_computation", branches[0]}, {"false_computation", branches[1]}}, site.shape());
}

// Computes the part in each turn of a loop. The result becomes the input that has its shape, or starts as zeros.
HloInstruction* InLoop(Site& site) {
  if (!MayMove(site.at()) || !site.shape().IsFixedArray()) return nullptr;
  const Part part(site);
  if (!part.has_arrays_only()) return nullptr;
  const PrimitiveType type = site.random().OneOf({S32, S32, U32, S64, S8});
  std::vector<HloInstruction*> start = part.inputs();
  const std::size_t changed = part.InputLikeResult();
  if (changed == start.size()) start.push_back(site.Filled(site.shape(), 0));
  start.push_back(site.Scalar(type, 0));
  HloInstruction* const state = TupleOf(site, start);

  HloComputation& condition = site.NewComputation("goes_on", {state->shape});
  const Shape pred = ShapeUtil::MakeScalarShape(PRED), counter = ShapeUtil::MakeScalarShape(type);
  HloInstruction& count = AddTo(condition, "constant", counter, {});
  count.literal = ScalarOf(type, static_cast<double>(site.random().Between(0, kMostTurns)));
  condition.root = &AddTo(condition, "compare", pred, {ElementsIn(condition).back(), &count});
  condition.root->Set("direction", std::string("LT"));

  HloComputation& body = site.NewComputation("turn", {state->shape});
  std::vector<HloInstruction*> elements = ElementsIn(body);
  const std::vector<HloInstruction*> inputs(elements.begin(), elements.begin() + std::ssize(part.inputs()));
  elements[changed] = &part.CopyTo(body, inputs);
  HloInstruction& one = AddTo(body, "constant", counter, {});
  one.literal = ScalarOf(type, 1);
  elements.back() = &AddTo(body, "add", counter, {elements.back(), &one});
  body.root = &AddTo(body, "tuple", state->shape, elements);

  HloInstruction* const loop = site.Add("while", {state}, {{"condition", &condition}, {"body", &body}}, state->shape);
  return site.Add("get-tuple-element", {loop}, {{"index", static_cast<std::int64_t>(changed)}}, site.shape());
}

// Makes an inner value the result: its users disappear, and fusion changes.
Applied OtherRoot(ProgramMutant& mutant) {
  HloComputation& entry = *mutant.candidate.module->entry;
  HloInstruction& root =
      *entry.instructions[static_cast<std::size_t>(mutant.random.Below(std::ssize(entry.instructions)))];
  if (!root.shape.IsArray() || root.op->role == OpRole::kParameter || &root == entry.root) return Applied::kNowhere;
  entry.root = &root;
  return Applied::kYes;
}

// Returns the root of an inlined program, or an array of it.
HloInstruction* AnyArrayOf(Site& site, HloInstruction& root) {
  HloInstruction* value = &root;
  while (value->shape.IsTuple()) {
    const std::int64_t size = std::ssize(value->shape.tuple_shapes());
    if (size == 0) return nullptr;
    value = site.Add("get-tuple-element", {value}, {{"index", site.random().Below(size)}});
  }
  return value;
}

// Returns values of the site's computation as arguments of another program, the site's own value first; null for other
// parameters. If no shape fits, an array of the element type is adapted to one parameter.
std::vector<HloInstruction*> ArgumentsFor(Site& site, const std::vector<const HloInstruction*>& parameters) {
  std::vector<HloInstruction*> arguments;
  bool is_fed = false;
  for (const HloInstruction* parameter : parameters) {
    const auto fits = [&](const HloInstruction& value) {
      return parameter->shape.IsFixedArray() && ShapeUtil::Compatible(value.shape, parameter->shape);
    };
    arguments.push_back(fits(site.at()) && !is_fed ? &site.at() : AnyBefore(site, fits));
    is_fed = is_fed || arguments.back() != nullptr;
  }
  for (std::size_t i = 0; i < parameters.size() && !is_fed; ++i) {
    const Shape& shape = parameters[i]->shape;
    const bool has_type = site.at().shape.IsFixedArray() && shape.IsFixedArray() && site.type() == shape.element_type();
    if (has_type) arguments[i] = Adapted(site, &site.at(), shape);
    is_fed = arguments[i] != nullptr;
  }
  return is_fed ? arguments : std::vector<HloInstruction*>();
}

// Makes `value` a result of the entry, or replaces the value of the site for all later users.
Applied UseOther(Site& site, HloInstruction* value) {
  HloComputation& entry = *site.at().parent;
  HloInstruction* const fitting = site.random().Flip() ? Adapted(site, value, site.at().shape) : nullptr;
  if (site.has_failed()) return Applied::kFailed;
  if (fitting == nullptr) {
    entry.root = &entry.Add(MakeTupleOf({entry.root, value}));
    return Applied::kYes;
  }
  const auto after = std::ranges::find(entry.instructions, fitting, [](const auto& one) { return one.get(); });
  for (auto user = after + 1; user != entry.instructions.end(); ++user) {
    std::ranges::replace((*user)->operands, &site.at(), fitting);
  }
  if (entry.root == &site.at()) entry.root = fitting;
  return Applied::kYes;
}

// Joins another program, whose arguments are values of this one if they fit, otherwise its own.
Applied WithOther(ProgramMutant& mutant) {
  Candidate& candidate = mutant.candidate;
  if (mutant.others.empty()) return Applied::kNowhere;
  const auto number = static_cast<std::size_t>(mutant.random.Below(std::ssize(mutant.others)));
  const Subject& other = mutant.others[number].subject;
  const HloModule& module = *other.module;
  const bool has_devices = module.replica_count == candidate.module->replica_count &&
                           module.num_partitions == candidate.module->num_partitions;
  if (!has_devices || SizeOf(other).instructions > kMostJoined) return Applied::kNowhere;
  const auto& values = candidate.module->entry->instructions;
  Site site(candidate, *values[static_cast<std::size_t>(mutant.random.Below(std::ssize(values)))], mutant.random);
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  std::vector<HloInstruction*> arguments = ArgumentsFor(site, parameters);
  if (arguments.empty()) return Applied::kNowhere;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (arguments[i] != nullptr) continue;
    PerDevice<Literal> own;
    for (const std::vector<Literal>& device : other.arguments) own.push_back(device[i]);
    arguments[i] = &candidate.AddParameter(parameters[i]->shape, own);
  }
  HloInstruction* const value = AnyArrayOf(site, site.Inline(CloneModule(module), arguments));
  return value == nullptr ? Applied::kNowhere : UseOther(site, value);
}

constexpr Mutation kOfStructure[] = {
    {"call", AtSomeSite<AsCall>}, {"fusion", AtSomeSite<AsFusion>}, {"conditional", AtSomeSite<InConditional>},
    {"loop", AtSomeSite<InLoop>}, {"other-root", OtherRoot},        {"join", WithOther},
};

}  // namespace

std::span<const Mutation> MutationsOfStructure() { return kOfStructure; }

}  // namespace assay
