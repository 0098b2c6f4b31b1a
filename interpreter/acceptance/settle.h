// One instruction's lawful results: the exact ones, widened by what its rule and the profile's freedoms allow.
#pragma once

#include <memory>
#include <span>

#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/value_set.h"

namespace assay {

// Bits of ValueSet::freedoms that are no freedoms of a profile; those of freedoms are theirs in the list.
inline constexpr std::uint32_t kApproximationBit = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kUndecidedBit = std::uint32_t{1} << 30;  // a choice that was not decided
inline constexpr std::uint32_t kSpecGapBit = std::uint32_t{1} << 29;    // an order, or a start, of a fold that is open
inline constexpr std::uint32_t kReadingBit = std::uint32_t{1} << 28;    // another reading of the specification

inline std::uint32_t BitOf(Freedom freedom) { return std::uint32_t{1} << static_cast<int>(freedom); }

// `value` is the reference's result, `image` the set of exact results (OpAcceptance::image; null: all are decided).
ValueSet Settle(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                std::shared_ptr<const OpenElements> image, const RuleChoice& rule, const Profile& profile,
                SetEvaluation& evaluation);

// The operands with every subnormal number that may count as zero open; the same where none is.
std::vector<ValueSet> WithFlushedOperands(std::span<const ValueSet> operands);

// Whether a product that has not been rounded is still one behind the instruction: it moves numbers, negates them, or
// gives its operand as it is (OpAcceptance::keeps_terms, gives_operand).
bool KeepsTerms(const HloInstruction& instruction);

// Whether a result says more of a NaN than that it is one.
bool TellsNans(const HloInstruction& instruction, const Literal& value);

// The operands with every NaN open: its sign and its payload are free.
std::vector<ValueSet> WithOpenNans(std::span<const ValueSet> operands);

}  // namespace assay
