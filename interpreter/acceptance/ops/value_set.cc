#include "interpreter/acceptance/ops/value_set.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Reals Hull(const Reals& a, const Reals& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

Reals OrZero(const Reals& x) {
  if (x.IsEmpty() || x.ContainsZero()) return x;
  return {std::min(x.low, 0.0), std::max(x.high, 0.0), x.may_be_nan, std::min(std::fabs(x.low), std::fabs(x.high))};
}

Reals WithoutZero(const Reals& x) {
  if (x.gap == 0) return x;
  return {x.low == 0 ? x.gap : x.low, x.high == 0 ? -x.gap : x.high, x.may_be_nan};
}

namespace {

double NextUp(double x) {
  // The bits of numbers of one sign have the order of the numbers.
  if (x == 0 || !std::isfinite(x)) return std::nextafter(x, kInfinity);
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + (x > 0 ? 1 : -1));
}

}  // namespace

Reals Outward(const Reals& x) {
  if (x.IsEmpty()) return x;
  return {-NextUp(-x.low), NextUp(x.high), x.may_be_nan};
}

namespace {

bool HasIntegersBeyondDoubles(PrimitiveType type) {
  return IsIntegralType(type) && BitWidth(type) > std::numeric_limits<double>::digits;
}

}  // namespace

Reals OutwardBeyondDoubles(PrimitiveType type, Reals x) {
  constexpr double kFirstBeyond = 0x1p53;
  if (!HasIntegersBeyondDoubles(type) || x.IsEmpty()) return x;
  const Reals outward = Outward(Outward(x));
  if (std::fabs(x.low) >= kFirstBeyond) x.low = outward.low;
  if (std::fabs(x.high) >= kFirstBeyond) x.high = outward.high;
  return x;
}

ValueSet ValueSet::Of(Literal value) {
  ValueSet set;
  if (value.shape().IsTuple()) {
    set.is_tuple = true;
    for (const Literal& element : value.elements()) set.elements.push_back(Of(element));
  } else {
    set.value = std::move(value);
  }
  return set;
}

ValueSet ValueSet::Tuple(std::vector<ValueSet> elements) {
  ValueSet set;
  set.is_tuple = true;
  set.elements = std::move(elements);
  return set;
}

bool ValueSet::IsDecided() const {
  return open == nullptr && as_term == nullptr && std::ranges::all_of(elements, &ValueSet::IsDecided);
}

Literal ValueOf(const ValueSet& set) {
  if (!set.is_tuple) return set.value;
  std::vector<Literal> elements;
  for (const ValueSet& element : set.elements) elements.push_back(ValueOf(element));
  return Literal::MakeTuple(std::move(elements));
}

std::span<const double> ComponentsIn(const Literal& numbers) {
  const std::int64_t components = numbers.element_count() * ComponentCount(numbers.element_type());
  return {reinterpret_cast<const double*>(numbers.data()), static_cast<std::size_t>(components)};
}

Literal NumbersOf(const Literal& array) {
  const PrimitiveType type = NumberType(array.element_type());
  if (array.element_type() == type) return array;
  Literal numbers = Literal::Uninitialized(ShapeUtil::ChangeElementType(array.shape(), type));
  const PrimitiveType from = array.element_type();
  const std::int64_t bytes = StorageBytes(from), number_bytes = StorageBytes(type);
  std::byte* out = numbers.mutable_data();
  const auto convert = [&](std::int64_t begin, std::int64_t end) {
    const std::byte* in = array.data() + begin * bytes;
    std::byte* to = out + begin * number_bytes;
    if (IsFloatingPointType(from)) {
      LoadReals(from, in, reinterpret_cast<double*>(to), end - begin);
    } else {
      Convert(from, in, type, to, end - begin);
    }
  };
  // Most arrays of a loop over scalars are small.
  if (array.element_count() <= kComputedPerPiece) {
    convert(0, array.element_count());
  } else {
    ParallelFor(array.element_count(), kComputedPerPiece, convert);
  }
  return numbers;
}

PrimitiveType NumberType(PrimitiveType type) { return IsComplexType(type) ? C128 : F64; }

ElementReader::ElementReader(const ValueSet& set, bool as_term)
    : numbers_((as_term && set.as_term) || set.open ? Literal() : NumbersOf(set.value)),
      open_(as_term && set.as_term ? set.as_term : set.open),
      is_single_(set.value.element_count() == 1),
      components_(ComponentCount(set.value.element_type())) {
  const std::size_t count = set.value.element_count() * components_;
  const auto span = [&](const Literal& numbers) {
    return std::span(reinterpret_cast<const double*>(numbers.data()), count);
  };
  low_ = span(open_ ? open_->low : numbers_);
  high_ = span(open_ ? open_->high : numbers_);
  if (open_) state_ = open_->state.values<std::uint8_t>().data();
}

Literal ElementReader::Ends(bool upper) const {
  if (!open_) return numbers_;
  Literal ends = upper ? open_->high : open_->low;
  std::uint8_t states = 0;
  for (const std::uint8_t state : open_->state.values<std::uint8_t>()) states |= state;
  if (states < OpenElements::kOrZero) return ends;
  auto* const out = reinterpret_cast<double*>(ends.mutable_data());
  for (std::size_t i = 0; i < low_.size(); ++i) {
    const Reals x = At(static_cast<std::int64_t>(i));
    if (x.gap > 0) out[i] = upper ? x.high : x.low;
  }
  return ends;
}

