#include "interpreter/acceptance/ops/common/sorted_sets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/step_sets.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The largest number of neighbours that are compared one by one.
constexpr std::int64_t kMostCompared = 20000;
// The largest number of places of rows that are tracked in one slice. Beyond it, any row may be at any place of the
// slice.
constexpr std::int64_t kMostPlaces = 1 << 22;

// Returns one element of a set as a scalar.
ValueSet ElementOf(const ValueSet& set, const ElementReader& reader, std::int64_t at, const Shape& scalar) {
  const int bytes = StorageBytes(set.value.element_type());
  Literal value(scalar);
  std::memcpy(value.mutable_data(), set.value.data() + at * bytes, bytes);
  ElementWriter writer(value);
  const int parts = ComponentCount(set.value.element_type());
  for (int part = 0; part < parts && reader.IsOpen(at); ++part) writer.Set(part, reader.At(at * parts + part));
  ValueSet element = ValueSet::Of(std::move(value));
  element.open = writer.Take();
  return element;
}

// Returns the elements of a set from one on, as an array of one dimension.
ValueSet RowsFrom(const ValueSet& set, std::int64_t first, std::int64_t count) {
  const auto part = [=](const Literal& all) {
    Literal rows = Literal::Uninitialized(ShapeUtil::MakeShape(all.element_type(), {count}));
    const std::int64_t bytes = StorageBytes(all.element_type());
    std::memcpy(rows.mutable_data(), all.data() + first * bytes, static_cast<std::size_t>(rows.byte_size()));
    return rows;
  };
  ValueSet rows = ValueSet::Of(part(set.value));
  if (set.open == nullptr) return rows;
  const OpenElements& open = *set.open;
  rows.open = std::make_shared<const OpenElements>(OpenElements{part(open.low), part(open.high), part(open.state)});
  return rows;
}

