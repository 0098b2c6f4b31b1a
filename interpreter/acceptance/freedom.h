// The freedoms of profiles. A freedom lets a backend deviate from the exact value in one way, in any op.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/acceptance/sets/freedom_widening.h"
#include "interpreter/types/literal.h"

namespace assay {

// The freedoms in meson.build, in the order in which the judge tries them.
enum class Freedom {
#define ASSAY_FREEDOM(name, enumerator) k##enumerator,
#include "interpreter/acceptance/freedom_list.inc"
#undef ASSAY_FREEDOM
};

// The liberties of a backend's arithmetic that rules query. The record of a freedom names the one that it permits.
struct LawfulArithmetic {
  bool takes_any_order = false;            // of additions, or of the elements of a fold, within an instruction
  bool flushes_subnormals = false;         // operands and results, to the zero of their sign
  bool keeps_narrow_sums = false;          // in their own type of at most 16 bits, not in a wider one
  bool leaves_ranges = false;              // an approximation may leave the range of its function
  bool assumes_finite = false;             // nothing is promised of infinities and NaNs
  bool sums_into_addend = false;           // a sum of products starts from a number that the next instruction adds
  bool computes_with_integers = false;     // the numbers of quantized arrays
  bool overflows_in_any_way = false;       // a conversion to a type that lacks the number has any result
  bool ignores_zero_sign = false;          // of arguments and results
  bool multiplies_by_reciprocals = false;  // in place of divisions
  bool regroups_terms = false;             // of the additions of several instructions
  bool varies_generators = false;          // of random bits
  bool relies_on_assumptions = false;      // about operands, as attributes state them
};
using Permission = bool LawfulArithmetic::*;

// A freedom: one constant in one file of freedoms/. No other code names it, except the list in meson.build.
struct FreedomRecord {
  std::string_view name;     // in profiles and explanations
  std::string_view meaning;  // what a backend may do
  // The liberty that the freedom permits; null if it permits none that a rule queries.
  Permission permits = nullptr;
  // The reason of a result of one instruction that is LEGAL or SPEC-GAP by the freedom.
  std::string_view reason = {};
  // Returns an operand as an instruction may read it, if it reads all operands so; null: as it is.
  Literal (*read_operand)(const Literal& operand) = nullptr;
  // The effect of lawful noise on a number: the name of a row in backends/lawful/noisy_numbers.cc.
  std::string_view noise;
  // The stages that the freedom adds to the pipeline of lawful results.
  FreedomWidening widening = {};
};

#define ASSAY_FREEDOM(name, enumerator) extern const FreedomRecord freedom_##name;
#include "interpreter/acceptance/freedom_list.inc"
#undef ASSAY_FREEDOM

#define ASSAY_FREEDOM(name, enumerator) +1
inline constexpr int kFreedomCount = 0
#include "interpreter/acceptance/freedom_list.inc"
    ;
#undef ASSAY_FREEDOM

// Returns every freedom, in the order of the list.
std::span<const Freedom> AllFreedoms();
const FreedomRecord& RecordOf(Freedom freedom);

// Return the bit of a freedom in ValueSet::freedoms, and the bits of all freedoms that permit a liberty.
inline std::uint32_t BitOf(Freedom freedom) { return std::uint32_t{1} << static_cast<int>(freedom); }
std::uint32_t BitsPermitting(Permission permission);

}  // namespace assay
