#include "backends/simd/fuse.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "backends/fusions.h"
#include "backends/simd/element_wise_line.h"
#include "backends/simd/quantized.h"
#include "backends/simd/scatter.h"
#include "interpreter/hlo/instruction_places.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// Longer lines save nothing more.
constexpr std::size_t kMostInstructions = 64;

// True if all arrays are scalars. Such a computation runs as a ScalarFunction or as a loop on registers, which a fusion
// would hide.
bool IsAllScalar(const HloComputation& computation) {
  return std::ranges::all_of(computation.instructions, [](const auto& instruction) {
    return !instruction->shape.IsArray() || instruction->shape.IsScalar();
  });
}

// A repetition costs nothing within a fusion.
bool IsCheap(const HloInstruction& operand, const HloInstruction& user) {
  return IsRepetition(operand) && IsElementWise(user);
}

// The fusions of one computation.
class Fusions {
 public:
  explicit Fusions(HloComputation& computation)
      : computation_(computation),
        places_(computation),
        dimensions_(places_.size()),
        root_of_(places_.size()),
        members_(places_.size()) {
    std::vector<boost::container::small_vector<const HloInstruction*, 4>> users(places_.size());
    std::vector<bool> has_order(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const HloInstruction& instruction = *computation.instructions[i];
      for (const HloInstruction* operand : instruction.operands) users[places_[operand]].push_back(&instruction);
      for (const HloInstruction* before : instruction.control_predecessors) has_order[places_[before]] = true;
      if (!instruction.control_predecessors.empty()) has_order[i] = true;
      auto found = LineDimensions::OfReduction(instruction);
      if (!found) found = LineDimensions::OfGather(instruction);
      if (found) rows_of_.emplace(found->whole, *found->rows);
    }
    for (std::size_t i = places_.size(); i-- > 0;) {
      if (!has_order[i]) Add(i, {users[i].data(), users[i].size()});
    }
  }

  void Build() {
    std::vector<HloInstruction*> roots;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (members_[i].size() > 1) roots.push_back(computation_.instructions[i].get());
    }
    for (HloInstruction* root : roots) MoveIntoFusion(*root, members_[places_[root]], "fused");
  }

 private:
  // Adds an instruction, all users of which have been added, to a fusion that has them, or to one of its own.
  void Add(std::size_t place, std::span<const HloInstruction* const> users) {
    HloInstruction& instruction = *computation_.instructions[place];
    const auto reduction = LineDimensions::OfReduction(instruction);
    // The evaluator computes a repetition or a gather outside of a fusion.
    const bool is_root = reduction || IsElementWise(instruction) || IsScatterOfLine(instruction);
    if (!is_root && !IsRepetition(instruction) && !LineDimensions::OfGather(instruction)) return;
    HloInstruction* root = RootOfUsers(users);
    if (root == nullptr || !Joins(instruction, users, *root)) {
      if (!is_root) return;
      root = &instruction;
      dimensions_[place] =
          reduction ? *reduction : DimensionsFrom(ReadsRows(instruction) ? instruction.operand(2) : instruction);
    }
    root_of_[place] = root;
    members_[places_[root]].push_back(&instruction);
  }

  // True for a scatter that can combine the rows of a line block by block.
  bool IsScatterOfLine(const HloInstruction& instruction) const {
    if (!ReadsRows(instruction)) return false;
    // A fusion copies scalar constants, but its scatter reads array and indices from outside.
    if (IsScalarConstant(instruction.operand(0)) || IsScalarConstant(instruction.operand(1))) return false;
    const Shape& updates = instruction.operand(2).shape;
    const auto positions = updates.rank() - instruction.Int64s("update_window_dims").size();
    const auto found = rows_of_.find(updates.dimensions());
    return found == rows_of_.end() || found->second.size() >= positions;
  }

  LineDimensions DimensionsFrom(const HloInstruction& root) const {
    const auto found = rows_of_.find(root.shape.dimensions());
    return {root.shape.dimensions(), found == rows_of_.end() ? std::nullopt : std::optional(found->second)};
  }

  // True if the line of the root's fusion may have the instruction, whose users it has.
  bool Joins(const HloInstruction& instruction, std::span<const HloInstruction* const> users,
             const HloInstruction& root) const {
    const LineDimensions& dimensions = dimensions_[places_[&root]];
    if (ReadsRows(instruction)) return false;
    const bool is_reduction = LineDimensions::OfReduction(instruction).has_value();
    const bool is_gather = LineDimensions::OfGather(instruction).has_value();
    const bool fits = is_gather                         ? dimensions.IsGather(instruction)
                      : dimensions.IsWhole(instruction) ? !is_reduction
                      : is_reduction                    ? dimensions.IsReduction(instruction)
                                                        : dimensions.IsColumn(instruction);
    // A repetition of an array that is no parameter can only be one to rows.
    const auto can_read = [&](const HloInstruction* user) {
      if (LineDimensions::OfGather(*user)) return false;
      if (ReadsRows(*user)) {
        return IsElementWise(instruction) && user->operands[2] == &instruction &&
               std::ranges::count(user->operands, &instruction) == 1;
      }
      return !IsRepetition(*user) || instruction.shape.IsScalar() || dimensions.IsBroadcastToRows(*user);
    };
    return fits && &instruction != computation_.root && members_[places_[&root]].size() < kMostInstructions &&
           std::ranges::all_of(users, can_read);
  }

  // Returns the root whose fusion contains all users; null if there is none.
  HloInstruction* RootOfUsers(std::span<const HloInstruction* const> users) const {
    HloInstruction* root = nullptr;
    for (const HloInstruction* user : users) {
      HloInstruction* const found = root_of_[places_[user]];
      if (found == nullptr || (root != nullptr && found != root)) return nullptr;
      root = found;
    }
    return root;
  }

  HloComputation& computation_;
  std::map<Dimensions, Dimensions> rows_of_;  // by the dimensions that a reduction reads, those of its result
  const InstructionPlaces places_;
  std::vector<LineDimensions> dimensions_;             // by the place of the root
  std::vector<HloInstruction*> root_of_;               // by the place of the member
  std::vector<std::vector<HloInstruction*>> members_;  // by the place of the root, users first
};

