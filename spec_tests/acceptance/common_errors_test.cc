// Errors that the elements of an array have in common: larger ones than lawful runs have are SUSPECT, also where each
// element alone may err by more.
#include "interpreter/acceptance/statistics/samples/common_errors.h"

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "backends/lawful/lawful.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/acceptance/sampled.h"

namespace assay::testing {
namespace {

using Change = std::function<float(float)>;

Literal Normals(const std::string& shape, std::uint64_t seed) {
  Literal array(*ParseShape(shape));
  std::mt19937_64 random(seed);
  for (float& x : array.mutable_values<float>()) x = std::normal_distribution<float>()(random);
  return array;
}

Literal Changed(Literal array, const Change& change) {
  for (float& x : array.mutable_values<float>()) x = change(x);
  return array;
}

// Sums of 64 products, which cancel nearly, so that their errors differ from element to element, and their swish.
struct Swish {
  std::unique_ptr<HloModule> module = Parsed(R"(x = f32[16,64] parameter(0)  w = f32[64,16] parameter(1)
    h = f32[16,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}  e = f32[16,16] logistic(h)
    ROOT r = f32[16,16] multiply(h, e))");
  std::vector<Literal> operands;

  explicit Swish(std::uint64_t seed) {
    operands.push_back(Changed(Normals("f32[16,64]", seed), [](float x) { return x + 100; }));
    operands.push_back(Normals("f32[64,16]", seed + 1));
    const std::span<float> weights = operands[1].mutable_values<float>();
    for (std::size_t i = 0; i < weights.size() / 2; ++i) weights[weights.size() / 2 + i] = -weights[i];
  }

  // Judges a run in which an instruction's numbers are changed.
  std::string Suspect(const std::string& name, const Change& change) const {
    EvaluationOptions options;
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal>, Literal& result, DeviceId) {
      if (instruction.name == name) result = Changed(result, change);
    };
    const Literal got = *Evaluate(*module, operands, options), want = *Evaluate(*module, operands);
    return JudgeBySamples(*module, {operands}, want, got, XlaProfile()).suspect;
  }
};

TEST_CASE("a factor that all elements have in common is far from lawful runs", "[acceptance][samples]") {
  const auto is_common = [](const std::string& suspect) { return suspect.find("have in common") != std::string::npos; };
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Swish swish(seed);
    const auto by = [](float factor) { return [=](float x) { return x * factor; }; };
    CHECK(is_common(swish.Suspect("e", by(1.0001F))));
    CHECK(is_common(swish.Suspect("e", by(0.9999F))));
    // As much as the errors of the sums have in common, and what the function's allowance permits in all elements.
    CHECK(swish.Suspect("e", by(1.00001F)).empty());
    CHECK(swish.Suspect("e", by(1 + 0x1p-22F)).empty());
    CHECK(swish.Suspect("h", by(1 - 0x1p-22F)).empty());
  }
}

TEST_CASE("a few elements that are far are no common error", "[acceptance][samples]") {
  const Literal want = Normals("f32[64]", 1);
  const auto fault = [&](std::size_t count, float factor) {
    Literal got = want;
    for (std::size_t i = 0; i < count; ++i) got.mutable_values<float>()[i] *= factor;
    CommonErrors errors(want, got);
    for (std::uint64_t run = 0; run < 6; ++run) {
      std::mt19937_64 random(run);
      std::uniform_real_distribution<float> error(-0x1p-20F, 0x1p-20F);
      errors.See(want, Changed(want, [&](float x) { return x * (1 + error(random)); }));
    }
    return errors.Fault();
  };
  CHECK(fault(2, 1.5F).empty());
  CHECK(fault(64, 1 + 0x1p-21F).empty());
  CHECK_FALSE(fault(64, 1 + 0x1p-18F).empty());
  CHECK_FALSE(fault(64, 1 - 0x1p-18F).empty());
}

TEST_CASE("a function may err at each of few numbers that occur often", "[acceptance][samples]") {
  // A constant of 56 small integers and zeros, from a lowering: 19 of them are 1, so that 19 results err alike.
  const auto module = Parsed(R"(x = f16[275] constant({
      8, -3, 1, 1, -8, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 6, 1, 1, 0, 0, 0, 7, -3, 0, 1, -7, 1, 0, 0, 0, 7, 1, 7, 8, 1,
      0, 0, 0, 0, 0, 5, 4, 3, 6, 1, -1, 0, 1, -7, 1, 1, 0, 0, 0, 1, 1, 2, 1, 8, 0, -1, 4, 1, 1, -4, 1, 6, -1, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0, 0, -1, 5, 1, -5, 2, 3, 0, 0, 0, 0,
      2, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, -4, 0, 0, 6, -4, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
    t = f16[275] tan(x)  ROOT r = f32[275] convert(t))");
  const Profile& profile = BuiltInProfile("xla-gpu");
  for (const std::uint64_t seed : {0, 25, 78, 79}) {
    LawfulBackend backend(profile, seed);
    const Literal want = *Evaluate(*module, {}), got = (*backend.Run(*module, {{}}))[0];
    CHECK(JudgeBySamples(*module, {{}}, want, got, profile).suspect == "");
  }
}

TEST_CASE("omitted roundings move equal numbers alike", "[acceptance][samples]") {
  const auto module = Parsed(R"(n = bf16[] parameter(0)  x = bf16[256] broadcast(n), dimensions={}
    y = bf16[256] multiply(x, x)  z = bf16[256] multiply(y, y)  v = bf16[256] multiply(z, z)
    w = bf16[256] multiply(v, x)  f = f32[256] convert(w)  k = f32[] constant(3)  l = f32[256] broadcast(k), dimensions={}
    ROOT r = f32[256] divide(f, l))");
  for (const float number : {1.0546875F, 1.1484375F, 1.3671875F, 1.703125F, 1.9296875F}) {
    std::vector<Literal> operands{Literal(*ParseShape("bf16[]"))};
    StoreReals(operands[0].element_type(), std::array{static_cast<double>(number)}.data(), operands[0].mutable_data(),
               1);
    const Literal want = *Evaluate(*module, operands);
    const Literal got = Changed(want, [=](float) { return static_cast<float>(std::pow(number, 9)) / 3; });
    CHECK(JudgeBySamples(*module, {operands}, want, got, XlaProfile()).suspect == "");
    const Literal wrong = Changed(got, [=](float x) { return x * 4; });
    CHECK(JudgeBySamples(*module, {operands}, want, wrong, XlaProfile()).suspect != "");
  }
}

}  // namespace
}  // namespace assay::testing
