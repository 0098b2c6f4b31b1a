#include "conformance/judging/output_judgements.h"

#include <string>
#include <utility>

#include "interpreter/acceptance/elements.h"

namespace assay {
namespace {

Judgement OrLawful(Judgement open, const ValueSet& flushed, const Literal& got) {
  if (open.verdict != Verdict::kWeak) return open;
  const Judgement other = JudgeBySet(flushed, got);
  if (other.verdict > Verdict::kLegal) return open;
  open.verdict = Verdict::kLegal;
  open.reason = "flush";
  if (!other.reason.empty() && other.reason.find(open.reason) == std::string::npos) open.reason += ", " + other.reason;
  open.tallies = {{Verdict::kLegal, open.reason, open.not_exact}};
  return open;
}

void TakeWhole(Judgement whole, ModuleReport& report) {
  report.outputs = std::move(whole);
  report.verdict = report.outputs.verdict;
  report.reason = report.outputs.reason;
}

}  // namespace

void JudgeOutputs(const ValueSet& set, const Literal& got, ModuleReport& report) {
  report.has_sets = true;
  report.elements.clear();
  report.failed.clear();
  for (std::size_t i = 0; i < set.elements.size(); ++i) {
    const ElementObserver collect = CollectFailed(report.failed, {static_cast<std::int64_t>(i)});
    report.elements.push_back(JudgeBySet(set.elements[i], got.elements()[i], collect));
  }
  TakeWhole(set.is_tuple ? JudgementOfTuple(report.elements) : JudgeBySet(set, got, CollectFailed(report.failed)),
            report);
}

std::optional<std::vector<Literal>> FlushedArguments(const std::vector<Literal>& arguments, const Profile& profile) {
  if (!profile.ArithmeticOf().flushes_subnormals) return std::nullopt;
  std::vector<Literal> flushed;
  bool are_equal = true;
  for (const Literal& argument : arguments) {
    flushed.push_back(WithSubnormalsFlushed(argument));
    are_equal &= flushed.back().BitwiseEqual(argument);
  }
  if (are_equal) return std::nullopt;
  return flushed;
}

void TakeLawfulOnFlushed(const ValueSet& flushed, const Literal& got, ModuleReport& report) {
  for (std::size_t i = 0; i < report.elements.size(); ++i) {
    report.elements[i] = OrLawful(std::move(report.elements[i]), flushed.elements[i], got.elements()[i]);
  }
  TakeWhole(flushed.is_tuple ? JudgementOfTuple(report.elements) : OrLawful(std::move(report.outputs), flushed, got),
            report);
}

}  // namespace assay
