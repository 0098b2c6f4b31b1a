// Portable artifacts of StableHLO. Any bytes are a program, which prints, or an error with its offset. Any program is a
// module, which the verifier accepts or refuses, or an error.
#include "fuzz/self/target.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo.h"

ASSAY_FUZZ_TARGET(stablehlo_bytecode) {
  const auto program = stablehlo::ReadBytecode(text);
  if (program) {
    ToText(*program);
    if (const auto module = stablehlo::ToHlo(*program)) (void)VerifyHloModule(**module);
  } else {
    Require(program.error().message.starts_with("offset "), "an error has an offset");
  }
}
