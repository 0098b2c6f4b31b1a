// A convolution and the operations around it by cuDNN, as XLA:GPU's CudnnFusedConvRewriter serializes them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/custom_calls/product_call.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// A node of "12:[f32]conv();34:[f32]scale(12);": a number, an element type, an operation and the number of its
// argument.
struct Node {
  std::string id, operation, argument;
};

Result<std::vector<Node>> NodesOf(const HloInstruction& call, std::string_view graph) {
  std::vector<Node> nodes;
  while (!graph.empty()) {
    const std::size_t colon = graph.find(":["), bracket = graph.find(']'), open = graph.find('('),
                      close = graph.find(");");
    if (close == std::string_view::npos || !(colon < bracket && bracket < open && open < close)) {
      return BadCall(call, "backend_config: serialized_graph must be nodes as 1:[f32]conv(), found {}", graph);
    }
    nodes.push_back({std::string(graph.substr(0, colon)), std::string(graph.substr(bracket + 1, open - bracket - 1)),
                     std::string(graph.substr(open + 1, close - open - 1))});
    graph.remove_prefix(close + 2);
  }
  if (!nodes.empty() && nodes[0].operation == "conv") return nodes;
  return BadCall(call, "backend_config: serialized_graph must begin with conv");
}

// Returns the step of an operation; takes the next operand of the call if it needs one.
Result<PostOp> StepOf(const HloInstruction& call, const std::string& operation, const Shape& result, int& operand) {
  if (operation == "relu") {
    return PostOp{.kind = PostOp::Kind::kActivate, .activation = {.kind = Activation::Kind::kRelu}};
  }
  const bool is_scale = operation == "scale", is_division = operation == "invscale";
  if (!is_scale && !is_division && operation != "add") {
    return NotEvaluated(call, "operation {} of serialized_graph is not evaluated", operation);
  }
  if (operand >= static_cast<int>(call.operands.size())) {
    return BadCall(call, "{} has no operand {}", operation, operand);
  }
  const std::int64_t rank = call.operand(operand).shape.rank();
  return PostOp{.kind = is_scale      ? PostOp::Kind::kMultiply
                        : is_division ? PostOp::Kind::kDivide
                                      : PostOp::Kind::kAdd,
                .operand = operand++,
                .dimensions = LastDimensions(std::min(rank, result.rank()), result.rank())};
}

Status AddSteps(const HloInstruction& call, const std::vector<Node>& nodes, const Shape& result,
                PostProcessedProduct& graph) {
  int operand = 2;
  std::vector<std::string> chain = {nodes[0].id};
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const auto argument = std::ranges::find(chain, nodes[i].argument);
    if (argument == chain.end()) return BadCall(call, "backend_config: a node takes one that is not before it");
    if (nodes[i].operation == "amax") {
      graph.earlier.push_back({.steps = static_cast<std::size_t>(argument - chain.begin()), .is_largest = true});
      continue;
    }
    if (argument + 1 != chain.end()) {
      return NotEvaluated(call, "a graph in which two operations take the same result is not evaluated");
    }
    ASSAY_TRY(PostOp step, StepOf(call, nodes[i].operation, result, operand));
    graph.steps.push_back(std::move(step));
    chain.push_back(nodes[i].id);
  }
  if (BitWidth(result.element_type()) == 8) graph.steps.push_back({.kind = PostOp::Kind::kSaturate});
  return CheckCount(call, static_cast<std::size_t>(operand));
}

Result<PostProcessedProduct> ReadCudnnGraph(const HloInstruction& call) {
  if (call.operands.size() < 2) return BadCall(call, "the number of operands must be at least 2");
  const Shape& result = FirstResult(call.shape);
  if (!result.IsArray() || !IsFloatingPointType(result.element_type())) {
    return BadCall(call, "the first result must be a real array");
  }
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cudnn_conv_backend_config"));
  ASSAY_CHECK_OK(config.Require("serialized_graph"));
  const Result<std::string> text = config.String("serialized_graph");
  if (!text) return text.error();
  ASSAY_TRY(const std::vector<Node> nodes, NodesOf(call, *text));
  const auto* labels = call.Find<ConvolutionDimensionNumbers>("dim_labels");
  if (labels == nullptr || !call.Has("window")) return BadCall(call, "dim_labels and window must be written");
  StandIn convolution(op_convolution, {call.operand(0).shape, call.operand(1).shape},
                      {{"window", call.window()},
                       {"dim_labels", *labels},
                       {"feature_group_count", call.Int64("feature_group_count")},
                       {"batch_group_count", call.Int64("batch_group_count")}},
                      ShapeUtil::MakeScalarShape(result.element_type()));
  ASSAY_CHECK_OK(convolution.Infer(call));
  ASSAY_CHECK_OK(CheckDimensions(call, "the result", result, convolution.instruction().shape));
  PostProcessedProduct graph{std::move(convolution)};
  ASSAY_CHECK_OK(AddSteps(call, nodes, result, graph));
  ASSAY_CHECK_OK(graph.Check(call, result.element_type()));
  return graph;
}

using CudnnGraphCall = ProductCall<ReadCudnnGraph>;

const CustomCallTarget kCudnnGraphTargets[] = {CudnnGraphCall::Target(
    {"__cudnn$convForwardGraph"},
    "A convolution and the chain of operations of serialized_graph, and largest magnitudes within it.")};

}  // namespace

const TargetFamily targets_cudnn_graph = kCudnnGraphTargets;

}  // namespace assay
