#include "fuzz/misses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/compare.h"
#include "conformance/files.h"
#include "generate/random_instructions.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {
namespace {

constexpr std::string_view kRandom = "random/";

// Nothing for a module that the reference does not run with these arguments.
std::optional<JudgedCase> Evaluated(std::string name, std::shared_ptr<const HloModule> module,
                                    std::vector<Literal> arguments) {
  std::vector<std::vector<Literal>> operands(module->replica_count * module->num_partitions);
  EvaluationOptions options;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal> values, const Literal&,
                         DeviceId device) {
    if (&instruction != module->entry->root) return;
    operands[device.replica * module->num_partitions + device.partition].assign(values.begin(), values.end());
  };
  Result<Literal> want = EvaluateTogether(*module, arguments, options);
  if (!want) return std::nullopt;
  return JudgedCase{std::move(name), std::move(module), std::move(arguments), Flat(operands), *std::move(want)};
}

std::set<std::string_view> OpsOf(const HloModule& module) {
  std::set<std::string_view> ops;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) ops.insert(instruction->op->name);
  }
  return ops;
}

bool IsFiniteElement(const Literal& value, std::int64_t offset) {
  for (int i = 0; i < ComponentsOf(value.element_type()); ++i) {
    if (!std::isfinite(RealValue(ComponentAt(value, offset * ComponentsOf(value.element_type()) + i)))) return false;
  }
  return true;
}

// Calls visit(value, offset) for each element of each array of the operands.
template <class Predicate>
bool AnyRealElement(std::span<const Literal> values, const Predicate& predicate) {
  return std::ranges::any_of(values, [&](const Literal& value) {
    if (!value.shape().IsArray() || !IsReal(value.element_type())) return AnyRealElement(value.elements(), predicate);
    for (std::int64_t i = 0; i < value.element_count(); ++i) {
      if (predicate(value, i)) return true;
    }
    return false;
  });
}

// Which freedom covers a difference, by rules simpler than the judge's: the distance in units of the last place, and
// what kind of numbers are there. Empty: none.
class Excuse {
 public:
  Excuse(const JudgedCase& judged, const Profile& profile) : judged_(judged), profile_(profile) {
    const HloInstruction& root = *judged.module->entry->root;
    const Shape& shape = root.operands.empty() ? root.shape : root.operand(0).shape;
    allowance_ = shape.IsArray() ? profile.AllowanceOf(root.op->name, shape.element_type()).ulp : 0;
    is_function_ = root.op->RuleForComplex() == Acceptance::kUlp;
    is_order_open_ = root.op->row_order != nullptr && !root.op->row_order(root).is_stable;
    has_subnormal_ = AnyRealElement(judged.root_operands, [](const Literal& value, std::int64_t i) {
      for (int c = 0; c < ComponentsOf(value.element_type()); ++c) {
        if (IsSubnormal(ComponentAt(value, i * ComponentsOf(value.element_type()) + c))) return true;
      }
      return false;
    });
    has_not_finite_ = AnyRealElement(judged.root_operands,
                                     [](const Literal& value, std::int64_t i) { return !IsFiniteElement(value, i); });
  }

  std::string Of(const Literal& want, const Literal& got) const {
    std::string reason = "nothing differs";
    for (std::size_t i = 0; i < want.elements().size(); ++i) {
      reason = Of(want.elements()[i], got.elements()[i]);
      if (reason.empty()) return {};
    }
    if (!want.shape().IsArray()) return reason;
    if (is_order_open_) return "the order of ties is open";
    for (std::int64_t i = 0; i < want.element_count(); ++i) {
      if (SameElement(want, got, i)) continue;
      reason = OfElement(want, got, i);
      if (reason.empty()) return {};
    }
    return reason;
  }

