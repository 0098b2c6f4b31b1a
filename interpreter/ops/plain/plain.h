// The vocabulary of the definitions of ops: indices, elements, exact sums, folds. A body states for each index of its
// result which elements contribute to it, as the specification does. Nothing here depends on the memory layout of an
// array.
//
//   Index               one entry for each dimension
//   ForEachIndex        every index below some bounds, row-major
//   Element, At, Set    one element of an array, with its type
//   Outputs             the arrays under construction: the result, or the elements of a result that is a tuple
//   Sum                 an exact sum of numbers and products, rounded once
//   Folder, Fold        a computation applied to one row of elements after the other
//
// Definitions need not be fast: interpreter/kernels has fast bodies that return the same bits.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/op_evaluation.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/literal.h"

namespace assay::plain {

// ------------------------------------------------------------------------------------------------------------ Indices.

using Index = std::vector<std::int64_t>;
using Bounds = std::span<const std::int64_t>;

// Visits every index below `bounds` in row-major order; the empty index once if there are no dimensions. Throws
// EvaluationError (kLimit) at the time limit.
template <std::invocable<const Index&> Visit>
void ForEachIndex(Bounds bounds, Visit visit) {
  if (Product(bounds) == 0) return;
  LimitCheck check;
  Index index(bounds.size(), 0);
  do {
    check();
    visit(index);
  } while (IndexUtil::BumpIndices(bounds, index));
}

// Returns the entries of an index at these dimensions, in this order.
Index Entries(const Index& index, std::span<const std::int64_t> dimensions);
// The inverse: sets index[dimensions[i]] = entries[i]. Keeps the other entries of `index`.
void Place(const Index& entries, std::span<const std::int64_t> dimensions, Index& index);

// Adds two indices entry by entry.
Index Plus(const Index& a, const Index& b);
// Returns the entries of one index followed by those of another.
Index Joined(Index front, const Index& back);

// ----------------------------------------------------------------------------------------------------------- Elements.

// One element of an array. Equal elements have equal bits.
struct Element {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  // As in Literal; the rest is zero. Kernels read numbers of 8 bytes here.
  alignas(8) std::array<std::byte, 16> storage = {};

  bool operator==(const Element&) const = default;
};

// The elements at one index of several arrays.
using Row = std::vector<Element>;

// Returns the element at an index, which must be inside the array.
Element At(const Literal& array, const Index& index);
Row RowAt(std::span<const Literal> arrays, const Index& index);
// Stores the element, converted to the array's type.
void Set(Literal& array, const Index& index, const Element& element);

// Converts the value to another type by the rules of op convert.
Element ConvertedTo(PrimitiveType type, const Element& element);
// Returns 0 or false; 2^-127 in f8e8m0fnu, which has no zero.
Element Zero(PrimitiveType type);
// Returns a pred or integer, sign-extended.
std::int64_t IntegerOf(const Element& element);
// Return the parts of a floating or complex number. The imaginary part of a floating one is 0.
double RealPart(const Element& element);
double ImaginaryPart(const Element& element);
// Returns an element of type s64.
Element Integer(std::int64_t value);
// Returns the bits of a real element, as many as its type has.
std::uint64_t BitsOf(const Element& element);
// Returns a real element with these low bits.
Element WithBits(PrimitiveType type, std::uint64_t bits);
// Return the bytes of an element in memory, the lowest first, and the inverse. Any byte but 0 is a true pred.
std::vector<std::uint8_t> BytesOf(const Element& element);
Element WithBytes(PrimitiveType type, std::span<const std::uint8_t> bytes);
// True if one real element precedes another of its type. Floating elements have the total order: -NaN, -inf, ..., -0,
// +0, ..., +inf, +NaN.
bool IsLess(const Element& a, const Element& b);

// A call of a computation on the elements of one row. The result is an array or a tuple of scalars: one element for
// each.
class ScalarCall {
 public:
  ScalarCall(const HloComputation& computation, Evaluation& evaluation);
  // Converts the arguments to the types of the parameters.
  Row operator()(const Row& arguments) const;
  std::span<const PrimitiveType> result_types() const { return result_types_; }

 private:
  std::unique_ptr<ScalarFunction> function_;
  std::vector<PrimitiveType> parameter_types_, result_types_;
};

// Arrays under construction: one for each element of a tuple shape, otherwise one.
class Outputs {
 public:
  // All elements are zero until they are set.
  explicit Outputs(const Shape& shape);
  // Starts with copies of these arrays, which must have the types of the result.
  Outputs(const Shape& shape, std::span<const Literal> arrays);

  // The dimensions that all arrays share.
  Bounds bounds() const { return arrays_.front().shape().dimensions(); }
  void Set(const Index& index, const Row& row);
  void Set(const Index& index, const Element& element) { plain::Set(arrays_.front(), index, element); }
  // Returns the result, with the shape passed to the constructor.
  Literal Take() &&;

 private:
  bool is_tuple_;
  std::vector<Literal> arrays_;
};

// --------------------------------------------------------------------------------------------------- Sums and folds.

// A sum of the values of elements and of products of two, in the arithmetic of its result type:
//   floating   exact, rounded once. Infinities of both signs, infinity times zero and NaN give NaN. A sum of no terms
//              is +0; a sum of zeros is -0 if all of them are -0
//   complex    the same for both parts; (a + bi) (c + di) has the terms ac, -bd and ad, bc
//   integers   modulo 2^width
//   pred       "or" of "and"
// Elements of other types keep their values among floating types, and among these in a complex sum. Other elements are
// first converted to the result type: integers and pred in a floating or complex sum, the reverse, and complex elements
// in a floating sum.
class Sum {
 public:
  explicit Sum(PrimitiveType type);
  Sum(Sum&&) noexcept;
  ~Sum();

  void Add(const Element& term);
  void AddProduct(const Element& a, const Element& b);
  Element Rounded() const;

 private:
  struct Parts;
  Element Operand(const Element& element) const;

  PrimitiveType type_;
  std::unique_ptr<Parts> parts_;
};

// A fold of rows of elements by a computation, for all ops that fold. Sums of floating and complex numbers are exact
// (docs/sums.md). Every other computation is applied step by step to accumulators and elements.
class Fold;
class Folder {
 public:
  Folder(const HloComputation& to_apply, Evaluation& evaluation);
  // Starts a fold with these initial values, converted to the types of the accumulators.
  Fold From(Row inits) const;

 private:
  friend class Fold;
  bool is_exact_sum_;
  ScalarCall to_apply_;
};

class Fold {
 public:
  // accumulators = to_apply(accumulators, row).
  void Add(const Row& row);
  Row Result() const;

 private:
  friend class Folder;
  Fold(const Folder& folder, Row inits);

  const Folder* folder_;
  Row accumulators_;       // step by step
  std::vector<Sum> sums_;  // exact
};

}  // namespace assay::plain
