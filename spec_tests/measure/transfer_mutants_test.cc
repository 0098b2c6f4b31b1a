// Mutants of the transfers between two devices, and between a device and its host, which no golden covers. Each changes
// what a correct module returns or sends to the host, or makes its devices wait.
#include <algorithm>
#include <span>

#include "backends/mutant/mutant.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/per_device.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

using Texts = std::vector<std::string_view>;

struct Transfer {
  std::string_view module;
  std::vector<Texts> arguments;  // of each device
  std::vector<Texts> from_host;
  Texts outputs;  // of each device
  Texts to_host;  // of device 0
};

constexpr std::string_view kRing = R"(HloModule ring, replica_count=3
ENTRY e {
  x = s32[2] parameter(0)
  t = token[] after-all()
  r = (s32[2], u32[], token[]) recv(t), channel_id=1,
    frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{2,0}}"}
  s = (s32[2], u32[], token[]) send(x, t), channel_id=1, control-predecessors={r},
    frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{2,0}}"}
  rd = (s32[2], token[]) recv-done(r), channel_id=1
  sd = token[] send-done(s), channel_id=1
  ROOT d = s32[2] get-tuple-element(rd), index=0
})";

const Transfer kTransfers[] = {
    {.module = kRing,
     .arguments = {{"s32[2] {10, 11}"}, {"s32[2] {20, 21}"}, {"s32[2] {30, 31}"}},
     .from_host = {},
     .outputs = {"s32[2] {30, 31}", "s32[2] {10, 11}", "s32[2] {20, 21}"},
     .to_host = {}},
    {.module = R"(HloModule feeds
ENTRY e {
  t = token[] after-all()
  i = ((s32[], s32[]), token[]) infeed(t)
  data = (s32[], s32[]) get-tuple-element(i), index=0
  x = s32[] get-tuple-element(data), index=0
  y = s32[] get-tuple-element(data), index=1
  ROOT d = s32[] subtract(x, y)
})",
     .arguments = {{}},
     .from_host = {{"(s32[], s32[]) (7, 3)"}},
     .outputs = {"s32[] 4"},
     .to_host = {}},
    {.module = R"(HloModule sizes
ENTRY e {
  x = s32[3] parameter(0)
  n = s32[] parameter(1)
  some = s32[<=3] set-dimension-size(x, n), dimensions={0}
  t = token[] after-all()
  o = token[] outfeed(some, t), outfeed_shape=s32[<=3]
  ROOT r = s32[] copy(n)
})",
     .arguments = {{"s32[3] {1, 2, 3}", "s32[] 2"}},
     .from_host = {},
     .outputs = {"s32[] 2"},
     .to_host = {"s32[2] {1, 2}"}},
};

DeviceValues Values(const std::vector<Texts>& devices) {
  DeviceValues values(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d) {
    for (const std::string_view text : devices[d]) values[d].push_back(*ParseLiteral(text));
  }
  return values;
}

bool AreEqual(const auto& got, const Texts& want) {
  return std::ranges::equal(got, want,
                            [](const Literal& a, std::string_view b) { return a.BitwiseEqual(*ParseLiteral(b)); });
}

// True if the run of a module has the expected outputs. An error, such as a deadlock, is not.
bool IsRight(const Transfer& transfer, const Mutant* mutant) {
  auto module = *ParseHloModule(transfer.module);
  const Op broken = mutant == nullptr ? Op() : BrokenOp(*mutant);
  OpOverrides overrides;
  if (mutant != nullptr) {
    overrides[FindOp(mutant->op)] = &broken;
    EditModule(*mutant, module);
  }
  EvaluationOptions options;
  options.from_host = Values(transfer.from_host);
  Result<PerDevice<DeviceOutputs>> devices = EvaluateOnDevices(*module, Values(transfer.arguments), options, overrides);
  if (!devices || !AreEqual((*devices)[0].to_host, transfer.to_host)) return false;
  return AreEqual(OutputsOf(*std::move(devices)), transfer.outputs);
}

TEST_CASE("transfers return the written values", "[mutants]") {
  for (const Transfer& transfer : kTransfers) {
    INFO(transfer.module);
    CHECK(IsRight(transfer, nullptr));
  }
}

TEST_CASE("every mutant that no golden holds is killed by a transfer", "[mutants]") {
  std::vector<const Mutant*> mutants = {FindMutant("sizes_forgotten.outfeed"),
                                        FindMutant("operand_taken_as_zero.send.0"),
                                        FindMutant("last_is_zero.recv-done")};
  for (const Mutant& mutant : AllMutants()) {
    if (!mutant.beyond_goldens.empty()) mutants.push_back(&mutant);
  }
  CHECK(mutants.size() == 5);
  for (const Mutant* mutant : mutants) {
    INFO(mutant->id);
    CHECK(!std::ranges::all_of(kTransfers, [&](const Transfer& transfer) { return IsRight(transfer, mutant); }));
  }
}

}  // namespace
}  // namespace assay::testing
