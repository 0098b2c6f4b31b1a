#include "interpreter/kernels/common/merge_sort.h"

#include <algorithm>
#include <numeric>

#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::int64_t kSegment = 256;    // largest number of outputs of one merge; longer ones are split
constexpr std::int64_t kTogether = 1024;  // merges that advance together

// One pass over all rows, which merges runs of `width` elements in pairs. The outputs of each row are split into
// segments. A segment can be merged by itself if the number of earlier outputs of the pair that come from its left run
// is known (merge path; Odeh, Green, Mwassi, Shmueli and Birk, 2012).
class Pass {
 public:
  Pass(std::span<const std::int64_t> from, std::span<std::int64_t> to, std::int64_t row_size, std::int64_t width,
       const ComesBefore& comes_before)
      : from_(from),
        to_(to),
        row_size_(row_size),
        width_(width),
        segment_(std::min(kSegment, 2 * width)),
        segments_per_row_((row_size - 1) / segment_ + 1),
        segments_(static_cast<std::int64_t>(from.size()) / row_size * segments_per_row_),
        comes_before_(comes_before) {}

  void Run() {
    // Outputs of whole pairs start with their runs.
    if (segment_ < 2 * width_) FindSplits();
    std::vector<std::int64_t> all(segments_);
    std::iota(all.begin(), all.end(), 0);
    MergeAll(all);
    if (segment_ < 2 * width_) MergeAgain(std::move(all));
  }

 private:
  // The two runs of a segment's outputs, as positions in from_, and the number of outputs of the pair before the
  // segment.
  struct Pair {
    std::int64_t left, middle, end;
    std::int64_t preceding;
  };
  Pair PairOf(std::int64_t segment) const {
    const std::int64_t row = segment / segments_per_row_ * row_size_;
    const std::int64_t first = segment % segments_per_row_ * segment_;
    const std::int64_t left = first / (2 * width_) * (2 * width_);
    return {row + left, row + std::min(left + width_, row_size_), row + std::min(left + 2 * width_, row_size_),
            first - left};
  }
  std::int64_t OutputsOf(std::int64_t segment) const {
    return std::min(segment_, row_size_ - segment % segments_per_row_ * segment_);
  }

  void FindSplits() {
    splits_.resize(segments_);
    ParallelFor(segments_, kTogether, [&](std::int64_t begin, std::int64_t end) { SearchSplits(begin, end); });
  }

  // Runs the binary searches of all segments together.
  void SearchSplits(std::int64_t begin, std::int64_t end) {
    struct Search {
      std::int64_t segment, low, high;
    };
    std::vector<Search> searches;
    for (std::int64_t s = begin; s < end; ++s) {
      const Pair pair = PairOf(s);
      searches.push_back({s, std::max<std::int64_t>(0, pair.preceding - (pair.end - pair.middle)),
                          std::min(pair.preceding, pair.middle - pair.left)});
    }
    std::vector<std::int64_t> left, right;
    std::vector<std::uint8_t> right_first;
    while (true) {
      std::erase_if(searches, [&](const Search& search) {
        if (search.low < search.high) return false;
        splits_[search.segment] = search.low;
        return true;
      });
      if (searches.empty()) return;
      left.clear();
      right.clear();
      right_first.resize(searches.size());
      for (const Search& search : searches) {
        const Pair pair = PairOf(search.segment);
        const std::int64_t from_left = (search.low + search.high) / 2;
        left.push_back(from_[pair.left + from_left]);
        right.push_back(from_[pair.middle + pair.preceding - from_left - 1]);
      }
      comes_before_(right, left, right_first);
      for (std::size_t i = 0; i < searches.size(); ++i) {
        const std::int64_t from_left = (searches[i].low + searches[i].high) / 2;
        if (right_first[i] != 0) {
          searches[i].high = from_left;
        } else {
          searches[i].low = from_left + 1;
        }
      }
    }
  }

  struct Cursor {
    std::int64_t segment;
    const std::int64_t* left;
    const std::int64_t* left_end;
    const std::int64_t* right;
    const std::int64_t* right_end;
    std::int64_t* out;
    std::int64_t* out_end;
  };

