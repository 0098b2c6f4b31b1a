// Calls, loops, branches, custom calls, transfers, random numbers and collectives through the builder.
#include <functional>

#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

XlaComputation Unary(const std::string& name, const Shape& shape, XlaOp (*function)(XlaOp)) {
  XlaBuilder builder(name);
  function(Parameter(&builder, 0, shape, "v"));
  return Built(builder);
}

const Shape kScalar = ShapeUtil::MakeScalarShape(F32);
const Shape kInteger = ShapeUtil::MakeScalarShape(S32);
const Shape kArray = ShapeUtil::MakeShape(F32, {4, 16});

// Checks the instructions that a function adds after the parameter x = f32[4,16], on that many replicas.
void CheckAdds(const std::function<void(XlaOp x)>& function, const std::string& instructions, std::int64_t replicas = 1,
               const std::string& computations = "") {
  CheckInstructions({"x = f32[4,16]"}, OF_ALL(p, function(p[0])), instructions, computations, replicas);
}

const char* const kAdder = "adder { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT add = f32[] add(a, b) }\n";

XlaComputation Adder() {
  XlaBuilder builder("adder");
  Add(Parameter(&builder, 0, kScalar, "a"), Parameter(&builder, 1, kScalar, "b"));
  return Built(builder);
}

}  // namespace

TEST_CASE("Call and CompositeCall") {
  const XlaComputation negation = Unary("negation", kArray, Neg);
  const std::string text = "negation { v = f32[4,16] parameter(0)\n ROOT negate = f32[4,16] negate(v) }\n";
  CheckAdds(OF(x, Call(x.builder(), negation, {x})), "ROOT call = f32[4,16] call(x), to_apply=negation", 1, text);
  CheckAdds(OF(x, CompositeCall(x.builder(), negation, {x}, "my.neg", "{n = 1}", 2)),
            "ROOT call = f32[4,16] call(x), to_apply=negation, is_composite=true, "
            "frontend_attributes={composite.attributes={n = 1},composite.name=\"my.neg\",composite.version=\"2\"}",
            1, text);
  CheckAdds(OF(x, Abs(CompositeCall(x.builder(), negation, {x}, "my.neg"))),
            "call = f32[4,16] call(x), to_apply=negation, is_composite=true, "
            "frontend_attributes={composite.attributes={},composite.name=\"my.neg\",composite.version=\"0\"}\n"
            "ROOT abs = f32[4,16] abs(call)",
            1, text);
}

TEST_CASE("While") {
  XlaBuilder condition("condition");
  Parameter(&condition, 0, kArray, "w");
  ConstantR0<bool>(&condition, false);
  const XlaComputation never = Built(condition);
  CheckAdds(OF(x, While(never, Unary("body", kArray, Neg), x)),
            "ROOT while = f32[4,16] while(x), condition=condition, body=body", 1,
            "condition { w = f32[4,16] parameter(0)\n ROOT constant = pred[] constant(false) }\n"
            "body { v = f32[4,16] parameter(0)\n ROOT negate = f32[4,16] negate(v) }\n");
  CHECK_THAT(WhyNotAdded({"x = f32[]"}, OF_ALL(p, While(never, Unary("body", kScalar, Neg), p[0]))),
             StartsWith("while(f32[]): "));
}

