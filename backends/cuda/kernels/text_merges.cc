#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Merges of two sorted runs, cut into pieces of outputs that are merged independently (merge path; Odeh, Green, Mwassi,
// Shmueli and Birk, 2012). Cuts are found by bisection, each within the halves of the previous one. They therefore
// ascend, and every number is written once, even if the comparator is not an order.
const std::string_view kTextOfMerges = R"(
// Narrows the runs from i to i_end and from j to j_end to what becomes the piece that has output `wanted`.
template <class I, class Before>
inline void find_piece(const I* left, const I* right, I wanted, I piece, I& i, I& j, I& i_end, I& j_end,
                       const Before& before) {
  while (i_end + j_end - i - j > piece) {
    const I pieces = (i_end + j_end - i - j + piece - 1) / piece;
    const I middle = i + j + pieces / 2 * piece;
    I low = middle - j_end > i ? middle - j_end : i;
    I high = middle - j < i_end ? middle - j : i_end;
    while (low < high) {
      const I from_left = low + (high - low) / 2;
      if (before(right[middle - from_left - 1], left[from_left])) {
        high = from_left;
      } else {
        low = from_left + 1;
      }
    }
    if (wanted < middle) {
      i_end = low;
      j_end = middle - low;
    } else {
      i = low;
      j = middle - low;
    }
  }
}

// Of equal numbers the left one goes first.
template <class I, class Before>
inline void merge_piece(const I* left, const I* right, I i, I j, I i_end, I j_end, I* to, const Before& before) {
  while (i < i_end && j < j_end) *to++ = before(right[j], left[i]) ? right[j++] : left[i++];
  while (i < i_end) *to++ = left[i++];
  while (j < j_end) *to++ = right[j++];
}

// Sorts `count` numbers in place by insertion.
template <class I, class Before> inline void sort_few(I* numbers, I count, const Before& before) {
  for (I k = 1; k < count; ++k) {
    const I number = numbers[k];
    I at = k;
    for (; at > 0 && before(number, numbers[at - 1]); --at) numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

template <class I> inline I clamped(I x, I low, I high) { return x < low ? low : x > high ? high : x; }
)";

}  // namespace assay::cuda
