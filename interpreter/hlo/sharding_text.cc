#include "interpreter/hlo/sharding_text.h"

#include <string_view>

namespace assay {

Result<std::string> ParseSharding(TextParser& parser) {
  std::string_view raw;
  if (!parser.At("{") || !parser.lexer().TakeBraces(raw)) return parser.Expected("a sharding in braces");
  return std::string(raw);
}

}  // namespace assay
