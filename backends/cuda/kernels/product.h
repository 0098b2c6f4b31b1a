// Sums of products of two arrays' elements, in the arithmetic of a result type: those of dot and convolution.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/program.h"

namespace assay::cuda {

// Of a dot or a convolution: whether integers are multiplied, which wrap, so that the order does not matter; and
// whether floating or complex numbers are summed, exactly where that is asked for.
bool IsProductOfIntegers(const HloInstruction& product);
bool IsProductOfNumbers(const HloInstruction& product);

// Floating operands keep their values where the result is floating or complex, integers wrap; what crosses between
// these is converted to the result's type first. Sums are kept in f32 or wider.
class ProductArithmetic {
 public:
  // Exact: sums of floating and complex numbers are wide (sums.h).
  ProductArithmetic(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result, bool is_exact = false);

  std::string_view accumulator() const { return accumulator_; }
  // The type of what is multiplied.
  std::string_view number() const { return number_; }
  PrimitiveType result() const { return result_; }
  bool is_exact() const { return is_exact_; }
  // Whether products of two numbers may need more than f64.
  bool is_long() const { return is_long_; }
  // What is multiplied, of an element of this type.
  std::string Number(PrimitiveType type, const std::string& element) const;
  std::string Zero() const;
  // The sum of no products; of those of wide sums that start with a zero, +0.
  std::string Start(bool has_zero) const;
  // The sum with a product more.
  std::string WithProduct(const std::string& sum, const std::string& a, const std::string& b) const;
  std::string ToElement(const std::string& sum) const;
  Folding Sums(bool has_zero) const;
  // Whether a product of zero may be anything but zero.
  bool HasInfinity() const { return accumulator_ != "u32" && accumulator_ != "u64"; }

 private:
  PrimitiveType result_;
  bool is_exact_, is_long_;
  std::string_view accumulator_, number_;
};

// One side of a product: numbers at (batch, row, k).
struct ProductSide {
  using Text = std::function<std::string(Body&, ElementEmitter&, const std::string& b, const std::string& i,
                                         const std::string& k)>;
  Text number;
  // Empty, or a condition: without it there is no such term.
  Text inside = nullptr;
  // Whether numbers that follow each other along k do so in memory too.
  bool is_inner = false;
};

// out[b, i, j] = sum over k of lhs(b, i, k) * rhs(b, j, k).
struct Product {
  const HloComputation& fused;
  ProductArithmetic arithmetic;
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  ProductSide lhs, rhs;
  // Whether indices need 64 bits where those of the arrays do not.
  bool is_wide = false;
  // Where an element of the result lies. Empty: at its place among b, i, j.
  std::function<std::string(Body&, const std::string& b, const std::string& i, const std::string& j)> place = nullptr;
  // The reverse: b, i, j of an element.
  std::function<std::vector<std::string>(Body&, const std::string& place)> places_of = nullptr;
  // Whether the sums begin with +0, so that none is -0.
  bool has_zero = false;
  // Whether it is computed only if a number of the device's is not zero: the scratch memory has it, a u32, before all
  // else.
  bool is_optional = false;
};
KernelProgram ProgramOf(const Product& product);

}  // namespace assay::cuda
