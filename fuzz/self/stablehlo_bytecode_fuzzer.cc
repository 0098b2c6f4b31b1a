// Portable artifacts of StableHLO. Any bytes are a program, which prints, or an error with its offset. Any program is a
// module, which the verifier accepts or refuses, or an error.
#include "fuzz/self/target.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo.h"

ASSAY_FUZZ_TARGET(stablehlo_bytecode) {
  const auto program = assay::stablehlo::ReadBytecode(assay::TextOf(data, size));
  if (program) {
    ToText(*program);
    if (const auto module = assay::stablehlo::ToHlo(*program)) (void)assay::VerifyHloModule(**module);
  } else {
    assay::Require(program.error().message.starts_with("offset "), "an error has an offset");
  }
  return 0;
}
