#include "interpreter/builder/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/builder/add_instruction.h"

namespace assay::xla {
namespace {

OpAttribute Config(std::string_view name, const std::string& config) {
  if (config.empty()) return {name, AttributeValue()};
  return {name, config};
}

XlaOp Element(XlaOp tuple, std::int64_t index) {
  return AddInstruction("get-tuple-element", {tuple}, {{"index", index}});
}

// Adds a start instruction and its done.
XlaOp Transfer(std::string_view start, std::string_view done, const std::vector<XlaOp>& operands,
               const ChannelHandle& handle, bool is_host_transfer, std::optional<Shape> received = std::nullopt) {
  const std::vector<OpAttribute> attributes = {{"channel_id", handle.handle}, {"is_host_transfer", is_host_transfer}};
  return AddInstruction(done, {AddInstruction(start, operands, attributes, std::move(received))}, attributes);
}

// Returns an error message, or an empty text if the handle has the type.
std::string WrongChannel(const ChannelHandle& handle, ChannelHandle::ChannelType type) {
  static constexpr const char* kTypes[] = {"CHANNEL_TYPE_INVALID", "DEVICE_TO_DEVICE", "DEVICE_TO_HOST",
                                           "HOST_TO_DEVICE"};
  if (handle.type == type) return "";
  return fmt::format("the type of the channel must be {}, found {}", kTypes[type], kTypes[handle.type]);
}

XlaOp SendBy(XlaOp operand, XlaOp token, const ChannelHandle& handle, ChannelHandle::ChannelType type) {
  if (const std::string wrong = WrongChannel(handle, type); !wrong.empty()) {
    return ReportIllegal("send", {operand, token}, wrong);
  }
  return Transfer("send", "send-done", {operand, token}, handle, type != ChannelHandle::DEVICE_TO_DEVICE);
}

XlaOp RecvBy(XlaOp token, const Shape& shape, const ChannelHandle& handle, ChannelHandle::ChannelType type) {
  if (const std::string wrong = WrongChannel(handle, type); !wrong.empty()) {
    return ReportIllegal("recv", {token}, wrong);
  }
  return Transfer("recv", "recv-done", {token}, handle, type != ChannelHandle::DEVICE_TO_DEVICE,
                  ShapeUtil::MakeTupleShape({shape}));
}

std::vector<OpAttribute> CustomCallAttributes(const std::string& target, const std::string& opaque,
                                              bool has_side_effect, const OutputOperandAliasing& aliasing,
                                              const Literal* literal, CustomCallSchedule schedule,
                                              CustomCallApiVersion api_version) {
  static constexpr const char* kSchedules[] = {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
  static constexpr const char* kVersions[] = {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                              "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
  std::vector<OutputOperandAlias> aliases;
  for (const auto& [output, operand] : aliasing) aliases.push_back({output, operand.first, operand.second});
  std::vector<OpAttribute> attributes = {{"custom_call_target", target},
                                         {"custom_call_has_side_effect", has_side_effect},
                                         {"schedule", kSchedules[schedule]},
                                         {"api_version", kVersions[api_version]},
                                         Config("backend_config", opaque)};
  if (literal != nullptr) attributes.emplace_back("literal", *literal);
  if (!aliases.empty()) attributes.emplace_back("output_to_operand_aliasing", std::move(aliases));
  return attributes;
}

}  // namespace

XlaOp Call(XlaBuilder* builder, const XlaComputation& computation, const std::vector<XlaOp>& operands) {
  return AddInstruction(builder, "call", operands, {{"to_apply", computation}});
}

XlaOp CompositeCall(XlaBuilder* builder, const XlaComputation& computation, const std::vector<XlaOp>& operands,
                    const std::string& name, std::optional<std::string_view> attributes,
                    std::optional<std::int64_t> version) {
  FrontendAttributes outer = builder->SwapFrontendAttributes({});
  FrontendAttributes with_composite = outer;
  with_composite["composite.name"] = name;
  with_composite["composite.attributes"] = attributes.value_or("{}");
  with_composite["composite.version"] = std::to_string(version.value_or(0));
  builder->SetFrontendAttributes(std::move(with_composite));
  const XlaOp call = AddInstruction(builder, "call", operands, {{"to_apply", computation}, {"is_composite", true}});
  builder->SetFrontendAttributes(std::move(outer));
  return call;
}

XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init) {
  return AddInstruction("while", {init}, {{"condition", condition}, {"body", body}});
}

XlaOp Conditional(XlaOp predicate, XlaOp true_operand, const XlaComputation& true_computation, XlaOp false_operand,
                  const XlaComputation& false_computation) {
  return AddInstruction("conditional", {predicate, true_operand, false_operand},
                        {{"true_computation", true_computation}, {"false_computation", false_computation}});
}

XlaOp Conditional(XlaOp branch_index, const std::vector<const XlaComputation*>& branch_computations,
                  const std::vector<XlaOp>& branch_operands) {
  const auto missing = std::ranges::find(branch_computations, static_cast<const XlaComputation*>(nullptr));
  if (missing != branch_computations.end()) {
    return ReportIllegal("conditional", Joined({branch_index}, branch_operands),
                         fmt::format("branch {} is a null pointer", missing - branch_computations.begin()));
  }
  const Shape* index = FindShape(branch_index);
  const bool is_pred = index != nullptr && index->element_type() == PRED;
  if (is_pred && branch_computations.size() == 2 && branch_operands.size() == 2) {
    return Conditional(branch_index, branch_operands[0], *branch_computations[0], branch_operands[1],
                       *branch_computations[1]);
  }
  return AddInstruction("conditional", Joined({branch_index}, branch_operands),
                        {{"branch_computations", branch_computations}});
}

XlaOp CustomCall(XlaBuilder* builder, const std::string& call_target_name, const std::vector<XlaOp>& operands,
                 const Shape& shape, const std::string& opaque, bool has_side_effect,
                 const OutputOperandAliasing& output_operand_aliasing, const Literal* literal,
                 CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  return AddInstruction(builder, "custom-call", operands,
                        CustomCallAttributes(call_target_name, opaque, has_side_effect, output_operand_aliasing,
                                             literal, schedule, api_version),
                        shape);
}

XlaOp CustomCallWithComputation(XlaBuilder* builder, const std::string& call_target_name,
                                const std::vector<XlaOp>& operands, const XlaComputation& computation,
                                const Shape& shape, const std::string& opaque, bool has_side_effect,
                                const OutputOperandAliasing& output_operand_aliasing, const Literal* literal,
                                CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  std::vector<OpAttribute> attributes = CustomCallAttributes(call_target_name, opaque, has_side_effect,
                                                             output_operand_aliasing, literal, schedule, api_version);
  attributes.emplace_back("to_apply", computation);
  return AddInstruction(builder, "custom-call", operands, std::move(attributes), shape);
}

XlaOp CustomCallWithLayout(XlaBuilder* builder, const std::string& call_target_name, const std::vector<XlaOp>& operands,
                           const Shape& shape_with_layout, const std::vector<Shape>& operand_shapes_with_layout,
                           const std::string& opaque, bool has_side_effect,
                           const OutputOperandAliasing& output_operand_aliasing, const Literal* literal,
                           CustomCallSchedule schedule, CustomCallApiVersion api_version) {
  std::vector<OpAttribute> attributes = CustomCallAttributes(call_target_name, opaque, has_side_effect,
                                                             output_operand_aliasing, literal, schedule, api_version);
  attributes.emplace_back("operand_layout_constraints", operand_shapes_with_layout);
  return AddInstruction(builder, "custom-call", operands, std::move(attributes), shape_with_layout);
}

XlaOp OptimizationBarrier(XlaOp operand) { return AddInstruction("opt-barrier", {operand}); }

XlaOp CreateToken(XlaBuilder* builder) { return AddInstruction(builder, "after-all", {}); }

XlaOp AfterAll(XlaBuilder* builder, const std::vector<XlaOp>& tokens) {
  if (tokens.empty()) {
    return builder->ReportError({ErrorCode::kIllegal, "after-all(): takes at least one token; CreateToken makes one"});
  }
  return AddInstruction(builder, "after-all", tokens);
}

XlaOp Infeed(XlaBuilder* builder, const Shape& shape, const std::string& config) {
  return Element(InfeedWithToken(CreateToken(builder), shape, config), 0);
}

XlaOp InfeedWithToken(XlaOp token, const Shape& shape, const std::string& config) {
  return AddInstruction("infeed", {token}, {Config("infeed_config", config)},
                        ShapeUtil::MakeTupleShape({shape, ShapeUtil::MakeTokenShape()}));
}

XlaOp Outfeed(XlaOp operand, const Shape& shape_with_layout, const std::string& outfeed_config) {
  if (operand.IsUninitialized()) return AddInstruction("outfeed", {operand});
  XlaBuilder* builder = operand.builder();
  const XlaOp token = OutfeedWithToken(operand, CreateToken(builder), shape_with_layout, outfeed_config);
  return token.valid() ? AddInstruction(builder, "tuple", {}) : token;
}

XlaOp OutfeedWithToken(XlaOp operand, XlaOp token, const Shape& shape_with_layout, const std::string& outfeed_config) {
  return AddInstruction("outfeed", {operand, token},
                        {{"outfeed_shape", shape_with_layout}, Config("outfeed_config", outfeed_config)});
}

void Send(XlaOp operand, const ChannelHandle& handle) {
  SendWithToken(operand, operand.IsUninitialized() ? operand : CreateToken(operand.builder()), handle);
}

XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  return SendBy(operand, token, handle, ChannelHandle::DEVICE_TO_DEVICE);
}

XlaOp SendToHost(XlaOp operand, XlaOp token, const Shape& shape_with_layout, const ChannelHandle& handle) {
  const Shape* shape = FindShape(operand);
  if (shape != nullptr && !ShapeUtil::Compatible(*shape, shape_with_layout)) {
    return ReportIllegal("send", {operand, token},
                         fmt::format("the shape on the host is {}", shape_with_layout.ToStringWithoutLayout()));
  }
  return SendBy(operand, token, handle, ChannelHandle::DEVICE_TO_HOST);
}

XlaOp Recv(XlaBuilder* builder, const Shape& shape, const ChannelHandle& handle) {
  return Element(RecvWithToken(CreateToken(builder), shape, handle), 0);
}

XlaOp RecvWithToken(XlaOp token, const Shape& shape, const ChannelHandle& handle) {
  return RecvBy(token, shape, handle, ChannelHandle::DEVICE_TO_DEVICE);
}

XlaOp RecvFromHost(XlaOp token, const Shape& shape, const ChannelHandle& handle) {
  return RecvBy(token, shape, handle, ChannelHandle::HOST_TO_DEVICE);
}

}  // namespace assay::xla
