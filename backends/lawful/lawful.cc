#include "backends/lawful/lawful.h"

#include <fmt/format.h>

#include <functional>
#include <list>
#include <mutex>
#include <string_view>

#include "backends/lawful/noisy_results.h"
#include "backends/lawful/sums.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/clone.h"

namespace assay {
namespace {

// Sums over devices: what one of them has to add the others know, so the module itself is changed.
void RoundSumsOverDevices(HloModule& module, const Profile& profile, Noise& noise, std::list<Op>& plain) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (!instruction->op->depends_on_device || RuleOf(*instruction, profile).acceptance != Acceptance::kSum) continue;
      if (noise.Chance(0.5)) continue;
      for (HloComputation* called : instruction->CalledComputations())
        RoundEveryAddition(*called, plain.emplace_back());
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

// What is done differs from module to module and from input to input.
std::uint64_t SeedOf(std::uint64_t seed, const HloModule& module, const std::vector<std::vector<Literal>>& inputs) {
  std::size_t hash = seed * 31 + std::hash<std::string>()(module.name);
  for (const std::vector<Literal>& of_device : inputs) {
    for (const Literal& input : of_device) hash = hash * 31 + HashOf(input);
  }
  return hash;
}

}  // namespace

LawfulBackend::LawfulBackend(const Profile& profile, std::uint64_t seed)
    : profile_(profile),
      seed_(seed),
      description_{.name = fmt::format("lawful:{}:{}", profile.name(), seed),
                   .version = "0.1.0",
                   .max_devices = 4096,
                   .ops = {},
                   .types = {}} {}

Result<std::vector<Literal>> LawfulBackend::Run(const HloModule& module,
                                                const std::vector<std::vector<Literal>>& inputs) {
  Noise noise(SeedOf(seed_, module, inputs));
  std::list<Op> plain;
  const std::unique_ptr<HloModule> changed = CloneModule(module);
  RoundSumsOverDevices(*changed, profile_, noise, plain);
  NoisyResults results(profile_, noise);
  std::mutex mutex;
  EvaluationOptions options;
  options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
    const std::lock_guard lock(mutex);
    results.Replace(instruction, operands, result);
  };
  ASSAY_TRY(std::vector<DeviceOutputs> devices, EvaluateOnDevices(*changed, inputs, options));
  std::vector<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return outputs;
}

}  // namespace assay