// Returns every operand's set in the order of the reference's values. Moves the parts of a set for which the comparator
// has no parameters along.
std::vector<ValueSet> InReferenceOrder(const HloInstruction& sort, std::span<const ValueSet> operands,
                                       SetEvaluation& evaluation) {
  HloInstruction copy = sort;
  std::vector<Literal> values;
  for (const ValueSet& operand : operands) values.push_back(operand.value);
  for (const ValueSet& operand : operands) {
    if (operand.open) values.insert(values.end(), {operand.open->low, operand.open->high, operand.open->state});
  }
  std::vector<Shape> shapes;
  for (const Literal& value : values) shapes.push_back(value.shape());
  if (values.size() > 1) copy.shape = ShapeUtil::MakeTupleShape(std::move(shapes));
  const Literal sorted = evaluation.Evaluate(copy, values);
  const auto part = [&](std::size_t i) { return values.size() == 1 ? sorted : sorted.elements()[i]; };
  std::vector<ValueSet> rows;
  std::size_t next = operands.size();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ValueSet row = ValueSet::Of(part(i));
    row.freedoms = operands[i].freedoms;
    row.widest = operands[i].widest;
    row.width = operands[i].width;
    if (operands[i].open) {
      row.open = std::make_shared<const OpenElements>(OpenElements{part(next), part(next + 1), part(next + 2)});
      next += 3;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool SameBits(const Literal& a, std::int64_t i, const Literal& b, std::int64_t j) {
  const int bytes = StorageBytes(a.element_type());
  return std::memcmp(a.data() + i * bytes, b.data() + j * bytes, bytes) == 0;
}

bool HaveEqualBits(std::span<const ValueSet> rows, std::int64_t a, std::int64_t b) {
  return std::ranges::all_of(rows,
                             [&](const ValueSet& row) { return !row.open && SameBits(row.value, a, row.value, b); });
}

// Decides whether the reference's order is the only one.
class DecidedOrders {
 public:
  DecidedOrders(const HloInstruction& sort, std::span<const ValueSet> rows, std::int64_t size, std::int64_t stride,
                SetEvaluation& evaluation)
      : sort_(sort), rows_(rows), size_(size), stride_(stride), evaluation_(evaluation) {
    for (const ValueSet& row : rows) readers_.emplace_back(row);
    const std::int64_t count = rows[0].value.element_count();
    if (count == 0 || count > kMostCompared) return;
    following_ = ComparedWithNext(true);
    preceding_ = ComparedWithNext(false);
  }

  // True if the comparator decides between all neighbours of the slice that begins here, whatever the open numbers are.
  // It is then a strict weak order whose classes keep their order. Rows that it does not distinguish keep their order
  // if the sort is stable, or if all their bits are equal.
  bool Has(std::int64_t begin) const {
    if (rows_[0].value.element_count() > kMostCompared) return false;
    for (std::int64_t i = begin; i < begin + (size_ - 1) * stride_; i += stride_) {
      const std::optional<bool> before = Precedes(i, true), after = Precedes(i, false);
      const bool is_decided =
          before && after && !*after && (*before || sort_.Bool("is_stable") || HaveEqualBits(rows_, i, i + stride_));
      if (!is_decided || (ignores_zero_sign_ && HaveOtherZeros(i, i + stride_))) return false;
    }
    return true;
  }

 private:
  // True if two zeros have different signs.
  bool HaveOtherZeros(std::int64_t a, std::int64_t b) const {
    const auto is_zero = [](const Reals& x) { return x.low == 0 && x.high == 0; };
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Literal& row = rows_[k].value;
      const bool are_zeros =
          IsFloatingPointType(row.element_type()) && is_zero(readers_[k].At(a)) && is_zero(readers_[k].At(b));
      if (are_zeros && !SameBits(row, a, row, b)) return true;
    }
    return false;
  }

  // Compares every element with the one that follows it in its slice, or the other way round. Elements at the ends of
  // slices are compared with others, which nothing reads.
  std::optional<ValueSet> ComparedWithNext(bool is_first) const {
    const std::int64_t count = rows_[0].value.element_count() - stride_;
    std::vector<ValueSet> arguments;
    for (const ValueSet& row : rows_) {
      arguments.push_back(RowsFrom(row, is_first ? 0 : stride_, count));
      arguments.push_back(RowsFrom(row, is_first ? stride_ : 0, count));
    }
    return evaluation_.CallOnArrays(sort_.Computation("to_apply"), std::move(arguments));
  }

  // Returns whether an element precedes the next one of its slice, or that one precedes it; nullopt if this is open.
  std::optional<bool> Precedes(std::int64_t i, bool is_first) const {
    const std::optional<ValueSet>& all = is_first ? following_ : preceding_;
    const bool is_decided = all && (!all->open || all->open->state.values<std::uint8_t>()[i] == 0);
    if (is_decided) return all->value.BoolAt(i);
    const ValueSet alone = is_first ? PrecedesAlone(i, i + stride_) : PrecedesAlone(i + stride_, i);
    return alone.open ? std::nullopt : std::optional(alone.value.BoolAt(0));
  }

  ValueSet PrecedesAlone(std::int64_t a, std::int64_t b) const {
    std::vector<ValueSet> arguments;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Shape scalar = ShapeUtil::MakeShape(rows_[k].value.element_type(), {});
      arguments.push_back(ElementOf(rows_[k], readers_[k], a, scalar));
      arguments.push_back(ElementOf(rows_[k], readers_[k], b, scalar));
    }
    return evaluation_.Call(sort_.Computation("to_apply"), std::move(arguments));
  }

  const HloInstruction& sort_;
  std::span<const ValueSet> rows_;
  const std::int64_t size_, stride_;
  SetEvaluation& evaluation_;
  const bool ignores_zero_sign_ = evaluation_.IgnoresZeroSign(sort_);
  std::vector<ElementReader> readers_;
  std::optional<ValueSet> following_, preceding_;  // the answers for all elements, if they are found at once
};

// True if a double represents the key, such that equal doubles are equal keys.
bool HasNumberKeys(PrimitiveType type) {
  return !IsComplexType(type) && (IsFloatingPointType(type) || BitWidth(type) <= 32);
}

double LeastNormalIn(PrimitiveType type) {
  return IsFloatingPointType(type) ? std::ldexp(1.0, FloatFormatOf(type).min_exponent()) : 0;
}

struct Range {
  std::int64_t first, last;
};
struct Slice {
  std::int64_t begin;         // its first element in the array
  std::vector<Range> places;  // the possible places of row j of the operands
  std::vector<Reals> keys;    // the possible keys at place i; empty if nothing is known
};

class SortedSlices {
 public:
  SortedSlices(const HloInstruction& sort, bool is_stable, const std::optional<SortKey>& key,
               std::span<const ValueSet> operands, std::int64_t size, std::int64_t stride)
      : sort_(sort), is_stable_(is_stable), key_(key), operands_(operands), size_(size), stride_(stride) {
    for (const ValueSet& operand : operands) readers_.emplace_back(operand);
  }

