// The runs of a module that samples compare: the reference's, and lawful ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/acceptance/choices.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decisions.h"
#include "interpreter/acceptance/statistics/samples/sampled_output.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

class SampleRuns {
 public:
  // The arguments must outlive this object. Runs add instructions with many lawful results to `choices`.
  SampleRuns(const HloModule& module, const DeviceValues& arguments, const Profile& profile,
             const EvaluationLimits& limits, Choices& choices)
      : module_(module),
        arguments_(arguments),
        profile_(profile),
        flushes_(profile.ArithmeticOf().flushes_subnormals),
        limits_(limits),
        choices_(choices),
        over_devices_(arguments.size()) {}

  // Runs the module without errors, and records its decisions.
  Status RunReference(Decisions& decisions);
  // Runs the module with errors; sums are those of algorithm `order` of AllSumOrders. With an odd seed all subnormal
  // results are zeros, if the profile allows that, and in every second of these runs all subnormal arguments.
  Result<Literal> Run(Decisions& decisions, std::size_t order, std::uint64_t seed);
  // The same with every error kTimesLarger times as large.
  Result<Literal> RunWithLargerErrors(Decisions& decisions, std::size_t order, std::uint64_t seed);
  // The same with errors that differ from use to use of a value.
  Result<Literal> RunWithErrorsOfUses(Decisions& decisions, std::size_t order, std::uint64_t seed);
  // Runs the module as the reference does, but for these decisions.
  Result<Literal> RunExactly(Decisions& decisions);

  // Statistics compare arrays with sums whose errors are independent; by default half of an error is common to all
  // elements.
  void MakeErrorsIndependent() { errors_ = Disturbance::Errors::kIndependent; }
  // The errors that a value's numbers may have though no run shows them: those of the instructions that it follows
  // from. RunReference finds them.
  SampledOutput::LeastErrors LeastErrorsOf(const HloInstruction& value) const;
  // True if the errors of a sum were larger than those of any algorithm.
  bool has_rough_sums() const { return has_rough_sums_; }
  // Returns the fault of the sums of parameters and constants that instructions only move into an output of one device,
  // as the sums' rule finds it in all of them together; empty if there is none.
  std::string FaultOfMovedSums(const HloInstruction& output, const Literal& want, const Literal& got) const;
  // The limit that ended a run; empty if none did.
  const std::string& limit() const { return limit_; }

 private:
  enum class Uses { kAlike, kDiffer };
  // Returns a run for each device: what it knows of a value is that device's.
  std::vector<SampledRun> RunOfEachDevice(std::size_t order, std::uint64_t seed) const;
  Result<Literal> RunWithErrors(Decisions& decisions, std::size_t order, std::uint64_t seed, double times, Uses uses);
  Result<Literal> Evaluated(const DeviceValues& arguments, const EvaluationOptions& options);
  static void SeeUnit(const Literal& result, SampledOutput::LeastErrors& least);
  void SeeSubnormals(const Literal& value, SampledOutput::LeastErrors& least) const;

  const HloModule& module_;
  const DeviceValues& arguments_;
  const Profile& profile_;
  const bool flushes_;  // subnormal numbers, in any instruction
  const EvaluationLimits& limits_;
  Choices& choices_;
  SumsOverDevices over_devices_;  // of the reference
  std::mutex mutex_;
  Disturbance::Errors errors_ = Disturbance::Errors::kBiased;
  bool has_rough_sums_ = false;
  std::string limit_;
  std::unordered_map<const HloInstruction*, SampledOutput::LeastErrors> least_;  // of each instruction alone
};

}  // namespace assay
