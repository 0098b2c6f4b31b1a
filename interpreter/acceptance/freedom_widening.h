// The part of a freedom in the pipeline that finds the sets of lawful results (lawful_results.cc). Every function is
// pure; the facts that it reads are in lawful_facts.h.
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
struct ElementFacts;
struct InstructionFacts;
struct LeafFacts;

// The lawful results of an element after a stage of the pipeline.
struct Widening {
  Reals reals;
  bool is_used = false;  // results that differ from the reference's may be LEGAL by this freedom
};

// A member is null, or false, if the freedom has no such effect. Functions are called only for instructions that the
// profile opens the freedom for, unless their comment says otherwise.
struct FreedomWidening {
  // The stages of a real element, in the order of the pipeline. Each returns a superset of `lawful`, its last argument.
  // 1. The number that is computed may be another one. It has not been rounded to the result's type.
  Widening (*before_rounding)(const ElementFacts&, const Reals& lawful) = nullptr;
  // 2. The number `exact` may be rounded in another way, or not at all.
  Widening (*at_rounding)(const ElementFacts&, const Reals& exact, const Reals& lawful) = nullptr;
  // 3. The rounded number may be replaced.
  Widening (*after_rounding)(const ElementFacts&, const Reals& lawful) = nullptr;

  // True if the freedom may open an element of a leaf whose rule is exact.
  bool (*may_open)(const LeafFacts&) = nullptr;
  // True if the freedom may open elements of this type behind an instruction that only moves them.
  bool (*opens_moved)(PrimitiveType) = nullptr;
  // True if a zero that is the only lawful result of an element may have either sign.
  bool (*frees_sign_of_zero)(const ElementFacts&) = nullptr;
  // True if elements of this type may go unrounded into the next instruction (ValueSet::as_term).
  bool (*keeps_unrounded)(const InstructionFacts&, PrimitiveType) = nullptr;
  // True if `at_rounding` reads the value of elements of this type before rounding.
  bool (*reads_exact)(const InstructionFacts&, PrimitiveType) = nullptr;

  // Writes to the set of a leaf what the freedom reads in the next instructions, before elements are widened.
  void (*count)(const InstructionFacts&, ValueSet& leaf) = nullptr;
  // Carries what the operands' sets hold for this freedom to the set of a whole result. Called for every instruction.
  void (*carry)(const InstructionFacts&, SetEvaluation&, ValueSet& result) = nullptr;
  // Widens the set of an operand before the instruction reads it.
  void (*widen_operand)(ValueSet& operand) = nullptr;

  bool finite_only = false;  // nothing is known of results that are not finite, or that come from such operands
  bool reads_reach = false;  // the magnitudes of open operands count, also where the rule is exact
  bool takes_several_instructions = false;  // it does nothing to one instruction alone
  bool differs_between_uses = false;        // a number that is computed twice may be another one each time
};

// Bits of ValueSet::freedoms. The lowest are those of freedoms, in the order of the list; these mark other reasons for
// a set to be open.
inline constexpr std::uint32_t kApproximationBit = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kUndecidedBit = std::uint32_t{1} << 30;  // a choice that was not decided
inline constexpr std::uint32_t kSpecGapBit = std::uint32_t{1} << 29;    // an order, or a start, of a fold that is open
inline constexpr std::uint32_t kReadingBit = std::uint32_t{1} << 28;    // another reading of the specification

using WideningFlag = bool FreedomWidening::*;
// The bits of the freedoms with a flag: all of them, and those that a profile opens for an op.
std::uint32_t BitsWith(WideningFlag flag);
std::uint32_t OpenBitsWith(WideningFlag flag, const Profile& profile, std::string_view op);

// The operands as the profile lets an op read them (FreedomWidening::widen_operand).
std::vector<ValueSet> WithWidenedOperands(std::span<const ValueSet> operands, const Profile& profile,
                                          std::string_view op);

}  // namespace assay
