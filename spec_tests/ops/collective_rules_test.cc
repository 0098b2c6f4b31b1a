// Collectives: who takes part, and what shapes they give.
#include "interpreter/ops/collective_rules.h"

#include "spec_tests/hlo/verify.h"

using namespace assay;
using namespace assay::testing;

namespace {

// x is f32[4], y f32[8]; four replicas, two partitions.
std::string Four(std::string_view instructions) {
  return Module("x = f32[4] parameter(0) y = f32[8] parameter(1)\n" + std::string(instructions),
                ", replica_count=4, num_partitions=2");
}

}  // namespace

TEST_CASE("collectives: replica groups name every participant once") {
  const auto reduced = [](std::string_view groups) {
    return Four("ROOT r = f32[4] all-reduce(x), replica_groups=" + std::string(groups) + ", to_apply=sum");
  };
  CHECK(IsLegal(reduced("{}")));
  CHECK(IsLegal(reduced("{{0,2},{1,3}}")));
  CHECK(IsLegal(reduced("{{0,2,1},{3}}")));  // all-reduce takes groups of different sizes
  CHECK(WhyIllegal(reduced("{{0,2},{1,2}}")) == "r: all-reduce: replica_groups names 2 twice");
  CHECK(WhyIllegal(reduced("{{0,2},{1,4}}")) == "r: all-reduce: replica_groups names 4, which is outside [0, 4)");
  CHECK(WhyIllegal(reduced("{{0,1,2}}")) ==
        "r: all-reduce: replica_groups must name all of the 4 participants, found 3");
  CHECK(WhyIllegal(reduced("{{0,1,2,3},{}}")) == "r: all-reduce: replica_groups has an empty group");
  CHECK(WhyIllegal(Four("ROOT r = f32[8] all-gather(x), replica_groups={{0,1,2},{3}}, dimensions={0}")) ==
        "r: all-gather: replica_groups must be of equal size, found 3 and 1");
}

TEST_CASE("collectives: what the ids stand for") {
  // channel_id alone: replicas, each with its two partitions.
  CHECK(IsLegal(Four("ROOT r = f32[16] all-gather(x), channel_id=1, replica_groups={{0,1},{2,3}}, dimensions={0}")));
  // With use_global_device_ids: eight devices.
  CHECK(
      IsLegal(Four("ROOT r = f32[8] all-gather(x), channel_id=1, replica_groups={{0,1},{2,3},{4,5},{6,7}}, "
                   "dimensions={0}, use_global_device_ids=true")));
  // An op without that flag: partitions.
  CHECK(IsLegal(Four("ROOT r = f32[4] all-to-all(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}")));
  CHECK(WhyIllegal(Four("ROOT r = f32[8] all-gather(x), replica_groups={{0,1},{2,3}}, dimensions={0}, "
                        "use_global_device_ids=true")) == "r: all-gather: use_global_device_ids needs a channel_id");
  CHECK(WhyIllegal(Four("ROOT r = f32[8] all-gather(x), channel_id=1, replica_groups={}, dimensions={0}, "
                        "use_global_device_ids=true")) ==
        "r: all-gather: replica_groups must be given with use_global_device_ids");
  CHECK(WhyIllegal(Four("ROOT r = f32[4] all-reduce(x), channel_id=0, replica_groups={}, to_apply=sum")) ==
        "r: all-reduce: channel_id must be positive, found 0");
}

TEST_CASE("collectives: all-gather") {
  CHECK(IsLegal(Four("ROOT r = f32[16] all-gather(x), replica_groups={}, dimensions={0}")));
  CHECK(IsLegal(Four("ROOT r = (f32[16], f32[32]) all-gather(x, y), replica_groups={}, dimensions={0}")));
  CHECK(WhyIllegal(Four("ROOT r = f32[8] all-gather(x), replica_groups={}, dimensions={0}")) ==
        "r: all-gather: a group of 4 devices has 4 shards, found 2");
  CHECK(WhyIllegal(Four("ROOT r = f32[10] all-gather(x), replica_groups={}, dimensions={0}")) ==
        "r: all-gather: the size 10 of the whole must be a multiple of the size 4 of a shard");
  CHECK(WhyIllegal(Four("ROOT r = f32[16] all-gather(x), replica_groups={}, dimensions={1}")) ==
        "r: all-gather: dimensions has 1, which is outside [0, 1)");
  CHECK(WhyIllegal(Four("ROOT r = f32[16] all-gather(x, y), replica_groups={}, dimensions={0}")) ==
        "r: all-gather: the result of 2 operands must be a tuple of as many arrays, found f32[16]");
  CHECK(
      IsLegal(Four("s = (f32[4], f32[16]) all-gather-start(x), replica_groups={}, dimensions={0} "
                   "ROOT d = f32[16] all-gather-done(s)")));
}

