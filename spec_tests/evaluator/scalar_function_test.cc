// Scalar computations over vectors of elements, about the size of a block, against the same arithmetic in C++.
#include "interpreter/evaluator/scalar_function.h"

#include <cstdint>
#include <optional>

#include "interpreter/evaluator/frame.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

const std::int64_t kSizes[] = {1, 2, 7, 1023, 1024, 1025, 2047, 2048, 2049, 5000};

// The computation `f` of a module, which the entry must reach.
class Function {
 public:
  explicit Function(const std::string& text) : module_(Parsed(text)), plans_(*module_, {}) {
    options_.observer = [this](const HloInstruction&, std::span<const Literal>, const Literal&, DeviceId) {
      ++observed_;
    };
    device_.emplace(run_, grid_.devices()[0]);
    function_ = device_->Scalar(*module_->FindComputation("f"));
  }

  const ScalarFunction& operator*() const { return *function_; }
  const Op* SingleOp() const { return function_->SingleOp(); }
  // True if it runs element by element: then instructions are observed.
  bool IsWalked() const { return observed_ > 0; }

  void Apply(const std::vector<const void*>& inputs, const std::vector<void*>& outputs, std::int64_t n) const {
    std::vector<const std::byte*> in;
    std::vector<std::byte*> out;
    for (const void* input : inputs) in.push_back(static_cast<const std::byte*>(input));
    for (void* output : outputs) out.push_back(static_cast<std::byte*>(output));
    function_->Apply(in, out, n);
  }

 private:
  std::unique_ptr<HloModule> module_;
  PlanSet plans_;
  EvaluationOptions options_;
  DeviceGrid grid_{1, 1};
  Run run_{plans_, options_, grid_};
  std::optional<RunningDevice> device_;
  std::unique_ptr<ScalarFunction> function_;
  int observed_ = 0;
};

// `f` of two s32, mapped by the entry.
std::string Binary(const std::string& computations) {
  return "HloModule m\n" + computations + R"(
ENTRY e {
  a = s32[2] parameter(0)
  b = s32[2] parameter(1)
  ROOT r = s32[2] map(a, b), dimensions={0}, to_apply=f
})";
}

// `f` with a pair of s32 as its result, reached through a reduction of two arrays.
std::string Pair(const std::string& computations) {
  return "HloModule m\n" + computations + R"(
ENTRY e {
  a = s32[2] parameter(0)
  b = s32[2] parameter(1)
  zero = s32[] constant(0)
  ROOT r = (s32[], s32[]) reduce(a, b, zero, zero), dimensions={0}, to_apply=f
})";
}

std::vector<std::int32_t> Numbers(std::int64_t n, std::uint32_t seed) {
  std::vector<std::int32_t> numbers(n);
  for (auto& number : numbers) number = static_cast<std::int32_t>(seed = seed * 1664525 + 1013904223);
  return numbers;
}

std::int32_t Wrapped(std::uint32_t value) { return static_cast<std::int32_t>(value); }

constexpr char kPolynomial[] = R"(
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  seven = s32[] constant(7)
  product = s32[] multiply(a, b)
  sum = s32[] add(product, seven)
  ROOT r = s32[] subtract(sum, a)
})";

void CheckPolynomial(const Function& f) {
  for (std::int64_t n : kSizes) {
    const auto a = Numbers(n, 1), b = Numbers(n, 2);
    // One more element, which must not be written.
    std::vector<std::int32_t> out(n + 1, 42);
    f.Apply({a.data(), b.data()}, {out.data()}, n);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto x = static_cast<std::uint32_t>(a[i]), y = static_cast<std::uint32_t>(b[i]);
      REQUIRE(out[i] == Wrapped(x * y + 7 - x));
    }
    REQUIRE(out[n] == 42);
  }
}

TEST_CASE("a straight line of ops runs in blocks", "[scalar_function]") {
  const Function f(Binary(kPolynomial));
  CheckPolynomial(f);
  CHECK(!f.IsWalked());
  CHECK(f.SingleOp() == nullptr);
}

