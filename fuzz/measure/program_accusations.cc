#include "fuzz/measure/program_accusations.h"

#include <fmt/format.h>

#include "backends/lawful/lawful.h"
#include "fuzz/float_programs.h"
#include "fuzz/generate/modules.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/hlo/printer.h"

namespace assay {
using namespace generate;
namespace {

void CountProgram(const DrawnModule& drawn, const Profile& profile, std::uint64_t seed, std::int64_t number,
                  ProgramCount& count) {
  LawfulBackend backend(profile, seed * 1'000'003 + number);
  const Result<PerDevice<Literal>> got = backend.Run(*drawn.module, drawn.arguments);
  if (!got) return;
  const Result<ValueSet> set = EvaluateSets(*drawn.module, drawn.arguments[0], profile);
  if (!set) return;
  const Judgement judgement = JudgeBySet(*set, (*got)[0]);
  ++count.programs;
  count.elements += judgement.elements;
  count.inexact += judgement.not_exact > 0 ? 1 : 0;
  count.legal += judgement.verdict == Verdict::kLegal ? 1 : 0;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (!IsFailure(judgement.verdict)) return;
  ++count.accusations;
  if (count.told.size() == kMostTold) return;
  count.told.push_back(fmt::format("program {}: {}: got {}, want {}: {}\n{}", number, judgement.worst.name,
                                   judgement.worst.got, judgement.worst.want, judgement.reason,
                                   PrintHloModule(*drawn.module)));
}

}  // namespace

ProgramCount CountProgramAccusations(const Profile& profile, std::int64_t programs, std::uint64_t seed,
                                     ProgramKind kind, std::int64_t skipped) {
  Random random(seed);
  ModuleWishes constraints;
  constraints.may_have_devices = false;
  constraints.most_draws = 8;  // longer programs are likelier to contain transfers or collectives, which have no set
  ProgramCount count;
  for (std::int64_t i = 0; i < skipped + programs; ++i) {
    const DrawnModule drawn = kind == ProgramKind::kFloats ? DrawFloatProgram(random) : DrawModule(random, constraints);
    if (i >= skipped) CountProgram(drawn, profile, seed, i, count);
  }
  return count;
}

}  // namespace assay
