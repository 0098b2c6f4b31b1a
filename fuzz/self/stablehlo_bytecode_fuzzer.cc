// Portable artifacts of StableHLO. Any bytes are a program, which prints, or an error with its offset.
#include "fuzz/self/target.h"
#include "interpreter/stablehlo/print.h"

ASSAY_FUZZ_TARGET(stablehlo_bytecode) {
  const auto program = assay::stablehlo::ReadBytecode(assay::TextOf(data, size));
  if (program) {
    ToText(*program);
  } else {
    assay::Require(program.error().message.starts_with("offset "), "an error has an offset");
  }
  return 0;
}
