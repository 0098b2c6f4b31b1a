// The structures of attributes as messages.
#pragma once

#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

Window ReadWindow(const Message& message);
MessageWriter WriteWindow(const Window& window);

PaddingConfig ReadPadding(const Message& message);
MessageWriter WritePadding(const PaddingConfig& padding);

// Fails (kParse) for numbers that dim_labels cannot express.
Result<ConvolutionDimensionNumbers> ReadDimensionNumbers(const Message& message);
MessageWriter WriteDimensionNumbers(const ConvolutionDimensionNumbers& numbers);

// Returns the text of sparsity_config={...}; empty for a message without a side.
std::string ReadSparsity(const Message& message);
MessageWriter WriteSparsity(const std::string& text);

// Reads and writes repeated fields of an HloInstructionProto: slice_dimensions, output_operand_aliasing,
// source_target_pairs.
SliceConfig ReadSlice(const Message& instruction);
void WriteSlice(const SliceConfig& slice, MessageWriter& instruction);
std::vector<OutputOperandAlias> ReadAliases(const Message& instruction);
void WriteAliases(const std::vector<OutputOperandAlias>& aliases, MessageWriter& instruction);
std::vector<Int64List> ReadPairs(const Message& instruction);
void WritePairs(const std::vector<Int64List>& pairs, MessageWriter& instruction);

}  // namespace assay::proto