TEST_CASE("Conditional by a pred and by an index") {
  const XlaComputation negation = Unary("negation", kScalar, Neg), root = Unary("root", kScalar, Sqrt);
  const auto chosen = [&](const auto& condition) {
    XlaBuilder builder("test");
    auto four = ConstantR0<float>(&builder, 4), nine = ConstantR0<float>(&builder, 9);
    condition(&builder, four, nine);
    return Run(builder).Get<float>({});
  };
  for (const bool choice : {true, false}) {
    CHECK(chosen([&](XlaBuilder* b, XlaOp four, XlaOp nine) {
            Conditional(ConstantR0<bool>(b, choice), four, negation, nine, root);
          }) == (choice ? -4 : 3));
    CHECK(chosen([&](XlaBuilder* b, XlaOp four, XlaOp nine) {
            Conditional(ConstantR0<bool>(b, choice), {&negation, &root}, {four, nine});
          }) == (choice ? -4 : 3));
  }
  for (const std::int32_t index : {-1, 0, 1, 2}) {
    CHECK(chosen([&](XlaBuilder* b, XlaOp four, XlaOp nine) {
            Conditional(ConstantR0<std::int32_t>(b, index), {&negation, &root}, {four, nine});
          }) == (index == 0 ? -4 : 3));
  }
  for (const bool is_pred : {false, true}) {
    XlaBuilder missing("test");
    const XlaOp four = ConstantR0<float>(&missing, 4);
    const XlaOp index = is_pred ? ConstantR0<bool>(&missing, true) : ConstantR0<std::int32_t>(&missing, 0);
    Conditional(index, {&negation, nullptr}, {four, four});
    CHECK_THAT(WhyNotBuilt(missing), EndsWith("[], f32[], f32[]): branch 1 is a null pointer"));
  }
  XlaBuilder builder("test");
  Conditional(ConstantR0<std::int32_t>(&builder, 0), {&negation, &root}, {ConstantR0<float>(&builder, 4)});
  CHECK_THAT(WhyNotBuilt(builder), StartsWith("test: conditional(s32[], f32[]): "));
}

TEST_CASE("Custom calls") {
  CheckAdds(OF(x, CustomCall(x.builder(), "myfunc", {x, x}, ShapeUtil::MakeShape(F32, {3, 3}))),
            "ROOT custom-call = f32[3,3] custom-call(x, x), custom_call_target=\"myfunc\"");
  const Literal literal = LiteralUtil::CreateR1<float>({1, 2});
  CheckAdds(OF(x, CustomCall(x.builder(), "f", {x}, kArray, "{a = 1}", /*has_side_effect=*/true, {{{}, {0, {}}}},
                             &literal, SCHEDULE_EARLIEST, API_VERSION_TYPED_FFI)),
            "ROOT custom-call = f32[4,16] custom-call(x), custom_call_target=\"f\", custom_call_has_side_effect=true, "
            "literal=f32[2] {1, 2}, output_to_operand_aliasing={{}: (0, {})}, schedule=SCHEDULE_EARLIEST, "
            "api_version=API_VERSION_TYPED_FFI, backend_config={a = 1}");
  CheckAdds(OF(x, CustomCallWithComputation(x.builder(), "f", {x}, Adder(), kArray, "text")),
            "ROOT custom-call = f32[4,16] custom-call(x), custom_call_target=\"f\", called_computations={adder}, "
            "backend_config=\"text\"",
            1, kAdder);
  const Shape column_major = ShapeUtil::MakeShapeWithLayout(F32, {4, 16}, {0, 1});
  CheckAdds(OF(x, CustomCallWithLayout(x.builder(), "f", {x}, column_major, {column_major})),
            "ROOT custom-call = f32[4,16]{0,1} custom-call(x), custom_call_target=\"f\", "
            "operand_layout_constraints={f32[4,16]{0,1}}");
}

TEST_CASE("Tokens, barriers, and the host") {
  CheckAdds(OF(x, AfterAll(x.builder(), {CreateToken(x.builder()), CreateToken(x.builder())})),
            "after-all = token[] after-all()\n after-all.1 = token[] after-all()\n"
            "ROOT after-all.2 = token[] after-all(after-all, after-all.1)");
  CheckAdds(OF(x, OptimizationBarrier(x)), "ROOT opt-barrier = f32[4,16] opt-barrier(x)");
  CheckAdds(OF(x, Infeed(x.builder(), kArray, "c")),
            "after-all = token[] after-all()\n"
            "infeed = (f32[4,16], token[]) infeed(after-all), infeed_config=\"c\"\n"
            "ROOT get-tuple-element = f32[4,16] get-tuple-element(infeed), index=0");
  CheckAdds(OF(x, Outfeed(x, kArray)),
            "after-all = token[] after-all()\n"
            "outfeed = token[] outfeed(x, after-all), outfeed_shape=f32[4,16]{1,0}\n ROOT tuple = () tuple()");
  XlaBuilder builder("test");
  AfterAll(&builder, {});
  CHECK(WhyNotBuilt(builder) == "test: after-all(): takes at least one token; CreateToken makes one");
}

