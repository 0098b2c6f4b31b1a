// The modules of golden files, and the results of their cases.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/cases/golden.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/to_hlo.h"

namespace assay {
namespace {

// Reduces the module to the entry `name`, or to its own for an empty name, and the computations that it calls.
Result<std::unique_ptr<HloModule>> CutToEntry(const HloModule& module, const std::string& name) {
  const HloComputation* entry = name.empty() ? module.entry : module.FindComputation(name);
  if (entry == nullptr) return Error{ErrorCode::kInput, fmt::format("the module has no computation {}", name)};
  return CloneWithEntry(module, *entry);
}

// Converts a StableHLO program. A backend that takes StableHLO gets it as it is written.
Result<std::unique_ptr<HloModule>> FromStableHlo(const std::string& text) {
  std::vector<Result<stablehlo::Program>> programs = stablehlo::ReadPrograms(text);
  if (programs.size() != 1) {
    return Error{ErrorCode::kInput, fmt::format("a golden must hold one program, found {}", programs.size())};
  }
  ASSAY_TRY(const stablehlo::Program program, std::move(programs[0]));
  ASSAY_TRY(const std::unique_ptr<HloModule> converted, stablehlo::ToHlo(program));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseHloModule(PrintHloModule(*converted, PrintOptions::Exact())));
  SetSource(*module, std::make_shared<const std::string>(text));
  return module;
}

Error BadCase(const GoldenFile& file, const GoldenCase& golden, const std::string& what,
              ErrorCode code = ErrorCode::kInput) {
  return {code, fmt::format("{}:{}: case {}: {}", file.path, golden.line, golden.name, what)};
}

// Assembles the leaves of `want` into one value with the shape of `returned`, the reference's result. A leaf of
// `returned` with the expected digest replaces a leaf that has only a digest.
Result<Literal> Assemble(const GoldenFile& file, const GoldenCase& golden, const Literal& returned) {
  std::size_t next = 0;
  bool fits = true;
  std::optional<Error> other_digest;
  const auto assemble = [&](auto& self, const Literal& part) -> Literal {
    if (part.shape().IsTuple()) {
      std::vector<Literal> elements;
      for (const Literal& element : part.elements()) elements.push_back(self(self, element));
      return Literal::MakeTuple(std::move(elements));
    }
    if (part.shape().IsToken()) return Literal::MakeToken();
    fits = fits && next < golden.want.size() && ShapeUtil::Compatible(golden.want[next].shape, part.shape());
    if (!fits) return Literal();
    const WantedLeaf& leaf = golden.want[next++];
    if (!leaf.digest) return leaf.value.WithShape(part.shape());
    if (const std::uint64_t digest = DigestOf(part); digest != *leaf.digest) {
      other_digest = BadCase(
          file, golden,
          fmt::format("the reference returns the digest {:016x}, the golden says {:016x}", digest, *leaf.digest));
    }
    return part;
  };
  Literal want = assemble(assemble, returned);
  if (other_digest) return *other_digest;
  if (fits && next == golden.want.size()) return want;
  return BadCase(
      file, golden,
      fmt::format("want does not have the shape of the result, {}", returned.shape().ToStringWithoutLayout()));
}

Result<InstructionValues> EvaluateAlone(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                        const EvaluationLimits& limits) {
  Result<InstructionValues> values = EvaluateRoot(module, ByDevice(module.device_count(), golden.arguments), limits);
  if (!values) return BadCase(file, golden, values.error().message, values.error().code);
  return values;
}

// Evaluates a case with the host's side and checks the values that reach the host against the golden. The result has no
// operands, because it is not judged.
Result<InstructionValues> EvaluateWithHost(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                           const EvaluationLimits& limits, const OpOverrides& bodies) {
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.from_host = ByDevice(module.device_count(), golden.infeed);
  Result<PerDevice<DeviceOutputs>> devices =
      EvaluateOnDevices(module, ByDevice(module.device_count(), golden.arguments), evaluation, bodies);
  if (!devices) return BadCase(file, golden, devices.error().message, devices.error().code);
  InstructionValues values;
  PerDevice<Literal> outputs;
  std::vector<Literal> to_host;
  for (DeviceOutputs& device : *devices) {
    outputs.push_back(std::move(device.output));
    to_host.insert(to_host.end(), device.to_host.begin(), device.to_host.end());
  }
  const auto is_same = [](const Literal& wanted, const Literal& given) {
    return CompareExactly(wanted, given).verdict == Verdict::kExact;
  };
  if (!std::ranges::equal(golden.outfeed, to_host, is_same)) {
    return BadCase(file, golden, "the reference does not give the host what the golden says");
  }
  values.want = OfAllDevices(std::move(outputs));
  return values;
}

}  // namespace

