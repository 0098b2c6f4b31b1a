// Transfers between a device and its host, or another device.
#include <fmt/format.h>

#include <utility>

#include "fuzz/generate/ops/drawings.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

HloInstruction* FindInstruction(HloModule& module, std::string_view op) {
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->name == op) return instruction.get();
  }
  return nullptr;
}

struct Transfer {
  std::vector<OpAttribute> attributes;
  Shape shape;
};

Transfer DrawTransfer(InstructionDrawer& drawer, bool is_host_transfer) {
  std::vector<OpAttribute> attributes = {
      {"channel_id", drawer.random().Between(1, drawer.random().Flip() ? 2 : 1 << 20)}};
  if (is_host_transfer || drawer.random().Flip()) attributes.emplace_back("is_host_transfer", is_host_transfer);
  return {std::move(attributes), drawer.ArrayShape(TypesThat(IsArrayType))};
}

XlaOp StartAndDone(std::string_view start, std::string_view done, const std::vector<XlaOp>& operands,
                   const Transfer& transfer) {
  std::optional<Shape> received;
  if (operands.size() == 1) received = ShapeUtil::MakeTupleShape({transfer.shape});
  return AddInstruction(done, {AddInstruction(start, operands, transfer.attributes, received)}, transfer.attributes);
}

// Draws a ring: every device sends to the next one and receives from the previous one. Each device starts its recv
// before its send, and waits for the received value after that; any other order deadlocks.
XlaOp DrawRing(InstructionDrawer& drawer, bool gives_received) {
  const Transfer transfer = DrawTransfer(drawer, /*is_host_transfer=*/false);
  const std::int64_t count = drawer.num_partitions() > 1 ? drawer.num_partitions() : drawer.replica_count();
  std::string pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    pairs += fmt::format("{}{{{},{}}}", pairs.empty() ? "" : ",", i, (i + 1) % count);
  }
  drawer.builder()->SetFrontendAttributes({{"_xla_send_recv_source_target_pairs", fmt::format("{{{}}}", pairs)}});
  const XlaOp token = drawer.Token();
  const XlaOp recv = AddInstruction("recv", {token}, transfer.attributes, ShapeUtil::MakeTupleShape({transfer.shape}));
  const XlaOp send = AddInstruction("send", {drawer.Value(transfer.shape), token}, transfer.attributes);
  const XlaOp received = AddInstruction("recv-done", {recv}, transfer.attributes);
  const XlaOp sent = AddInstruction("send-done", {send}, transfer.attributes);
  drawer.builder()->SetFrontendAttributes({});
  drawer.Edit([](HloModule& module) {
    HloInstruction* send = FindInstruction(module, "send");
    send->control_predecessors.push_back(FindInstruction(module, "recv"));
    FindInstruction(module, "recv-done")->control_predecessors.push_back(send);
  });
  return gives_received ? received : sent;
}

}  // namespace

XlaOp DrawSendPair(InstructionDrawer& drawer) {
  if (drawer.device_count() > 1 && drawer.random().Flip()) return DrawRing(drawer, /*gives_received=*/false);
  const Transfer transfer = DrawTransfer(drawer, /*is_host_transfer=*/true);
  return StartAndDone("send", "send-done", {drawer.Value(transfer.shape), drawer.Token()}, transfer);
}

XlaOp DrawRecvPair(InstructionDrawer& drawer) {
  if (drawer.device_count() > 1 && drawer.random().Flip()) return DrawRing(drawer, /*gives_received=*/true);
  const Transfer transfer = DrawTransfer(drawer, /*is_host_transfer=*/true);
  drawer.FromHost(transfer.shape);
  return StartAndDone("recv", "recv-done", {drawer.Token()}, transfer);
}

XlaOp DrawInfeed(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  Shape data = drawer.ArrayShape(TypesThat(IsArrayType));
  if (random.OneIn(4)) data = ShapeUtil::MakeTupleShape({data, drawer.ArrayShape(TypesThat(IsArrayType))});
  drawer.FromHost(data);
  return InfeedWithToken(drawer.Token(), data, random.OneIn(3) ? "config" : "");
}

XlaOp DrawOutfeed(InstructionDrawer& drawer) {
  const Shape data = drawer.ArrayShape(TypesThat(IsArrayType));
  const XlaOp operand = drawer.Value(data), token = drawer.Token();
  return OutfeedWithToken(operand, token, data, drawer.random().OneIn(3) ? "config" : "");
}

}  // namespace assay::generate