TEST_CASE("Transfers are a start and its end") {
  ChannelHandle channel;
  channel.set_handle(7);
  channel.set_type(ChannelHandle::DEVICE_TO_DEVICE);
  CheckAdds(
      [&](XlaOp x) {
        Send(x, channel);
        Recv(x.builder(), kArray, channel);
      },
      "after-all = token[] after-all()\n"
      "send = (f32[4,16], u32[], token[]) send(x, after-all), channel_id=7\n"
      "send-done = token[] send-done(send), channel_id=7\n"
      "after-all.1 = token[] after-all()\n"
      "recv = (f32[4,16], u32[], token[]) recv(after-all.1), channel_id=7\n"
      "recv-done = (f32[4,16], token[]) recv-done(recv), channel_id=7\n"
      "ROOT get-tuple-element = f32[4,16] get-tuple-element(recv-done), index=0");
  const ChannelHandle to_host = {1, ChannelHandle::DEVICE_TO_HOST}, from_host = {2, ChannelHandle::HOST_TO_DEVICE};
  CheckAdds(
      [&](XlaOp x) {
        auto token = SendToHost(x, CreateToken(x.builder()), kArray, to_host);
        RecvFromHost(token, kArray, from_host);
      },
      "after-all = token[] after-all()\n"
      "send = (f32[4,16], u32[], token[]) send(x, after-all), channel_id=1, is_host_transfer=true\n"
      "send-done = token[] send-done(send), channel_id=1, is_host_transfer=true\n"
      "recv = (f32[4,16], u32[], token[]) recv(send-done), channel_id=2, is_host_transfer=true\n"
      "ROOT recv-done = (f32[4,16], token[]) recv-done(recv), channel_id=2, is_host_transfer=true");
  CHECK(WhyNotAdded({"x = f32[]"}, [&](const std::vector<XlaOp>& p) { Send(p[0], to_host); }) ==
        "send(f32[], token[]): the type of the channel must be DEVICE_TO_DEVICE, found DEVICE_TO_HOST");
}

TEST_CASE("Random numbers") {
  CheckAdds(
      [](XlaOp x) {
        auto zero = Zero(x.builder(), F32);
        RngNormal(zero, One(x.builder(), F32), kArray);
      },
      "constant = f32[] constant(0)\n constant.1 = f32[] constant(1)\n"
      "ROOT rng = f32[4,16] rng(constant, constant.1), distribution=rng_normal");
  CheckAdds(
      [](XlaOp x) {
        auto zero = Zero(x.builder(), S32);
        RngUniform(zero, One(x.builder(), S32), ShapeUtil::MakeShape(S32, {2}));
      },
      "constant = s32[] constant(0)\n constant.1 = s32[] constant(1)\n"
      "ROOT rng = s32[2] rng(constant, constant.1), distribution=rng_uniform");
  for (const auto& [algorithm, name] :
       {std::pair(RNG_DEFAULT, "rng_default"), {RNG_THREE_FRY, "rng_three_fry"}, {RNG_PHILOX, "rng_philox"}}) {
    CheckAdds(
        [chosen = algorithm](XlaOp x) {
          RngBitGenerator(chosen, Zeros(x.builder(), ShapeUtil::MakeShape(U64, {2})), ShapeUtil::MakeShape(U32, {5}));
        },
        std::string("constant = u64[] constant(0)\n broadcast = u64[2] broadcast(constant), dimensions={}\n"
                    "ROOT rng-bit-generator = (u64[2], u32[5]) rng-bit-generator(broadcast), algorithm=") +
            name);
  }
}

