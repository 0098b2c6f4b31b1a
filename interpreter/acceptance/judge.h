// How the result of a backend for one instruction is judged against the exact value: docs/verdicts.md defines the
// words.
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

// From good to bad; the verdict of several elements is the worst of theirs.
enum class Verdict {
  kExact,        // equal bits, or both NaN
  kLegal,        // inside the set that the profile opens; the reason says by which freedom
  kSpecGap,      // the specification does not decide this value
  kUnsupported,  // the backend declined
  kWeak,         // no set narrow enough to prove anything
  kFail,         // outside every value that the profile allows
  kError,        // the backend reported that it failed
  kTimeout,
  kCrash,
};
std::string_view VerdictName(Verdict verdict);
std::optional<Verdict> FindVerdict(std::string_view name);

// One judged element: the worst of its array.
struct ElementReport {
  std::vector<std::int64_t> tuple_index;  // which element of a tuple result
  std::int64_t offset = 0;                // row-major
  std::string name;                       // by dimensions: "element (1)[0,3]"
  std::string got;
  std::string want;
  double steps = 0;  // distance in numbers of the result type; infinite to a NaN
  // The same, where it counts units of the last place: of a float or complex type, and finite.
  std::optional<double> ulps;
  double share = 0;  // of the allowance, where there is one
  // Of element-wise instructions: the operands' elements, and the exact value to 17 digits where the result's type has
  // fewer.
  std::vector<std::string> inputs;
  std::string exact;
};

// How many of the elements that are not exact came to a verdict for a reason.
struct Tally {
  Verdict verdict;
  std::string reason;
  std::int64_t elements = 0;
};

struct Judgement {
  Verdict verdict = Verdict::kExact;
  std::string reason;  // which freedom admits it, or what was broken
  std::int64_t elements = 0;
  std::int64_t not_exact = 0;
  std::vector<Tally> tallies;
  ElementReport worst;  // meaningful when not_exact > 0
};

// Called with the verdict of each element that is not exact, before the result is judged as a whole.
struct Place;
using ElementObserver = std::function<void(const Place& place, Verdict verdict, std::string_view reason)>;

// `operands` are the values that the instruction had, `want` its exact result, `got` the backend's. Of an instruction
// that depends on the device, in a module for several: the operands of all devices, one list after the other, and
// tuples of their results. Of one that ends an asynchronous operation: the operands of the operation. Returns WEAK if a
// limit of the calling thread (types/limits.h) ends the judging.
Judgement JudgeInstruction(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer = {});
Judgement JudgeInstruction(const HloInstruction& instruction, const DeviceValues& operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer = {});

// Where an element of a result stands.
struct Place {
  std::vector<std::int64_t> tuple_index;
  std::int64_t offset = 0;  // row-major, in the leaf

  const Literal& LeafOf(const Literal& result) const;
};

// "element (1)[0,3]", the leaf's element in the result.
std::string ElementName(const Place& place, const Literal& leaf);

// How the set of values that a profile accepts for an element follows from the instruction and its operands: a step a
// line.
std::vector<std::string> ExplainElement(const HloInstruction& instruction, const DeviceValues& operands,
                                        const Literal& want, const Place& place, const Profile& profile);

// Compares bits, as kExact does. The distance of elements that differ is reported, but none is LEGAL.
Judgement CompareExactly(const Literal& want, const Literal& got);

}  // namespace assay
