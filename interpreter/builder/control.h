// Operations that call computations as a whole, custom calls, tokens, and transfers to and from the host and other
// devices.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"

namespace assay::xla {

XlaOp Call(XlaBuilder* builder, const XlaComputation& computation, const std::vector<XlaOp>& operands);
// Calls the decomposition of the named operation. Defaults: attributes {}, version 0.
XlaOp CompositeCall(XlaBuilder* builder, const XlaComputation& computation, const std::vector<XlaOp>& operands,
                    const std::string& name, std::optional<std::string_view> attributes = std::nullopt,
                    std::optional<std::int64_t> version = std::nullopt);

XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init);
XlaOp Conditional(XlaOp predicate, XlaOp true_operand, const XlaComputation& true_computation, XlaOp false_operand,
                  const XlaComputation& false_computation);
// Selects a branch by a pred, the first of two branches for true, or by an index; an index out of range selects the
// last branch.
XlaOp Conditional(XlaOp branch_index, const std::vector<const XlaComputation*>& branch_computations,
                  const std::vector<XlaOp>& branch_operands);

enum CustomCallSchedule { SCHEDULE_NONE, SCHEDULE_LATEST, SCHEDULE_EARLIEST };
enum CustomCallApiVersion {
  API_VERSION_ORIGINAL,
  API_VERSION_STATUS_RETURNING,
  API_VERSION_STATUS_RETURNING_UNIFIED,
  API_VERSION_TYPED_FFI,
};
// Pairs of an output index with an operand and an index inside it, which share a buffer.
using OutputOperandAliasing = std::vector<std::pair<Int64List, std::pair<std::int64_t, Int64List>>>;

XlaOp CustomCall(XlaBuilder* builder, const std::string& call_target_name, const std::vector<XlaOp>& operands,
                 const Shape& shape, const std::string& opaque = "", bool has_side_effect = false,
                 const OutputOperandAliasing& output_operand_aliasing = {}, const Literal* literal = nullptr,
                 CustomCallSchedule schedule = SCHEDULE_NONE, CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
XlaOp CustomCallWithComputation(XlaBuilder* builder, const std::string& call_target_name,
                                const std::vector<XlaOp>& operands, const XlaComputation& computation,
                                const Shape& shape, const std::string& opaque = "", bool has_side_effect = false,
                                const OutputOperandAliasing& output_operand_aliasing = {},
                                const Literal* literal = nullptr, CustomCallSchedule schedule = SCHEDULE_NONE,
                                CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
XlaOp CustomCallWithLayout(XlaBuilder* builder, const std::string& call_target_name, const std::vector<XlaOp>& operands,
                           const Shape& shape_with_layout, const std::vector<Shape>& operand_shapes_with_layout,
                           const std::string& opaque = "", bool has_side_effect = false,
                           const OutputOperandAliasing& output_operand_aliasing = {}, const Literal* literal = nullptr,
                           CustomCallSchedule schedule = SCHEDULE_NONE,
                           CustomCallApiVersion api_version = API_VERSION_ORIGINAL);

XlaOp OptimizationBarrier(XlaOp operand);

XlaOp CreateToken(XlaBuilder* builder);
// Joins one or more tokens into one.
XlaOp AfterAll(XlaBuilder* builder, const std::vector<XlaOp>& tokens);

// Returns the data; with a token, the pair of data and token.
XlaOp Infeed(XlaBuilder* builder, const Shape& shape, const std::string& config = "");
XlaOp InfeedWithToken(XlaOp token, const Shape& shape, const std::string& config = "");
// Returns an empty tuple; with a token, a token.
XlaOp Outfeed(XlaOp operand, const Shape& shape_with_layout, const std::string& outfeed_config = "");
XlaOp OutfeedWithToken(XlaOp operand, XlaOp token, const Shape& shape_with_layout,
                       const std::string& outfeed_config = "");

// Transfers data to the receiver of the same channel; each adds a start and its done. Recv returns the data,
// RecvWithToken and RecvFromHost the pair of data and token, SendWithToken and SendToHost a token.
void Send(XlaOp operand, const ChannelHandle& handle);
XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle);
XlaOp SendToHost(XlaOp operand, XlaOp token, const Shape& shape_with_layout, const ChannelHandle& handle);
XlaOp Recv(XlaBuilder* builder, const Shape& shape, const ChannelHandle& handle);
XlaOp RecvWithToken(XlaOp token, const Shape& shape, const ChannelHandle& handle);
XlaOp RecvFromHost(XlaOp token, const Shape& shape, const ChannelHandle& handle);

}  // namespace assay::xla