TEST_CASE("Collectives") {
  const std::vector<ReplicaGroup> pairs = {{{0, 2}}, {{1, 3}}};
  const std::vector<ReplicaGroup> all = {{{0, 1, 2, 3}}};
  CheckAdds(OF(x, ReplicaId(x.builder())), "ROOT replica-id = u32[] replica-id()");
  CheckAdds(OF(x, PartitionId(x.builder())), "ROOT partition-id = u32[] partition-id()");
  CheckAdds(OF(x, AllGather(x, 1, 2, pairs)),
            "ROOT all-gather = f32[4,32] all-gather(x), replica_groups={{0,2},{1,3}}, dimensions={1}", 4);
  CheckAdds(OF(x, AllGather(x, 0, 4)), "ROOT all-gather = f32[16,16] all-gather(x), replica_groups={}, dimensions={0}",
            4);
  CheckAdds(OF(x, AllGather(x, 0, 4, all, ChannelHandle{3}, std::nullopt, true)),
            "ROOT all-gather = f32[16,16] all-gather(x), channel_id=3, replica_groups={{0,1,2,3}}, dimensions={0}, "
            "use_global_device_ids=true",
            4);
  CheckAdds(OF(x, AllReduce(x, Adder(), pairs)),
            "ROOT all-reduce = f32[4,16] all-reduce(x), replica_groups={{0,2},{1,3}}, to_apply=adder", 4, kAdder);
  CheckAdds(OF(x, AllReduce(Tuple(x.builder(), {x, x}), Adder())),
            "tuple = (f32[4,16], f32[4,16]) tuple(x, x)\n"
            "get-tuple-element = f32[4,16] get-tuple-element(tuple), index=0\n"
            "get-tuple-element.1 = f32[4,16] get-tuple-element(tuple), index=1\n"
            "ROOT all-reduce = (f32[4,16], f32[4,16]) all-reduce(get-tuple-element, get-tuple-element.1), "
            "replica_groups={}, to_apply=adder",
            4, kAdder);
  CheckAdds(OF(x, AllReduce(Tuple(x.builder(), {x}), Adder())),
            "tuple = (f32[4,16]) tuple(x)\n get-tuple-element = f32[4,16] get-tuple-element(tuple), index=0\n"
            "all-reduce = f32[4,16] all-reduce(get-tuple-element), replica_groups={}, to_apply=adder\n"
            "ROOT tuple.1 = (f32[4,16]) tuple(all-reduce)",
            4, kAdder);
  CheckAdds(OF(x, CrossReplicaSum(Eq(x, x))),
            "compare = pred[4,16] compare(x, x), direction=EQ\n"
            "ROOT all-reduce = pred[4,16] all-reduce(compare), replica_groups={}, to_apply=sum",
            4, "sum { x.1 = pred[] parameter(0)\n y = pred[] parameter(1)\n ROOT or = pred[] or(x.1, y) }\n");
  CheckAdds(OF(x, ReduceScatter(x, Adder(), 1, 4)),
            "ROOT reduce-scatter = f32[4,4] reduce-scatter(x), replica_groups={}, dimensions={1}, to_apply=adder", 4,
            kAdder);
  CheckAdds(OF(x, AllToAllTuple({x, x, x, x}, all)),
            "ROOT all-to-all = (f32[4,16], f32[4,16], f32[4,16], f32[4,16]) all-to-all(x, x, x, x), "
            "replica_groups={{0,1,2,3}}",
            4);
  CheckAdds(OF(x, CollectiveBroadcast(x, {{{2, 0}}})),
            "ROOT collective-broadcast = f32[4,16] collective-broadcast(x), replica_groups={{2,0}}", 4);
  CheckAdds(
      OF(x, CollectivePermute(x, {{0, 1}, {1, 2}}, ChannelHandle{5})),
      "ROOT collective-permute = f32[4,16] collective-permute(x), channel_id=5, source_target_pairs={{0,1},{1,2}}", 4);
  CheckAdds(
      [&](XlaOp x) {
        auto n = Zeros(x.builder(), ShapeUtil::MakeShape(S32, {4}));
        RaggedAllToAll(x, n, n, x, n, n, all);
      },
      "constant = s32[] constant(0)\n broadcast = s32[4] broadcast(constant), dimensions={}\n"
      "ROOT ragged-all-to-all = f32[4,16] ragged-all-to-all(x, x, broadcast, broadcast, broadcast, broadcast), "
      "replica_groups={{0,1,2,3}}",
      4);
}