TEST_CASE("nested calls and tuples inside are part of the line", "[scalar_function]") {
  const Function f(Binary(R"(
inner {
  p = s32[] parameter(0)
  q = s32[] parameter(1)
  product = s32[] multiply(p, q)
  ROOT t = (s32[], s32[]) tuple(product, p)
}
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  t = (s32[], s32[]) call(a, b), to_apply=inner
  product = s32[] get-tuple-element(t), index=0
  same = s32[] get-tuple-element(t), index=1
  seven = s32[] constant(7)
  sum = s32[] add(product, seven)
  ROOT r = s32[] subtract(sum, same)
})"));
  CheckPolynomial(f);
  CHECK(!f.IsWalked());
}

TEST_CASE("control flow is walked element by element, with the same values", "[scalar_function]") {
  const Function f(Binary(R"(
plain {
  t = (s32[], s32[]) parameter(0)
  a = s32[] get-tuple-element(t), index=0
  b = s32[] get-tuple-element(t), index=1
  seven = s32[] constant(7)
  product = s32[] multiply(a, b)
  sum = s32[] add(product, seven)
  ROOT r = s32[] subtract(sum, a)
}
turned {
  t = (s32[], s32[]) parameter(0)
  a = s32[] get-tuple-element(t), index=0
  b = s32[] get-tuple-element(t), index=1
  one = s32[] constant(1)
  less = s32[] subtract(b, one)
  product = s32[] multiply(less, a)
  seven = s32[] constant(7)
  ROOT r = s32[] add(product, seven)
}
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  less = pred[] compare(a, b), direction=LT
  t = (s32[], s32[]) tuple(a, b)
  ROOT r = s32[] conditional(less, t, t), true_computation=plain, false_computation=turned
})"));
  CheckPolynomial(f);
  CHECK(f.IsWalked());
  CHECK(f.SingleOp() == nullptr);
}

TEST_CASE("the result may take the place of an operand", "[scalar_function]") {
  const Function f(Binary(kPolynomial));
  for (int place : {0, 1}) {
    for (std::int64_t n : kSizes) {
      std::vector<std::int32_t> arrays[] = {Numbers(n, 1), Numbers(n, 2)};
      const auto a = arrays[0], b = arrays[1];
      f.Apply({arrays[0].data(), arrays[1].data()}, {arrays[place].data()}, n);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto x = static_cast<std::uint32_t>(a[i]), y = static_cast<std::uint32_t>(b[i]);
        REQUIRE(arrays[place][i] == Wrapped(x * y + 7 - x));
      }
    }
  }
}

TEST_CASE("a pair of results may take the places of both operands", "[scalar_function]") {
  const std::string four =
      "f { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) "
      "d = s32[] parameter(3) s = s32[] add(a, c) ROOT t = (s32[], s32[]) tuple(";
  struct Case {
    const char* root;
    std::int32_t (*first)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t);
    std::int32_t (*second)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t);
  };
  using U = std::uint32_t;
  const Case cases[] = {
      {"b, a) }", [](U, U b, U, U) { return Wrapped(b); }, [](U a, U, U, U) { return Wrapped(a); }},
      {"s, a) }", [](U a, U, U c, U) { return Wrapped(a + c); }, [](U a, U, U, U) { return Wrapped(a); }},
      {"d, s) }", [](U, U, U, U d) { return Wrapped(d); }, [](U a, U, U c, U) { return Wrapped(a + c); }},
      {"s, s) }", [](U a, U, U c, U) { return Wrapped(a + c); }, [](U a, U, U c, U) { return Wrapped(a + c); }},
  };
  for (const Case& test : cases) {
    const Function f(Pair(four + test.root));
    for (std::int64_t n : kSizes) {
      std::vector<std::int32_t> v[] = {Numbers(n, 1), Numbers(n, 2), Numbers(n, 3), Numbers(n, 4)};
      const auto a = v[0], b = v[1], c = v[2], d = v[3];
      f.Apply({v[0].data(), v[1].data(), v[2].data(), v[3].data()}, {v[0].data(), v[1].data()}, n);
      for (std::int64_t i = 0; i < n; ++i) {
        REQUIRE(v[0][i] == test.first(a[i], b[i], c[i], d[i]));
        REQUIRE(v[1][i] == test.second(a[i], b[i], c[i], d[i]));
      }
    }
    CHECK(!f.IsWalked());
  }
}

