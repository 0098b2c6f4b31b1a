// Programs whose sums may be kept in a narrow type: every output wrong by a little is unlike lawful runs, and lawful
// noise is not.
#include <functional>

#include "backends/lawful/lawful.h"
#include "conformance/cases/inputs.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/acceptance/statistics/samples/sampled_output.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/acceptance/sampled.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

// {0} is the element type, {1} the rows, {2} the columns.
constexpr std::string_view kSoftmax = R"(x = {0}[{1},{2}] parameter(0)  low = {0}[] constant(-inf)
  m = {0}[{1}] reduce(x, low), dimensions={{1}}, to_apply=maximum_{0}
  mb = {0}[{1},{2}] broadcast(m), dimensions={{0}}
  d = {0}[{1},{2}] subtract(x, mb)  y = {0}[{1},{2}] exponential(d)  z = {0}[] constant(0)
  s = {0}[{1}] reduce(y, z), dimensions={{1}}, to_apply=add_{0}
  sb = {0}[{1},{2}] broadcast(s), dimensions={{0}}
  ROOT r = {0}[{1},{2}] divide(y, sb))";
constexpr std::string_view kMean = R"(x = {0}[{1},{2}] parameter(0)  z = {0}[] constant(0)
  s = {0}[{1}] reduce(x, z), dimensions={{1}}, to_apply=add_{0}
  n = {0}[] constant({2})  nb = {0}[{1}] broadcast(n), dimensions={{}}
  ROOT r = {0}[{1}] divide(s, nb))";
constexpr std::string_view kNorm = R"(x = {0}[{1},{2}] parameter(0)  z = {0}[] constant(0)
  s = {0}[{1}] reduce(x, z), dimensions={{1}}, to_apply=add_{0}
  n = {0}[] constant({2})  nb = {0}[{1}] broadcast(n), dimensions={{}}
  m = {0}[{1}] divide(s, nb)  mb = {0}[{1},{2}] broadcast(m), dimensions={{0}}
  d = {0}[{1},{2}] subtract(x, mb)  q = {0}[{1},{2}] multiply(d, d)
  t = {0}[{1}] reduce(q, z), dimensions={{1}}, to_apply=add_{0}
  v = {0}[{1}] divide(t, nb)  i = {0}[{1}] rsqrt(v)  ib = {0}[{1},{2}] broadcast(i), dimensions={{0}}
  ROOT r = {0}[{1},{2}] multiply(d, ib))";
constexpr std::string_view kRootMeanSquare = R"(x = {0}[{1},{2}] parameter(0)  z = {0}[] constant(0)
  q = {0}[{1},{2}] multiply(x, x)  t = {0}[{1}] reduce(q, z), dimensions={{1}}, to_apply=add_{0}
  n = {0}[] constant({2})  nb = {0}[{1}] broadcast(n), dimensions={{}}
  v = {0}[{1}] divide(t, nb)  i = {0}[{1}] rsqrt(v)  ib = {0}[{1},{2}] broadcast(i), dimensions={{0}}
  ROOT r = {0}[{1},{2}] multiply(x, ib))";

struct Size {
  std::string_view type;
  int rows, columns;
};

class Run {
 public:
  // Replaces x, a number of a row, by made(x, true if it is the first).
  Run(
      std::string_view program, Size size, std::uint64_t seed = 3,
      const std::function<double(double, bool)>& made = [](double x, bool) { return x; })
      : module_(Parsed(fmt::format(fmt::runtime(program), size.type, size.rows, size.columns))),
        arguments_(ReadInputs(*module_, {.inputs = {}, .inputs_file = {}, .seed = seed})->per_device[0]) {
    Literal& x = arguments_[0];
    std::vector<double> numbers(x.element_count());
    LoadReals(x.element_type(), x.data(), numbers.data(), x.element_count());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = made(numbers[i], i % size.columns == 0);
    StoreReals(x.element_type(), numbers.data(), x.mutable_data(), x.element_count());
    want_ = Evaluated(*module_, arguments_);
  }

  std::string Of(const Literal& got, std::string_view profile = "xla") const {
    return JudgeBySamples(*module_, {arguments_}, want_, got, BuiltInProfile(profile)).suspect;
  }
  std::string OfChanged(const std::function<double(double)>& change, std::string_view profile = "xla") const {
    Literal got = want_;
    std::vector<double> numbers(got.element_count());
    LoadReals(got.element_type(), got.data(), numbers.data(), got.element_count());
    for (double& x : numbers) x = change(x);
    StoreReals(got.element_type(), numbers.data(), got.mutable_data(), got.element_count());
    return Of(got, profile);
  }
  std::string OfLawful(std::uint64_t seed) const {
    LawfulBackend backend(BuiltInProfile("xla"), seed);
    return Of((*backend.Run(*module_, {arguments_}))[0]);
  }

