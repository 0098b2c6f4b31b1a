#include "backends/simd/fuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// Longer lines save nothing any more.
constexpr std::size_t kMostInstructions = 64;
// Of one thread at a time.
constexpr std::int64_t kElementsPerPiece = 1 << 14;

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kConstant && instruction.shape.IsScalar();
}

// Such a computation is run as a ScalarFunction or as a loop on registers, which a fusion would hide.
bool IsAllScalar(const HloComputation& computation) {
  return std::ranges::all_of(computation.instructions, [](const auto& instruction) {
    return !instruction->shape.IsArray() || instruction->shape.IsScalar();
  });
}

// A repetition costs nothing within a fusion: each user gets one of its own.
void GiveEachUserItsRepetition(HloComputation& computation) {
  std::vector<std::unique_ptr<HloInstruction>> instructions;
  std::unordered_set<const HloInstruction*> used;
  for (auto& owned : computation.instructions) {
    HloInstruction& user = *owned;
    std::unordered_map<const HloInstruction*, HloInstruction*> own;
    for (HloInstruction*& operand : user.operands) {
      if (!IsRepetition(*operand) || !IsElementWise(user)) continue;
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

// The fusions of one computation.
class Fusions {
 public:
  explicit Fusions(HloComputation& computation) : computation_(computation) {
    std::unordered_map<const HloInstruction*, std::vector<const HloInstruction*>> users;
    std::unordered_set<const HloInstruction*> has_order;
    for (const auto& instruction : computation.instructions) {
      for (const HloInstruction* operand : instruction->operands) users[operand].push_back(instruction.get());
      for (const HloInstruction* before : instruction->control_predecessors) has_order.insert(before);
      if (!instruction->control_predecessors.empty()) has_order.insert(instruction.get());
    }
    for (std::size_t i = computation.instructions.size(); i-- > 0;) {
      HloInstruction& instruction = *computation.instructions[i];
      if (has_order.contains(&instruction) || !(IsElementWise(instruction) || IsRepetition(instruction))) continue;
      HloInstruction* root = RootOfUsers(users[&instruction]);
      // A repetition by itself is the evaluator's.
      if (root == nullptr && !IsElementWise(instruction)) continue;
      const bool joins = root != nullptr && &instruction != computation.root &&
                         members_[root].size() < kMostInstructions &&
                         root->shape.dimensions() == instruction.shape.dimensions();
      if (!joins) root = &instruction;
      root_of_[&instruction] = root;
      members_[root].push_back(&instruction);
    }
  }

  void Build() {
    std::vector<HloInstruction*> roots;
    for (const auto& instruction : computation_.instructions) {
      const auto found = members_.find(instruction.get());
      if (found != members_.end() && found->second.size() > 1) roots.push_back(instruction.get());
    }
    for (HloInstruction* root : roots) BuildOne(*root);
  }

 private:
  // Null if they are not all in one.
  HloInstruction* RootOfUsers(const std::vector<const HloInstruction*>& users) const {
    HloInstruction* root = nullptr;
    for (const HloInstruction* user : users) {
      const auto found = root_of_.find(user);
      if (found == root_of_.end() || (root != nullptr && found->second != root)) return nullptr;
      root = found->second;
    }
    return root;
  }

  void BuildOne(HloInstruction& root) {
    HloModule& module = *computation_.module;
    static const Op* const op_of_fusion = FindOp("fusion");
    static const Op* const op_of_parameter = FindOp("parameter");
    const std::string name = fmt::format("fused.{}.{}", computation_.name, root.name);
    HloComputation& fused = module.AddComputation(name);
    // What is called stands before what calls it.
    std::rotate(module.computations.begin(), module.computations.end() - 1, module.computations.end());

    auto fusion = std::make_unique<HloInstruction>();
    HloInstruction* const in_its_place = fusion.get();
    fusion->op = op_of_fusion;
    fusion->name = fmt::format("fusion.{}", root.name);
    fusion->shape = root.shape;
    fusion->parent = &computation_;
    fusion->location = root.location;
    fusion->Set("kind", std::string("kLoop"));
    fusion->Set("calls", &fused);

    const std::unordered_set<const HloInstruction*> members(members_[&root].begin(), members_[&root].end());
    std::unordered_map<const HloInstruction*, HloInstruction*> inside;  // what stands for an operand from outside
    std::vector<std::unique_ptr<HloInstruction>> moved;
    for (auto& owned : computation_.instructions) {
      if (!members.contains(owned.get())) continue;
      for (HloInstruction*& operand : owned->operands) {
        if (members.contains(operand)) continue;
        HloInstruction*& here = inside[operand];
        if (here == nullptr) {
          auto made = std::make_unique<HloInstruction>();
          made->shape = operand->shape;
          made->name = fmt::format("{}.{}", name, operand->name);
          if (IsScalarConstant(*operand)) {
            made->op = operand->op;
            made->literal = operand->literal;
          } else {
            made->op = op_of_parameter;
            made->parameter_number = static_cast<std::int64_t>(fusion->operands.size());
            fusion->operands.push_back(operand);
          }
          here = &fused.Add(std::move(made));
        }
        operand = here;
      }
      moved.push_back(std::move(owned));
      if (moved.back().get() == &root) owned = std::move(fusion);
    }
    for (auto& instruction : moved) fused.Add(std::move(instruction));
    fused.root = &root;
    std::erase(computation_.instructions, nullptr);
    for (const auto& instruction : computation_.instructions) {
      std::ranges::replace(instruction->operands, &root, in_its_place);
    }
    if (computation_.root == &root) computation_.root = in_its_place;
  }

  HloComputation& computation_;
  std::unordered_map<const HloInstruction*, HloInstruction*> root_of_;
  std::unordered_map<const HloInstruction*, std::vector<HloInstruction*>> members_;  // by root, users first
};

PreparedFunction PrepareFusion(const HloInstruction& fusion) {
  const auto line = ElementWiseLine::Make(fusion.Computation("calls"));
  if (line == nullptr) return {};
  return [line, &fusion](std::span<Literal> operands, Evaluation&) {
    Literal result = Literal::Uninitialized(fusion.shape);
    std::vector<const std::byte*> parameters;
    for (const Literal& operand : operands) parameters.push_back(operand.data());
    std::byte* const out = result.mutable_data();
    ParallelFor(result.element_count(), kElementsPerPiece,
                [&](std::int64_t begin, std::int64_t end) { line->Run(parameters, out, begin, end); });
    return result;
  };
}

constexpr std::string_view kNames[] = {"fusion"};

}  // namespace

void Fuse(HloModule& module) {
  std::vector<HloComputation*> computations;
  for (const auto& computation : module.computations) computations.push_back(computation.get());
  for (HloComputation* computation : computations) {
    if (IsAllScalar(*computation)) continue;
    GiveEachUserItsRepetition(*computation);
    Fusions(*computation).Build();
  }
}

const Family kFusion = {.ops = kNames, .prepare = PrepareFusion};

}  // namespace assay::simd
