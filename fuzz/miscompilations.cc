#include "fuzz/miscompilations.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "fuzz/pattern_program.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/printer.h"

namespace assay {
using namespace generate;
namespace {

void Count(const RewriteRow& row, const Profile& profile, std::uint64_t seed, MiscompilationCount& count) {
  const DrawnModule right = DrawPatternProgram(row, "given", seed);
  const DrawnModule faulty = DrawPatternProgram(row, "compiled", seed);
  const std::vector<Literal>& arguments = right.arguments[0];
  const Result<Literal> want = Evaluate(*right.module, arguments);
  const Result<Literal> got = Evaluate(*faulty.module, arguments);
  if (!want || !got) throw std::logic_error(fmt::format("{} is not evaluated", row.name));
  ++count.programs;
  if (CompareExactly(*want, *got).verdict != Verdict::kFail) return;
  ++count.changed;
  const Result<ValueSet> set = EvaluateSets(*right.module, arguments, profile);
  if (!set) throw std::logic_error(fmt::format("{} has no set", row.name));
  const Judgement judgement = JudgeBySet(*set, *got);
  count.failed += judgement.verdict == Verdict::kFail ? 1 : 0;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (judgement.verdict == Verdict::kFail || !count.first_miss.empty()) return;
  count.first_miss = fmt::format("{}: got {}, want {}: {} (seed {})\n{}", judgement.worst.name, judgement.worst.got,
                                 judgement.worst.want, judgement.reason, seed, PrintHloModule(*right.module));
}

}  // namespace

MiscompilationCount CountFound(const RewriteRow& row, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed) {
  MiscompilationCount count;
  for (std::int64_t i = 0; i < programs; ++i) Count(row, profile, seed * 1'000'003 + i, count);
  return count;
}

}  // namespace assay
