// metadata={...} and the stack tables that it refers to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "interpreter/hlo/attributes.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

namespace metadata = fields::OpMetadata;

// In the order of MetadataFields, with the same names.
constexpr const Field* kMetadataProtoFields[] = {
    &metadata::op_type,           &metadata::op_name,         &metadata::source_file,
    &metadata::source_line,       &metadata::source_end_line, &metadata::source_column,
    &metadata::source_end_column, &metadata::profile_type,    &metadata::deduplicated_name,
    &metadata::scheduling_name,   &metadata::stack_frame_id,  &metadata::metadata_payload};

const Field* FieldOfMetadata(std::string_view name) {
  const auto* const found = std::ranges::find(kMetadataProtoFields, name, &Field::name);
  return found == std::end(kMetadataProtoFields) ? nullptr : *found;
}

// Writes a field after "name=".
void WriteMetadataField(TextParser& parser, const Field& field, MessageWriter& message) {
  if (parser.Is(TokenKind::kString)) {
    const Result<std::string> text = parser.ParseString();
    if (text && field.kind == FieldKind::kMessage) {
      MessageWriter payload;
      payload.AddText(fields::Payload::value, *text);
      message.Sub(field, payload);
    } else if (text) {
      message.Text(field, *text);
    } else {
      parser.Next();
    }
  } else if (parser.At("{")) {
    if (const Result<Int64List> numbers = parser.ParseIntegers()) message.Integers(field, *numbers);
  } else if (const Result<std::int64_t> number = parser.ParseInteger()) {
    message.Integer(field, *number);
  } else {
    parser.Next();
  }
}

std::int64_t At(const Message& message, const Field& field) { return message.Integer(field); }

}  // namespace

std::string_view ReadPayload(const Message& payload, std::span<const std::string_view> payloads) {
  if (!payload.Has(fields::Payload::id)) return payload.Text(fields::Payload::value);
  const auto id = static_cast<std::uint64_t>(payload.Integer(fields::Payload::id));
  return id < payloads.size() ? payloads[id] : std::string_view();
}

Metadata ReadMetadata(const Message& message, const MetadataTables& tables) {
  Metadata result;
  const auto add = [&](const MetadataField& field, std::string_view value) {
    fmt::format_to(std::back_inserter(result.text), "{}{}={}", result.text.empty() ? "" : " ", field.name, value);
    result.is_visible |= field.makes_visible;
  };
  for (std::size_t i = 0; i < std::size(kMetadataProtoFields); ++i) {
    const MetadataField& field = MetadataFields()[i];
    const Field& proto = *kMetadataProtoFields[i];
    if (!message.Has(proto)) continue;
    if (proto.kind == FieldKind::kIntegers) {
      const Int64List numbers = message.Integers(proto);
      if (!numbers.empty()) add(field, fmt::format("{{{}}}", JoinText(numbers, ",")));
    } else if (proto.kind == FieldKind::kInteger) {
      std::int64_t number = message.Integer(proto);
      if (&proto == &metadata::stack_frame_id && tables.frames != nullptr) number = tables.frames->Use(number);
      if (number != 0) add(field, std::to_string(number));
    } else {
      const std::string_view text =
          proto.kind == FieldKind::kMessage ? ReadPayload(message.Sub(proto), tables.payloads) : message.Text(proto);
      if (!text.empty()) add(field, "\"" + Escape(text) + "\"");
    }
  }
  result.text = "{" + result.text + "}";
  return result;
}

MessageWriter WriteMetadata(std::string_view text) {
  MessageWriter message;
  TextParser parser(text);
  parser.Eat("{");
  while (parser.Is(TokenKind::kAttributeName)) {
    const Field* const field = FieldOfMetadata(parser.token().text);
    parser.Next();
    if (field == nullptr) break;
    WriteMetadataField(parser, *field, message);
    parser.Eat(",");
  }
  return message;
}

StackTables ReadStackTables(const Message& index) {
  namespace table = fields::StackFrameIndexProto;
  namespace place = fields::StackFrameIndexProto_FileLocation;
  namespace frame = fields::StackFrameIndexProto_StackFrame;
  StackTables::Rows rows;
  for (const std::string_view name : index.Texts(table::file_names)) rows.files.emplace_back(name);
  for (const std::string_view name : index.Texts(table::function_names)) rows.functions.emplace_back(name);
  for (const std::string_view bytes : index.Texts(table::file_locations)) {
    const Message row(bytes);
    rows.locations.push_back({At(row, place::file_name_id), At(row, place::function_name_id), At(row, place::line),
                              At(row, place::end_line), At(row, place::column), At(row, place::end_column)});
  }
  // The parent in the text is one larger.
  for (const std::string_view bytes : index.Texts(table::stack_frames)) {
    const Message row(bytes);
    const std::int64_t parent = std::clamp<std::int64_t>(At(row, frame::parent_frame_id), -1, INT32_MAX);
    rows.frames.push_back({At(row, frame::file_location_id), parent + 1});
  }
  return StackTables(std::move(rows));
}

MessageWriter WriteStackTables(const std::string& text) {
  namespace table = fields::StackFrameIndexProto;
  MessageWriter index;
  StackTables tables;
  TextParser parser(text);
  if (text.empty() || !tables.Parse(parser)) return index;
  const StackTables::Rows& rows = tables.text_rows();
  for (const std::string& name : rows.files) index.AddText(table::file_names, name);
  for (const std::string& name : rows.functions) index.AddText(table::function_names, name);
  constexpr const Field* kPlaceFields[] = {&fields::StackFrameIndexProto_FileLocation::file_name_id,
                                           &fields::StackFrameIndexProto_FileLocation::function_name_id,
                                           &fields::StackFrameIndexProto_FileLocation::line,
                                           &fields::StackFrameIndexProto_FileLocation::end_line,
                                           &fields::StackFrameIndexProto_FileLocation::column,
                                           &fields::StackFrameIndexProto_FileLocation::end_column};
  for (const auto& row : rows.locations) {
    MessageWriter place;
    for (std::size_t i = 0; i < row.size(); ++i) place.Integer(*kPlaceFields[i], row[i]);
    index.Sub(table::file_locations, place);
  }
  for (const auto& [location, parent] : rows.frames) {
    MessageWriter frame;
    frame.Integer(fields::StackFrameIndexProto_StackFrame::file_location_id, location);
    frame.Integer(fields::StackFrameIndexProto_StackFrame::parent_frame_id, parent - 1);
    index.Sub(table::stack_frames, frame);
  }
  return index;
}

}  // namespace assay::proto
