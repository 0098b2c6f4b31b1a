// Sets of values: for every element of an array, the results that a lawful evaluation of a program may have.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

struct HloInstruction;

// A closed interval of the extended reals, and whether the number may be NaN. Empty (low > high) if it must be NaN.
struct Reals {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool may_be_nan = true;
  // If positive, zero is an end of the interval, and no other number in it has a smaller magnitude.
  double gap = 0;

  static Reals Point(double x) { return std::isnan(x) ? Nan() : Reals{x, x, false}; }
  static Reals Nan();
  bool IsEmpty() const { return !(low <= high); }
  bool Contains(double x) const {
    return std::isnan(x) ? may_be_nan : x >= low && x <= high && (x == 0 || std::fabs(x) >= gap);
  }
  bool ContainsZero() const { return low <= 0 && high >= 0; }
};
inline Reals Reals::Nan() {
  return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), true};
}
Reals Hull(const Reals& a, const Reals& b);
// Adds zero to an interval, without the numbers between both; returns an interval that contains zero as it is.
Reals OrZero(const Reals& x);
// Returns the interval without the zero that OrZero added.
Reals WithoutZero(const Reals& x);
// Moves both ends to the next doubles outwards, for ends that were rounded to nearest.
Reals Outward(const Reals& x);
// Moves the ends of an interval of integers outwards where doubles do not hold every integer: by two units, because the
// operands' ends and the result may have been rounded to nearest. Other types, and smaller integers, are unchanged.
Reals OutwardBeyondDoubles(PrimitiveType type, Reals x);

// True for a lawful value of an element.
using ValueTest = std::function<bool(const Literal& got, std::int64_t element)>;

// The elements of an array that is not wholly known. All three members have the array's dimensions. Elements are stored
// as the numbers that they represent: 0 and 1 for pred; integers of more than 53 bits are rounded outwards.
struct OpenElements {
  Literal low, high;  // f64, or c128 for complex types
  Literal state;      // u8: the bits below
  // Open elements may have only the values for which this is true. Null: any number between their ends.
  ValueTest allows = nullptr;

  static constexpr std::uint8_t kOpen = 1;      // more than one value is lawful
  static constexpr std::uint8_t kMayBeNan = 2;  // for an open element
  // For an open element: zero is lawful, but not what lies between it and the interval. The imaginary part has the next
  // bit.
  static constexpr std::uint8_t kOrZero = 4;

  // Returns component `part` of an element that has these ends and this state.
  static Reals Read(double low, double high, std::uint8_t state, std::int64_t part) {
    const Reals x = {low, high, (state & kMayBeNan) != 0};
    return (state & kOrZero << part) != 0 ? OrZero(x) : x;
  }
};

// The products that each element of a dot or convolution adds up, or the terms of a scatter.
struct ProductSizes {
  double count = 0;     // the largest number of products in an element
  double roundoff = 0;  // the unit roundoff of the accumulator
  double quantum = 0;   // a power of two that divides all of them; 0 if none is known
  Literal magnitudes;   // f64: the magnitudes of the products of each element added up, or one number for all elements
  bool may_merge = false;  // two such sums that are added may be one sum
};

// Unrounded products whose bits are integers. If these become the bits of the same numbers again, they are the
// products.
struct ProductBits {
  Literal value;                              // the products
  std::shared_ptr<const OpenElements> terms;  // their set as terms
};

// A set of values of one shape. It contains `value`, the reference's result.
struct ValueSet {
  Literal value;                   // an array or a token; a tuple has `elements`
  std::vector<ValueSet> elements;  // of a tuple
  bool is_tuple = false;
  std::shared_ptr<const OpenElements> open;  // null: only `value`
  // The set as a term of a sum, if products need not be rounded before they are added. Null: the same as `open`.
  std::shared_ptr<const OpenElements> as_term;
  std::shared_ptr<const ProductBits> bits_of;  // the products whose bits these integers were computed from
  const HloInstruction* widest = nullptr;      // the instruction after which the set was much wider than before
  std::uint32_t freedoms = 0;                  // a bit for each that widened it (acceptance/freedom.h)
  // For a result of additions: the magnitudes of all terms added up, the largest number of terms, and a power of two
  // that divides all of them; 0 if none is known.
  std::shared_ptr<const Literal> terms;
  double term_count = 1, term_quantum = 0;
  double factor_count = 1;  // for a result of multiplications
  // For a result of multiplications that may be grouped in another way: the magnitudes of their partial products.
  std::shared_ptr<const OpenElements> factors;
  std::shared_ptr<const ProductSizes> products;  // of the dot or convolution that made the numbers
  // For a result of an addition to such a sum, in f64: the errors that arise if the sum starts from the other operand.
  std::shared_ptr<const Literal> start_errors;
  double width = 0;         // the widest element, relative to the largest number of the array
  bool is_flushed = false;  // zero is in the set of every element that may be subnormal

