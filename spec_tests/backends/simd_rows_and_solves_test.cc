// Extremes of rows and triangular solves on the backend simd, on every instruction set of this machine, against results
// that are known without it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/simd/simd.h"
#include "fuzz/generate/random.h"
#include "spec_tests/backends/simd_targets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::simd {
namespace {

template <class T>
Literal LiteralOf(const Dimensions& dimensions, const std::vector<T>& numbers) {
  Literal literal(ShapeUtil::MakeShape(sizeof(T) == 4 ? F32 : F64, dimensions));
  std::ranges::copy(numbers, literal.mutable_values<T>().begin());
  return literal;
}

// Folds one row that starts with an infinity, and has `other` at one place and `number` elsewhere. Returns the result
// on every instruction set.
template <class T>
std::vector<T> Folds(std::string_view op, std::int64_t n, T number, std::int64_t place, T other) {
  const auto module = testing::Parsed(fmt::format(
      R"(a = {0}[1,{2}] parameter(0)  i = {0}[] constant({3}inf)
  ROOT r = {0}[1] reduce(a, i), dimensions={{1}}, to_apply={1}_{0})",
      sizeof(T) == 4 ? "f32" : "f64", op, n, op == "maximum" ? "-" : ""));
  std::vector<T> row(n, number), results;
  row[place] = other;
  OnEveryTarget([&] {
    const Literal result = Evaluate(*module, {LiteralOf<T>({1, n}, row)}, {}, Overrides()).value();
    results.push_back(result.values<T>()[0]);
  });
  return results;
}

TEMPLATE_TEST_CASE("simd's extremes of rows have the NaN and the zero of any place", "", float, double) {
  const TestType nan = std::numeric_limits<TestType>::quiet_NaN();
  for (const std::int64_t n : {1, 2, 7, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 1000}) {
    for (const std::int64_t place : {std::int64_t{0}, n / 3, n / 2, n - 1}) {
      INFO(n << " numbers, another one at " << place);
      for (const std::string_view op : {"maximum", "minimum"}) {
        for (const TestType number : {TestType{-2}, TestType{0}, TestType{5}}) {
          for (const TestType result : Folds<TestType>(op, n, number, place, nan)) CHECK(std::isnan(result));
        }
      }
      for (const TestType result : Folds<TestType>("maximum", n, -0.0, place, 0.0)) CHECK(!std::signbit(result));
      for (const TestType result : Folds<TestType>("minimum", n, 0.0, place, -0.0)) CHECK(std::signbit(result));
      for (const TestType result : Folds<TestType>("maximum", n, -3, place, -0.0)) {
        CHECK((result == 0 && std::signbit(result)));
      }
      for (const TestType result : Folds<TestType>("maximum", n, -3, place, -2)) CHECK(result == -2);
      for (const TestType result : Folds<TestType>("minimum", n, 3, place, 2)) CHECK(result == 2);
    }
  }
}

// A system of small integers whose pivots are powers of two, so that substitution rounds nothing.
template <class T>
struct System {
  std::int64_t n, columns;
  bool left, lower, unit, transposed;
  std::vector<T> a, x, b;

  // Draws the matrix and the solution, and multiplies them. The elements that a solve must not read are NaN.
  void Draw(generate::Random& random) {
    const auto integer = [&](int most) { return static_cast<T>(random.Between(-most, most)); };
    a.assign(n * n, std::numeric_limits<T>::quiet_NaN());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        if (i == j && !unit) a[i * n + j] = random.Flip() ? T{-2} : T{0.5};
        if (lower ? j < i : j > i) a[i * n + j] = integer(1);
      }
    }
    x.resize(n * columns);
    for (T& number : x) number = integer(3);
    b.assign(n * columns, 0);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t k = 0; k < n; ++k) {
        for (std::int64_t c = 0; c < columns; ++c) At(b, i, c) += Coefficient(i, k) * At(x, k, c);
      }
    }
  }

  // The element of op(a), or of its transpose on the right side, that multiplies the unknown k in equation i.
  T Coefficient(std::int64_t i, std::int64_t k) const {
    if (transposed == left) std::swap(i, k);
    if (i == k && unit) return 1;
    return i != k && (i > k) != lower ? T{0} : a[i * n + k];
  }
  // The right-hand sides are columns on the left side, else rows.
  T& At(std::vector<T>& sides, std::int64_t i, std::int64_t c) const {
    return sides[left ? i * columns + c : c * n + i];
  }
};

template <class T>
void CheckSystem(System<T> system, generate::Random& random) {
  system.Draw(random);
  const std::int64_t n = system.n, columns = system.columns;
  const Dimensions side = system.left ? Dimensions{n, columns} : Dimensions{columns, n};
  const std::string text = fmt::format(
      "a = {0}[{1},{1}] parameter(0)\n b = {0}[{2},{3}] parameter(1)\n ROOT r = {0}[{2},{3}] "
      "triangular-solve(a, b), left_side={4}, lower={5}, unit_diagonal={6}, transpose_a={7}",
      sizeof(T) == 4 ? "f32" : "f64", n, side[0], side[1], system.left, system.lower, system.unit,
      system.transposed ? "TRANSPOSE" : "NO_TRANSPOSE");
  INFO(text);
  const auto module = testing::Parsed(text);
  const std::vector<Literal> arguments = {LiteralOf<T>({n, n}, system.a), LiteralOf<T>(side, system.b)};
  OnEveryTarget([&] {
    const Literal got = Evaluate(*module, arguments, {}, Overrides()).value();
    CHECK(std::ranges::equal(got.values<T>(), system.x));
  });
}

TEMPLATE_TEST_CASE("simd solves triangular systems of integers exactly", "", float, double) {
  generate::Random random(8);
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 18, 33}) {
    for (const std::int64_t columns : {1, 3, 8, 15, 16, 17, 40, 130}) {
      for (int attributes = 0; attributes < 16; ++attributes) {
        const auto has = [&](int bit) { return (attributes >> bit & 1) != 0; };
        CheckSystem<TestType>({.n = n,
                               .columns = columns,
                               .left = has(0),
                               .lower = has(1),
                               .unit = has(2),
                               .transposed = has(3),
                               .a = {},
                               .x = {},
                               .b = {}},
                              random);
      }
    }
  }
}

}  // namespace
}  // namespace assay::simd
