// Edits of calls: the only file here that knows loops and conditionals.
#include <algorithm>
#include <map>

#include "conformance/diagnosis/steps.h"

namespace assay {
namespace {

constexpr std::size_t kStatesKept = 64;
constexpr std::size_t kStatesTried = 8;

bool IsLoop(const HloInstruction& instruction) { return instruction.op->name == "while"; }
bool IsChoice(const HloInstruction& instruction) { return instruction.op->name == "conditional"; }

// Replaces an instruction by a copy of a computation.
bool Inline(HloInstruction& instruction, const HloComputation& callee, const std::vector<HloInstruction*>& arguments) {
  HloComputation& into = *instruction.parent;
  ReplaceUses(instruction, InlineAt(into, PlaceOf(instruction), callee, arguments));
  return true;
}

Edit InlineCall(InstructionPlace place) {
  return [place](Candidate& candidate) {
    HloInstruction& call = place.In(*candidate.module);
    return Inline(call, *call.CalledComputations().front(), call.operands);
  };
}

Edit TakeBranch(InstructionPlace place, std::size_t branch) {
  return [place, branch](Candidate& candidate) {
    HloInstruction& choice = place.In(*candidate.module);
    return Inline(choice, *choice.CalledComputations()[branch], {choice.operands[branch + 1]});
  };
}

// Replaces a loop by its body.
Edit TakeBody(InstructionPlace place) {
  return [place](Candidate& candidate) {
    HloInstruction& loop = place.In(*candidate.module);
    return Inline(loop, loop.Computation("body"), loop.operands);
  };
}

// Replaces a loop by its body, on another state than the first.
Edit TakeBodyOn(InstructionPlace place, PerDevice<Literal> state) {
  return [place, state](Candidate& candidate) {
    HloInstruction& loop = place.In(*candidate.module);
    return Inline(loop, loop.Computation("body"), {&candidate.AddParameter(loop.shape, state)});
  };
}

// Starts the loop from another state.
Edit BeginAt(InstructionPlace place, PerDevice<Literal> state) {
  return [place, state](Candidate& candidate) {
    HloInstruction& loop = place.In(*candidate.module);
    loop.operands[0] = &candidate.AddParameter(loop.shape, state);
    return true;
  };
}

// True if all users of a value, except one, are get-tuple-element instructions.
bool IsTakenApart(const HloInstruction& value, const HloInstruction* except = nullptr) {
  return std::ranges::all_of(value.parent->instructions, [&](const auto& user) {
    return user.get() == except || std::ranges::count(user->operands, &value) == 0 ||
           user->op->role == OpRole::kGetTupleElement;
  });
}

// Removes an element of a tuple from its definition and from its uses; uses of that element become zeros.
void DropElement(HloInstruction& value, std::int64_t element) {
  if (value.op->role == OpRole::kTuple) value.operands.erase(value.operands.begin() + element);
  std::vector<Shape>& shapes = value.shape.mutable_tuple_shapes();
  const Shape dropped = shapes[static_cast<std::size_t>(element)];
  shapes.erase(shapes.begin() + element);
  std::vector<HloInstruction*> taken;
  for (const auto& user : value.parent->instructions) {
    if (user->op->role != OpRole::kGetTupleElement || user->operands[0] != &value) continue;
    if (user->tuple_index() == element) taken.push_back(user.get());
    if (user->tuple_index() > element) user->Set("index", user->tuple_index() - 1);
  }
  for (HloInstruction* user : taken) {
    HloInstruction& zeros = InsertAt(*value.parent, PlaceOf(*user), OpRole::kConstant, dropped);
    zeros.literal = Literal(dropped);
    ReplaceUses(*user, zeros);
    std::erase_if(value.parent->instructions, [&](const auto& one) { return one.get() == user; });
  }
}

// Removes an element from the initial tuple of a loop.
bool DropFirst(Candidate& candidate, HloInstruction& loop, std::int64_t element) {
  HloInstruction& first = *loop.operands[0];
  if (first.op->role == OpRole::kTuple) {  // it may have other users
    HloInstruction& own = InsertAt(*loop.parent, PlaceOf(loop), OpRole::kTuple, first.shape, first.operands);
    loop.operands[0] = &own;
    DropElement(own, element);
    return true;
  }
  const bool is_argument = first.op->role == OpRole::kParameter && loop.parent == candidate.module->entry;
  if (!is_argument || loop.parent->root == &first || !IsTakenApart(first, &loop)) return false;
  DropElement(first, element);
  for (std::size_t device = 0; device < candidate.arguments.size(); ++device) {
    Literal& argument = candidate.ArgumentOf(first, device);
    std::vector<Literal> elements = argument.elements();
    elements.erase(elements.begin() + element);
    argument = Literal::MakeTuple(std::move(elements));
  }
  return true;
}

// Removes an element of a loop's state.
Edit NarrowLoop(InstructionPlace place, std::int64_t element) {
  return [=](Candidate& candidate) {
    HloInstruction& loop = place.In(*candidate.module);
    HloComputation &body = loop.Computation("body"), &condition = loop.Computation("condition");
    const bool is_result = loop.parent->root == &loop;
    if (body.root->op->role != OpRole::kTuple || !loop.shape.tuple_shapes(element).IsArray() || !IsTakenApart(loop) ||
        (is_result && loop.parent != candidate.module->entry)) {
      return false;
    }
    for (HloComputation* called : {&body, &condition}) {
      const auto state = std::ranges::find(called->instructions, OpRole::kParameter,
                                           [](const auto& instruction) { return instruction->op->role; });
      if (!IsTakenApart(**state)) return false;
      DropElement(**state, element);
    }
    DropElement(*body.root, element);
    if (!DropFirst(candidate, loop, element)) return false;
    DropElement(loop, element);
    return true;
  };
}

// Returns the states of a loop of the entry after its first iterations.
std::vector<PerDevice<Literal>> StatesOf(const Subject& subject, const HloInstruction& loop,
                                         const EvaluationLimits& limits) {
  const HloInstruction* const next = loop.Computation("body").root;
  PerDevice<std::vector<Literal>> by_device(std::ssize(subject.arguments));
  EvaluationOptions options;
  options.limits = limits;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal>, const Literal& result,
                         DeviceId id) {
    auto& states = by_device[FlattenedId(id, subject.module->num_partitions)];
    if (&instruction == next && states.size() < kStatesKept) states.push_back(result);
  };
  if (!EvaluateTogether(*subject.module, subject.arguments, options)) return {};
  std::vector<PerDevice<Literal>> states;
  for (std::size_t i = 0; i < by_device[0].size(); ++i) {
    PerDevice<Literal>& of_devices = states.emplace_back();
    for (const auto& device : by_device) {
      if (i >= device.size() || !CanBeArgument(device[i])) return {};
      of_devices.push_back(device[i]);
    }
  }
  return states;
}

void AddLoop(const Subject& subject, InstructionPlace place, const EvaluationLimits& limits, std::vector<Edit>& edits) {
  const HloInstruction& loop = place.In(*subject.module);
  edits.push_back(TakeBody(place));
  for (std::size_t i = loop.shape.tuple_shapes().size(); i-- > 0;) {
    if (loop.shape.tuple_shapes().size() > 1) edits.push_back(NarrowLoop(place, static_cast<std::int64_t>(i)));
  }
  if (loop.parent != subject.module->entry) return;
  // The last state is the loop's result.
  std::vector<PerDevice<Literal>> states = StatesOf(subject, loop, limits);
  if (states.size() < 2) return;
  states.pop_back();
  std::ranges::reverse(states);
  for (std::size_t i = 0; i < std::min(states.size(), kStatesTried); ++i) edits.push_back(TakeBodyOn(place, states[i]));
  edits.push_back(BeginAt(place, states.front()));
  edits.push_back(BeginAt(place, states[states.size() / 2]));
}

void AddChoice(InstructionPlace place, const HloInstruction& choice, const EntryValues& values,
               std::vector<Edit>& edits) {
  const auto count = std::ssize(choice.CalledComputations());
  const auto selector = values.find(choice.operands[0]);
  if (selector == values.end()) {
    for (std::ptrdiff_t branch = 0; branch < count; ++branch) edits.push_back(TakeBranch(place, branch));
    return;
  }
  const Literal& value = selector->second.front();
  const std::int64_t index = value.element_type() == PRED ? !value.BoolAt(0) : value.IntegerAt(0);
  edits.push_back(TakeBranch(place, index >= 0 && index < count ? index : count - 1));
}

}  // namespace

bool IsOpened(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kCall || IsLoop(instruction) || IsChoice(instruction);
}

std::vector<Edit> CallEdits(const Subject& subject, const EvaluationLimits& limits) {
  std::vector<Edit> edits;
  EntryValues values;
  if (Result<EntryValues> found = ValuesOfEntry(subject, limits)) values = *std::move(found);
  for (const InstructionPlace& place : PlacesFromTheEnd(*subject.module)) {
    const HloInstruction& instruction = place.In(*subject.module);
    if (instruction.op->role == OpRole::kCall) edits.push_back(InlineCall(place));
    if (IsLoop(instruction)) AddLoop(subject, place, limits, edits);
    if (IsChoice(instruction)) AddChoice(place, instruction, values, edits);
  }
  return edits;
}

}  // namespace assay
