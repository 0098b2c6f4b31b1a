#include "interpreter/ops/common/merge_sort.h"

#include <algorithm>
#include <numeric>

#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::int64_t kSegment = 256;    // most outputs of one merge; longer ones are cut
constexpr std::int64_t kTogether = 1024;  // merges that advance together

// One pass over all rows: runs of `width` elements are merged in pairs. The outputs of each row are cut into segments,
// each of which can be merged by itself once it is known how many of the pair's earlier outputs come from its left run
// (merge path; Odeh, Green, Mwassi, Shmueli and Birk, 2012).
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
    ParallelFor(segments_, kTogether, [&](std::int64_t begin, std::int64_t end) { Merge(begin, end); });
  }

 private:
  // The two runs to which the outputs of a segment belong, as positions in from_, and the outputs of the pair that
  // precede the segment.
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

  // splits_[s]: how many outputs before segment s come from the left run of its pair.
  void FindSplits() {
    splits_.resize(segments_);
    ParallelFor(segments_, kTogether, [&](std::int64_t begin, std::int64_t end) { SearchSplits(begin, end); });
    // Answers that are not those of an order could let a later split fall behind an earlier one.
    for (std::int64_t s = 0; s < segments_; ++s) {
      const Pair pair = PairOf(s);
      if (pair.preceding == 0) continue;
      const std::int64_t least = std::max(splits_[s - 1], pair.preceding - (pair.end - pair.middle));
      const std::int64_t most = std::min(splits_[s - 1] + segment_, pair.middle - pair.left);
      splits_[s] = std::clamp(splits_[s], least, most);
    }
  }

  // Binary searches of all segments together.
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
    const std::int64_t* left;
    const std::int64_t* left_end;
    const std::int64_t* right;
    const std::int64_t* right_end;
    std::int64_t* out;
  };

  Cursor CursorOf(std::int64_t segment) {
    const Pair pair = PairOf(segment);
    const std::int64_t outputs = OutputsOf(segment);
    const bool is_last = pair.left + pair.preceding + outputs == pair.end;
    const std::int64_t left_begin = splits_.empty() ? 0 : pair.preceding == 0 ? 0 : splits_[segment];
    const std::int64_t left_end = is_last ? pair.middle - pair.left : splits_[segment + 1];
    const std::int64_t right_begin = pair.preceding - left_begin;
    const std::int64_t right_end = pair.preceding + outputs - left_end;
    return {&from_[0] + pair.left + left_begin, &from_[0] + pair.left + left_end, &from_[0] + pair.middle + right_begin,
            &from_[0] + pair.middle + right_end, &to_[0] + pair.left + pair.preceding};
  }

  // Takes one element in each of the segments at a time. Of equal elements the left one goes first.
  void Merge(std::int64_t begin, std::int64_t end) {
    std::vector<Cursor> cursors;
    for (std::int64_t s = begin; s < end; ++s) cursors.push_back(CursorOf(s));
    std::vector<std::int64_t> left, right;
    std::vector<std::uint8_t> right_first;
    while (true) {
      std::erase_if(cursors, [](const Cursor& c) {
        if (c.left != c.left_end && c.right != c.right_end) return false;
        std::copy(c.right, c.right_end, std::copy(c.left, c.left_end, c.out));
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
  const std::int64_t segment_;  // outputs of a segment, but for the last of a row
  const std::int64_t segments_per_row_;
  const std::int64_t segments_;
  const ComesBefore& comes_before_;
  std::vector<std::int64_t> splits_;
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
