#include "interpreter/types/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "interpreter/types/element_size.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/repeat.h"

namespace assay {
namespace {

constexpr std::int64_t kBlock = 16;  // side of the blocks in which a plane is transposed

template <class Element>
void FillRow(const Element& element, Element* to, std::int64_t count) {
  constexpr std::int64_t kWorthCalling = 32;
  if (count < kWorthCalling) {
    std::fill_n(to, count, element);
  } else {
    FillWith(sizeof(Element), reinterpret_cast<const std::byte*>(&element), reinterpret_cast<std::byte*>(to), count);
  }
}

}  // namespace

StridedCopy::StridedCopy(int element_bytes, std::span<const std::int64_t> dimensions,
                         std::span<const std::int64_t> from_strides, std::span<const std::int64_t> to_strides)
    : element_bytes_(element_bytes) {
  std::vector<Dimension> all;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] != 1) all.push_back({dimensions[d], from_strides[d], to_strides[d]});
  }
  // Writes in the order of memory, and walks dimensions that are contiguous in both arrays as one.
  std::ranges::stable_sort(all, [](const Dimension& a, const Dimension& b) { return std::abs(a.to) > std::abs(b.to); });
  for (const Dimension& inner : all) {
    if (!outer_.empty() && outer_.back().from == inner.from * inner.size && outer_.back().to == inner.to * inner.size) {
      outer_.back() = {outer_.back().size * inner.size, inner.from, inner.to};
    } else {
      outer_.push_back(inner);
    }
  }
  if (!outer_.empty()) {
    column_ = outer_.back();
    outer_.pop_back();
  } else {
    column_ = {1, 1, 1};
  }
  if (!outer_.empty()) {
    // If the columns are strided in the source, the rows are the dimension along which it is dense.
    auto row = outer_.end() - 1;
    if (column_.from != 1) {
      row = std::ranges::min_element(outer_, {},
                                     [](const Dimension& d) { return d.from == 0 ? INT64_MAX : std::abs(d.from); });
    }
    row_ = *row;
    outer_.erase(row);
  }
  row_count_ = row_.size;
  for (const Dimension& d : outer_) row_count_ *= d.size;
}

void StridedCopy::Copy(const std::byte* from, std::byte* to) const { CopyRows(from, to, 0, row_count_); }

void StridedCopy::ParallelCopy(const std::byte* from, std::byte* to) const {
  if (element_count() == 0) return;
  if (row_count_ == 1) {
    return ParallelFor(column_.size, kMovedPerPiece, [&](std::int64_t begin, std::int64_t end) {
      StridedCopy part = *this;
      part.column_.size = end - begin;
      part.Copy(from + begin * column_.from * element_bytes_, to + begin * column_.to * element_bytes_);
    });
  }
  const std::int64_t grain = GrainOfRows(column_.size, kMovedPerPiece);
  ParallelFor(row_count_, grain, [&](std::int64_t begin, std::int64_t end) { CopyRows(from, to, begin, end); });
}

void StridedCopy::CopyRows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
  if (element_count() == 0) return;
  WithElementSize(element_bytes_, [&]<class Element>(Element*) {
    CopyRowsOf(reinterpret_cast<const Element*>(from), reinterpret_cast<Element*>(to), begin, end);
  });
}

template <class Element>
void StridedCopy::CopyRowsOf(const Element* from, Element* to, std::int64_t begin, std::int64_t end) const {
  if (outer_.empty()) {
    return CopyPlane(from + begin * row_.from, to + begin * row_.to, end - begin);
  }
  std::vector<std::int64_t> index(outer_.size());
  std::int64_t plane = begin / row_.size;
  for (std::size_t d = outer_.size(); d-- > 0; plane /= outer_[d].size) {
    index[d] = plane % outer_[d].size;
    from += index[d] * outer_[d].from;
    to += index[d] * outer_[d].to;
  }
  std::int64_t first = begin % row_.size;
  while (true) {
    const std::int64_t rows = std::min(row_.size - first, end - begin);
    CopyPlane(from + first * row_.from, to + first * row_.to, rows);
    begin += rows;
    first = 0;
    if (begin == end) return;
    for (std::size_t d = outer_.size(); d-- > 0;) {
      if (++index[d] < outer_[d].size) {
        from += outer_[d].from;
        to += outer_[d].to;
        break;
      }
      index[d] = 0;
      from -= (outer_[d].size - 1) * outer_[d].from;
      to -= (outer_[d].size - 1) * outer_[d].to;
    }
  }
}

template <class Element>
void StridedCopy::CopyPlane(const Element* from, Element* to, std::int64_t rows) const {
  const std::int64_t columns = column_.size;
  if (column_.to == 1 && column_.from == 1) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const Element* source = from + r * row_.from;
      Element* target = to + r * row_.to;
      if (columns < 8) {
        for (std::int64_t c = 0; c < columns; ++c) target[c] = source[c];
      } else {
        std::memcpy(target, source, columns * sizeof(Element));
      }
    }
  } else if (column_.to == 1 && column_.from == 0) {
    for (std::int64_t r = 0; r < rows; ++r) FillRow(from[r * row_.from], to + r * row_.to, columns);
  } else {
    for (std::int64_t row_block = 0; row_block < rows; row_block += kBlock) {
      const std::int64_t row_end = std::min(rows, row_block + kBlock);
      for (std::int64_t column_block = 0; column_block < columns; column_block += kBlock) {
        const std::int64_t column_end = std::min(columns, column_block + kBlock);
        for (std::int64_t r = row_block; r < row_end; ++r) {
          for (std::int64_t c = column_block; c < column_end; ++c) {
            to[r * row_.to + c * column_.to] = from[r * row_.from + c * column_.from];
          }
        }
      }
    }
  }
}

Literal StridedRead(const Shape& shape, const Literal& operand, std::int64_t from_offset,
                    std::span<const std::int64_t> from_strides) {
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() == 0) return result;
  const int bytes = StorageBytes(shape.element_type());
  const StridedCopy copy(bytes, shape.dimensions(), from_strides, RowMajorStrides(shape.dimensions()));
  copy.ParallelCopy(operand.data() + from_offset * bytes, result.mutable_data());
  return result;
}

Literal Reversed(const Literal& array, std::int64_t dimension) { return Reversed(array, {&dimension, 1}); }

Literal Reversed(const Literal& array, std::span<const std::int64_t> dimensions) {
  if (array.element_count() == 0) return array;
  std::vector<std::int64_t> strides = RowMajorStrides(array.shape().dimensions());
  std::int64_t first = 0;
  for (const std::int64_t d : dimensions) {
    first += (array.shape().dimensions(d) - 1) * strides[d];
    strides[d] = -strides[d];
  }
  return StridedRead(array.shape(), array, first, strides);
}

Literal FullyReversed(const Literal& value) {
  std::vector<Literal> elements;
  for (const Literal& element : value.elements()) elements.push_back(FullyReversed(element));
  if (value.shape().IsTuple()) return Literal::MakeTuple(std::move(elements));
  if (!value.shape().IsArray()) return value;
  std::vector<std::int64_t> dimensions(value.shape().rank());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return Reversed(value, dimensions);
}

Literal Filled(const Shape& shape, const Literal& scalar) {
  return StridedRead(shape, scalar, 0, std::vector<std::int64_t>(shape.rank(), 0));
}

}  // namespace assay