 private:
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> arguments_;
  Literal want_;
};

TEST_CASE("quotients of narrow sums that are all wrong by a tenth are unlike lawful runs", "[acceptance][sums]") {
  std::vector<Size> sizes = {{"bf16", 64, 64}, {"f16", 20, 300}};
  if (IsNightly("quotients of 128 numbers of bf16")) sizes.push_back({"bf16", 32, 128});
  for (const std::string_view program : {kSoftmax, kNorm, kRootMeanSquare}) {
    for (const Size size : sizes) {
      const Run run(program, size);
      INFO(program << size.type << size.rows << "," << size.columns);
      CHECK(run.OfChanged([](double x) { return 1.1 * x; }) != "");
      CHECK(run.OfChanged([](double x) { return x / 1.1; }) != "");
      CHECK(run.OfChanged([](double) { return 0.0; }) != "");
      CHECK(run.OfChanged([](double x) { return x; }).empty());
    }
  }
}

TEST_CASE("means of narrow sums that are all wrong by a half are unlike lawful runs", "[acceptance][sums]") {
  std::vector<Size> sizes = {{"bf16", 64, 64}, {"bf16", 200, 500}};
  if (IsNightly("means of 3000 numbers")) sizes.push_back({"f16", 64, 3000});
  for (const Size size : sizes) {
    const Run run(kMean, size);
    INFO(size.type << size.rows << "," << size.columns);
    CHECK(run.OfChanged([](double x) { return 1.5 * x; }) != "");
    CHECK(run.OfChanged([](double) { return 0.0; }) != "");
  }
}

TEST_CASE("lawful noise is like lawful runs", "[acceptance][sums]") {
  const std::uint64_t seeds = IsNightly("lawful noise of four seeds is like lawful runs") ? 4 : 1;
  for (const std::string_view program : {kSoftmax, kMean, kNorm, kRootMeanSquare}) {
    for (const Size size : {Size{"bf16", 64, 40}, {"bf16", 16, 300}, {"f16", 20, 200}, {"f8e5m2", 64, 20}}) {
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        INFO(program << size.type << size.rows << "," << size.columns << " seed " << seed);
        CHECK(Run(program, size, seed).OfLawful(seed).empty());
      }
    }
  }
}

TEST_CASE("one wrong result is far from lawful runs, also of few sums", "[acceptance][sums]") {
  for (const Size size : {Size{"bf16", 64, 64}, {"bf16", 4, 256}, {"f16", 16, 300}}) {
    for (const std::string_view program : {kSoftmax, kMean, kNorm}) {
      const Run run(program, size);
      INFO(program << size.type << size.rows << "," << size.columns);
      int at = 0;
      CHECK(run.OfChanged([&](double x) { return at++ == 3 ? x + 2 : x; }).starts_with("far from lawful results"));
    }
  }
}

TEST_CASE("lawful noise on few sums, and on terms that others dominate, is like lawful runs", "[acceptance][sums]") {
  const std::uint64_t seeds = IsNightly("lawful noise of forty seeds on few sums") ? 40 : 2;
  for (const std::string_view program : {kSoftmax, kMean, kNorm, kRootMeanSquare}) {
    for (const Size size : {Size{"bf16", 4, 256}, {"bf16", 5, 17}, {"f16", 8, 64}, {"f8e4m3fn", 4, 40}}) {
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        INFO(program << size.type << size.rows << "," << size.columns << " seed " << seed);
        CHECK(Run(program, size, seed).OfLawful(seed) == "");
        const auto dominated = [](double x, bool is_first) { return is_first ? 30 * x : x; };
        CHECK(Run(program, size, seed, dominated).OfLawful(seed) == "");
      }
    }
  }
}

TEST_CASE("algorithms differ by much for equal terms, whose order shows no noise", "[acceptance][sums]") {
  // One accumulator stops at 256 of 1000 ones, others at more: the quotients are 1 to 3.9 times too large.
  const Run run(kSoftmax, {"bf16", 8, 1000}, 3, [](double, bool) { return 0.5; });
  CHECK(run.OfChanged([](double x) { return 1.63 * x; }) == "");
  CHECK(run.OfChanged([](double) { return 0.0; }) != "");
}

