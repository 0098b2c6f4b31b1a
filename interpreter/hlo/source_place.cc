#include "interpreter/hlo/source_place.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "interpreter/hlo/metadata_text.h"
#include "interpreter/hlo/stack_tables.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {
namespace {

struct SourceFields {
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::int64_t, std::less<>> numbers;
};

// Reads metadata in the normal form that a module keeps.
Result<SourceFields> ReadSourceFields(std::string_view metadata) {
  SourceFields fields;
  TextParser parser(metadata);
  ASSAY_CHECK_OK(parser.Expect("{"));
  while (parser.Is(TokenKind::kAttributeName)) {
    const std::string name(parser.token().text);
    parser.Next();
    if (parser.Is(TokenKind::kString)) {
      ASSAY_TRY(fields.texts[name], parser.ParseString());
    } else if (parser.At("{")) {
      ASSAY_TRY([[maybe_unused]] const auto numbers, parser.ParseIntegers());
    } else {
      ASSAY_TRY(fields.numbers[name], parser.ParseInteger());
    }
  }
  return fields;
}

// Returns the file and line of a frame of the module's tables; nullopt if they lack it.
std::optional<SourcePlace> PlaceOfFrame(const HloModule& module, std::int64_t frame) {
  StackTables tables;
  TextParser parser(module.stack_tables);
  if (!tables.Parse(parser)) return std::nullopt;
  const auto& [files, functions, locations, frames] = tables.text_rows();
  const auto row = [](const auto& rows, std::int64_t id) {
    return id >= 1 && id <= static_cast<std::int64_t>(rows.size()) ? &rows[id - 1] : nullptr;
  };
  const auto* const found = row(frames, frame);
  const auto* const location = found == nullptr ? nullptr : row(locations, (*found)[0]);
  const std::string* const file = location == nullptr ? nullptr : row(files, (*location)[0]);
  if (file == nullptr) return std::nullopt;
  return SourcePlace{*file, (*location)[2], ""};
}

}  // namespace

std::optional<SourcePlace> SourcePlaceOf(const HloInstruction& instruction) {
  const auto metadata = instruction.annotations.find("metadata");
  if (metadata == instruction.annotations.end()) return std::nullopt;
  Result<SourceFields> fields = ReadSourceFields(metadata->second);
  if (!fields) return std::nullopt;
  std::optional<SourcePlace> place;
  if (fields->numbers.contains("stack_frame_id")) {
    place = PlaceOfFrame(*instruction.parent->module, fields->numbers["stack_frame_id"]);
  }
  if (!place && fields->texts.contains("source_file")) {
    place = SourcePlace{fields->texts["source_file"], fields->numbers["source_line"], ""};
  }
  if (place) place->op_name = fields->texts["op_name"];
  return place;
}

std::string SourcePlaceText(const SourcePlace& place) {
  return fmt::format("{}:{}{}", place.file, place.line,
                     place.op_name.empty() ? "" : fmt::format(" ({})", place.op_name));
}

}  // namespace assay
