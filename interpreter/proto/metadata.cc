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

// In the order of the numbers of a location in StackTables.
namespace location_field = fields::StackFrameIndexProto_FileLocation;
constexpr const Field* kLocationFields[] = {&location_field::file_name_id, &location_field::function_name_id,
                                            &location_field::line,         &location_field::end_line,
                                            &location_field::column,       &location_field::end_column};

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
  for (const MetadataField& field : MetadataFields()) {
    const Field& proto = *FindField(MessageType::OpMetadata, field.name);
    if (!message.Has(proto)) continue;
    if (proto.kind == FieldKind::kIntegers) {
      const Int64List numbers = message.Integers(proto);
      if (!numbers.empty()) add(field, fmt::format("{{{}}}", JoinText(numbers, ",")));
    } else if (proto.kind == FieldKind::kInteger) {
      std::int64_t number = message.Integer(proto);
      if (proto == fields::OpMetadata::stack_frame_id && tables.frames != nullptr) number = tables.frames->Use(number);
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
    const Field* const field = FindField(MessageType::OpMetadata, parser.token().text);
    parser.Next();
    if (field == nullptr) break;
    WriteMetadataField(parser, *field, message);
    parser.Eat(",");
  }
  return message;
}

StackTables ReadStackTables(const Message& index) {
  namespace table = fields::StackFrameIndexProto;
  namespace frame = fields::StackFrameIndexProto_StackFrame;
  StackTables::Rows rows;
  for (const std::string_view name : index.Texts(table::file_names)) rows.files.emplace_back(name);
  for (const std::string_view name : index.Texts(table::function_names)) rows.functions.emplace_back(name);
  for (const Message& location : index.Messages(table::file_locations)) {
    auto& row = rows.locations.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = location.Integer(*kLocationFields[i]);
  }
  // The parent in the text is one larger.
  for (const Message& row : index.Messages(table::stack_frames)) {
    const std::int64_t parent = std::clamp<std::int64_t>(row.Integer(frame::parent_frame_id), -1, INT32_MAX);
    rows.frames.push_back({row.Integer(frame::file_location_id), parent + 1});
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
  for (const auto& row : rows.locations) {
    MessageWriter place;
    for (std::size_t i = 0; i < row.size(); ++i) place.Integer(*kLocationFields[i], row[i]);
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