  // Finds the sets of `rows`, which hold the reference's values. Slices whose order is decided keep those of `rows`.
  void Find(std::vector<ValueSet>& rows, const OrderTest& is_decided) const {
    const std::int64_t slices = rows[0].value.element_count() / std::max<std::int64_t>(size_, 1);
    std::vector<bool> is_kept(slices, false);
    const auto begin_of = [&](std::int64_t s) { return s / stride_ * size_ * stride_ + s % stride_; };
    for (std::int64_t s = 0; s < slices && is_decided; ++s) is_kept[s] = is_decided(begin_of(s));
    if (std::ranges::find(is_kept, false) == is_kept.end()) return;
    std::vector<ElementWriter> writers;
    std::vector<ElementReader> kept;
    for (const ValueSet& row : rows) {
      writers.emplace_back(row.value);
      kept.emplace_back(row);
    }
    for (std::int64_t s = 0; s < slices; ++s) {
      const Slice slice = is_kept[s] ? Slice{begin_of(s), {}, {}} : SliceAt(begin_of(s));
      for (std::size_t k = 0; k < rows.size(); ++k) {
        is_kept[s] ? Keep(slice, rows[k].value, kept[k], writers[k]) : Fill(slice, k, rows[k].value, writers[k]);
      }
    }
    std::uint32_t freedoms = 0;
    for (const ValueSet& operand : operands_) freedoms |= operand.freedoms;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k].open = writers[k].Take();
      if (!rows[k].open) continue;
      rows[k].freedoms |= freedoms;
      rows[k].widest = &sort_;
    }
  }

 private:
  Slice SliceAt(std::int64_t begin) const {
    Slice slice = {begin, std::vector<Range>(size_, {0, size_ - 1}), {}};
    if (!key_) return slice;
    std::vector<std::pair<double, std::int64_t>> lows, highs;
    const double least = LeastNormalIn(operands_[key_->operand].value.element_type());
    bool has_nan = false;
    for (std::int64_t j = 0; j < size_; ++j) {
      Reals key = readers_[key_->operand].At(begin + j * stride_);
      // LT and GT are no order of keys that include a NaN. In the total order the sign of the NaN is free.
      if (key.may_be_nan && !key_->total_order) return slice;
      has_nan |= key.may_be_nan;
      if (key.may_be_nan) key = Reals();
      // A comparison may flush a subnormal number to zero.
      if (key.low < least && key.high > -least) key = Hull(key, Reals::Point(0));
      if (key_->descending) key = {-key.high, -key.low, key.may_be_nan};
      lows.emplace_back(key.low, j);
      highs.emplace_back(key.high, j);
    }
    const std::vector<std::pair<double, std::int64_t>> low_of = lows, high_of = highs;
    for (auto* const ends : {&lows, &highs}) std::ranges::sort(*ends);
    // Row l precedes row j, whatever the keys are, if l's keys are all less; in a stable sort also if they may be equal
    // and l is the first of the two. (The comparator may distinguish zeros that are equal here, and infinities from
    // NaNs.)
    const auto is_stable = [&](double key) {
      return is_stable_ && (key != 0 || key_->has_equal_zeros) && !(has_nan && std::isinf(key));
    };
    const auto after = [](double x) { return std::pair(x, std::numeric_limits<std::int64_t>::max()); };
    const auto before = [](double x) { return std::pair(x, std::int64_t{-1}); };
    std::int64_t places = 0;
    for (std::int64_t j = 0; j < size_; ++j) {
      const auto preceding = is_stable(low_of[j].first) ? low_of[j] : before(low_of[j].first);
      const auto following = is_stable(high_of[j].first) ? high_of[j] : after(high_of[j].first);
      slice.places[j] = {std::ranges::lower_bound(highs, preceding) - highs.begin(),
                         std::ranges::upper_bound(lows, following) - lows.begin() - 1};
      places += slice.places[j].last - slice.places[j].first + 1;
    }
    if (places > kMostPlaces) std::ranges::fill(slice.places, Range{0, size_ - 1});
    for (std::int64_t i = 0; i < size_; ++i) slice.keys.push_back(OrderStatistic(lows[i].first, highs[i].first, least));
    return slice;
  }

  // Returns the range of the key at place i: between the i-th of the lower and the i-th of the upper ends, because it
  // increases with each key. A key that was compared as zero keeps its own number.
  Reals OrderStatistic(double low, double high, double least) const {
    Reals key = {low, high, true};
    if (key.ContainsZero()) key = Hull(key, {-least, least, true});
    return key_->descending ? Reals{-key.high, -key.low, true} : key;
  }

  void Keep(const Slice& slice, const Literal& value, const ElementReader& reader, ElementWriter& writer) const {
    const int parts = ComponentCount(value.element_type());
    for (std::int64_t row = 0; row < size_; ++row) {
      const std::int64_t at = slice.begin + row * stride_;
      for (int part = 0; part < parts && reader.IsOpen(at); ++part)
        writer.Set(at * parts + part, reader.At(at * parts + part));
    }
  }

  void Fill(const Slice& slice, std::size_t operand, const Literal& value, ElementWriter& writer) const {
    const ElementReader& reader = readers_[operand];
    const auto at = [&](std::int64_t row) { return slice.begin + row * stride_; };
    const int parts = ComponentCount(value.element_type());
    const Reals none = {INFINITY, -INFINITY, false};
    std::vector<Reals> hulls(size_ * parts, none);
    std::vector<bool> is_open(size_, false);
    const bool is_anywhere = std::ranges::all_of(
        slice.places, [&](const Range& range) { return range.first == 0 && range.last == size_ - 1; });
    const auto add = [&](std::int64_t j, std::int64_t i) {
      for (int part = 0; part < parts; ++part) {
        Reals& hull = hulls[i * parts + part];
        hull = Hull(hull, reader.At(at(j) * parts + part));
      }
      is_open[i] = is_open[i] || reader.IsOpen(at(j)) || !SameBits(operands_[operand].value, at(j), value, at(i));
    };
    for (std::int64_t j = 0; j < size_; ++j) {
      const Range range = is_anywhere ? Range{0, 0} : slice.places[j];
      for (std::int64_t i = range.first; i <= range.last; ++i) add(j, i);
    }
    for (std::int64_t i = 0; i < size_; ++i) {
      const std::int64_t from = is_anywhere ? 0 : i;
      if (!is_open[from]) continue;
      for (int part = 0; part < parts; ++part) {
        Reals x = hulls[from * parts + part];
        if (key_ && operand == key_->operand && !slice.keys.empty() && !x.IsEmpty()) {
          x = {std::max(x.low, slice.keys[i].low), std::min(x.high, slice.keys[i].high), x.may_be_nan};
        }
        writer.Set(at(i) * parts + part, x);
      }
    }
  }

  const HloInstruction& sort_;
  const bool is_stable_;
  const std::optional<SortKey> key_;
  std::span<const ValueSet> operands_;
  const std::int64_t size_, stride_;
  std::vector<ElementReader> readers_;
};

