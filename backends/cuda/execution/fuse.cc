#include "backends/cuda/execution/fuse.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/emitter.h"
#include "backends/fusions.h"

namespace assay::cuda {
namespace {

// Larger kernels take long to compile and save little.
constexpr std::size_t kMostMembers = 128;
// The limit of indices: an instruction is computed once for each index at which its users read it.
constexpr std::size_t kMostIndices = 8;
// The limit of cheap instructions in one kernel whose elements are computed more than once.
constexpr int kMostRepeated = 16;

// True if recomputing elements costs no more than reading them, because the instruction reads nothing, or less than its
// size.
bool IsCheapToRepeat(const HloInstruction& instruction) {
  return HasElementText(instruction) && (instruction.op->name == "iota" || instruction.op->name == "broadcast");
}

// True if the instruction returns its operand's elements in order, which requires no kernel.
bool IsForwarded(const HloInstruction& instruction) {
  return IsMovement(instruction) && !instruction.operands.empty() && !ChangesIndex(instruction, 0);
}

bool IsCheap(const HloInstruction& operand, const HloInstruction&) {
  return IsCheapToRepeat(operand) && operand.control_predecessors.empty();
}

// The kernels of one computation.
class Kernels {
 public:
  Kernels(HloComputation& computation, Exactness exactness) : computation_(computation), exactness_(exactness) {
    std::unordered_set<const HloInstruction*> has_order;
    for (const auto& instruction : computation.instructions) {
      for (std::size_t i = 0; i < instruction->operands.size(); ++i) {
        uses_[instruction->operands[i]].push_back({instruction.get(), i});
      }
      for (const HloInstruction* before : instruction->control_predecessors) has_order.insert(before);
      if (!instruction->control_predecessors.empty()) has_order.insert(instruction.get());
    }
    for (std::size_t i = computation.instructions.size(); i-- > 0;) {
      HloInstruction& instruction = *computation.instructions[i];
      if (has_order.contains(&instruction) || IsScalarConstant(instruction)) continue;
      if (!Join(instruction)) StartKernel(instruction);
    }
  }

  void Build(KernelFusions& fusions) {
    std::vector<HloInstruction*> roots;
    for (const auto& instruction : computation_.instructions) {
      const auto found = kernels_.find(instruction.get());
      if (found == kernels_.end()) continue;
      if (found->second.members.size() == 1 && IsForwarded(*instruction)) continue;
      roots.push_back(instruction.get());
    }
    for (HloInstruction* root : roots) {
      const Kernel& kernel = kernels_[root];
      fusions[&MoveIntoFusion(*root, kernel.members, "kernel")] = kernel.kind;
    }
  }

 private:
  struct Use {
    HloInstruction* user;
    std::size_t operand;
  };
  struct Kernel {
    const KernelKind* kind = nullptr;
    std::vector<HloInstruction*> members;
    int repeated = 0;
  };
  struct Member {
    HloInstruction* root = nullptr;
    std::set<std::size_t> indices;  // a hash for each index at which it is computed
    bool is_repeated = false;       // true if elements are computed several times
  };

  void StartKernel(HloInstruction& instruction) {
    const KernelKind* const kind = KernelKindOf(instruction, exactness_);
    if (kind == nullptr) return;
    kernels_[&instruction] = {kind, {&instruction}};
    members_[&instruction] = {&instruction, {0}};
  }

  // Returns the instruction as a member of the kernel that contains all of its users; without a root if there is no
  // such kernel.
  Member AsMember(const HloInstruction& instruction) const {
    Member member;
    const auto uses = uses_.find(&instruction);
    if (uses == uses_.end()) return {};
    for (const auto& [user, operand] : uses->second) {
      const auto found = members_.find(user);
      if (found == members_.end()) return {};
      const Member& of_user = found->second;
      if (member.root != nullptr && member.root != of_user.root) return {};
      member.root = of_user.root;
      const KernelKind& kind = *kernels_.at(of_user.root).kind;
      const bool is_root = user == of_user.root;
      if (is_root && (kind.reads_elements == nullptr || !kind.reads_elements(*user, operand))) return {};
      const bool has_text = HasElementText(*user);
      member.is_repeated |= of_user.is_repeated;
      if (is_root) {
        member.is_repeated |= kind.reads_again != nullptr && kind.reads_again(*user, operand);
      } else {
        member.is_repeated |= ShapeUtil::ElementsIn(user->shape) > ShapeUtil::ElementsIn(instruction.shape);
      }
      for (const std::size_t index : of_user.indices) {
        const bool changes = !has_text || ChangesIndex(*user, operand);
        const std::size_t own = std::hash<const void*>()(user) + operand;
        member.indices.insert(changes ? index * 31 + own : index);
      }
    }
    return member;
  }

  bool Join(HloInstruction& instruction) {
    if (&instruction == computation_.root || !HasElementText(instruction)) return false;
    if (exactness_ == Exactness::kExact && !HasExactText(instruction)) return false;
    Member member = AsMember(instruction);
    if (member.root == nullptr || member.indices.size() > kMostIndices) return false;
    Kernel& kernel = kernels_[member.root];
    if (kernel.members.size() >= kMostMembers) return false;
    if (member.is_repeated && !IsMovement(instruction) && !IsCheapToRepeat(instruction)) {
      if (IsExpensive(instruction) || kernel.repeated >= kMostRepeated) return false;
      ++kernel.repeated;
    }
    kernel.members.push_back(&instruction);
    members_[&instruction] = std::move(member);
    return true;
  }

  HloComputation& computation_;
  Exactness exactness_;
  std::unordered_map<const HloInstruction*, std::vector<Use>> uses_;
  std::unordered_map<const HloInstruction*, Kernel> kernels_;  // by root
  std::unordered_map<const HloInstruction*, Member> members_;
};

}  // namespace

bool IsControlFlow(const HloInstruction& instruction) {
  const std::string_view op = instruction.op->name;
  return op == "while" || op == "conditional" || op == "fusion" || instruction.op->role == OpRole::kCall;
}

std::vector<HloComputation*> WalkedComputations(const HloModule& module) {
  std::vector<HloComputation*> walked = {module.entry};
  std::unordered_set<const HloComputation*> seen = {module.entry};
  for (std::size_t i = 0; i < walked.size(); ++i) {
    for (const auto& instruction : walked[i]->instructions) {
      if (!IsControlFlow(*instruction)) continue;
      for (HloComputation* called : instruction->CalledComputations()) {
        if (seen.insert(called).second) walked.push_back(called);
      }
    }
  }
  return walked;
}

KernelFusions Fuse(HloModule& module, Exactness exactness) {
  KernelFusions fusions;
  for (HloComputation* computation : WalkedComputations(module)) {
    GiveEachUserItsOwn(*computation, IsCheap);
    Kernels(*computation, exactness).Build(fusions);
  }
  return fusions;
}

}  // namespace assay::cuda