  static ValueSet Of(Literal value);
  static ValueSet Tuple(std::vector<ValueSet> elements);
  bool IsDecided() const;  // including all its elements
};
Literal ValueOf(const ValueSet& set);

// Returns the components of an array as numbers: an array of f64, or of c128 for complex types.
Literal NumbersOf(const Literal& array);
// Returns the components of such an array.
std::span<const double> ComponentsIn(const Literal& numbers);
PrimitiveType NumberType(PrimitiveType type);

// A reader of one array's elements as intervals.
class ElementReader {
 public:
  explicit ElementReader(const ValueSet& set, bool as_term = false);
  // Returns component i of the array. An array of one element has that element at every place.
  Reals At(std::int64_t component) const {
    const bool is_complex = components_ > 1;  // a division would take half of the time
    const std::int64_t i = !is_single_ ? component : is_complex ? component % components_ : 0;
    const std::int64_t element = is_complex ? i / components_ : i;
    // For a decided element both ends are its value; so are those of a NaN part beside an open part.
    if (!IsOpen(element) || std::isnan(low_[i])) return Reals::Point(low_[i]);
    return OpenElements::Read(low_[i], high_[i], state_[element], is_complex ? i % components_ : 0);
  }
  bool IsOpen(std::int64_t element) const { return state_ != nullptr && state_[is_single_ ? 0 : element] != 0; }
  bool HasOpen() const { return open_ != nullptr; }
  // Return the ends of all components, with the zeros that Reals::gap adds.
  Literal Lows() const { return Ends(false); }
  Literal Highs() const { return Ends(true); }

 private:
  Literal Ends(bool upper) const;

  Literal numbers_;
  std::shared_ptr<const OpenElements> open_;
  std::span<const double> low_, high_;
  const std::uint8_t* state_ = nullptr;
  bool is_single_ = false;
  int components_ = 1;
};

// A writer of OpenElements, component by component.
class ElementWriter {
 public:
  // `value` holds the elements that are not set.
  explicit ElementWriter(const Literal& value);
  // Opens a component. Ends of 64-bit integers that doubles do not hold are moved outwards, within the type. Threads
  // may open components of different elements at once.
  void Set(std::int64_t component, const Reals& x) {
    const Reals ends = WithoutZero(x);
    low_[component] = ends.low;
    high_[component] = ends.high;
    if (has_integers_beyond_doubles_) WidenIntegers(component, x);
    const std::int64_t element = components_ == 1 ? component : component / components_;
    state_[element] |= OpenElements::kOpen | (x.may_be_nan ? OpenElements::kMayBeNan : 0) |
                       (x.gap > 0 ? OpenElements::kOrZero << (component - element * components_) : 0);
  }
  // Names the lawful values of open elements (OpenElements::allows).
  void Allow(ValueTest allows) { elements_.allows = std::move(allows); }
  // Returns the set of elements; null if no element was set.
  std::shared_ptr<const OpenElements> Take();
  bool HasOpen() const;
  bool IsSet(std::int64_t component) const { return state_[component / components_] != 0; }

 private:
  void WidenIntegers(std::int64_t component, const Reals& x);

  OpenElements elements_;
  double* low_;
  double* high_;
  std::uint8_t* state_;
  PrimitiveType type_;
  int components_;
  bool has_integers_beyond_doubles_;
};

// Returns the interval of every number of a type.
Reals AnyOf(PrimitiveType type);
// Returns component i of an array of any type as a number.
double NumberAt(const Literal& array, std::int64_t component);
// True if two components of one type have equal bits, or are both NaN, or both zero if subnormal numbers are flushed.
bool MayBeOneNumber(const Literal& a, std::int64_t component, const Literal& b, std::int64_t other);
// Returns a set of which only the shape is known; `value` is one of its values.
ValueSet Anything(const Literal& value, const HloInstruction* because);
// Returns the smallest set that contains both. Its value is `a.value`.
ValueSet Hull(const ValueSet& a, const ValueSet& b, const HloInstruction* because);

}  // namespace assay