TEST_CASE("sums need not start from an addend, and have no bias if they do", "[acceptance][sums]") {
  for (const Size size : {Size{"bf16", 33, 257}, {"bf16", 48, 1024}}) {
    const Run run(R"(x = {0}[{1},{2}] parameter(0)  w = {0}[{2},{1}] parameter(1)  c = {0}[{1},{1}] parameter(2)
      d = {0}[{1},{1}] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
      ROOT r = {0}[{1},{1}] add(d, c))",
                  size);
    bool is_larger = false;
    const auto change = [&](double x) { return x * ((is_larger = !is_larger) ? 1.03 : 0.97); };
    CHECK(run.OfChanged(change, "stablehlo") == "");
    CHECK(run.OfChanged([](double) { return 0.0; }, "stablehlo") != "");
  }
}

TEST_CASE("a sum starts from no number that follows from it", "[acceptance][sums]") {
  const Run run(R"(x = {0}[{1},{2}] parameter(0)  w = {0}[{2},{1}] parameter(1)  low = {0}[] constant(-inf)
    d = {0}[{1},{1}] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
    m = {0}[{1}] reduce(d, low), dimensions={{1}}, to_apply=maximum_{0}
    b = {0}[{1},{1}] broadcast(m), dimensions={{0}}
    ROOT r = {0}[{1},{1}] subtract(d, b))",
                {"f32", 16, 512});
  int at = 0;
  CHECK(run.OfChanged([&](double x) { return at++ == 3 ? x + 1e-4 : x; }).starts_with("far from lawful results"));
}

TEST_CASE("programs that decide by numbers are judged by runs", "[acceptance][sums]") {
  const std::string floors =
      "ENTRY e {{ x = {0}[{1},{2}] parameter(0)\nz = {0}[] constant(0)\n"
      "s = {0}[{1}] reduce(x, z), dimensions={{1}}, to_apply=add_{0}\nROOT r = {0}[{1}] floor(s) }}";
  const Run run(floors, {"bf16", 64, 64});
  CHECK(run.OfChanged([](double) { return 0.0; }) != "");
  CHECK(run.OfChanged([](double x) { return x; }) == "");
}

// exp of y is an output beside the sums, or follows from them.
std::string FaultOfExponentials(std::string_view operand, std::string_view accuracy, double factor) {
  const auto module = Parsed(fmt::format(R"(x = bf16[64,64] parameter(0)  y = f32[64] parameter(1)
  z = bf16[] constant(0)  s = bf16[64] reduce(x, z), dimensions={{1}}, to_apply=add_bf16
  c = f32[64] convert(s)  e = f32[64] exponential({}){}  ROOT t = (bf16[64], f32[64]) tuple(s, e))",
                                         operand, accuracy));
  const auto arguments = ReadInputs(*module, {.inputs = {}, .inputs_file = {}, .seed = 3})->per_device[0];
  const Literal want = Evaluated(*module, arguments);
  Literal got = want;
  for (float& x : got.mutable_elements()[1].mutable_values<float>()) x = static_cast<float>(x * factor);
  return JudgeBySamples(*module, {arguments}, want, got, XlaProfile()).suspect;
}

TEST_CASE("a function beside narrow sums may have a bias", "[acceptance][sums]") {
  CHECK(FaultOfExponentials("y", "", 1 + 3 * 0x1p-23).empty());
  CHECK(FaultOfExponentials("y", "", 0.5) != "");
  CHECK(FaultOfExponentials("c", "", 0.5) != "");
}

TEST_CASE("an infinity is far from numbers, but not next to a pole", "[acceptance][sums]") {
  const Literal want = Value("f32[1] {-35}"), got = Value("f32[1] {inf}");
  const auto is_far = [&](std::string_view sample) {
    SampledOutput output(0, {}, want, got);
    output.See(want, Value(sample));
    return output.Far({}, SampledOutput::Errors::kRoundings).has_value();
  };
  CHECK(is_far("f32[1] {-36}"));
  CHECK(is_far("f32[1] {-700}"));
  CHECK_FALSE(is_far("f32[1] {3500}"));
}

TEST_CASE("an infinity behind a function that nearly overflows is explained", "[acceptance][sums]") {
  // sinh(10) is 11013: a few units below the largest number, 57344. sinh(5) is 74.
  const std::string text = "y = f8e5m2[2] sinh(x)  ROOT r = f8e5m2[2] asinh(y)";
  Sampled(text, {"x = f8e5m2[2] {10, 1}"}).Expect("LEGAL f8e5m2[2] {inf, 1}");
  Sampled(text, {"x = f8e5m2[2] {5, 1}"}).Expect("SUSPECT f8e5m2[2] {inf, 1}");
}

TEST_CASE("a tolerance counts in lawful runs", "[acceptance][sums]") {
  constexpr std::string_view kWide = ", result_accuracy={tolerance={atol=0,rtol=0.25,ulps=0}}";
  CHECK(FaultOfExponentials("c", kWide, 0.95).empty());
}

}  // namespace
}  // namespace assay::testing
