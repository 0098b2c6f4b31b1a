// StableHLO text. Any bytes are a program, or an error with a place in the text.
#include <string>

#include "fuzz/self/target.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/stablehlo/operation.h"

ASSAY_FUZZ_TARGET(stablehlo_text) {
  const std::string_view text = assay::TextOf(data, size);
  const auto program = assay::stablehlo::ParseText(text);
  if (!program) {
    assay::Require(program.error().location.line > 0, "an error has a place: " + program.error().message);
    assay::RenderError(program.error(), text, "");
  }
  return 0;
}
