// Backends that are right on every part of a module and wrong on the whole, as the fault of a fusion is, and right
// ones.
#include <algorithm>

#include "backends/lawful/lawful.h"
#include "conformance/cases/inputs.h"
#include "conformance/judging/compare.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

using Fault = std::function<void(Literal& output)>;

// Uses the freedoms of `xla`, and changes the output of one module.
FunctionBackend Faulty(const HloModule& whole, std::uint64_t seed, Fault fault = {}) {
  const auto lawful = std::make_shared<LawfulBackend>(XlaProfile(), seed);
  return FunctionBackend([=, &whole](const HloModule& module, const DeviceValues& inputs) {
    Result<PerDevice<Literal>> outputs = lawful->Run(module, inputs);
    if (outputs && &module == &whole && fault) fault((*outputs)[0]);
    return outputs;
  });
}

// The best and the worst verdict of twenty backends with one fault.
std::pair<Verdict, Verdict> VerdictsOfFaulty(const std::string& text, const std::vector<std::string_view>& arguments,
                                             const Fault& fault = {}) {
  const auto module = Parsed(text);
  std::pair<Verdict, Verdict> verdicts = {Verdict::kCrash, Verdict::kExact};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    FunctionBackend backend = Faulty(*module, seed, fault);
    const Result<ModuleReport> report = CompareModule(backend, *module, {Values(arguments)}, {});
    REQUIRE(report);
    verdicts = {std::min(verdicts.first, report->verdict), std::max(verdicts.second, report->verdict)};
  }
  return verdicts;
}

void SetFloats(Literal& array, float value) {
  for (float& x : array.mutable_values<float>()) x = value;
}

const std::string kRandom = Entry(R"(  x = f32[4] parameter(0)  a = f32[] constant(0)  b = f32[] constant(1)
  r = f32[500] rng(a, b), distribution=rng_uniform
  e = f32[4] exponential(x)  ROOT t = (f32[500], f32[4]) tuple(r, e))");
const std::vector<std::string_view> kNumbers = {"f32[4] {0, 1, 2, 3}"};

TEST_CASE("an output beside random numbers is judged as without them", "[conformance]") {
  CHECK(VerdictsOfFaulty(kRandom, kNumbers).second == Verdict::kLegal);
  const auto with_zeros = [](Literal& output) { SetFloats(output.mutable_elements()[1], 0); };
  CHECK(VerdictsOfFaulty(kRandom, kNumbers, with_zeros).first == Verdict::kFail);
  const auto with_one_number = [](Literal& output) { SetFloats(output.mutable_elements()[0], 0.25F); };
  CHECK(VerdictsOfFaulty(kRandom, kNumbers, with_one_number).first >= Verdict::kWeak);
}

// Either of `e` and `n` may be selected by `p`: logistic(0) is 1/2 or next to it. Their mean is 0.
const std::string kOpenSelection = R"(  x = f32[2] parameter(0)  y = f32[2] parameter(1)  c = f32[2] logistic(y)
  h = f32[] constant(0.5)  half = f32[2] broadcast(h), dimensions={}
  p = pred[2] compare(c, half), direction=GT
  e = f32[2] exponential(x)  n = f32[2] negate(e)
)";
const std::vector<std::string_view> kOpenArguments = {"f32[2] {3, 1}", "f32[2] {0, 0}"};

TEST_CASE("the mean of both sides of an open selection is not legal", "[conformance]") {
  const std::string text = Entry(kOpenSelection + "  ROOT r = f32[2] select(p, e, n)");
  const auto with_means = [](Literal& output) { SetFloats(output, 0); };
  CHECK(VerdictsOfFaulty(text, kOpenArguments).second == Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, kOpenArguments, with_means).first >= Verdict::kSuspect);
}

// exp(0) = 1 may be less and is then converted to 0. No error reaches row 2.
TEST_CASE("a row that an open index does not reach is not legal", "[conformance]") {
  const std::string text = Entry(R"(  x = f32[3] parameter(0)  y = f32[] parameter(1)  e = f32[3] exponential(x)
  f = f32[] exponential(y)  i = s32[] convert(f)  ROOT r = f32[1] dynamic-slice(e, i), dynamic_slice_sizes={1})");
  const std::vector<std::string_view> arguments = {"f32[3] {1, 2, 5}", "f32[] 0"};
  CHECK(VerdictsOfFaulty(text, arguments).second == Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, arguments, [](Literal& output) { SetFloats(output, 148.41316F); }).first >=
        Verdict::kSuspect);
}

TEST_CASE("a reversed sort is not legal, though the order of two rows is open", "[conformance]") {
  const std::string text =
      R"(before { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] negate(a)  d = f32[] negate(b)
  ROOT r = pred[] compare(c, d), direction=GT }
ENTRY e { x = f32[3] parameter(0)  e = f32[3] exponential(x)
  ROOT r = f32[3] sort(e), dimensions={0}, to_apply=before })";
  const std::vector<std::string_view> arguments = {"f32[3] {5, 1, x3f800001}"};
  const auto reversed = [](Literal& output) {
    const auto x = output.mutable_values<float>();
    std::swap(x[0], x[2]);
  };
  // A right result is WEAK if every instruction happens to be exact alone.
  CHECK(VerdictsOfFaulty(text, arguments).first <= Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, arguments).second <= Verdict::kWeak);
  CHECK(VerdictsOfFaulty(text, arguments, reversed).first >= Verdict::kSuspect);
}

