// The annotations of an instruction: kept as HLO text in a module, serialized as messages.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/metadata_text.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/stack_tables.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// The parts of a module that a metadata refers to.
struct MetadataTables {
  std::span<const std::string_view> payloads = {};
  StackTables* frames = nullptr;  // null: stack_frame_id stays as it is
};

// The text of metadata={...} for an OpMetadata.
Metadata ReadMetadata(const Message& message, const MetadataTables& tables);
MessageWriter WriteMetadata(std::string_view text);

// The bytes of a Payload: its own, or those of the module that it names.
std::string_view ReadPayload(const Message& payload, std::span<const std::string_view> payloads);

// The text of frontend_attributes={...}; empty when there are none. An error (kParse) for a key that text cannot say.
Result<std::string> ReadFrontendAttributes(const Message& message);
MessageWriter WriteFrontendAttributes(std::string_view text);

// The characters that stand for a string in quotes, or braces as they are.
std::string UnquotedText(std::string_view text);

// Sets all annotations but metadata, and result_accuracy. The instruction's shape is known. Errors are kParse.
Status ReadAnnotations(const Message& instruction_message, std::span<const std::string_view> payloads,
                       HloInstruction& instruction);
// Metadata too.
void WriteAnnotations(const HloInstruction& instruction, MessageWriter& message);

// The text of origin={...} for an OriginalValueProto of a value of this shape; empty for one that says nothing.
Result<std::string> ReadOrigin(const Message& message, const Shape& shape);
MessageWriter WriteOrigin(std::string_view text);

// The stack tables of a module.
StackTables ReadStackTables(const Message& index);
MessageWriter WriteStackTables(const std::string& text);

}  // namespace assay::proto
