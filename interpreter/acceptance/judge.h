// Judges the result of a backend for one instruction against the exact value. docs/verdicts.md defines the terms.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The verdicts, from good to bad. The verdict of several elements is the worst of theirs.
enum class Verdict {
  kExact,        // equal bits, or both NaN
  kLegal,        // inside the set that the profile opens; the reason names the freedom
  kSpecGap,      // the specification does not decide this value
  kUnsupported,  // the backend declined
  kWeak,         // the set is too wide to prove anything
  kSuspect,      // inside the set, yet a statistical test says that lawful results hardly ever look like this: no proof
  kFail,         // outside every value that the profile allows
  kError,        // the backend reported that it failed
  kTimeout,
  kCrash,
};
std::string_view VerdictName(Verdict verdict);
std::optional<Verdict> FindVerdict(std::string_view name);
// True for the verdicts that speak against the backend: SUSPECT and those after it.
constexpr bool IsFailure(Verdict verdict) { return verdict >= Verdict::kSuspect; }

// The worst element of an array.
struct ElementReport {
  std::vector<std::int64_t> tuple_index;  // the element of a tuple result
  std::int64_t offset = 0;                // row-major
  std::string name;                       // by dimensions: "element (1)[0,3]"
  std::string got;
  std::string want;
  double steps = 0;  // the distance, counted in numbers of the result type; infinite to a NaN
  // The same distance, if it counts units of the last place: the type is float or complex, and the distance finite.
  std::optional<double> ulps;
  double share = 0;  // of the allowance, if there is one
  // The operands' elements and, if the result's type has fewer than 17 digits, the exact value to 17 digits. Empty
  // unless the instruction is element-wise.
  std::vector<std::string> inputs;
  std::string exact;
};

// The number of elements that have a verdict other than EXACT for one reason.
struct Tally {
  Verdict verdict;
  std::string reason;
  std::int64_t elements = 0;
};

struct Judgement {
  Verdict verdict = Verdict::kExact;
  std::string reason;  // the freedom that admits it, or the rule that it breaks
  std::int64_t elements = 0;
  std::int64_t not_exact = 0;
  std::vector<Tally> tallies;
  ElementReport worst;  // meaningful when not_exact > 0
};

// Called with the verdict of each element that is not exact, before the result is judged as a whole.
struct Place;
using ElementObserver = std::function<void(const Place& place, Verdict verdict, std::string_view reason)>;

// Judges `got`, the backend's result, against `want`, the exact result on `operands`. For an instruction that depends
// on the device, in a module for several, `operands` holds the lists of all devices, one after the other, and `want`
// and `got` are tuples with one result per device. For the end of an asynchronous operation, `operands` are those of
// the operation. Returns WEAK if a limit of the calling thread (types/limits.h) ends the judging.
Judgement JudgeInstruction(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer = {});
Judgement JudgeInstruction(const HloInstruction& instruction, const DeviceValues& operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer = {});

// The position of an element in a result.
struct Place {
  std::vector<std::int64_t> tuple_index;
  std::int64_t offset = 0;  // row-major, in the leaf

  const Literal& LeafOf(const Literal& result) const;
};

// Names an element of the leaf that `place` selects: "element (1)[0,3]".
std::string ElementName(const Place& place, const Literal& leaf);

// Derives the set of values that a profile accepts for an element from the instruction and its operands, one step a
// line.
std::vector<std::string> ExplainElement(const HloInstruction& instruction, const DeviceValues& operands,
                                        const Literal& want, const Place& place, const Profile& profile);

// Compares bits, as kExact does. Reports the distance of elements that differ; none of them is LEGAL.
Judgement CompareExactly(const Literal& want, const Literal& got);

}  // namespace assay