ElementWriter::ElementWriter(const Literal& value)
    : elements_{NumbersOf(value), {}, Literal(ShapeUtil::ChangeElementType(value.shape(), U8))},
      type_(value.element_type()),
      components_(ComponentCount(type_)),
      has_integers_beyond_doubles_(HasIntegersBeyondDoubles(type_)) {
  elements_.high = elements_.low;
  low_ = reinterpret_cast<double*>(elements_.low.mutable_data());
  high_ = reinterpret_cast<double*>(elements_.high.mutable_data());
  state_ = reinterpret_cast<std::uint8_t*>(elements_.state.mutable_data());
}

void ElementWriter::WidenIntegers(std::int64_t component, const Reals& x) {
  const Reals any = AnyOf(type_), wide = OutwardBeyondDoubles(type_, x);
  low_[component] = std::max(wide.low, any.low);
  high_[component] = std::min(wide.high, any.high);
}

bool ElementWriter::HasOpen() const {
  const auto states = elements_.state.values<std::uint8_t>();
  return std::ranges::any_of(states, [](std::uint8_t state) { return state != 0; });
}

std::shared_ptr<const OpenElements> ElementWriter::Take() {
  return HasOpen() ? std::make_shared<const OpenElements>(std::move(elements_)) : nullptr;
}

double NumberAt(const Literal& array, std::int64_t component) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  double number = 0;
  Convert(type, array.data() + component * StorageBytes(type), F64, reinterpret_cast<std::byte*>(&number), 1);
  return number;
}

bool MayBeOneNumber(const Literal& a, std::int64_t component, const Literal& b, std::int64_t other) {
  const PrimitiveType type = ComplexComponentType(a.element_type());
  const std::int64_t bytes = StorageBytes(type);
  if (std::memcmp(a.data() + component * bytes, b.data() + other * bytes, bytes) == 0) return true;
  if (!IsFloatingPointType(type)) return false;
  const double x = NumberAt(a, component), y = NumberAt(b, other);
  const double least = std::ldexp(1.0, FloatFormatOf(type).min_exponent());
  return (std::isnan(x) && std::isnan(y)) || (std::fabs(x) < least && std::fabs(y) < least);
}

Reals AnyOf(PrimitiveType type) {
  if (type == PRED) return {0, 1, false};
  if (!IsIntegralType(type)) return {};
  // The largest 64-bit integer is no double; the next double replaces it.
  const int bits = BitWidth(type) - (IsUnsignedIntegralType(type) ? 0 : 1);
  const double end = std::ldexp(1.0, bits), most = HasIntegersBeyondDoubles(type) ? end : end - 1;
  return {IsUnsignedIntegralType(type) ? 0 : -end, most, false};
}

ValueSet Anything(const Literal& value, const HloInstruction* because) {
  ValueSet set = ValueSet::Of(value);
  if (set.is_tuple) {
    for (ValueSet& element : set.elements)
      element = Anything(element.is_tuple ? ValueOf(element) : element.value, because);
  } else if (value.shape().IsArray()) {
    ElementWriter writer(value);
    const Reals any = AnyOf(value.element_type());
    const std::int64_t components = value.element_count() * ComponentCount(value.element_type());
    for (std::int64_t i = 0; i < components; ++i) writer.Set(i, any);
    set.open = writer.Take();
  }
  set.widest = because;
  return set;
}

namespace {

// Returns the hulls of the elements that are open in either array, or that differ. With `as_term` the sets are those of
// the elements as terms.
std::shared_ptr<const OpenElements> HullOfElements(const ValueSet& a, const ValueSet& b, bool as_term) {
  const ElementReader left(a, as_term), right(b, as_term);
  ElementWriter writer(a.value);
  const int components = ComponentCount(a.value.element_type());
  const std::int64_t bytes = StorageBytes(a.value.element_type());
  for (std::int64_t i = 0; i < a.value.element_count(); ++i) {
    const bool is_decided = !left.IsOpen(i) && !right.IsOpen(i) &&
                            std::memcmp(a.value.data() + i * bytes, b.value.data() + i * bytes, bytes) == 0;
    for (int c = 0; c < components && !is_decided; ++c) {
      const std::int64_t at = i * components + c;
      writer.Set(at, Hull(left.At(at), right.At(at)));
    }
  }
  return writer.Take();
}

}  // namespace

ValueSet Hull(const ValueSet& a, const ValueSet& b, const HloInstruction* because) {
  ValueSet set = a;
  set.as_term = nullptr;
  set.bits_of = nullptr;
  set.terms = nullptr;
  set.factors = nullptr;
  if (a.is_tuple) {
    for (std::size_t i = 0; i < a.elements.size(); ++i) set.elements[i] = Hull(a.elements[i], b.elements[i], because);
    return set;
  }
  if (!a.value.shape().IsArray()) return set;
  if (!ShapeUtil::Compatible(a.value.shape(), b.value.shape())) return Anything(a.value, because);
  set.open = HullOfElements(a, b, false);
  if (a.as_term || b.as_term) set.as_term = HullOfElements(a, b, true);
  set.freedoms |= b.freedoms;
  set.is_flushed &= b.is_flushed;
  if (set.open) set.widest = because;
  return set;
}

}  // namespace assay
