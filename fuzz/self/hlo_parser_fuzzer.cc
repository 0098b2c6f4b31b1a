// HLO text. Any bytes parse, or fail with a place. A parsed module prints, and the print parses again. The verifier
// accepts any parsed module as input.
#include <string>

#include "fuzz/self/target.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"

ASSAY_FUZZ_TARGET(hlo_parser) {
  const SmallLimits limits;
  const auto module = ParseHloModule(text);
  if (!module) {
    RenderError(module.error(), text, "");
    return;
  }
  PrintHloModule(**module, PrintOptions::ShortParsable());
  const std::string full = PrintHloModule(**module, PrintOptions::Exact());
  const auto again = ParseHloModule(full);
  Require(again.has_value(), "a print reads back: " + (again ? "" : RenderError(again.error(), full, "")));
  for (const Error& error : FindIllegal(**module)) RenderError(error, text, "");
  FindIllegal(**module, {.layout_sensitive = true});
}
