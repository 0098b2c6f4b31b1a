// Sums of products of the elements of two arrays, in the arithmetic of a result type: those of dot and convolution.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/program.h"

namespace assay::cuda {

// IsProductOfIntegers is true for a dot or a convolution that multiplies integers, which wrap, so that the order does
// not matter. IsProductOfNumbers is true for one that sums floating or complex numbers, which exact kernels sum
// exactly.
bool IsProductOfIntegers(const HloInstruction& product);
bool IsProductOfNumbers(const HloInstruction& product);

// The arithmetic of a product. Floating operands keep their values if the result is floating or complex, and integers
// wrap. Other operands are first converted to the result's type. Sums are at least as wide as f32.
class ProductArithmetic {
 public:
  // With `is_exact`, sums of floating and complex numbers are wide (sums.h).
  ProductArithmetic(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result, bool is_exact = false);

  std::string_view accumulator() const { return accumulator_; }
  // The type of the factors.
  std::string_view number() const { return number_; }
  PrimitiveType result() const { return result_; }
  bool is_exact() const { return is_exact_; }
  // True if products of two numbers may need more precision than f64.
  bool is_long() const { return is_long_; }
  // Returns a factor, from an element of this type.
  std::string Number(PrimitiveType type, const std::string& element) const;
  std::string Zero() const;
  // Returns the sum of no products: -0 for a wide sum unless `has_zero`, otherwise +0.
  std::string Start(bool has_zero) const;
  // Returns the sum plus one more product.
  std::string WithProduct(const std::string& sum, const std::string& a, const std::string& b) const;
  std::string ToElement(const std::string& sum) const;
  Folding Sums(bool has_zero) const;
  // True if a product of zero may be nonzero.
  bool HasInfinity() const { return accumulator_ != "u32" && accumulator_ != "u64"; }

 private:
  PrimitiveType result_;
  bool is_exact_, is_long_;
  std::string_view accumulator_, number_;
};

// One side of a product: the numbers at (batch, row, k).
struct ProductSide {
  using Text = std::function<std::string(Body&, ElementEmitter&, const std::string& b, const std::string& i,
                                         const std::string& k)>;
  Text number;
  // The condition for a term to exist; empty if it always does.
  Text inside = nullptr;
  // True if consecutive numbers along k are adjacent in memory.
  bool is_inner = false;
};

// The product out[b, i, j] = sum over k of lhs(b, i, k) * rhs(b, j, k).
struct Product {
  const HloComputation& fused;
  ProductArithmetic arithmetic;
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  ProductSide lhs, rhs;
  // True if indices need 64 bits even if those of the arrays do not.
  bool is_wide = false;
  // Returns the place of an element in the result. Empty: the row-major place of b, i, j.
  std::function<std::string(Body&, const std::string& b, const std::string& i, const std::string& j)> place = nullptr;
  // Returns the b, i, j of an element, the inverse of `place`.
  std::function<std::vector<std::string>(Body&, const std::string& place)> places_of = nullptr;
  // True if the sums begin with +0, so that no sum is -0.
  bool has_zero = false;
  // True if the product is computed only if a flag on the device is not zero. The flag is a u32 at the start of the
  // scratch memory.
  bool is_optional = false;
};
KernelProgram ProgramOf(const Product& product);

}  // namespace assay::cuda
