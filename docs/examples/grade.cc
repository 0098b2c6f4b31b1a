// Evaluates a module, judges a result of its root, grades a backend on the module, and runs the cases of a golden file.
#include <cmath>
#include <cstdio>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "conformance/running/outcome.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"

using namespace assay;

constexpr const char* kModule = R"(HloModule m

ENTRY e {
  x = f32[3] parameter(0)
  ROOT y = f32[3] exponential(x)
}
)";

void Print(const char* what, Verdict verdict, const std::string& reason) {
  std::printf("%s: %s%s%s\n", what, VerdictName(verdict).data(), reason.empty() ? "" : ", ", reason.c_str());
}

Result<int> Grade(const char* golden) {
  // Evaluate.
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ParseHloModule(kModule));
  ASSAY_CHECK_OK(VerifyHloModule(*module));
  ASSAY_TRY(const Literal x, ParseLiteral("f32[3] {0, 1, -inf}"));
  ASSAY_TRY(const Literal want, Evaluate(*module, {x}));
  std::printf("%s\n", LiteralUtil::ToString(want).c_str());

  // Judge results of your own: an error of 1 ULP, and one of a percent.
  Literal got = want;
  got.Set<float>({1}, std::nextafter(want.Get<float>({1}), 0.0f));
  Judgement judgement = JudgeInstruction(*module->entry->root, {&x, 1}, want, got, XlaProfile());
  Print("1 ULP", judgement.verdict, judgement.reason);
  got.Set<float>({1}, want.Get<float>({1}) * 1.01f);
  judgement = JudgeInstruction(*module->entry->root, {&x, 1}, want, got, XlaProfile());
  Print("1 percent", judgement.verdict, judgement.reason);

  // Grade a backend, on the module and on a file of the corpus.
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend("reference", 10));
  ASSAY_TRY(const ModuleReport report, CompareModule(*backend, *module, DeviceValues{{x}}, {}));
  Print("the module", report.verdict, report.reason);
  Status judged;  // the error of a file that cannot be read, or of a broken case: neither has a verdict
  RunGoldenFile(*backend, golden, {.profile = XlaProfile(), .limits = {}, .filter = {}}, [&](const Outcome& outcome) {
    if (outcome.unjudged) {
      judged = *outcome.unjudged;
    } else {
      Print(outcome.name.c_str(), outcome.verdict(), outcome.reason());
    }
  });
  ASSAY_CHECK_OK(judged);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Result<int> done = Grade(argv[1]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
