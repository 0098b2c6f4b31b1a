#include "interpreter/types/replace_all.h"

namespace assay {

std::string ReplaceAll(std::string text, std::string_view what, std::string_view by) {
  std::string replaced;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = text.find(what, begin)) != std::string::npos; begin = at + what.size()) {
    replaced.append(text, begin, at - begin).append(by);
  }
  return begin == 0 ? text : replaced.append(text, begin);
}

}  // namespace assay
