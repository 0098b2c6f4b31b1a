// The stages that a freedom adds to the pipeline of lawful results (lawful_results.cc). Every function is pure. The
// facts that the functions read are in lawful_facts.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

class Profile;
class SetEvaluation;
struct HloInstruction;
struct ElementFacts;
struct InstructionFacts;
struct LeafFacts;

// The lawful results of an element after a stage of the pipeline.
struct Widening {
  Reals reals;
  bool is_used = false;        // results that differ from the reference's may be LEGAL by this freedom
  bool takes_several = false;  // the freedom widens single instructions, too, but took several here
};

// A member is null or false if the freedom has no such effect, except `applies_to`. A function is called only for
// instructions for which the profile opens the freedom, unless its comment says otherwise.
struct FreedomWidening {
  // True for the instructions whose results the freedom widens; null: all. Operands are widened for every instruction.
  bool (*applies_to)(const HloInstruction&) = nullptr;

  // The stages of a real element, in the order of the pipeline. Each returns a superset of `lawful`, its last argument.
  // 1. Another number may be computed. It is not yet rounded to the result's type.
  Widening (*before_rounding)(const ElementFacts&, const Reals& lawful) = nullptr;
  // 2. The number `exact` may be rounded in another way, or not rounded.
  Widening (*at_rounding)(const ElementFacts&, const Reals& exact, const Reals& lawful) = nullptr;
  // 3. The rounded number may be replaced.
  Widening (*after_rounding)(const ElementFacts&, const Reals& lawful) = nullptr;

  // True if the stages return normal numbers of this leaf as they are: intervals that contain neither zero nor NaN,
  // nor numbers near the least normal number or the largest one. Null: false if there are stages.
  bool (*keeps_normal)(const LeafFacts&) = nullptr;
  // True if the freedom may open an element of a leaf whose rule is exact.
  bool (*may_open)(const LeafFacts&) = nullptr;
  // True if the freedom may open elements of this type in the result of an instruction that only moves them.
  bool (*opens_moved)(PrimitiveType) = nullptr;
  // True if a zero that is the only lawful result of an element may have either sign.
  bool (*frees_sign_of_zero)(const ElementFacts&) = nullptr;
  // True if elements of this type may pass unrounded to the next instruction (ValueSet::as_term).
  bool (*keeps_unrounded)(const InstructionFacts&, PrimitiveType) = nullptr;
  // True if a compiler may elide the instruction, so that an operand that is unrounded stays so.
  bool (*elides)(const InstructionFacts&) = nullptr;
  // True if `at_rounding` reads the value of elements of this type before rounding.
  bool (*reads_exact)(const InstructionFacts&, PrimitiveType) = nullptr;

  // Writes facts for this freedom in the following instructions to the set of a leaf, before its elements are widened.
  void (*count)(const InstructionFacts&, ValueSet& leaf) = nullptr;
  // Copies facts for this freedom from the operands' sets to the set of a whole result. Called for every instruction.
  void (*carry)(const InstructionFacts&, SetEvaluation&, ValueSet& result) = nullptr;
  // Widens the set of an operand before the instruction reads it.
  void (*widen_operand)(const HloInstruction&, ValueSet& operand) = nullptr;

  bool finite_only = false;                 // results are unknown if they or their operands are not finite
  bool reads_reach = false;                 // reads the magnitudes of open operands, also if the rule is exact
  bool takes_several_instructions = false;  // has no effect on a single instruction
  bool differs_between_uses = false;        // a number that is computed twice may differ between its uses
};

// Bits of ValueSet::freedoms. The lowest ones are the freedoms, in the order of the list. The following ones mark other
// reasons for a set to be open.
inline constexpr std::uint32_t kApproximationBit = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kUndecidedBit = std::uint32_t{1} << 30;  // a choice that was not decided
inline constexpr std::uint32_t kSpecGapBit = std::uint32_t{1} << 29;    // the fold's order or start count is open
inline constexpr std::uint32_t kReadingBit = std::uint32_t{1} << 28;    // another reading of the specification
inline constexpr std::uint32_t kSeveralBit = std::uint32_t{1} << 27;    // Widening::takes_several

using WideningFlag = bool FreedomWidening::*;
// Return the bits of the freedoms with a flag: all of them, and those that a profile opens for an op.
std::uint32_t BitsWith(WideningFlag flag);
std::uint32_t OpenBitsWith(WideningFlag flag, const Profile& profile, std::string_view op);

// Returns the operands as the profile lets an instruction read them (FreedomWidening::widen_operand).
std::vector<ValueSet> WithWidenedOperands(std::span<const ValueSet> operands, const Profile& profile,
                                          const HloInstruction& instruction);

}  // namespace assay
