#include "conformance/running/golden_result.h"

#include <algorithm>

#include "conformance/cases/inputs.h"
#include "interpreter/types/limits.h"

namespace assay {

Result<GoldenResult> JudgeGolden(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                 CompiledModule& compiled, const CaseOptions& options) {
  const HloModule& module = compiled.module();
  ASSAY_TRY(const InstructionValues reference, EvaluateGolden(file, golden, module, options.limits));
  const DeviceValues arguments = ByDevice(module.device_count(), golden.arguments);
  Result<PerDevice<Literal>> outputs = compiled.Run(arguments);
  const auto with_evidence = [&](GoldenResult result, const Literal* got) {
    if (result.judgement.verdict >= Verdict::kFail) {
      result.evidence = EvidenceOf(module, golden.arguments, reference.want, got);
    }
    return result;
  };
  if (!outputs) return with_evidence({JudgementOf(outputs.error()), ""}, nullptr);
  const Literal got = OfAllDevices(*std::move(outputs));
  const TimeLimit time(options.judging.seconds, options.judging.option);
  if (options.on_judging) options.on_judging("the rule", *module.entry->root);
  CaseJudge judge(backend, module, arguments, reference, got, options.limits);
  GoldenResult result = {judge.Judge(options.profile), std::string(kProfileChain[0])};
  if (result.judgement.verdict == Verdict::kExact) return result;
  const auto narrowest = std::ranges::find_if(
      kProfileChain, [&](std::string_view name) { return judge.Judge(BuiltInProfile(name)).verdict < Verdict::kFail; });
  result.narrowest_profile = narrowest == std::end(kProfileChain) ? "" : *narrowest;
  return with_evidence(std::move(result), &got);
}

Result<GoldenResult> JudgeRefusal(const GoldenCase& golden, GoldenModules& modules, Backend& backend) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, modules.Refused(golden));
  const GoldenResult refused = {{}, std::string(kProfileChain[0])};
  switch (backend.description().verification) {
    case Verification::kOfAssay:  // assay's verifier has just refused the module
      return refused;
    case Verification::kNone:
      return GoldenResult{
          JudgementOf({ErrorCode::kUnsupported, "modules that must be refused: the backend has no verifier"}), ""};
    case Verification::kItsOwn:
      break;
  }
  ASSAY_TRY(const Inputs inputs, ReadInputs(*module, {}));
  const Result<PerDevice<Literal>> outputs = backend.Run(*module, inputs.per_device);
  if (outputs) {
    GoldenResult run;
    run.judgement.verdict = Verdict::kFail;
    run.judgement.reason = "a module that must be refused was run";
    return run;
  }
  const Judgement refusal = JudgementOf(outputs.error());
  const bool is_refused = refusal.verdict == Verdict::kError || refusal.verdict == Verdict::kUnsupported;
  return is_refused ? refused : GoldenResult{refusal, ""};
}

Result<GoldenResult> JudgeWithHost(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                   const CaseOptions& options) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ReadGoldenModule(file, golden.entry));
  ASSAY_CHECK_OK(EvaluateGolden(file, golden, *module, options.limits));
  const OpOverrides* bodies = backend.description().bodies;
  if (bodies == nullptr) {
    return GoldenResult{
        JudgementOf({ErrorCode::kUnsupported, "infeed and outfeed: no backend but the reference has a host"}), ""};
  }
  const Result<InstructionValues> own = EvaluateGolden(file, golden, *module, options.limits, *bodies);
  if (own) return GoldenResult{{}, std::string(kProfileChain[0])};
  GoldenResult failed;
  failed.judgement.verdict = Verdict::kFail;
  failed.judgement.reason = own.error().message;
  return failed;
}

}  // namespace assay
