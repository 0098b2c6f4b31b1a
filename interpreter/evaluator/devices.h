// The devices of one run: their meetings, their transfers, and the explanation of a deadlock.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/evaluator/flows.h"
#include "interpreter/hlo/device.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"

namespace assay {

// The state of one device in a run.
struct DeviceState {
  DeviceId id;
  std::list<Literal> from_host;
  std::vector<Literal> to_host;
  std::map<std::string, std::vector<Literal>> recorded;
  std::array<std::uint64_t, 2> random_state = {};
  std::int64_t steps = 0;
  int unended_flows = 0;
};

// The key of a meeting. Collectives without a channel share one.
struct MeetingPlace {
  std::optional<std::int64_t> channel;
  std::vector<DeviceId> participants;
  auto operator<=>(const MeetingPlace&) const = default;
};

// A flow that waits, and the event that it waits for.
struct WaitingFlow {
  const Flows::Flow* flow = nullptr;
  DeviceId device;
  const HloInstruction* instruction = nullptr;
  std::string what;               // "all-reduce on channel 1 of {replica 0, replica 1}"
  std::vector<DeviceId> missing;  // the devices that must act; empty: the host
  std::optional<MeetingPlace> place = {};
};

// The devices of a run and their meetings. All flows share it; only the flow that has the turn may use it.
class DeviceGrid {
 public:
  DeviceGrid(std::int64_t replica_count, std::int64_t partition_count);

  std::int64_t replica_count() const { return replica_count_; }
  std::int64_t partition_count() const { return partition_count_; }
  PerDevice<DeviceState>& devices() { return devices_; }
  Flows& flows() { return flows_; }

  Literal Meet(DeviceId device, const HloInstruction& instruction, std::span<const DeviceId> participants,
               std::vector<Literal> brought, const MeetingRule& rule);
  Literal Await(DeviceId device, const HloInstruction& instruction, const Literal& promised);
  void Send(DeviceId device, const HloInstruction& instruction, Literal data, std::optional<DeviceId> target);
  Literal Receive(DeviceId device, const HloInstruction& instruction, const Shape& shape,
                  std::optional<DeviceId> source);
  Literal TakeFromHost(DeviceState& device, const HloInstruction& instruction, const Shape& shape);
  // Returns a pending value, which Keep sets later.
  static Literal Promised(const Shape& shape);
  void Keep(const Literal& promised, Literal value);

 private:
  struct Meeting {
    const HloInstruction* first = nullptr;  // the instruction that opened it
    std::vector<std::optional<std::vector<Literal>>> brought;
    std::vector<Flows::Flow*> waiting;
    std::vector<Literal> results;  // set once all participants have joined
  };
  struct Receiver {
    DeviceId device;
    std::optional<DeviceId> source;
    Literal promised;
  };

  void Wait(WaitingFlow waiting);
  // Returns the possible other ends of a transfer: the named device, or any other device; a single device is its own
  // peer.
  std::vector<DeviceId> PeersOf(DeviceId device, std::optional<DeviceId> named) const;
  std::optional<Receiver> TakeReceiver(std::int64_t channel, DeviceId sender, std::optional<DeviceId> target);
  std::string Name(DeviceId device) const;
  std::string Names(std::span<const DeviceId> devices) const;
  std::string NameOfPlace(const MeetingPlace& place) const;
  Error ExplainDeadlock() const;
  std::string WhyMissing(const WaitingFlow& waiting) const;
  std::vector<DeviceId> FindCycle() const;

  std::int64_t replica_count_;
  std::int64_t partition_count_;
  PerDevice<DeviceState> devices_;
  std::map<MeetingPlace, std::deque<std::shared_ptr<Meeting>>> meetings_;
  std::map<std::int64_t, std::deque<Receiver>> receivers_;             // by channel, in call order
  std::map<std::int64_t, std::vector<Flows::Flow*>> waiting_senders_;  // by channel
  std::vector<WaitingFlow> waiting_;
  Flows flows_;
};

}  // namespace assay