// An output whose set is open does not hide another one that is wrong.
TEST_CASE("the worst of the outputs' verdicts is that of the module", "[conformance]") {
  const std::string text = Entry(kOpenSelection + R"(  s = f32[2] select(p, e, n)  m = f32[2] multiply(x, y)
  ROOT t = (f32[2], f32[2]) tuple(s, m))");
  const auto both_wrong = [](Literal& output) {
    SetFloats(output.mutable_elements()[0], 0);
    SetFloats(output.mutable_elements()[1], 7);
  };
  CHECK(VerdictsOfFaulty(text, kOpenArguments, both_wrong).first == Verdict::kFail);
}

// The result of a program in place of another's, as a backend with a fault computes it.
struct PlantedFault {
  std::string_view name;
  std::string right, from, to;  // `from` becomes `to` in the text of the faulty program
};

std::vector<PlantedFault> PlantedFaults() {
  return {
      {"a mean without its last block", R"(ENTRY e { x = f32[8192] parameter(0)  y = f32[8192] exponential(x)
  s = f32[8128] slice(y), slice={[0:8128]}
  z = f32[] constant(0)  r = f32[] reduce(y, z), dimensions={0}, to_apply=add_f32
  n = f32[] constant(8192)  ROOT m = f32[] divide(r, n) })",
       "reduce(y, z)", "reduce(s, z)"},
      {"a dot of operands that were rounded", R"(ENTRY e { x = f32[8,512] parameter(0)
  w = f32[512,4] parameter(1)  n = bf16[8,512] convert(x)  v = f32[8,512] convert(n)  h = f32[8,512] tanh(x)
  g = f32[8,512] tanh(v)  ROOT d = f32[8,4] dot(h, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
       "dot(h, w)", "dot(g, w)"},
      {"a recurrence without its last step", R"(ENTRY e { x = f32[4,8] parameter(0)  w = f32[8,8] parameter(1)
  a = f32[4,8] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[4,8] tanh(a)  c = f32[4,8] dot(b, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[4,8] tanh(c)  f = f32[4,8] dot(d, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT g = f32[4,8] tanh(f) })",
       "tanh(f)", "tanh(c)"},
      {"a cross entropy whose exponential is off by 1e-3", R"(ENTRY e { x = f32[2,4096] parameter(0)
  k = f32[] constant(1.001)  kb = f32[2,4096] broadcast(k), dimensions={}
  y = f32[2,4096] exponential(x)  o = f32[2,4096] multiply(y, kb)  z = f32[] constant(0)
  s = f32[2] reduce(y, z), dimensions={1}, to_apply=add_f32
  ROOT l = f32[2] log(s) })",
       "reduce(y, z)", "reduce(o, z)"},
      {"sums along a row whose second half lost its carry", R"(ENTRY e { x = f32[256] parameter(0)
  y = f32[256] exponential(x)  z = f32[] constant(0)
  c = f32[256] reduce-window(y, z), window={size=256 pad=255_0}, to_apply=add_f32
  h = f32[128] slice(c), slice={[0:128]}
  t = f32[128] slice(y), slice={[128:256]}
  d = f32[128] reduce-window(t, z), window={size=128 pad=127_0}, to_apply=add_f32
  j = f32[256] concatenate(h, d), dimensions={0}
  i = f32[256] concatenate(h, h), dimensions={0}
  ROOT r = f32[256] negate(c) })",
       "negate(c)", "negate(j)"},
      {"the last of four equal parts of a norm twice", R"(ENTRY e { x = f32[4,64] parameter(0)
  q = f32[4,64] multiply(x, x)  a = f32[3,64] slice(q), slice={[1:4], [0:64]}
  b = f32[1,64] slice(q), slice={[3:4], [0:64]}
  p = f32[4,64] concatenate(a, b), dimensions={0}
  z = f32[] constant(0)  s = f32[64] reduce(q, z), dimensions={0}, to_apply=add_f32
  ROOT r = f32[64] sqrt(s) })",
       "reduce(q, z)", "reduce(p, z)"},
  };
}

TEST_CASE("faults within the bound of any order are suspect", "[conformance]") {
  for (const PlantedFault& fault : PlantedFaults()) {
    INFO(fault.name);
    const auto right = Parsed(fault.right);
    std::string text = fault.right;
    text.replace(text.find(fault.from), fault.from.size(), fault.to);
    const DeviceValues arguments = ReadInputs(*right, {.inputs = {}, .inputs_file = {}, .seed = 5})->per_device;
    const Literal wrong = Evaluated(*Parsed(text), arguments[0]);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      FunctionBackend lawful = Faulty(*right, seed);
      FunctionBackend faulty = Faulty(*right, seed, [&](Literal& output) { output = wrong; });
      const Result<ModuleReport> of_lawful = CompareModule(lawful, *right, arguments, {});
      const Result<ModuleReport> of_faulty = CompareModule(faulty, *right, arguments, {});
      REQUIRE(of_lawful);
      REQUIRE(of_faulty);
      CHECK(of_lawful->verdict <= Verdict::kLegal);
      CHECK(of_faulty->verdict >= Verdict::kSuspect);
    }
  }
}

// The transform along the first dimension has imaginary parts of 4e9, which the one along the second drops.
TEST_CASE("a real transform that drops large numbers errs by their size", "[conformance]") {
  const std::string text = Entry(R"(  x = f32[2] parameter(0)  y = c64[3,1] parameter(1)
  r = f32[3,1] fft(y), fft_type=IRFFT, fft_length={3,1}
  ROOT t = (f32[2], f32[3,1]) tuple(x, r))");
  const std::vector<std::string_view> arguments = {"f32[2] {0, 0}",
                                                   "c64[3,1] {{(0, 0)}, {(1, -4294967296)}, {(32767.5, -4294967296)}}"};
  CHECK(VerdictsOfFaulty(text, arguments).second <= Verdict::kWeak);
}

}  // namespace
}  // namespace assay::testing
