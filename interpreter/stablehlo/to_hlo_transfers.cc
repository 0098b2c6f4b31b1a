// Transfers to other devices and the host.
#include <fmt/format.h>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Returns the shape (data, u32[], token[]).
Shape TransferTuple(const Shape& data) {
  return ShapeUtil::MakeTupleShape({data, ShapeUtil::MakeScalarShape(U32), ShapeUtil::MakeTokenShape()});
}

// StableHLO's types of channels.
constexpr std::int64_t kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3;

// Sets channel_id and is_host_transfer, which a transfer and its end share.
Status SetTransfer(const Lowering& lowering, HloInstruction& instruction) {
  const bool sends = instruction.op->name.starts_with("send");
  ASSAY_TRY(const Dictionary* channel, lowering.attributes().Fields("channel_handle"));
  ASSAY_TRY(const bool is_host_transfer, lowering.attributes().Bool("is_host_transfer"));
  if (is_host_transfer && !lowering.translator.has_grid()) instruction.Set("is_host_transfer", true);
  if (channel == nullptr) return {};
  const AttributeReader reader(lowering.operation, *channel);
  ASSAY_TRY(const std::int64_t handle, reader.Integer("handle", 0));
  ASSAY_TRY(const std::int64_t type, reader.Integer("type", 0));
  const std::int64_t expected = !is_host_transfer ? kDeviceToDevice : sends ? kDeviceToHost : kHostToDevice;
  if (type != expected) {
    return lowering.Illegal(fmt::format("the type of the channel must be {} if is_host_transfer is {}, found {}",
                                        expected, is_host_transfer, type));
  }
  instruction.Set("channel_id", handle);
  return {};
}

// Stores the pairs of a transfer in the frontend attributes, as HLO does.
Status SetPairs(const Lowering& lowering, HloInstruction& instruction) {
  ASSAY_TRY(const std::vector<Int64List> pairs, lowering.attributes().Rows("source_target_pairs"));
  if (pairs.empty()) return {};
  std::vector<std::string> texts;
  for (const Int64List& pair : pairs) texts.push_back(fmt::format("{{{}}}", JoinText(pair, ",")));
  ASSAY_TRY(FrontendValues values, FrontendValuesOf(lowering.operation, lowering.operation.attributes));
  values["_xla_send_recv_source_target_pairs"] = fmt::format("{{{}}}", JoinText(texts, ","));
  instruction.annotations["frontend_attributes"] = PrintFrontendAttributes(values);
  return {};
}

Status CheckLastIsToken(const Lowering& lowering, const Shape* last, std::string_view what) {
  if (last != nullptr && last->IsToken()) return {};
  return lowering.Illegal(fmt::format("the last {} must be a token", what));
}

// Returns the shapes of all results except the last, which is the token.
Result<std::vector<Shape>> DataShapes(const Lowering& lowering) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < lowering.operation.results.size(); ++i) {
    ASSAY_TRY(Shape shape, lowering.ResultShape(i));
    if (i + 1 < lowering.operation.results.size() && !shape.IsArray()) {
      return lowering.Illegal(fmt::format("result {} must be a tensor, found {}", i, shape.ToStringWithoutLayout()));
    }
    shapes.push_back(std::move(shape));
  }
  ASSAY_CHECK_OK(CheckLastIsToken(lowering, shapes.empty() ? nullptr : &shapes.back(), "result"));
  shapes.pop_back();
  return shapes;
}

// Binds the results to the elements of (data, token), where data is a tuple if `is_tuple`.
void BindDataAndToken(const Lowering& lowering, HloInstruction& pair, bool is_tuple) {
  Translator& translator = lowering.translator;
  const auto& results = lowering.operation.results;
  if (results.size() > 1 || !is_tuple) {
    HloInstruction& data = translator.AddElement(pair, 0);
    if (!is_tuple && results.size() > 1) translator.Bind(results[0].id, data);
    for (std::size_t i = 0; is_tuple && i + 1 < results.size(); ++i) {
      translator.Bind(results[i].id, translator.AddElement(data, static_cast<std::int64_t>(i)));
    }
  }
  translator.Bind(results.back().id, translator.AddElement(pair, 1));
}

