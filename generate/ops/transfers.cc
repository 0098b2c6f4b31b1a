// Transfers between a device and its host, or another device.
#include <fmt/format.h>

#include <utility>

#include "generate/ops/drawings.h"
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

Transfer DrawTransfer(Draft& draft, bool is_host_transfer) {
  std::vector<OpAttribute> attributes = {
      {"channel_id", draft.random().Between(1, draft.random().Flip() ? 2 : 1 << 20)}};
  if (is_host_transfer || draft.random().Flip()) attributes.emplace_back("is_host_transfer", is_host_transfer);
  return {std::move(attributes), draft.ArrayShape(TypesThat(IsArrayType))};
}

XlaOp StartAndDone(std::string_view start, std::string_view done, const std::vector<XlaOp>& operands,
                   const Transfer& transfer) {
  std::optional<Shape> received;
  if (operands.size() == 1) received = ShapeUtil::MakeTupleShape({transfer.shape});
  return AddInstruction(done, {AddInstruction(start, operands, transfer.attributes, received)}, transfer.attributes);
}

// Draws a ring: every device sends to the next one and receives from the previous one. Each device starts its recv
// before its send, and waits for the received value after that; any other order deadlocks.
XlaOp DrawRing(Draft& draft, bool gives_received) {
  const Transfer transfer = DrawTransfer(draft, /*is_host_transfer=*/false);
  const std::int64_t count = draft.num_partitions() > 1 ? draft.num_partitions() : draft.replica_count();
  std::string pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    pairs += fmt::format("{}{{{},{}}}", pairs.empty() ? "" : ",", i, (i + 1) % count);
  }
  draft.builder()->SetFrontendAttributes({{"_xla_send_recv_source_target_pairs", fmt::format("{{{}}}", pairs)}});
  const XlaOp token = draft.Token();
  const XlaOp recv = AddInstruction("recv", {token}, transfer.attributes, ShapeUtil::MakeTupleShape({transfer.shape}));
  const XlaOp send = AddInstruction("send", {draft.Value(transfer.shape), token}, transfer.attributes);
  const XlaOp received = AddInstruction("recv-done", {recv}, transfer.attributes);
  const XlaOp sent = AddInstruction("send-done", {send}, transfer.attributes);
  draft.builder()->SetFrontendAttributes({});
  draft.Edit([](HloModule& module) {
    HloInstruction* send = FindInstruction(module, "send");
    send->control_predecessors.push_back(FindInstruction(module, "recv"));
    FindInstruction(module, "recv-done")->control_predecessors.push_back(send);
  });
  return gives_received ? received : sent;
}

}  // namespace

XlaOp DrawSendPair(Draft& draft) {
  if (draft.device_count() > 1 && draft.random().Flip()) return DrawRing(draft, /*gives_received=*/false);
  const Transfer transfer = DrawTransfer(draft, /*is_host_transfer=*/true);
  return StartAndDone("send", "send-done", {draft.Value(transfer.shape), draft.Token()}, transfer);
}

XlaOp DrawRecvPair(Draft& draft) {
  if (draft.device_count() > 1 && draft.random().Flip()) return DrawRing(draft, /*gives_received=*/true);
  const Transfer transfer = DrawTransfer(draft, /*is_host_transfer=*/true);
  draft.FromHost(transfer.shape);
  return StartAndDone("recv", "recv-done", {draft.Token()}, transfer);
}

XlaOp DrawInfeed(Draft& draft) {
  Random& random = draft.random();
  Shape data = draft.ArrayShape(TypesThat(IsArrayType));
  if (random.OneIn(4)) data = ShapeUtil::MakeTupleShape({data, draft.ArrayShape(TypesThat(IsArrayType))});
  draft.FromHost(data);
  return InfeedWithToken(draft.Token(), data, random.OneIn(3) ? "config" : "");
}

XlaOp DrawOutfeed(Draft& draft) {
  const Shape data = draft.ArrayShape(TypesThat(IsArrayType));
  const XlaOp operand = draft.Value(data), token = draft.Token();
  return OutfeedWithToken(operand, token, data, draft.random().OneIn(3) ? "config" : "");
}

}  // namespace assay::generate
