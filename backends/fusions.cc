#include "backends/fusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/hlo/instruction_places.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"

namespace assay {

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kConstant && instruction.shape.IsScalar();
}

void GiveEachUserItsOwn(HloComputation& computation,
                        bool (*is_cheap)(const HloInstruction& operand, const HloInstruction& user)) {
  std::vector<std::unique_ptr<HloInstruction>> instructions;
  std::unordered_set<const HloInstruction*> used;
  for (auto& owned : computation.instructions) {
    HloInstruction& user = *owned;
    std::unordered_map<const HloInstruction*, HloInstruction*> own;
    for (HloInstruction*& operand : user.operands) {
      if (!is_cheap(*operand, user)) continue;
      HloInstruction*& mine = own[operand];
      if (mine == nullptr && used.insert(operand).second) mine = operand;
      if (mine == nullptr) {
        auto copy = std::make_unique<HloInstruction>(*operand);
        copy->name = fmt::format("{}.of.{}", operand->name, user.name);
        mine = copy.get();
        instructions.push_back(std::move(copy));
      }
      operand = mine;
    }
    instructions.push_back(std::move(owned));
  }
  computation.instructions = std::move(instructions);
}

namespace {

// Returns a fusion with the shape of `root`, which calls `fused` and has no operands yet.
std::unique_ptr<HloInstruction> MakeFusion(const HloInstruction& root, HloComputation& fused) {
  static const Op* const op_of_fusion =
      *std::ranges::find_if(AllOps(), [](const Op* op) { return op->legality.fuses; });
  auto fusion = std::make_unique<HloInstruction>();
  fusion->op = op_of_fusion;
  fusion->name = fmt::format("fusion.{}", root.name);
  fusion->shape = root.shape;
  fusion->parent = root.parent;
  fusion->location = root.location;
  fusion->Set("kind", std::string("kLoop"));
  fusion->Set("calls", &fused);
  return fusion;
}

// Adds to the fused computation the value of an operand from outside: a copy of a scalar constant, otherwise a
// parameter for a new operand of the fusion.
HloInstruction& AddFromOutside(HloInstruction& operand, HloComputation& fused, HloInstruction& fusion) {
  const bool is_constant = IsScalarConstant(operand);
  auto made = MakeInstruction(is_constant ? OpRole::kConstant : OpRole::kParameter, operand.shape);
  made->name = fmt::format("{}.{}", fused.name, operand.name);
  if (is_constant) {
    made->literal = operand.literal;
  } else {
    made->parameter_number = static_cast<std::int64_t>(fusion.operands.size());
    fusion.operands.push_back(&operand);
  }
  return fused.Add(std::move(made));
}

}  // namespace

HloInstruction& MoveIntoFusion(HloInstruction& root, std::span<HloInstruction* const> members,
                               std::string_view prefix) {
  HloComputation& computation = *root.parent;
  HloModule& module = *computation.module;
  HloComputation& fused = module.AddComputation(fmt::format("{}.{}.{}", prefix, computation.name, root.name));
  // A called computation must precede its callers. It follows those that the members call.
  const auto caller =
      std::ranges::find(module.computations, &computation, [](const auto& owned) { return owned.get(); });
  std::rotate(caller, module.computations.end() - 1, module.computations.end());

  std::unique_ptr<HloInstruction> fusion = MakeFusion(root, fused);
  HloInstruction* const in_its_place = fusion.get();
  const InstructionPlaces places(computation);
  std::vector<bool> moves(places.size());
  for (const HloInstruction* member : members) moves[places[member]] = true;
  std::vector<HloInstruction*> inside(places.size());  // operand from outside -> value in the fusion
  std::vector<std::unique_ptr<HloInstruction>> moved;
  for (auto& owned : computation.instructions) {
    if (!moves[places[owned.get()]]) continue;
    for (HloInstruction*& operand : owned->operands) {
      const std::size_t place = places[operand];
      if (moves[place]) continue;
      HloInstruction*& here = inside[place];
      if (here == nullptr) here = &AddFromOutside(*operand, fused, *in_its_place);
      operand = here;
    }
    moved.push_back(std::move(owned));
    if (moved.back().get() == &root) owned = std::move(fusion);
  }
  for (auto& instruction : moved) fused.Add(std::move(instruction));
  fused.root = &root;
  std::erase(computation.instructions, nullptr);
  for (const auto& instruction : computation.instructions) {
    std::ranges::replace(instruction->operands, &root, in_its_place);
  }
  if (computation.root == &root) computation.root = in_its_place;
  return *in_its_place;
}

}  // namespace assay
