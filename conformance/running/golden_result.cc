#include "conformance/running/golden_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/running/digest.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

void AddBytesOf(const Literal& value, Digest& digest) {
  for (const Literal& element : value.elements()) AddBytesOf(element, digest);
  digest.Add({reinterpret_cast<const char*>(value.data()), static_cast<std::size_t>(value.byte_size())});
}

}  // namespace

std::string DigestOfBits(const Literal& value) {
  Digest digest;
  AddBytesOf(value, digest);
  return fmt::format("{:016x}", digest.value());
}

Result<GoldenResult> JudgeGolden(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                 CompiledModule& compiled, const CaseOptions& options) {
  const HloModule& module = compiled.module();
  ASSAY_TRY(const InstructionValues reference, EvaluateGolden(file, golden, module, options.limits));
  const DeviceValues arguments = ByDevice(module.device_count(), golden.arguments);
  Result<PerDevice<Literal>> outputs = compiled.Run(arguments);
  const auto with_evidence = [&](GoldenResult result, const Literal* got) {
    if (IsFailure(result.judgement.verdict)) {
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
  result.bits = DigestOfBits(got);
  if (result.judgement.verdict == Verdict::kExact) return result;
  result.metrics = MetricsOf(reference.want, got);
  const auto narrowest = std::ranges::find_if(
      kProfileChain, [&](std::string_view name) { return !IsFailure(judge.Judge(BuiltInProfile(name)).verdict); });
  result.narrowest_profile = narrowest == std::end(kProfileChain) ? "" : *narrowest;
  return with_evidence(std::move(result), &got);
}

Result<GoldenResult> JudgeAlone(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                const CaseOptions& options) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ReadGoldenModule(file, golden.entry));
  CompiledModule compiled(backend, std::move(module));
  return JudgeGolden(file, golden, backend, compiled, options);
}

Result<Judgement> Neighbours::Judge(const GoldenCase& refused) {
  const auto judged = judged_.find(refused.neighbour);
  return judged != judged_.end() ? judged->second : judged_.emplace(refused.neighbour, Run(refused)).first->second;
}

Result<Judgement> Neighbours::Run(const GoldenCase& refused) {
  ASSAY_TRY(const NamedCase neighbour, FindNeighbour(file_, refused));
  ASSAY_TRY(GoldenResult result, JudgeAlone(neighbour.file, neighbour.golden, backend_, options_));
  return std::move(result.judgement);
}

namespace {

GoldenResult Unsupported(std::string reason) { return {JudgementOf({ErrorCode::kUnsupported, std::move(reason)}), ""}; }

// Judges the answer of a backend to a module that must be refused, whatever it does with other modules.
Result<Judgement> JudgeAnswer(const HloModule& module, Backend& backend) {
  // assay's verifier has refused the module already.
  if (backend.description().verification == Verification::kOfAssay) return Judgement();
  ASSAY_TRY(const Inputs inputs, ReadInputs(module, {}));
  const Result<PerDevice<Literal>> outputs = backend.Run(module, inputs.per_device);
  Judgement judgement;
  if (outputs) {
    judgement.verdict = Verdict::kFail;
    judgement.reason = "a module that must be refused was run";
    return judgement;
  }
  const Judgement refusal = JudgementOf(outputs.error());
  const bool is_refused = refusal.verdict == Verdict::kError || refusal.verdict == Verdict::kUnsupported;
  return is_refused ? judgement : refusal;
}

}  // namespace

Result<GoldenResult> JudgeRefusal(const GoldenCase& golden, GoldenModules& modules, Backend& backend,
                                  Neighbours& neighbours) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, modules.Refused(golden));
  if (backend.description().verification == Verification::kNone) {
    return Unsupported("modules that must be refused: the backend has no verifier");
  }
  ASSAY_TRY(Judgement answer, JudgeAnswer(*module, backend));
  if (answer.verdict != Verdict::kExact) return GoldenResult{std::move(answer), ""};
  ASSAY_TRY(const Judgement neighbour, neighbours.Judge(golden));
  const bool runs_it = !IsFailure(neighbour.verdict) && neighbour.verdict != Verdict::kUnsupported;
  if (runs_it) return GoldenResult{{}, std::string(kProfileChain[0])};
  return Unsupported(
      fmt::format("a refusal that proves nothing: the backend does not run the legal neighbour either\n"
                  "{}: {}: {}",
                  golden.neighbour, VerdictName(neighbour.verdict), neighbour.reason));
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
