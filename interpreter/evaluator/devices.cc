#include "interpreter/evaluator/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "interpreter/ops/common/named_devices.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// The state of a pending Literal, and the flow that waits for it.
struct PendingValue : Promise {
  std::optional<Literal> value;
  Flows::Flow* waiting = nullptr;
  std::string what;               // the awaited event, for the message of a deadlock
  std::vector<DeviceId> missing;  // the devices that must cause it
};

PendingValue& Pending(const Literal& promised) { return static_cast<PendingValue&>(*promised.promise()); }

std::optional<std::int64_t> ChannelOf(const HloInstruction& instruction) {
  if (!instruction.Has("channel_id")) return std::nullopt;
  return instruction.Int64("channel_id");
}

std::string Place(const HloInstruction& instruction) {
  return fmt::format("{} (line {})", instruction.name, instruction.location.line);
}

std::string Shapes(const std::vector<Literal>& literals) {
  std::vector<std::string> shapes;
  for (const Literal& literal : literals) shapes.push_back(literal.shape().ToStringWithoutLayout());
  return JoinText(shapes, ", ");
}

bool HaveSameShapes(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  return std::ranges::equal(
      a, b, [](const Literal& x, const Literal& y) { return ShapeUtil::Compatible(x.shape(), y.shape()); });
}

}  // namespace

DeviceGrid::DeviceGrid(std::int64_t replica_count, std::int64_t partition_count)
    : replica_count_(replica_count),
      partition_count_(partition_count),
      devices_(replica_count * partition_count),
      flows_([this] { return ExplainDeadlock(); }) {
  for (std::int64_t i = 0; i < replica_count * partition_count; ++i) {
    devices_[i].id = {i / partition_count, i % partition_count};
  }
}

Literal DeviceGrid::Meet(DeviceId device, const HloInstruction& instruction, std::span<const DeviceId> participants,
                         std::vector<Literal> brought, const MeetingRule& rule) {
  const MeetingPlace place = {ChannelOf(instruction), {participants.begin(), participants.end()}};
  const auto self = std::ranges::find(place.participants, device) - place.participants.begin();
  std::deque<std::shared_ptr<Meeting>>& meetings = meetings_[place];
  // The first meeting that this device has not joined yet.
  auto found = std::ranges::find_if(meetings, [&](const auto& meeting) { return !meeting->brought[self]; });
  if (found == meetings.end()) {
    meetings.push_back(std::make_shared<Meeting>());
    found = meetings.end() - 1;
    (*found)->first = &instruction;
    (*found)->brought.resize(place.participants.size());
  }
  const std::shared_ptr<Meeting> meeting = *found;
  for (std::size_t i = 0; i < meeting->brought.size(); ++i) {
    if (!meeting->brought[i]) continue;
    if (meeting->first->op == instruction.op && HaveSameShapes(*meeting->brought[i], brought)) break;
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("{} and {} meet{} with different operations: {} of {} at {}, {} of {} at {}",
                                       Name(place.participants[i]), Name(device), NameOfPlace(place),
                                       meeting->first->op->name, Shapes(*meeting->brought[i]), Place(*meeting->first),
                                       instruction.op->name, Shapes(brought), Place(instruction)),
                           instruction.location}};
  }
  meeting->brought[self] = std::move(brought);

  std::vector<DeviceId> missing;
  for (std::size_t i = 0; i < meeting->brought.size(); ++i) {
    if (!meeting->brought[i]) missing.push_back(place.participants[i]);
  }
  if (missing.empty()) {
    meetings.erase(std::ranges::find(meetings, meeting));
    std::vector<std::vector<Literal>> all;
    for (auto& part : meeting->brought) all.push_back(*std::move(part));
    meeting->results = rule(all);
    for (Flows::Flow* flow : meeting->waiting) flows_.Wake(*flow);
  } else {
    meeting->waiting.push_back(&flows_.current());
    Wait({&flows_.current(), device, &instruction, std::string(instruction.op->name) + NameOfPlace(place),
          std::move(missing), place});
  }
  return std::move(meeting->results[self]);
}

Literal DeviceGrid::Promised(const Shape& shape) {
  return Literal::MakePromised(shape, std::make_shared<PendingValue>());
}

