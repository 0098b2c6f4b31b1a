// What a freedom of a profile is: something about values that a backend may do, whatever the op.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom_widening.h"
#include "interpreter/types/literal.h"

namespace assay {

class AcceptanceRule;
struct ElementVerdict;
struct JudgedInstruction;
struct Judgement;
struct Place;

// One for each name in meson.build, in the order in which they are tried.
enum class Freedom {
#define ASSAY_FREEDOM(name, enumerator) k##enumerator,
#include "interpreter/acceptance/freedom_list.inc"
#undef ASSAY_FREEDOM
};

// The liberties of a backend's arithmetic that rules ask for. The record of a freedom names the one that it permits.
struct LawfulArithmetic {
  bool takes_any_order = false;     // of additions, or of the elements of a fold, within an instruction
  bool flushes_subnormals = false;  // operands and results, to the zero of their sign
  bool keeps_narrow_sums = false;   // in their own type of at most 16 bits, not in a wider one
  bool leaves_ranges = false;       // an approximation, that of its function
};
using Permission = bool LawfulArithmetic::*;

// Uses one open freedom on one result.
class FreedomJudge {
 public:
  virtual ~FreedomJudge() = default;
  // The verdict of an element that is FAIL by the rule; FAIL again if the freedom does not admit it. `want` and `got`
  // are the leaves that `place` names.
  virtual ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) = 0;
  // What is accepted besides, a line each; empty where the freedom changes nothing.
  virtual std::vector<std::string> Explain(const Literal& want, const Place& place) = 0;
  // A result that is FAIL as a whole; `elements` is what its elements came to.
  virtual void JudgeWhole(const Literal& want, const Literal& got, const Judgement& elements, Judgement& judgement);
};

// A freedom: one constant in one file of freedoms/, which nothing else names but the list in meson.build.
struct FreedomRecord {
  std::string_view name;     // in profiles and explanations
  std::string_view meaning;  // what a backend may do
  // The liberty that the freedom permits; null if it permits none that a rule asks for.
  Permission permits = nullptr;
  // Makes the judge that tries the freedom on results of one instruction; null if rules or sets alone know it. The
  // instruction and the rule must outlive the result.
  std::unique_ptr<FreedomJudge> (*make)(const JudgedInstruction&, AcceptanceRule&) = nullptr;
  // What lawful noise does with a number: a row in backends/lawful/noisy_numbers.cc.
  std::string_view noise;
  // Its part in finding the sets of lawful results.
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

// Every freedom, in the order of the list.
std::span<const Freedom> AllFreedoms();
const FreedomRecord& RecordOf(Freedom freedom);

// The bit of a freedom in ValueSet::freedoms, and the bits of all freedoms that permit something.
inline std::uint32_t BitOf(Freedom freedom) { return std::uint32_t{1} << static_cast<int>(freedom); }
std::uint32_t BitsPermitting(Permission permission);

// FreedomRecord::make for a class of these arguments.
template <class Judge>
std::unique_ptr<FreedomJudge> MakeFreedomJudge(const JudgedInstruction& judged, AcceptanceRule& rule) {
  return std::make_unique<Judge>(judged, rule);
}

}  // namespace assay