 private:
  std::string OfElement(const Literal& want, const Literal& got, std::int64_t offset) const {
    if (!IsReal(want.element_type())) return {};
    const double ulps = WorstUlps(want, got, offset);
    if (profile_.Allows(Freedom::kZeroSign) && ulps == 0) return "a zero may have either sign";
    if (ulps == 0 && !profile_.SourceOfEitherZero(judged_.module->entry->root->op->name).empty()) {
      return "of two zeros either may be chosen";
    }
    if (profile_.Allows(Freedom::kNotFinite) && (has_not_finite_ || !IsFiniteElement(want, offset))) {
      return "nothing is said about numbers that are not finite";
    }
    const RealElement a = ComponentAt(want, offset * ComponentsOf(want.element_type()));
    if (profile_.Allows(Freedom::kFlush) && (has_subnormal_ || IsSubnormal(a))) return "subnormal numbers may be zeros";
    const bool is_near = ulps <= allowance_ && IsFiniteElement(want, offset) && IsFiniteElement(got, offset);
    if (is_function_ && is_near) return fmt::format("{:g} ULP are allowed", allowance_);
    return {};
  }

  const JudgedCase& judged_;
  const Profile& profile_;
  double allowance_ = 0;
  bool is_function_ = false, is_order_open_ = false, has_subnormal_ = false, has_not_finite_ = false;
};

}  // namespace

bool MutantCount::is_killed_by_corpus() const {
  return !std::ranges::all_of(killers, [](const std::string& name) { return name.starts_with(kRandom); });
}

Result<CaseLibrary> CaseLibrary::Read(const std::string& corpus) {
  CaseLibrary library;
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(corpus));
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(const GoldenFile file, ParseGoldenFile(path, text));
    std::map<std::string, std::shared_ptr<const HloModule>> modules;
    for (const GoldenCase& golden : file.cases) {
      auto& module = modules[golden.entry];
      if (module == nullptr) {
        ASSAY_TRY(module, ReadGoldenModule(file, golden.entry));
      }
      std::optional<JudgedCase> judged = Evaluated(golden.name, module, golden.arguments);
      if (!judged) continue;
      for (const std::string_view op : OpsOf(*module)) library.by_op_[std::string(op)].push_back(library.cases_.size());
      library.cases_.push_back(*std::move(judged));
    }
  }
  return library;
}

std::vector<JudgedCase> CaseLibrary::Of(std::string_view op, std::int64_t random_cases, std::uint64_t seed) const {
  std::vector<JudgedCase> cases;
  if (const auto found = by_op_.find(op); found != by_op_.end()) {
    for (const std::size_t i : found->second) cases.push_back(cases_[i]);
  }
  RandomInstructions instructions(seed);
  for (std::int64_t i = 0; i < random_cases; ++i) {
    std::optional<RandomInstruction> drawn = instructions.NextOf(op);
    if (!drawn) break;
    auto judged = Evaluated(fmt::format("{}{}", kRandom, i), std::move(drawn->module), std::move(drawn->operands));
    if (judged) cases.push_back(*std::move(judged));
  }
  return cases;
}

std::map<std::string, MutantCount> CountKills(const Mutant& mutant, const std::vector<JudgedCase>& cases,
                                              const std::vector<std::string_view>& profiles) {
  std::map<std::string, MutantCount> counts;
  MutantBackend backend(mutant);
  std::map<std::string, bool> is_hidden;
  for (const std::string_view name : profiles) {
    is_hidden[std::string(name)] = true;
    counts[std::string(name)];
  }
  for (const JudgedCase& judged : cases) {
    const auto outputs = backend.Run(*judged.module, ByDevice(*judged.module, judged.arguments));
    if (!outputs) continue;
    const Literal got = OfAllDevices(*outputs);
    const bool changes = CompareExactly(judged.want, got).verdict != Verdict::kExact;
    for (const std::string_view name : profiles) {
      MutantCount& count = counts[std::string(name)];
      if (!changes) continue;
      ++count.changed;
      const Profile& profile = BuiltInProfile(name);
      const Judgement judgement =
          JudgeInstruction(*judged.module->entry->root, judged.root_operands, judged.want, got, profile);
      if (judgement.verdict == Verdict::kFail) count.killers.push_back(judged.name);
      std::string excuse = Excuse(judged, profile).Of(judged.want, got);
      if (excuse.empty() && !mutant.open.empty() && name != ExactProfile().name()) excuse = mutant.open;
      bool& hidden = is_hidden[std::string(name)];
      hidden &= !excuse.empty();
      count.hidden = hidden ? excuse : "";
    }
  }
  return counts;
}

}  // namespace assay
