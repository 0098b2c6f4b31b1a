#include "interpreter/stablehlo/to_hlo_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "interpreter/hlo/lexer.h"
#include "interpreter/types/ascii.h"

namespace assay::stablehlo {
namespace {

struct TypeAndName {
  std::string_view type;
  std::string name;
};

// Splits the name of a location as XLA does. Fused locations have several names, with semicolons between them. A name
// ends before an "@". One that ends with a colon is a type, which counts only if it is the first.
TypeAndName SplitName(std::string_view names) {
  TypeAndName split;
  bool has_name = false;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(';', begin), names.size());
    std::string_view name = names.substr(begin, end - begin);
    name = name.substr(0, name.find('@'));
    if (!name.ends_with(':')) {
      if (has_name) split.name += ';';
      split.name += name;
      has_name = true;
    } else if (begin == 0) {
      split.type = name.substr(0, name.size() - 1);
    }
    begin = end + 1;
  }
  return split;
}

}  // namespace

std::int64_t FrameNumbers::NumberStack(const std::vector<SourceFrame>& frames) {
  std::int64_t number = 0;
  for (std::size_t i = frames.size(); i-- > 0;) {  // the outermost first
    const SourceFrame& frame = frames[i];
    const std::int64_t file = tables_.files.Number(frame.file), function = tables_.functions.Number(frame.function);
    const std::int64_t place =
        tables_.locations.Number({file, function, frame.line, frame.end_line, frame.column, frame.end_column});
    number = tables_.frames.Number({place, number + 1});
  }
  return number;
}

std::size_t FrameNumbers::ByContent::operator()(const Location* location) const {
  std::size_t hash = std::hash<std::string>()(location->name);
  for (const SourceFrame& frame : location->frames) {
    const auto point = static_cast<std::size_t>(frame.line) << 16 ^ static_cast<std::size_t>(frame.column);
    hash = hash * 31 + std::hash<std::string>()(frame.function) + point;
  }
  return hash;
}

bool FrameNumbers::ByContent::operator()(const Location* a, const Location* b) const {
  return a->name == b->name && std::ranges::equal(a->frames, b->frames, [](const SourceFrame& x, const SourceFrame& y) {
           const auto numbers = [](const SourceFrame& f) {
             return std::tuple(f.line, f.column, f.end_line, f.end_column);
           };
           return numbers(x) == numbers(y) && x.function == y.function && x.file == y.file;
         });
}

std::string_view FrameNumbers::Metadata(const Location& location) {
  if (location.name.empty() && location.frames.empty()) return {};
  const auto known = known_.find(&location);
  return known != known_.end() ? known->second : known_.emplace(&location, MetadataText(location)).first->second;
}

std::string FrameNumbers::MetadataText(const Location& location) {
  const auto [type, name] = SplitName(location.name);
  std::string text;
  if (!type.empty()) text += fmt::format("op_type=\"{}\"", Escape(type));
  if (!name.empty()) text += fmt::format("{}op_name=\"{}\"", text.empty() ? "" : " ", Escape(name));
  const bool has_stack = !location.frames.empty() &&
                         std::ranges::none_of(location.frames, [](const auto& f) { return f.function.empty(); });
  if (has_stack) {
    text += fmt::format("{}stack_frame_id={}", text.empty() ? "" : " ", NumberStack(location.frames));
  } else if (!location.frames.empty() && !location.frames[0].file.empty()) {
    const SourceFrame& frame = location.frames[0];
    text += fmt::format("{}source_file=\"{}\"", text.empty() ? "" : " ", Escape(frame.file));
    if (frame.line != 0) text += fmt::format(" source_line={} source_end_line={}", frame.line, frame.end_line);
    if (frame.column != 0)
      text += fmt::format(" source_column={} source_end_column={}", frame.column, frame.end_column);
  }
  return text.empty() ? text : "{" + text + "}";
}

std::string_view BaseNameOf(const Location& location) {
  std::string_view name = location.name;
  while (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.find_last_of('/') + 1);
  const bool starts_well = !name.empty() && (IsAsciiLetter(name[0]) || name[0] == '_');
  return starts_well ? name : std::string_view();
}

}  // namespace assay::stablehlo