TEST_CASE("AllToAll moves the blocks to the dimension along which they are joined") {
  CheckAdds(OF(x, AllToAll(x, 1, 0, 4)),
            "all-to-all = f32[4,16] all-to-all(x), replica_groups={{0,1,2,3}}, dimensions={1}\n"
            "reshape = f32[4,4,4] reshape(all-to-all)\n"
            "transpose = f32[4,4,4]{2,0,1} transpose(reshape), dimensions={1,0,2}\n"
            "ROOT reshape.1 = f32[16,4] reshape(transpose)",
            4);
  CheckAdds(OF(x, AllToAll(x, 0, 1, 2, {{{0, 1}}, {{2, 3}}})),
            "all-to-all = f32[4,16] all-to-all(x), replica_groups={{0,1},{2,3}}, dimensions={0}\n"
            "reshape = f32[2,2,16] reshape(all-to-all)\n"
            "transpose = f32[2,2,16]{2,0,1} transpose(reshape), dimensions={1,0,2}\n"
            "ROOT reshape.1 = f32[2,32] reshape(transpose)",
            4);
  CheckAdds(OF(x, AllToAll(x, 1, 1, 4)),
            "ROOT all-to-all = f32[4,16] all-to-all(x), replica_groups={{0,1,2,3}}, dimensions={1}", 4);
  CheckAdds(OF(x, AllToAll(x, 1, 0, 2, {{{0, 1}}, {{2, 3}}}, LayoutUtil::MakeLayout({0, 1}))),
            "slice = f32[4,8] slice(x), slice={[0:4], [0:8]}\n slice.1 = f32[4,8] slice(x), slice={[0:4], [8:16]}\n"
            "all-to-all = (f32[4,8]{0,1}, f32[4,8]{0,1}) all-to-all(slice, slice.1), replica_groups={{0,1},{2,3}}, "
            "constrain_layout=true\n"
            "get-tuple-element = f32[4,8]{0,1} get-tuple-element(all-to-all), index=0\n"
            "get-tuple-element.1 = f32[4,8]{0,1} get-tuple-element(all-to-all), index=1\n"
            "ROOT concatenate = f32[8,8] concatenate(get-tuple-element, get-tuple-element.1), dimensions={0}",
            4);
  CHECK(WhyNotAdded({"x = f32[4,16]"}, OF_ALL(p, AllToAll(p[0], 1, 0, 3))) ==
        "all-to-all(f32[4,16]): dimension 1 cannot be split into 3 blocks");
}