void DeviceGrid::Keep(const Literal& promised, Literal value) {
  PendingValue& pending = Pending(promised);
  pending.value = std::move(value);
  if (pending.waiting != nullptr) flows_.Wake(*pending.waiting);
}

Literal DeviceGrid::Await(DeviceId device, const HloInstruction& instruction, const Literal& promised) {
  if (promised.promise() == nullptr) return promised;
  PendingValue& pending = Pending(promised);
  if (!pending.value) {
    pending.waiting = &flows_.current();
    Wait({&flows_.current(), device, &instruction, pending.what.empty() ? "the end of what was started" : pending.what,
          pending.missing.empty() ? std::vector<DeviceId>{device} : pending.missing});
  }
  return *pending.value;
}

std::optional<DeviceGrid::Receiver> DeviceGrid::TakeReceiver(std::int64_t channel, DeviceId sender,
                                                             std::optional<DeviceId> target) {
  std::deque<Receiver>& receivers = receivers_[channel];
  const bool is_alone = devices_.size() == 1;
  const auto found = std::ranges::find_if(receivers, [&](const Receiver& receiver) {
    const bool wants = receiver.source ? *receiver.source == sender : is_alone || receiver.device != sender;
    return wants && (!target || receiver.device == *target);
  });
  if (found == receivers.end()) return std::nullopt;
  Receiver receiver = std::move(*found);
  receivers.erase(found);
  return receiver;
}

void DeviceGrid::Send(DeviceId device, const HloInstruction& instruction, Literal data,
                      std::optional<DeviceId> target) {
  const std::int64_t channel = instruction.Int64("channel_id");
  std::optional<Receiver> receiver;
  while (!(receiver = TakeReceiver(channel, device, target))) {
    waiting_senders_[channel].push_back(&flows_.current());
    Wait({&flows_.current(), device, &instruction, fmt::format("a recv on channel {}", channel),
          PeersOf(device, target)});
  }
  if (!ShapeUtil::Compatible(receiver->promised.shape(), data.shape())) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("on channel {} {} sends {}, and {} receives {}", channel, Name(device),
                                       data.shape().ToStringWithoutLayout(), Name(receiver->device),
                                       receiver->promised.shape().ToStringWithoutLayout()),
                           instruction.location}};
  }
  Keep(receiver->promised, std::move(data));
}

Literal DeviceGrid::Receive(DeviceId device, const HloInstruction& instruction, const Shape& shape,
                            std::optional<DeviceId> source) {
  const std::int64_t channel = instruction.Int64("channel_id");
  const Literal promised = Promised(shape);
  PendingValue& pending = Pending(promised);
  pending.what = fmt::format("a send on channel {}", channel);
  pending.missing = PeersOf(device, source);
  receivers_[channel].push_back({device, source, promised});
  for (Flows::Flow* sender : std::exchange(waiting_senders_[channel], {})) flows_.Wake(*sender);
  return promised;
}

Literal DeviceGrid::TakeFromHost(DeviceState& device, const HloInstruction& instruction, const Shape& shape) {
  if (device.from_host.empty()) Wait({&flows_.current(), device.id, &instruction, "data from the host", {}});
  Literal data = std::move(device.from_host.front());
  device.from_host.pop_front();
  if (ShapeUtil::Compatible(data.shape(), shape)) return data;
  throw EvaluationError{
      {ErrorCode::kInput,
       fmt::format("the host's next value for {} is {}, {} expects {}", Name(device.id),
                   data.shape().ToStringWithoutLayout(), instruction.name, shape.ToStringWithoutLayout()),
       instruction.location}};
}

std::vector<DeviceId> DeviceGrid::PeersOf(DeviceId device, std::optional<DeviceId> named) const {
  if (named) return {*named};
  std::vector<DeviceId> peers;
  for (const DeviceState& other : devices_) {
    if (other.id != device || devices_.size() == 1) peers.push_back(other.id);
  }
  return peers;
}

void DeviceGrid::Wait(WaitingFlow waiting) {
  const Flows::Flow* flow = waiting.flow;
  waiting_.push_back(std::move(waiting));
  flows_.Wait();
  std::erase_if(waiting_, [&](const WaitingFlow& other) { return other.flow == flow; });
}

