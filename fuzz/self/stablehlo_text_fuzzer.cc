// StableHLO text. Any bytes are a program, or an error with a place in the text. Any program is a module, which the
// verifier accepts or refuses, or an error.
#include <string>

#include "fuzz/self/target.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/to_hlo.h"

ASSAY_FUZZ_TARGET(stablehlo_text) {
  const auto program = stablehlo::ParseText(text);
  if (!program) {
    Require(program.error().location.line > 0, "an error has a place: " + program.error().message);
    RenderError(program.error(), text, "");
    return;
  }
  if (const auto module = stablehlo::ToHlo(*program)) (void)VerifyHloModule(**module);
}
