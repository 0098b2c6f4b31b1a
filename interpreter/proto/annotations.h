// The annotations of an instruction: HLO text in a module, messages when serialized.
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

// The parts of a module to which metadata refers.
struct MetadataTables {
  std::span<const std::string_view> payloads = {};
  StackTables* frames = nullptr;  // null: stack_frame_id stays as it is
};

// Returns the text of metadata={...} for an OpMetadata.
Metadata ReadMetadata(const Message& message, const MetadataTables& tables);
MessageWriter WriteMetadata(std::string_view text);

// Returns the bytes of a Payload: its own, or those of the module's payload that it names.
std::string_view ReadPayload(const Message& payload, std::span<const std::string_view> payloads);

// Returns the text of frontend_attributes={...}; empty if there are none. Fails (kParse) for a key that text cannot
// express.
Result<std::string> ReadFrontendAttributes(const Message& message);
MessageWriter WriteFrontendAttributes(std::string_view text);

// Sets all annotations except metadata, and result_accuracy. The instruction must have its shape. Errors are kParse.
Status ReadAnnotations(const Message& instruction_message, std::span<const std::string_view> payloads,
                       HloInstruction& instruction);
// Writes all annotations, including metadata.
void WriteAnnotations(const HloInstruction& instruction, MessageWriter& message);

// Returns the text of origin={...} for an OriginalValueProto of a value of this shape; empty if it has no origin.
Result<std::string> ReadOrigin(const Message& message, const Shape& shape);
MessageWriter WriteOrigin(std::string_view text);

// Returns the stack tables of a module.
StackTables ReadStackTables(const Message& index);
MessageWriter WriteStackTables(const std::string& text);

}  // namespace assay::proto