Result<InstructionValues> EvaluateGolden(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                         const EvaluationLimits& limits, const OpOverrides& bodies) {
  const auto devices = static_cast<std::size_t>(module.device_count());
  for (const auto& [directive, count] : {std::pair("arg", golden.arguments.size()), {"infeed", golden.infeed.size()}}) {
    if (count % devices == 0) continue;
    return BadCase(file, golden,
                   fmt::format("{} {} are not as many for each of {} devices", count, directive, devices));
  }
  Result<InstructionValues> values = golden.has_host() ? EvaluateWithHost(file, golden, module, limits, bodies)
                                                       : EvaluateAlone(file, golden, module, limits);
  if (!values) return values.error();
  const Literal returned = std::move(values->want);
  ASSAY_TRY(values->want, Assemble(file, golden, returned));
  if (CompareExactly(values->want, returned).verdict == Verdict::kExact) return values;
  return BadCase(file, golden, "the reference does not return what the golden says");
}

Result<std::unique_ptr<HloModule>> ParseModuleFile(const std::string& path, const std::string& text) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module) return InFile(path, module.error());
  const std::vector<Error> errors = FindIllegal(**module);
  if (!errors.empty()) return InFile(path, errors[0]);
  return module;
}

Status GoldenModules::Parse() {
  if (!parsing_) {
    const std::string& text = file_.expanded.text;
    Result<std::unique_ptr<HloModule>> module = IsStableHlo(file_.path) ? FromStableHlo(text) : ParseHloModule(text);
    if (module) parsed_ = *std::move(module);
    parsing_ = module ? Status() : Status(InFile(file_, module.error()));
  }
  return *parsing_;
}

Status GoldenModules::Verify() {
  ASSAY_CHECK_OK(Parse());
  if (!verification_) {
    const std::vector<Error> errors = FindIllegal(*parsed_);
    verification_ = errors.empty() ? Status() : Status(InFile(file_, errors[0]));
  }
  return *verification_;
}

Result<std::unique_ptr<HloModule>> GoldenModules::WithEntry(const std::string& entry) {
  ASSAY_CHECK_OK(Verify());
  return CutToEntry(*parsed_, entry);
}

Result<std::unique_ptr<HloModule>> GoldenModules::Refused(const GoldenCase& golden) {
  ASSAY_CHECK_OK(Parse());
  ASSAY_TRY(std::unique_ptr<HloModule> module, CutToEntry(*parsed_, golden.entry));
  const std::vector<Error> errors = FindIllegal(*module);
  if (errors.empty()) return BadCase(file_, golden, "the reference does not refuse the module");
  const auto says_it = [&](const Error& error) { return error.message.find(golden.refused) != std::string::npos; };
  if (std::ranges::any_of(errors, says_it)) return module;
  return BadCase(file_, golden,
                 fmt::format("the reference refuses the module for another reason: {}", errors[0].message));
}

Result<std::unique_ptr<HloModule>> ReadGoldenModule(const GoldenFile& file, const std::string& entry) {
  return GoldenModules(file).WithEntry(entry);
}

Result<std::unique_ptr<HloModule>> ReadRefusedModule(const GoldenFile& file, const GoldenCase& golden) {
  return GoldenModules(file).Refused(golden);
}
}  // namespace assay