TEST_CASE("collectives: reduce-scatter and all-reduce") {
  CHECK(IsLegal(Four("ROOT r = f32[2] reduce-scatter(y), replica_groups={}, dimensions={0}, to_apply=sum")));
  CHECK(WhyIllegal(Four("ROOT r = f32[4] reduce-scatter(y), replica_groups={}, dimensions={0}, to_apply=sum")) ==
        "r: reduce-scatter: a group of 4 devices has 4 shards, found 2");
  CHECK(IsLegal(Four("ROOT r = (f32[4], f32[8]) all-reduce(x, y), replica_groups={}, to_apply=sum")));
  CHECK(WhyIllegal(Four("ROOT r = f32[8] all-reduce(x), replica_groups={}, to_apply=sum")) ==
        "r: all-reduce: declared f32[8], inferred f32[4]");
  CHECK(
      IsLegal(Four("s = f32[4] all-reduce-start(x), replica_groups={}, to_apply=sum "
                   "ROOT d = f32[4] all-reduce-done(s)")));
}

TEST_CASE("collectives: all-to-all") {
  CHECK(IsLegal(Four("ROOT r = f32[8] all-to-all(y), replica_groups={}, dimensions={0}")));
  CHECK(IsLegal(Four("ROOT r = (f32[4], f32[4]) all-to-all(x, x), replica_groups={{0,1},{2,3}}")));
  CHECK(WhyIllegal(Module("x = f32[6] parameter(0) ROOT r = f32[6] all-to-all(x), replica_groups={}, dimensions={0}",
                          ", replica_count=4")) ==
        "r: all-to-all: dimension 0 of size 6 cannot be split between the 4 devices of a group");
  CHECK(WhyIllegal(Four("ROOT r = (f32[4], f32[4]) all-to-all(x, x), replica_groups={}")) ==
        "r: all-to-all: takes one operand for each of the 4 devices of a group, found 2");
  CHECK(WhyIllegal(Four("ROOT r = (f32[4], f32[8]) all-to-all(x, y), replica_groups={{0,1},{2,3}}")) ==
        "r: all-to-all: operands must have the same shape, found f32[4] and f32[8]");
}

TEST_CASE("collectives: ragged-all-to-all") {
  const auto ragged = [](std::string_view output, std::string_view last) {
    return Module("in = f32[4,3] parameter(0) out = " + std::string(output) +
                      " parameter(1) a = s32[4] parameter(2) b = " + std::string(last) + " parameter(3)\nROOT r = " +
                      std::string(output) + " ragged-all-to-all(in, out, a, a, a, b), replica_groups={}",
                  ", replica_count=4");
  };
  CHECK(IsLegal(ragged("f32[9,3]", "s32[4]")));
  CHECK(WhyIllegal(ragged("f32[9,2]", "s32[4]")) ==
        "r: ragged-all-to-all: input and output must agree but for dimension 0, found f32[4,3] and f32[9,2]");
  CHECK(WhyIllegal(ragged("f32[9,3]", "s32[5]")) ==
        "r: ragged-all-to-all: offsets and sizes must have the same shape, found s32[4] and s32[5]");
}

TEST_CASE("collectives: collective-permute and collective-broadcast") {
  const auto permuted = [](std::string_view pairs) {
    return Four("ROOT r = f32[4] collective-permute(x), source_target_pairs=" + std::string(pairs));
  };
  CHECK(IsLegal(permuted("{{0,1},{1,2},{2,0}}")));
  CHECK(WhyIllegal(permuted("{{0,4}}")) ==
        "r: collective-permute: source_target_pairs names 4, which is outside [0, 4)");
  CHECK(WhyIllegal(permuted("{{0,1},{0,2}}")) == "r: collective-permute: source_target_pairs has the source 0 twice");
  CHECK(WhyIllegal(permuted("{{0,1},{2,1}}")) == "r: collective-permute: source_target_pairs has the target 1 twice");
  CHECK(WhyIllegal(permuted("{{0,1,2}}")) ==
        "r: collective-permute: source_target_pairs has an entry of 3 numbers, expected 2");
  CHECK(
      IsLegal(Four("s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1}} "
                   "ROOT d = f32[4] collective-permute-done(s)")));
  CHECK(IsLegal(Four("ROOT r = f32[4] collective-broadcast(x), replica_groups={{2,0}}")));
  CHECK(WhyIllegal(Four("ROOT r = f32[4] collective-broadcast(x), replica_groups={{2,2}}")) ==
        "r: collective-broadcast: replica_groups names 2 twice");
}
