#include "fuzz/miscompilations.h"

namespace assay {
namespace {

// clang-format off
constexpr Miscompilation kRewrites[] = {
  // contraction
  {"product_and_sum", "f32 f16 bf16", "a $T[$N] normal; b $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
p = $T[$N] multiply(a, b)
r = $T[$N] subtract(p, c))", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] subtract(p, z)
r = $T[$N] convert(s))"},
  {"outer_product_and_bias", "f32 f16 bf16", "a $T[$N] normal; b $T[3] normal; c $T[$N,3] normal", "$T[$N,3]", R"(
q = $T[$N,3] dot(a, b), lhs_contracting_dims={}, rhs_contracting_dims={}
r = $T[$N,3] add(q, c))", R"(
x = f64[$N] convert(a)
y = f64[3] convert(b)
z = f64[$N,3] convert(c)
q = f64[$N,3] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}
s = f64[$N,3] add(q, z)
r = $T[$N,3] convert(s))"},
  {"scaled_product_and_sum", "f32", "a $T[$N] normal; b $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
two.s = $T[] constant(2)
two = $T[$N] broadcast(two.s), dimensions={}
p = $T[$N] multiply(a, b)
q = $T[$N] multiply(p, two)
d = $T[$N] multiply(c, two)
r = $T[$N] add(q, d))", R"(
two.s = $T[] constant(2)
two = $T[$N] broadcast(two.s), dimensions={}
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] add(p, z)
t = $T[$N] convert(s)
r = $T[$N] multiply(t, two))"},
  {"magnitude_of_a_square", "f32 f16 bf16", "a $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
p = $T[$N] multiply(a, a)
q = $T[$N] abs(p)
r = $T[$N] add(q, c))", R"(
x = f64[$N] convert(a)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, x)
s = f64[$N] add(p, z)
r = $T[$N] convert(s))"},
  {"narrowed_product_and_sum", "f32", "a $T[$N] normal; b $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
p = f64[$N] multiply(x, y)
q = $T[$N] convert(p)
r = $T[$N] add(q, c))", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] add(p, z)
r = $T[$N] convert(s))"},
  {"selected_product", "f32 f16 bf16", "a $T[$N] normal; b $T[$N] normal; d $T[$N] normal; p pred[$N] any-bits; c $T[$N] normal",
   "$T[$N]", R"(
x = $T[$N] multiply(a, b)
y = $T[$N] multiply(a, d)
s = $T[$N] select(p, x, y)
r = $T[$N] subtract(s, c))", R"(
f = $T[$N] select(p, b, d)
x = f64[$N] convert(a)
y = f64[$N] convert(f)
z = f64[$N] convert(c)
q = f64[$N] multiply(x, y)
s = f64[$N] subtract(q, z)
r = $T[$N] convert(s))"},
  {"square_by_power", "f32", "a $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
two.s = $T[] constant(2)
two = $T[$N] broadcast(two.s), dimensions={}
p = $T[$N] power(a, two)
r = $T[$N] subtract(p, c))", R"(
x = f64[$N] convert(a)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, x)
s = f64[$N] subtract(p, z)
r = $T[$N] convert(s))"},
  {"bits_of_a_product", "f32", "a $T[$N] normal; b $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
p = $T[$N] multiply(a, b)
i = s32[$N] bitcast-convert(p)
q = $T[$N] bitcast-convert(i)
r = $T[$N] subtract(q, c))", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] subtract(p, z)
r = $T[$N] convert(s))"},
  {"product_plus_zero", "f32 f16 bf16", "a $T[$N] wide; b $T[$N] wide; c $T[$N] wide", "$T[$N]", R"(
zero.s = $T[] constant(0)
zero = $T[$N] broadcast(zero.s), dimensions={}
p = $T[$N] multiply(a, b)
q = $T[$N] add(p, zero)
r = $T[$N] add(q, c))", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] add(p, z)
r = $T[$N] convert(s))"},
  // initial accumulator
  {"dot_and_bias", "f32", "a $T[$N,3] normal; b $T[3] normal; c $T[$N] normal", "$T[$N]", R"(
q = $T[$N] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
r = $T[$N] add(q, c))", R"(
e = $T[$N,3] broadcast(b), dimensions={1}
p = $T[$N,3] multiply(a, e)
x = $T[$N,1] slice(p), slice={[0:$N], [0:1]}
y = $T[$N,1] slice(p), slice={[0:$N], [1:2]}
z = $T[$N,1] slice(p), slice={[0:$N], [2:3]}
s = $T[$N,1] reshape(c)
t = $T[$N,1] add(s, x)
u = $T[$N,1] add(t, y)
v = $T[$N,1] add(u, z)
r = $T[$N] reshape(v))"},
  // reciprocal root
  {"quotient_by_a_root", "f32 f16 bf16", "a $T[$N] normal; b $T[$N] positive", "$T[$N]", R"(
s = $T[$N] sqrt(b)
r = $T[$N] divide(a, s))", R"(
s = $T[$N] rsqrt(b)
r = $T[$N] multiply(a, s))"},
  // excess precision
  {"conversion_and_back", "f32 f16 bf16 f8e5m2", "a f64[$N] normal", "f64[$N]", R"(
x = $T[$N] convert(a)
r = f64[$N] convert(x))", R"(
r = f64[$N] copy(a))"},
  {"integer_to_single_to_double", "f32", "a s32[$N] any-bits", "f64[$N]", R"(
x = $T[$N] convert(a)
r = f64[$N] convert(x))", R"(
r = f64[$N] convert(a))"},
  {"product_between_conversions", "f16 bf16", "a f32[$N] normal; b f32[$N] normal; c f32[$N] normal", "f32[$N]", R"(
p = f32[$N] multiply(a, b)
n = $T[$N] convert(p)
w = f32[$N] convert(n)
r = f32[$N] add(w, c))", R"(
x = f64[$N] convert(a)
y = f64[$N] convert(b)
z = f64[$N] convert(c)
p = f64[$N] multiply(x, y)
s = f64[$N] add(p, z)
r = f32[$N] convert(s))"},
  {"narrow_chain", "f16 bf16", "a $T[$N] normal; b $T[$N] normal; c $T[$N] normal", "$T[$N]", R"(
s = $T[$N] add(a, b)
t = $T[$N] divide(s, c)
r = $T[$N] subtract(t, a))", R"(
x = f32[$N] convert(a)
y = f32[$N] convert(b)
z = f32[$N] convert(c)
s = f32[$N] add(x, y)
t = f32[$N] divide(s, z)
u = f32[$N] subtract(t, x)
r = $T[$N] convert(u))"},
};
// clang-format on

}  // namespace

std::span<const Miscompilation> LawfulRewrites() { return kRewrites; }

}  // namespace assay
