#include <algorithm>

#include "backends/mutant/break.h"
#include "backends/mutant/families.h"

namespace assay {
namespace {

constexpr std::string_view kBeyondGoldens = "a golden has neither a host nor transfers";

void ReverseData(const HloInstruction&, std::span<const Literal>, Literal& result) {
  std::vector<Literal>& data = result.mutable_elements()[0].mutable_elements();
  const bool have_one_shape = std::ranges::all_of(
      data, [&](const Literal& element) { return ShapeUtil::Compatible(element.shape(), data[0].shape()); });
  if (have_one_shape) std::ranges::reverse(data);
}

void ForgetRunTimeSizes(HloInstruction&, std::vector<Literal>& operands) {
  const Shape shape = operands[0].shape();
  for (std::int64_t d = 0; d < shape.rank(); ++d) operands[0].set_dynamic_size(d, shape.dimensions(d));
}

void SendHalf(HloInstruction&, std::vector<Literal>& operands) { ForgetHalf(operands[0]); }

void ForgetHalfOfData(const HloInstruction&, std::span<const Literal>, Literal& result) {
  ForgetHalf(result.mutable_elements()[0]);
}

// Drops the last pair of the text in the frontend attributes: "{{0,1},{1,2}}".
void ForgetLastPair(HloInstruction& recv) {
  const auto attributes = recv.annotations.find("frontend_attributes");
  if (attributes == recv.annotations.end()) return;
  std::string& text = attributes->second;
  const std::size_t key = text.find("_xla_send_recv_source_target_pairs");
  if (key == std::string::npos) return;
  const std::size_t end = text.find("}}", key), comma = text.rfind(",{", end);
  if (comma != std::string::npos && comma > key) text.erase(comma, end + 1 - comma);
}

}  // namespace

std::vector<Mutant> TransferMutants() {
  std::vector<Mutant> mutants = {
      {"infeed_reverses_tuple", "infeed", "the elements of a tuple come in reverse order", BreakResult<ReverseData>},
      {"outfeed_ignores_sizes", "outfeed", "run-time sizes are ignored: padding goes to the host",
       BreakOperands<ForgetRunTimeSizes>},
      {"recv_done_early", "recv-done", "the end does not wait: the second half has not arrived",
       BreakResult<ForgetHalfOfData>},
      {"recv_forgets_last_pair", "recv", "the last source-target pair is dropped", nullptr, ForgetLastPair},
      {"send_torn", "send", "only the first half is sent", BreakOperands<SendHalf>},
  };
  for (Mutant& mutant : mutants) mutant.beyond_goldens = kBeyondGoldens;
  return mutants;
}

}  // namespace assay
