// Records judged elements in a judgement: as tallies, and the worst of them.
#pragma once

#include <algorithm>
#include <cstring>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/types/limits.h"

namespace assay {

// Adds the verdict of an element that is not exact and has been counted. `want` and `got` are the leaves that `place`
// names. Elements with the same verdict and reason share a tally; all failures share one if `are_failures_one`.
void RecordElement(const Literal& want, const Literal& got, const Place& place, const ElementVerdict& verdict,
                   Judgement& judgement, bool are_failures_one = false);

// Adds the verdict of `judge` for each element of a leaf that differs. A template, because the outputs of a backend may
// have millions of elements.
template <class Judge>
void RecordLeaf(const Literal& want, const Literal& got, Place place, Judgement& judgement, bool are_failures_one,
                const Judge& judge) {
  // The number of elements that are compared at once: an iteration of a loop leaves most of its stacked results as they
  // are.
  constexpr std::int64_t kElementsAtOnce = 256;
  judgement.elements += want.element_count();
  if (want.BitwiseEqual(got)) return;
  LimitCheck check;
  const std::int64_t bytes = StorageBytes(want.element_type());
  for (place.offset = 0; place.offset < want.element_count(); ++place.offset) {
    check();
    const std::int64_t block = std::min<std::int64_t>(kElementsAtOnce, want.element_count() - place.offset);
    const std::int64_t at = place.offset * bytes;
    if (place.offset % kElementsAtOnce == 0 && std::memcmp(want.data() + at, got.data() + at, block * bytes) == 0) {
      place.offset += block - 1;
      continue;
    }
    if (SameElement(want, got, place.offset)) continue;
    ++judgement.not_exact;
    RecordElement(want, got, place, judge(place), judgement, are_failures_one);
  }
}

// True if the run-time sizes differ from those of the wanted result: the judgement is then FAIL.
bool HasOtherSizes(const Shape& want, const Shape& got, Judgement& judgement);

// Records the verdict LEGAL for all elements that are not exact.
void RecordAsLegal(std::string_view reason, Judgement& judgement);

}  // namespace assay