// XLA, Operation Semantics: AllToAll. Without replica_groups, split_count is the number of replicas, which is known
// when the module is built.
TEST_CASE("AllToAll has as many blocks as there are devices") {
  const auto layout = LayoutUtil::MakeLayout({0, 1});
  for (const bool has_layout : {false, true}) {
    for (const auto& [replicas, split_count] : {std::pair(2, 4), {4, 2}, {2, 1}, {4, 8}}) {
      XlaBuilder builder("test");
      AllToAll(Parameter(&builder, 0, kArray, "x"), 1, 0, split_count, {},
               has_layout ? std::optional(layout) : std::nullopt);
      builder.SetDeviceCounts(replicas, 1);
      const std::string first_fault =
          split_count > replicas
              ? fmt::format("names {0}, which is outside [0, {0})", replicas)
              : fmt::format("must name all of the {} participants, {} is missing", replicas, split_count);
      CHECK_THAT(WhyNotBuilt(builder), EndsWith("replica_groups " + first_fault));
      // A builder that knows its devices names the argument.
      XlaBuilder of_replicas("test"), of_partitions("test");
      of_replicas.SetDeviceCounts(replicas, 1);
      of_partitions.SetDeviceCounts(1, replicas);
      const auto chosen_layout = has_layout ? std::optional(layout) : std::nullopt;
      AllToAll(Parameter(&of_replicas, 0, kArray, "x"), 1, 0, split_count, {}, chosen_layout);
      AllToAll(Parameter(&of_partitions, 0, kArray, "x"), 1, 0, split_count, {}, chosen_layout, ChannelHandle{1});
      const std::string why = fmt::format(
          "test: all-to-all(f32[4,16]): without replica_groups, split_count must be the number of devices, {}, found "
          "{}",
          replicas, split_count);
      CHECK(WhyNotBuilt(of_replicas) == why);
      CHECK(WhyNotBuilt(of_partitions) == why);
    }
    XlaBuilder unknown("test"), known("test");
    AllToAll(Parameter(&unknown, 0, kArray, "x"), 1, 0, 4, {}, has_layout ? std::optional(layout) : std::nullopt);
    CHECK(unknown.Build().has_value());
    AllToAll(Parameter(&known, 0, kArray, "x"), 1, 0, 4, {}, has_layout ? std::optional(layout) : std::nullopt);
    known.SetDeviceCounts(4, 1);
    CHECK(known.Build().has_value());
  }
  // The same holds for a computation that is called from one with other devices.
  XlaBuilder callee("callee"), builder("test");
  AllToAll(Parameter(&callee, 0, kArray, "x"), 1, 1, 4);
  builder.SetDeviceCounts(2, 1);
  Call(&builder, Built(callee), {Parameter(&builder, 0, kArray, "x")});
  CHECK_THAT(WhyNotBuilt(builder), EndsWith("replica_groups names 2, which is outside [0, 2)"));
}

TEST_CASE("Collectives of tuples") {
  CheckAdds(OF(x, CrossReplicaSum(Tuple(x.builder(), {x, x}))),
            "tuple = (f32[4,16], f32[4,16]) tuple(x, x)\n"
            "get-tuple-element = f32[4,16] get-tuple-element(tuple), index=0\n"
            "get-tuple-element.1 = f32[4,16] get-tuple-element(tuple), index=1\n"
            "ROOT all-reduce = (f32[4,16], f32[4,16]) all-reduce(get-tuple-element, get-tuple-element.1), "
            "replica_groups={}, to_apply=sum",
            2, "sum { x.1 = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT add = f32[] add(x.1, y) }\n");
  // XLA, Operation Semantics: the operand is an array or a non-empty tuple of arrays.
  const auto error = [](auto add) {
    XlaBuilder builder("test");
    add(Tuple(&builder, {}));
    return WhyNotBuilt(builder);
  };
  CHECK(error(OF(x, AllReduce(x, Adder()))) == "test: all-reduce(): all-reduce takes at least 1 operand, found 0");
  CHECK(error(OF(x, ReduceScatter(x, Adder(), 0, 2))) ==
        "test: reduce-scatter(): reduce-scatter takes at least 1 operand, found 0");
  CHECK(WhyNotAdded({"x = f32[3]"}, OF_ALL(p, ReduceScatter(p[0], Adder(), 0, 2))) ==
        "reduce-scatter(f32[3]): dimension 0 of size 3 cannot be split into 2 shards");
  CHECK(error(OF(x, AllGather(x, 0, 2))) == "test: all-gather(): all-gather takes at least 1 operand, found 0");
  CHECK(error(OF(x, CrossReplicaSum(x))) == "test: all-reduce(()): only arrays and tuples of arrays can be summed");
}