  Cursor CursorOf(std::int64_t segment) {
    const Pair pair = PairOf(segment);
    const std::int64_t from_left = pair.preceding == 0 ? 0 : splits_[segment];
    const std::int64_t* const from = from_.data();
    std::int64_t* const out = to_.data() + pair.left + pair.preceding;
    return {.segment = segment,
            .left = from + pair.left + from_left,
            .left_end = from + pair.middle,
            .right = from + pair.middle + pair.preceding - from_left,
            .right_end = from + pair.end,
            .out = out,
            .out_end = out + OutputsOf(segment)};
  }

  void MergeAll(std::span<const std::int64_t> segments) {
    ends_.resize(segments_);
    ParallelFor(std::ssize(segments), kTogether,
                [&](std::int64_t begin, std::int64_t end) { Merge(segments.subspan(begin, end - begin)); });
  }

  // Merges inconsistent segments again: if the comparator is not an order, a segment may begin elsewhere than its
  // predecessor ended. Merges the first such segment of each pair at a time, so that the result is that of one merge
  // from end to end.
  void MergeAgain(std::vector<std::int64_t> merged) {
    std::erase_if(merged, [&](std::int64_t segment) { return PairOf(segment).preceding != 0; });
    while (!merged.empty()) {
      std::vector<std::int64_t> again;
      for (std::int64_t s : merged) {
        do {
          ++s;
        } while (s < segments_ && PairOf(s).preceding != 0 && splits_[s] == ends_[s - 1]);
        if (s == segments_ || PairOf(s).preceding == 0) continue;
        splits_[s] = ends_[s - 1];
        again.push_back(s);
      }
      MergeAll(again);
      merged = std::move(again);
    }
  }

  // Merges all segments together, one element of each at a time. Takes the left one of equal elements.
  void Merge(std::span<const std::int64_t> segments) {
    std::vector<Cursor> cursors;
    for (const std::int64_t s : segments) cursors.push_back(CursorOf(s));
    std::vector<std::int64_t> left, right;
    std::vector<std::uint8_t> right_first;
    while (true) {
      std::erase_if(cursors, [&](Cursor& c) {
        if (c.out != c.out_end && c.left != c.left_end && c.right != c.right_end) return false;
        const std::int64_t* const rest = c.left != c.left_end ? c.left : c.right;
        std::copy_n(rest, c.out_end - c.out, c.out);
        const std::int64_t* const end = c.left != c.left_end ? c.left + (c.out_end - c.out) : c.left;
        ends_[c.segment] = end - (from_.data() + PairOf(c.segment).left);
        return true;
      });
      if (cursors.empty()) return;
      left.clear();
      right.clear();
      right_first.resize(cursors.size());
      for (const Cursor& c : cursors) {
        left.push_back(*c.left);
        right.push_back(*c.right);
      }
      comes_before_(right, left, right_first);
      for (std::size_t i = 0; i < cursors.size(); ++i) {
        Cursor& c = cursors[i];
        *c.out++ = right_first[i] != 0 ? *c.right++ : *c.left++;
      }
    }
  }

  std::span<const std::int64_t> from_;
  std::span<std::int64_t> to_;
  const std::int64_t row_size_;
  const std::int64_t width_;
  const std::int64_t segment_;  // outputs of a segment, except the last of a row
  const std::int64_t segments_per_row_;
  const std::int64_t segments_;
  const ComesBefore& comes_before_;
  std::vector<std::int64_t> splits_;  // by segment: the outputs before it that come from the left run of its pair
  std::vector<std::int64_t> ends_;    // the same at the end of the segment's merge
};

}  // namespace

std::vector<std::int64_t> StableOrder(std::int64_t rows, std::int64_t row_size, const ComesBefore& comes_before) {
  std::vector<std::int64_t> order(rows * row_size);
  std::iota(order.begin(), order.end(), 0);
  if (order.empty()) return order;
  std::vector<std::int64_t> merged(order.size());
  for (std::int64_t width = 1; width < row_size; width *= 2) {
    Pass(order, merged, row_size, width, comes_before).Run();
    order.swap(merged);
  }
  return order;
}

}  // namespace assay