TEST_CASE("a line may have elements of many widths", "[scalar_function]") {
  const Function f(R"(HloModule m
f {
  a = s8[] parameter(0)
  b = f64[] parameter(1)
  wide = f64[] convert(a)
  less = pred[] compare(wide, b), direction=LT
  half = f64[] constant(0.5)
  scaled = f64[] multiply(b, half)
  chosen = f64[] select(less, scaled, wide)
  ROOT r = c128[] complex(chosen, b)
}
ENTRY e {
  a = s8[2] parameter(0)
  b = f64[2] parameter(1)
  ROOT r = c128[2] map(a, b), dimensions={0}, to_apply=f
})");
  for (std::int64_t n : kSizes) {
    std::vector<std::int8_t> a(n);
    std::vector<double> b(n), out(2 * n);
    for (std::int64_t i = 0; i < n; ++i)
      a[i] = static_cast<std::int8_t>(i * 37), b[i] = static_cast<double>(i % 200) - 100;
    f.Apply({a.data(), b.data()}, {out.data()}, n);
    for (std::int64_t i = 0; i < n; ++i) {
      REQUIRE(out[2 * i] == (a[i] < b[i] ? b[i] / 2 : a[i]));
      REQUIRE(out[2 * i + 1] == b[i]);
    }
  }
  CHECK(!f.IsWalked());
}

TEST_CASE("the result of a line may be a constant or a parameter", "[scalar_function]") {
  const Function constant(Binary("f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] constant(-5) }"));
  const Function parameter(Binary("f { a = s32[] parameter(0) ROOT b = s32[] parameter(1) }"));
  for (std::int64_t n : kSizes) {
    const auto a = Numbers(n, 1), b = Numbers(n, 2);
    std::vector<std::int32_t> out(n);
    constant.Apply({a.data(), b.data()}, {out.data()}, n);
    REQUIRE(out == std::vector<std::int32_t>(n, -5));
    parameter.Apply({a.data(), b.data()}, {out.data()}, n);
    REQUIRE(out == b);
  }
}

TEST_CASE("a single op is named in either order of its operands", "[scalar_function]") {
  const auto single = [](const std::string& root) {
    const Function f(Binary("f { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] " + root + " }"));
    return f.SingleOp() == nullptr ? "" : std::string(f.SingleOp()->name);
  };
  CHECK(single("add(a, b)") == "add");
  CHECK(single("add(b, a)") == "add");
  CHECK(single("maximum(b, a)") == "maximum");
  CHECK(single("add(a, a)").empty());
}

TEST_CASE("a fold keeps the order of the operands", "[scalar_function]") {
  const auto folded = [](const std::string& root) {
    return Evaluated("HloModule m\nf { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] " + root + R"( }
ENTRY e {
  x = s32[3] parameter(0)
  zero = s32[] constant(0)
  ROOT r = s32[] reduce(x, zero), dimensions={0}, to_apply=f
})",
                     Values({"s32[3] {1, 2, 4}"}));
  };
  // ((0 - 1) - 2) - 4, and 4 - (2 - (1 - 0)).
  CHECK(folded("subtract(a, b)").BitwiseEqual(Value("s32[] -7")));
  CHECK(folded("subtract(b, a)").BitwiseEqual(Value("s32[] 3")));
}

}  // namespace
}  // namespace assay::testing