bool MayHaveNan(const ValueSet& set) {
  const ElementReader reader(set);
  for (std::int64_t i = 0; i < set.value.element_count(); ++i) {
    if (reader.At(i).may_be_nan) return true;
  }
  return false;
}

}  // namespace

void FindSortedRows(const HloInstruction& sort, bool is_stable, const std::optional<SortKey>& key,
                    std::span<const ValueSet> operands, std::int64_t dimension, std::vector<ValueSet>& rows,
                    const OrderTest& is_decided) {
  const Steps steps = Steps::Along(operands[0].value.shape(), dimension);
  const bool has_numbers = key && HasNumberKeys(operands[key->operand].value.element_type());
  SortedSlices(sort, is_stable, has_numbers ? key : std::nullopt, operands, steps.size, steps.inner)
      .Find(rows, is_decided);
}

ValueSet SortedSets(const HloInstruction& sort, std::optional<SortKey> key, std::span<const ValueSet> operands,
                    SetEvaluation& evaluation) {
  const std::int64_t dimension = sort.Int64s("dimensions")[0];
  const Dimensions& dimensions = operands[0].value.shape().dimensions();
  const std::int64_t size = dimensions[dimension];
  if (size <= 1) return operands.size() == 1 ? operands[0] : ValueSet::Tuple({operands.begin(), operands.end()});
  // A compiler may then omit the instructions that make zeros equal.
  if (key && evaluation.IgnoresZeroSign(sort)) key->has_equal_zeros = false;
  std::vector<ValueSet> rows = InReferenceOrder(sort, operands, evaluation);
  const std::int64_t stride = Product(std::span(dimensions).subspan(dimension + 1));
  // LT and GT do not order keys that include a NaN: the permutation is unspecified.
  const bool is_order = !key || key->total_order || !MayHaveNan(operands[key->operand]);
  if (operands[0].value.has_dynamic_sizes()) {
    for (ValueSet& row : rows) {
      const std::uint32_t freedoms = row.freedoms;
      row = Anything(row.value, &sort);
      row.freedoms = freedoms;
    }
  } else {
    const std::vector<ValueSet> sorted = rows;
    std::optional<DecidedOrders> decided;
    if (is_order) decided.emplace(sort, sorted, size, stride, evaluation);
    const OrderTest is_decided = [&](std::int64_t begin) { return decided && decided->Has(begin); };
    FindSortedRows(sort, sort.Bool("is_stable"), key, operands, dimension, rows, is_decided);
  }
  return operands.size() == 1 ? std::move(rows[0]) : ValueSet::Tuple(std::move(rows));
}

}  // namespace assay
