#include "interpreter/types/join_text.h"

#include <fmt/format.h>

namespace assay {
namespace {

void AppendElement(std::string& text, std::string_view element) { text += element; }
void AppendElement(std::string& text, std::int64_t element) { text += fmt::format_int(element).c_str(); }

template <class T>
std::string JoinElements(std::span<const T> list, std::string_view separator) {
  std::string text;
  for (const T& element : list) {
    if (&element != list.data()) text += separator;
    AppendElement(text, element);
  }
  return text;
}

}  // namespace

std::string JoinText(std::span<const std::string> list, std::string_view separator) {
  return JoinElements(list, separator);
}
std::string JoinText(std::span<const std::string_view> list, std::string_view separator) {
  return JoinElements(list, separator);
}
std::string JoinText(std::span<const std::int64_t> list, std::string_view separator) {
  return JoinElements(list, separator);
}
std::string JoinText(std::span<const int> list, std::string_view separator) { return JoinElements(list, separator); }
std::string JoinText(const std::vector<bool>& list, std::string_view separator) {
  std::vector<std::string_view> words;
  for (const bool element : list) words.push_back(element ? "true" : "false");
  return JoinText(words, separator);
}

}  // namespace assay
