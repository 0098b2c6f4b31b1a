#include "backends/lawful/lawful.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <list>
#include <mutex>
#include <string_view>

#include "backends/default_profile.h"
#include "backends/kind.h"
#include "backends/lawful/algorithms/map.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "backends/lawful/folds.h"
#include "backends/lawful/noisy_results.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/types/number_in_text.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

// Makes folds over devices round at every step, at random. A device's result depends on operands of the other devices,
// so the module changes instead of the result.
void RoundFoldsOverDevices(HloModule& module, const Profile& profile, Noise& noise, std::list<Op>& plain) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const JudgedInstruction judged = {*instruction, {}, profile, RuleOf(*instruction, profile)};
      const Acceptance rule = judged.rule.acceptance;
      const bool is_fold = rule == Acceptance::kSum || rule == Acceptance::kProduct;
      if (!instruction->op->evaluation.depends_on_device || !is_fold) continue;
      const bool is_narrow_sum = rule == Acceptance::kSum && BitWidth(JudgedType(*instruction)) <= 16;
      if (is_narrow_sum && !judged.arithmetic.keeps_narrow_sums) continue;
      if (noise.Chance(0.5)) continue;
      for (HloComputation* called : instruction->CalledComputations()) RoundEveryStep(*called, plain.emplace_back());
    }
  }
}

std::size_t HashOf(const Literal& value) {
  std::size_t hash = 0;
  if (value.shape().IsArray()) {
    hash = std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(value.data()), static_cast<std::size_t>(value.byte_size())});
  }
  for (const Literal& element : value.elements()) hash = hash * 31 + HashOf(element);
  return hash;
}

// Mixes the module's name and the inputs into the seed.
std::uint64_t SeedOf(std::uint64_t seed, const HloModule& module, const DeviceValues& inputs) {
  std::size_t hash = seed * 31 + std::hash<std::string>()(module.name);
  for (const std::vector<Literal>& of_device : inputs) {
    for (const Literal& input : of_device) hash = hash * 31 + HashOf(input);
  }
  return hash;
}

}  // namespace

LawfulBackend::LawfulBackend(Profile profile, std::uint64_t seed)
    : profile_(std::move(profile)),
      seed_(seed),
      description_{.name = fmt::format("lawful:{}:{}", profile_.name(), seed),
                   .version = kVersion,
                   .max_devices = kMostDevices,
                   .ops = {},
                   .types = {}} {}

namespace {

// A module with its freedoms drawn at each run. The draws depend on the inputs, so nothing can be planned ahead.
class LawfulExecutable final : public Executable {
 public:
  LawfulExecutable(const HloModule& module, const Profile& profile, std::uint64_t seed)
      : module_(module), profile_(profile), seed_(seed) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    Noise noise(SeedOf(seed_, module_, inputs));
    std::list<Op> plain;
    const std::unique_ptr<HloModule> changed = CloneModule(module_);
    // Freedoms over several instructions precede those of each one.
    Widenings widenings;
    RewriteLawfully(*changed, profile_, noise, widenings);
    RoundFoldsOverDevices(*changed, profile_, noise, plain);
    NoisyResults results(profile_, widenings, noise);
    std::mutex mutex;
    EvaluationOptions options;
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result,
                          DeviceId) {
      const std::lock_guard lock(mutex);
      results.Replace(instruction, operands, result);
    };
    ASSAY_TRY(PerDevice<DeviceOutputs> devices, EvaluateOnDevices(*changed, inputs, options, MapByCalls()));
    return OutputsOf(std::move(devices));
  }

 private:
  const HloModule& module_;
  const Profile profile_;
  const std::uint64_t seed_;
};

}  // namespace

Result<std::unique_ptr<Executable>> LawfulBackend::Compile(const HloModule& module) {
  return std::unique_ptr<Executable>(std::make_unique<LawfulExecutable>(module, profile_, seed_));
}

namespace {

// Opens the backend of PROFILE[:SEED]. The profile is a built-in one or a file.
Result<std::unique_ptr<Backend>> OpenLawful(std::optional<std::string_view> argument, double) {
  std::string_view name = argument.value_or("xla"), seed = "0";
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    seed = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  const auto number = NumberInText<std::uint64_t>(seed);
  if (!number) {
    return Error{ErrorCode::kUsage, fmt::format("lawful:{}: expected {}, the seed a number, found the seed {}",
                                                argument.value_or(""), backend_lawful.form, seed)};
  }
  Result<Profile> profile = ReadProfile(std::string(name));
  if (profile) return std::unique_ptr<Backend>(std::make_unique<LawfulBackend>(*std::move(profile), *number));
  profile.error().message = fmt::format("lawful:{}: {}", argument.value_or(""), profile.error().message);
  return std::move(profile.error());
}

}  // namespace

const BackendKind backend_lawful = {
    .name = "lawful",
    .form = "lawful[:PROFILE[:SEED]]",
    .names_profile = true,
    .open = OpenLawful,
};

}  // namespace assay
