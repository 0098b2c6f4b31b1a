// HLO text. Any bytes parse, or fail with a place. A parsed module prints, and the print parses again. The verifier
// accepts any parsed module as input.
#include <string>

#include "fuzz/self/target.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"

ASSAY_FUZZ_TARGET(hlo_parser) {
  const assay::SmallLimits limits;
  const std::string_view text = assay::TextOf(data, size);
  const auto module = assay::ParseHloModule(text);
  if (!module) {
    assay::RenderError(module.error(), text, "");
    return 0;
  }
  assay::PrintHloModule(**module, assay::PrintOptions::ShortParsable());
  const std::string full = assay::PrintHloModule(**module, assay::PrintOptions::Exact());
  const auto again = assay::ParseHloModule(full);
  assay::Require(again.has_value(), "a print reads back: " + (again ? "" : RenderError(again.error(), full, "")));
  for (const assay::Error& error : assay::FindIllegal(**module)) assay::RenderError(error, text, "");
  assay::FindIllegal(**module, {.layout_sensitive = true});
  return 0;
}
