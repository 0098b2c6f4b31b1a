#include "interpreter/ops/transfer_rules.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::string_view kPairs = "_xla_send_recv_source_target_pairs=";

// The numbers of "{{0,1},{1,2}}", in their order, up to the end of the braces.
std::vector<std::int64_t> Numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error == std::errc()) {
      numbers.push_back(number);
      i = end - text.data();
      continue;
    }
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    ++i;
    if (depth == 0 && text[i - 1] == '}') break;
  }
  return numbers;
}

DeviceId DeviceWithId(const HloInstruction& instruction, std::int64_t id, const Device& device) {
  const bool are_partitions = device.partition_count() > 1;
  const std::int64_t count = are_partitions ? device.partition_count() : device.replica_count();
  if (id < 0 || id >= count) {
    throw EvaluationError{
        {ErrorCode::kInput,
         fmt::format("the source-target pairs of {} name {}, outside [0, {})", instruction.name, id, count),
         instruction.location}};
  }
  return are_partitions ? DeviceId{device.id().replica, id} : DeviceId{id, device.id().partition};
}

// The other end of the pair in which the running device stands at position `own`, 0 for the source.
TransferPeer PeerOf(const HloInstruction& instruction, const Device& device, std::size_t own) {
  const auto written = instruction.annotations.find("frontend_attributes");
  if (written == instruction.annotations.end()) return {};
  const std::size_t begin = written->second.find(kPairs);
  if (begin == std::string::npos) return {};
  const auto numbers = Numbers(std::string_view(written->second).substr(begin + kPairs.size()));
  if (numbers.size() % 2 != 0) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("the source-target pairs of {} cannot be read", instruction.name),
                           instruction.location}};
  }
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    if (DeviceWithId(instruction, numbers[i + own], device) != device.id()) continue;
    return {true, DeviceWithId(instruction, numbers[i + 1 - own], device)};
  }
  return {false, std::nullopt};
}

}  // namespace

TransferPeer TargetOf(const HloInstruction& send, const Device& device) { return PeerOf(send, device, 0); }

TransferPeer SourceOf(const HloInstruction& recv, const Device& device) { return PeerOf(recv, device, 1); }

}  // namespace assay
