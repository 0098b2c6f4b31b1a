// Any bytes parse or give an error with a place; what parses prints, and the print parses again. The texts of
// spec_tests/hlo/texts make a good seed corpus: hlo_parser_fuzzer CORPUS spec_tests/hlo/texts.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = assay::ParseHloModule(text);
  if (!module.has_value()) {
    assay::RenderError(module.error(), text, "");
    return 0;
  }
  assay::PrintHloModule(**module, assay::PrintOptions::ShortParsable());
  const std::string full = assay::PrintHloModule(**module, assay::PrintOptions::Exact());
  if (const auto again = assay::ParseHloModule(full); !again.has_value()) {
    std::fputs(assay::RenderError(again.error(), full, "").c_str(), stderr);
    std::abort();
  }
  return 0;
}
