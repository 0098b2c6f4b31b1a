// What an op body may ask of the device that it runs on: its place among the others, meetings with them, transfers to
// and from them and the host, work that goes on by itself, and the state of the random number generator.
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

// A place in the grid of replicas x partitions, each device of which runs the module.
struct DeviceId {
  std::int64_t replica = 0;
  std::int64_t partition = 0;
  auto operator<=>(const DeviceId&) const = default;
};

// The place of a device among all of them in one line, by which a PerDevice is indexed.
inline std::int64_t FlattenedId(DeviceId device, std::int64_t num_partitions) {
  return device.replica * num_partitions + device.partition;
}

// What each participant of a meeting brought, in the participants' order, to what each takes away.
using MeetingRule = std::function<std::vector<Literal>(std::span<const std::vector<Literal>> brought)>;

// Where a function says that it waits, the flow of control that calls it does, until another one lets it go on. When
// every flow of every device waits, the run ends with kDeadlock: EvaluationError.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceId id() const = 0;
  virtual std::int64_t replica_count() const = 0;
  virtual std::int64_t partition_count() const = 0;

  // Waits until all participants, this device among them, have come to a meeting on the same channel (that of
  // channel_id; collectives without one share a channel of their own). The n-th meeting of the same participants on a
  // channel is the n-th for each of them. Throws EvaluationError when they come with different ops or shapes.
  virtual Literal Meet(const HloInstruction& instruction, std::span<const DeviceId> participants,
                       std::vector<Literal> brought, const MeetingRule& rule) = 0;

  // A flow of control of its own for this device. The value returned, which only Await may look into, stands for the
  // body's result until then.
  using FlowBody = std::function<Literal(Evaluation&)>;
  virtual Literal Start(const HloInstruction& instruction, const Shape& shape, FlowBody body) = 0;
  // Waits for a value that Start or Receive has promised.
  virtual Literal Await(const HloInstruction& instruction, const Literal& promised) = 0;

  // Waits until a device has called Receive on the same channel (the target, or any other than this one), and hands it
  // the data.
  virtual void Send(const HloInstruction& instruction, Literal data, std::optional<DeviceId> target) = 0;
  // Promises what a device (the source, or any other than this one) will send on the channel.
  virtual Literal Receive(const HloInstruction& instruction, const Shape& shape, std::optional<DeviceId> source) = 0;

  // The next value that the host has for this device. Without one the flow waits for ever.
  virtual Literal TakeFromHost(const HloInstruction& instruction, const Shape& shape) = 0;
  virtual void GiveToHost(Literal data) = 0;

  // The 128-bit state before it is advanced, low word first.
  virtual std::array<std::uint64_t, 2> AdvanceRandomState(std::uint64_t delta) = 0;
};

}  // namespace assay