Status SetInfeedLayouts(const Lowering& lowering, std::vector<Shape>& shapes) {
  const auto* layouts = lowering.attributes().FindAs<std::vector<Attribute>>("layout");
  if (layouts == nullptr) return {};
  if (layouts->size() != shapes.size()) {
    return lowering.Illegal(
        fmt::format("layout must have an entry for each of {} tensors, found {}", shapes.size(), layouts->size()));
  }
  for (std::size_t i = 0; i < shapes.size() && i < layouts->size(); ++i) {
    std::optional<Int64List> minor_to_major = IntegersOf((*layouts)[i]);
    if (!minor_to_major || !shapes[i].IsArray() || std::ssize(*minor_to_major) != shapes[i].rank()) {
      return lowering.Illegal(
          fmt::format("layout {} must have a number for each dimension of {}", i, shapes[i].ToStringWithoutLayout()));
    }
    shapes[i] = ShapeUtil::MakeShapeWithLayout(shapes[i].element_type(), shapes[i].dimensions(), *minor_to_major);
  }
  return {};
}

}  // namespace

Status LowerInfeed(const Lowering& lowering) {
  ASSAY_TRY(std::vector<Shape> data, DataShapes(lowering));
  ASSAY_CHECK_OK(SetInfeedLayouts(lowering, data));
  ASSAY_TRY(std::string config, lowering.attributes().String("infeed_config"));
  Shape shape = ShapeUtil::MakeTupleShape({ShapeUtil::MakeTupleShape(std::move(data)), ShapeUtil::MakeTokenShape()});
  HloInstruction& infeed = lowering.translator.Add("infeed", std::move(shape), lowering.operands);
  if (!config.empty()) infeed.Set("infeed_config", std::move(config));
  BindDataAndToken(lowering, infeed, /*is_tuple=*/true);
  return {};
}

Status LowerOutfeed(const Lowering& lowering) {
  const auto& operands = lowering.operands;
  ASSAY_CHECK_OK(CheckLastIsToken(lowering, operands.empty() ? nullptr : &operands.back()->shape, "operand"));
  ASSAY_TRY(std::string config, lowering.attributes().String("outfeed_config"));
  HloInstruction& data = lowering.translator.AddTuple(lowering.OperandsFrom(0, operands.size() - 1));
  Shape sent = data.shape;
  for (Shape& element : sent.mutable_tuple_shapes()) {
    if (element.IsArray()) element.set_default_layout();
  }
  ASSAY_TRY(HloInstruction * outfeed, lowering.AddResult("outfeed", {&data, operands.back()}));
  outfeed->Set("outfeed_shape", std::move(sent));
  if (!config.empty()) outfeed->Set("outfeed_config", std::move(config));
  return {};
}

Status LowerSend(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  const auto& operands = lowering.operands;
  ASSAY_CHECK_OK(CheckLastIsToken(lowering, operands.empty() ? nullptr : &operands.back()->shape, "operand"));
  HloInstruction& data = translator.AddTupleUnlessOne(lowering.OperandsFrom(0, operands.size() - 1));
  HloInstruction& send = translator.Add("send", TransferTuple(data.shape), {&data, operands.back()});
  ASSAY_CHECK_OK(SetTransfer(lowering, send));
  ASSAY_CHECK_OK(SetPairs(lowering, send));
  ASSAY_TRY(HloInstruction * done, lowering.AddResult("send-done", {&send}));
  ASSAY_CHECK_OK(SetPairs(lowering, *done));
  return SetTransfer(lowering, *done);
}

Status LowerRecv(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  ASSAY_TRY(std::vector<Shape> shapes, DataShapes(lowering));
  const bool is_tuple = shapes.size() != 1;
  const Shape data = is_tuple ? ShapeUtil::MakeTupleShape(std::move(shapes)) : shapes[0];
  HloInstruction& recv = translator.Add("recv", TransferTuple(data), lowering.operands);
  ASSAY_CHECK_OK(SetTransfer(lowering, recv));
  ASSAY_CHECK_OK(SetPairs(lowering, recv));
  HloInstruction& done =
      translator.Add("recv-done", ShapeUtil::MakeTupleShape({data, ShapeUtil::MakeTokenShape()}), {&recv});
  ASSAY_CHECK_OK(SetTransfer(lowering, done));
  ASSAY_CHECK_OK(SetPairs(lowering, done));
  BindDataAndToken(lowering, done, is_tuple);
  return {};
}

}  // namespace assay::stablehlo