// Returns the operands whose arrays the result may take. The processor then reads no memory only to write it.
std::vector<std::size_t> ReplaceableOperands(const ElementWiseLine& line, const HloInstruction& fusion) {
  std::vector<std::size_t> replaceable;
  for (std::size_t i = 0; i < fusion.operands.size(); ++i) {
    const Shape& shape = fusion.operands[i]->shape;
    const bool has_type = shape.IsArray() && shape.element_type() == fusion.shape.element_type();
    if (has_type && line.MayReplace(static_cast<int>(i))) replaceable.push_back(i);
  }
  return replaceable;
}

// Returns an array for the result: that of a replaceable operand that nobody else reads, or a new one.
Literal ResultOf(const Shape& shape, std::span<Literal> operands, std::span<const std::size_t> replaceable) {
  for (const std::size_t i : replaceable) {
    if (!operands[i].IsShared()) return std::move(operands[i]).WithShape(shape);
  }
  return Literal::Uninitialized(shape);
}

PreparedFunction PrepareFusion(const HloInstruction& fusion, const OpOverrides&) {
  const HloInstruction& root = *fusion.Computation("calls").root;
  if (ReadsRows(root)) return PrepareScatterOfLine(fusion);
  if (PreparedFunction product = PrepareDequantizedProduct(fusion)) return product;
  const auto line = ElementWiseLine::Make(root);
  if (line == nullptr) return {};
  return [line, replaceable = ReplaceableOperands(*line, fusion), &fusion](std::span<Literal> operands, Evaluation&) {
    std::vector<const std::byte*> parameters;
    for (const Literal& operand : operands) parameters.push_back(operand.data());
    Literal result = ResultOf(fusion.shape, operands, replaceable);
    std::byte* const out = result.mutable_data();
    ParallelFor(line->rows(), GrainOfRows(line->columns(), kComputedPerPiece),
                [&](std::int64_t begin, std::int64_t end) {
                  line->Run(parameters, out + begin * line->row_bytes(), begin, end);
                });
    return result;
  };
}

constexpr std::string_view kNames[] = {"fusion"};

}  // namespace

bool MayFuse(const HloModule& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    std::int64_t roots = 0, repetitions = 0;
    for (const auto& instruction : computation->instructions) {
      if (IsElementWise(*instruction) || LineDimensions::OfReduction(*instruction) || ReadsRows(*instruction)) {
        ++roots;
      } else if (IsRepetition(*instruction) || LineDimensions::OfGather(*instruction)) {
        ++repetitions;
      }
    }
    return roots > 0 && roots + repetitions > 1 && !IsAllScalar(*computation);
  });
}

void Fuse(HloModule& module) {
  std::vector<HloComputation*> computations;
  for (const auto& computation : module.computations) computations.push_back(computation.get());
  for (HloComputation* computation : computations) {
    if (IsAllScalar(*computation) || IsDequantizedProduct(*computation)) continue;
    GiveEachUserItsOwn(*computation, IsCheap);
    Fusions(*computation).Build();
  }
}

const Family kFusion = {.ops = kNames, .prepare = PrepareFusion};

}  // namespace assay::simd
