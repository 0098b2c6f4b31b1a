// The interface of an op body to the device that it runs on: the device's id, meetings with other devices, transfers to
// and from them and the host, asynchronous work, and the state of the random number generator.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class Evaluation;

// The position of a device in the grid of replicas x partitions; each device runs the module.
struct DeviceId {
  std::int64_t replica = 0;
  std::int64_t partition = 0;
  auto operator<=>(const DeviceId&) const = default;
};

// Returns the linear id of a device, the index into a PerDevice.
inline std::int64_t FlattenedId(DeviceId device, std::int64_t num_partitions) {
  return device.replica * num_partitions + device.partition;
}

// Maps what each participant brings to a meeting to each participant's result, both in the order of participants.
using MeetingRule = std::function<std::vector<Literal>(std::span<const std::vector<Literal>> brought)>;

// A device. A function that waits suspends its caller's flow of control until another flow resumes it. If every flow of
// every device waits, the run fails with EvaluationError (kDeadlock).
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceId id() const = 0;
  virtual std::int64_t replica_count() const = 0;
  virtual std::int64_t partition_count() const = 0;

  // Waits until all participants, including this device, have reached a meeting on the same channel (that of
  // channel_id; collectives without one share a channel). The n-th meeting of the same participants on a channel is the
  // n-th for each of them. Throws EvaluationError if participants arrive with different ops or shapes.
  virtual Literal Meet(const HloInstruction& instruction, std::span<const DeviceId> participants,
                       std::vector<Literal> brought, const MeetingRule& rule) = 0;

  // Starts a new flow of control on this device. Returns the pending result of the body; only Await may read it.
  using FlowBody = std::function<Literal(Evaluation&)>;
  virtual Literal Start(const HloInstruction& instruction, const Shape& shape, FlowBody body) = 0;
  // Waits for a pending value from Start or Receive.
  virtual Literal Await(const HloInstruction& instruction, const Literal& promised) = 0;

  // Waits until a device calls Receive on the same channel (the target, or any other than this one), and transfers the
  // data to it.
  virtual void Send(const HloInstruction& instruction, Literal data, std::optional<DeviceId> target) = 0;
  // Returns the pending value that a device (the source, or any other than this one) will send on the channel.
  virtual Literal Receive(const HloInstruction& instruction, const Shape& shape, std::optional<DeviceId> source) = 0;

  // Returns the next value of the host for this device. Without one the flow waits forever.
  virtual Literal TakeFromHost(const HloInstruction& instruction, const Shape& shape) = 0;
  virtual void GiveToHost(Literal data) = 0;
  // Adds a value behind those that the host has for this device.
  virtual void AddFromHost(Literal data) = 0;

  // Returns the values that the program has recorded on this device under a name, in order.
  virtual std::vector<Literal>& Recorded(const std::string& name) = 0;

  // Returns the 128-bit state before it is advanced, low word first.
  virtual std::array<std::uint64_t, 2> AdvanceRandomState(std::uint64_t delta) = 0;
};

}  // namespace assay