std::string DeviceGrid::Name(DeviceId device) const {
  if (devices_.size() == 1) return "the device";
  if (partition_count_ == 1) return fmt::format("replica {}", device.replica);
  if (replica_count_ == 1) return fmt::format("partition {}", device.partition);
  return fmt::format("replica {} partition {}", device.replica, device.partition);
}

std::string DeviceGrid::Names(std::span<const DeviceId> devices) const {
  std::vector<std::string> names;
  for (const DeviceId& device : devices) names.push_back(Name(device));
  return JoinText(names, ", ");
}

std::string DeviceGrid::NameOfPlace(const MeetingPlace& place) const {
  return fmt::format("{} of {{{}}}", place.channel ? fmt::format(" on channel {}", *place.channel) : "",
                     Names(place.participants));
}

std::string DeviceGrid::WhyMissing(const WaitingFlow& waiting) const {
  if (waiting.missing.empty()) return "the host has no more";
  std::string why = "missing " + Names(waiting.missing);
  for (const DeviceId& missing : waiting.missing) {
    const DeviceState& state = devices_[FlattenedId(missing, partition_count_)];
    if (state.unended_flows == 0) why += fmt::format("; {} has ended", Name(missing));
    const auto at_other_group = [&](const WaitingFlow& other) {
      return other.device == missing && other.place && waiting.place &&
             other.place->channel == waiting.place->channel && other.place->participants != waiting.place->participants;
    };
    if (std::ranges::any_of(waiting_, at_other_group)) {
      why += fmt::format("; {} waits on the same channel in another group", Name(missing));
    }
  }
  return why;
}

// Returns a cycle of devices, each of which waits for the next one; empty if there is none. A search in depth, from the
// smallest device on.
std::vector<DeviceId> DeviceGrid::FindCycle() const {
  std::map<DeviceId, std::set<DeviceId>> waits_for;
  for (const WaitingFlow& flow : waiting_) waits_for[flow.device].insert(flow.missing.begin(), flow.missing.end());
  for (auto& [device, missing] : waits_for) missing.erase(device);
  std::set<DeviceId> seen;
  std::vector<DeviceId> path;
  const auto closes_cycle = [&](auto& self, const DeviceId& device) -> bool {
    if (const auto first = std::ranges::find(path, device); first != path.end()) {
      path.erase(path.begin(), first);
      return true;
    }
    const auto found = waits_for.find(device);
    if (found == waits_for.end() || !seen.insert(device).second) return false;
    path.push_back(device);
    for (const DeviceId& next : found->second) {
      if (self(self, next)) return true;
    }
    path.pop_back();
    return false;
  };
  for (const auto& [device, missing] : waits_for) {
    if (closes_cycle(closes_cycle, device)) return path;
  }
  return {};
}

Error DeviceGrid::ExplainDeadlock() const {
  std::vector<WaitingFlow> waiting = waiting_;
  std::ranges::stable_sort(waiting, {}, &WaitingFlow::device);
  std::string message = "deadlock: nothing can go on";
  for (const WaitingFlow& flow : waiting) {
    message += fmt::format("\n  {} waits at {} for {}: {}", Name(flow.device), Place(*flow.instruction), flow.what,
                           WhyMissing(flow));
  }
  if (std::vector<DeviceId> cycle = FindCycle(); !cycle.empty()) {
    cycle.push_back(cycle.front());
    std::vector<std::string> names;
    for (const DeviceId& device : cycle) names.push_back(Name(device));
    message += fmt::format("\n  cycle: {}", JoinText(names, " -> "));
  }
  if (!waiting.empty()) {
    const NamedDevices named = DevicesNamedBy(*waiting[0].instruction->parent->module);
    const auto running = static_cast<std::int64_t>(devices_.size());
    if (named.replicas > replica_count_ || named.partitions > partition_count_) {
      message += fmt::format("\n  {}: {} ran", named.why, running);
    } else if (running == 1 && !waiting[0].missing.empty()) {
      message += "\n  one device ran: it takes another to send to or to receive from, or a recv before the send";
    }
  }
  return {ErrorCode::kDeadlock, std::move(message),
          waiting.empty() ? SourceLocation{} : waiting[0].instruction->location};
}

}  // namespace assay
