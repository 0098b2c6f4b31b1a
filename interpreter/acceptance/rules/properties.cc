// properties: the properties that define the result, as the op or the target of a custom call names them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/custom_call_target.h"

namespace assay {
namespace {

class PropertiesRule : public AcceptanceRule {
 public:
  explicit PropertiesRule(const JudgedInstruction& judged) : judged_(judged) {}

  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kLegal, "approximation"};  // the result is judged as a whole
  }

  std::vector<std::string> Explain(const Literal& want, const Place&) override {
    std::vector<std::string> steps = {"properties: the result as a whole must have those that define it"};
    // The report on the reference's own result has the shares of each bound that its roundings use.
    const std::optional<Literal> whole = WholeResult(want);
    if (!whole) return steps;
    const PropertyReport report = ReportOn(*whole, *whole);
    for (const Property& property : report.properties) {
      steps.push_back(
          fmt::format("{}: the exact value, rounded, uses {:.3g} of the bound", property.name, property.share));
    }
    if (!report.open.empty()) steps.push_back(fmt::format("SPEC-GAP: {}", report.open));
    return steps;
  }

  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    const PropertyReport report = ReportOn(want, got);
    const bool is_open = !report.open.empty();
    judgement.verdict = is_open ? Verdict::kSpecGap : Verdict::kLegal;
    judgement.reason = is_open ? report.open : "approximation";
    judgement.worst.share = 0;
    for (const Property& property : report.properties) {
      const double share = std::isnan(property.share) ? INFINITY : property.share;
      if (share <= judgement.worst.share) continue;
      judgement.worst.share = share;
      if (share <= 1) continue;
      judgement.verdict = Verdict::kFail;
      judgement.reason = fmt::format("the result does not have the property {}", property.name);
    }
    if (judgement.verdict != Verdict::kFail || HasProperties(want)) return;
    judgement.verdict = Verdict::kWeak;
    judgement.reason += "; neither does that of the reference, which is out of the type's range";
  }

 private:
  bool HasProperties(const Literal& result) const {
    const PropertyReport report = ReportOn(result, result);
    return std::ranges::all_of(report.properties, [](const Property& property) { return property.share <= 1; });
  }

  // Returns the whole result. For a tuple evaluates it again, because `leaf` is only a part.
  std::optional<Literal> WholeResult(const Literal& leaf) const {
    if (!judged_.instruction.shape.IsTuple()) return leaf;
    return EvaluateAlone(judged_.instruction, {judged_.operands.begin(), judged_.operands.end()});
  }

  PropertyReport ReportOn(const Literal& want, const Literal& got) const {
    const HloInstruction& instruction = judged_.instruction;
    const auto properties = AcceptanceOf(instruction).rule == Acceptance::kTarget
                                ? (*FindCustomCallTarget(instruction))->properties
                                : AcceptanceOf(instruction).Fact<PropertiesFunction>();
    return properties(instruction, judged_.operands, want, got);
  }

  const JudgedInstruction& judged_;
};

constexpr double kUlpsOfSolution = 2;

// The signs and bases that are free are those of the sampled run.
void DisturbProperties(const JudgedInstruction&, Disturbance& disturbance, Literal& result) {
  disturbance.Add(result, kUlpsOfSolution);
}

}  // namespace

const Rule rule_properties = {
    .name = "properties",
    .takes_an_order = true,
    .make = MakeJudge<PropertiesRule>,
    .disturb = DisturbProperties,
    .noise = "algorithm",
};

}  // namespace assay
