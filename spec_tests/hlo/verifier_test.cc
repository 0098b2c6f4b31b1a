// Rules that hold for every module and every instruction: for each, a module that breaks just that one.
#include "interpreter/hlo/verifier.h"

#include "interpreter/hlo/op.h"
#include "spec_tests/hlo/verify.h"

using namespace assay;
using namespace assay::testing;

TEST_CASE("verifier: a legal module") {
  CHECK(IsLegal(Module(R"(
    x = f32[2,3] parameter(0)
    zero = f32[] constant(0)
    ROOT r = f32[2] reduce(x, zero), dimensions={1}, to_apply=sum)")));
}

TEST_CASE("verifier: an error has the place of its instruction and both shapes") {
  const Error error = OneError(R"(HloModule m
ENTRY e {
  x = f32[5] parameter(0)
  ROOT r = f32[4] opt-barrier(x)
})");
  CHECK(error.code == ErrorCode::kIllegal);
  CHECK(error.message == "r: opt-barrier: declared f32[4], inferred f32[5]");
  CHECK(error.location.line == 4);
  CHECK(error.location.column == 8);
}

TEST_CASE("verifier: every error is found, and the first is returned") {
  const std::string text = Module(R"(
    x = f32[5] parameter(0)
    a = f32[4] opt-barrier(x)
    ROOT b = f32[3] opt-barrier(x))");
  CHECK(ErrorsOf(text).size() == 2);
  const auto module = ParseHloModule(text);
  REQUIRE(module.has_value());
  const Status status = VerifyHloModule(**module);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().message == "a: opt-barrier: declared f32[4], inferred f32[5]");
}

TEST_CASE("verifier: element types are those of the op's record") {
  const std::string message = WhyIllegal(Module("x = pred[4] parameter(0) ROOT r = pred[4] tanh(x)"));
  CHECK(message.starts_with("r: operand 0 of tanh cannot be pred[4]; it takes "));
  CHECK(message.find(" bf16") != std::string::npos);
}

TEST_CASE("verifier: floating operands have one type, except where an op mixes them") {
  CHECK(WhyIllegal(Module("a = f32[2] parameter(0) b = bf16[2] parameter(1) ROOT r = f32[2] add(a, b)")) ==
        "r: floating operands of add must have the same type, found f32 and bf16");
  CHECK(IsLegal(Module("a = f32[2] parameter(0) b = bf16[2] parameter(1) ROOT r = (f32[2], bf16[2]) tuple(a, b)")));
  CHECK(IsLegal(Module(R"(a = f32[2] parameter(0) b = bf16[2] parameter(1)
    ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})")));
}

TEST_CASE("verifier: minor_to_major is a permutation") {
  CHECK(
      WhyIllegal(Module("ROOT x = f32[2,3]{1,1} parameter(0)", ", entry_computation_layout={(f32[2,3])->f32[2,3]}")) ==
      "x: f32[2,3]{1,1}: minor_to_major must be a permutation of the dimension numbers, found {1,1}");
}

TEST_CASE("verifier: sizes fit") {
  const Error error = ErrorsOf(Module("ROOT x = f32[4294967296,4294967296] parameter(0)")).front();
  CHECK(error.code == ErrorCode::kLimit);
  CHECK(error.message == "x: the number of elements of f32[4294967296,4294967296] does not fit 63 bits");
}

TEST_CASE("verifier: unbounded dimensions are refused") {
  CHECK(ErrorsOf(Module("ROOT x = f32[?] parameter(0)")).front().message ==
        "x: f32[?] has a dimension without a size: dimension 0");
}

TEST_CASE("verifier: buffers only where an op takes them") {
  CHECK(ErrorsOf(Module("x = b(f32[4]) parameter(0) ROOT r = f32[] constant(0)")).front().message ==
        "x: a parameter of the entry computation cannot be a buffer, found b(f32[4])");
}

TEST_CASE("verifier: tolerances are not negative") {
  CHECK(WhyIllegal(Module("x = f32[] parameter(0) ROOT r = f32[] tanh(x), "
                          "result_accuracy={tolerance={atol=0,rtol=-1,ulps=0}}"))
            .starts_with("r: tolerances cannot be negative"));
}

TEST_CASE("verifier: a called computation runs on its caller's thread") {
  CHECK(WhyIllegal(R"(HloModule m
    f { ROOT p = f32[] parameter(0) }, execution_thread="other"
    ENTRY e { x = f32[] parameter(0) ROOT r = f32[] call(x), to_apply=f })") ==
        "r: e runs on the thread \"main\", the applied f on \"other\"");
}

TEST_CASE("verifier: the entry layout agrees with the entry computation, layouts apart") {
  const std::string body = "x = f32[2,3]{1,0} parameter(0) ROOT r = f32[2,3] tanh(x)";
  CHECK(IsLegal(Module(body, ", entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}")));
  CHECK(WhyIllegal(Module(body, ", entry_computation_layout={(f32[3,2])->f32[2,3]}")) ==
        "module m: parameter 0 of entry_computation_layout must have the shape f32[2,3], found f32[3,2]");
  CHECK(WhyIllegal(Module(body, ", entry_computation_layout={(f32[2,3])->f32[6]}")) ==
        "module m: the result of entry_computation_layout must have the shape f32[2,3], found f32[6]");
  CHECK(WhyIllegal(Module(body, ", entry_computation_layout={()->f32[2,3]}")) ==
        "module m: entry_computation_layout must have 1 parameters, found 0");
}

TEST_CASE("verifier: input_output_alias and buffer_donor") {
  const std::string body = R"(x = f32[2] parameter(0) y = (f32[2], f32[3]) parameter(1)
    ROOT r = (f32[2], (f32[2], f32[3])) tuple(x, y))";
  const auto with = [&](std::string_view header) { return Module(body, std::string(", ") + std::string(header)); };
  CHECK(
      IsLegal(with("input_output_alias={ {0}: (0, {}, may-alias), {1,1}: (1, {1}, must-alias) }, "
                   "buffer_donor={ (1, {0}) }")));
  CHECK(WhyIllegal(with("input_output_alias={ {2}: (0, {}, may-alias) }")) ==
        "module m: input_output_alias names output {2}, which (f32[2], (f32[2], f32[3])) does not have");
  CHECK(WhyIllegal(with("input_output_alias={ {0}: (2, {}, may-alias) }")) ==
        "module m: input_output_alias names (2, {}), which is no buffer of the entry's parameters");
  CHECK(WhyIllegal(with("input_output_alias={ {0}: (1, {2}, may-alias) }")) ==
        "module m: input_output_alias names (1, {2}), which is no buffer of the entry's parameters");
  CHECK(WhyIllegal(with("input_output_alias={ {0}: (0, {}, may-alias), {1,0}: (0, {}, may-alias) }")) ==
        "module m: input_output_alias names (0, {}) twice");
  CHECK(
      WhyIllegal(with("input_output_alias={ {1,1}: (0, {}, must-alias) }")) ==
      "module m: the must-alias pair of output {1,1} and parameter (0, {}) must have the same shape, found f32[3] and "
      "f32[2]");
  CHECK(WhyIllegal(with("buffer_donor={ (3, {}) }")) ==
        "module m: buffer_donor names (3, {}), which is no buffer of the entry's parameters");
  CHECK(WhyIllegal(with("input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (0, {}) }")) ==
        "module m: buffer_donor names (0, {}), which is aliased already");
}

TEST_CASE("verifier: shardings") {
  const auto sharded = [](std::string_view sharding) {
    return Module("x = f32[4,6] parameter(0) ROOT r = f32[4,6] tanh(x), sharding=" + std::string(sharding),
                  ", num_partitions=4");
  };
  CHECK(IsLegal(sharded("{devices=[2,2]<=[4]}")));
  CHECK(IsLegal(sharded("{devices=[2,1,2]<=[4] last_tile_dim_replicate}")));
  CHECK(IsLegal(sharded("{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}")));
  CHECK(IsLegal(sharded("{replicated}")));
  CHECK(WhyIllegal(sharded("{devices=[4]<=[4]}")) ==
        "r: the sharding {devices=[4]<=[4]} has 1 dimensions, f32[4,6] has 2");
  CHECK(WhyIllegal(sharded("{devices=[4,2]<=[8]}")) ==
        "r: the sharding {devices=[4,2]<=[8]} needs more than the 4 devices of the module");
  CHECK(WhyIllegal(sharded("{maximal device=4}")) == "r: the sharding names device 4, which is outside [0, 4)");
  CHECK(WhyIllegal(sharded("{{replicated}, {replicated}}")) ==
        "r: the sharding is that of a tuple of 2 arrays, found f32[4,6]");
}

namespace {

// A module made without the parser, which cannot write these down.
HloInstruction& Add(HloComputation& computation, std::string_view op, std::string name,
                    std::vector<HloInstruction*> operands) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp(op);
  instruction->name = std::move(name);
  instruction->shape = ShapeUtil::MakeScalarShape(F32);
  instruction->operands = std::move(operands);
  return computation.Add(std::move(instruction));
}

struct Made {
  Made() {
    module.name = "m";
    entry = module.entry = &module.AddComputation("e");
    x = &Add(*entry, "parameter", "x", {});
    entry->root = x;
  }
  std::string Why() const {
    const auto errors = FindIllegal(module);
    REQUIRE(errors.size() == 1);
    return errors[0].message;
  }
  HloModule module;
  HloComputation* entry;
  HloInstruction* x;
};

}  // namespace

TEST_CASE("verifier: structure of modules that no text can say") {
  {
    Made made;
    CHECK(VerifyHloModule(made.module).has_value());
    made.module.name.clear();
    CHECK(made.Why() == "module : a module must have a name");
  }
  {
    Made made;
    made.module.entry = nullptr;
    CHECK(made.Why() == "module m: a module must have an entry computation");
  }
  {
    Made made;
    made.module.num_partitions = 0;
    CHECK(made.Why() == "module m: replica_count and num_partitions must be positive, found 1 and 0");
  }
  {
    Made made;
    Add(*made.entry, "tanh", "x", {made.x});
    CHECK(made.Why() == "x: the name is not unique");
  }
  {
    Made made;
    made.entry->root = nullptr;
    CHECK(made.Why() == "computation e: the root is not one of its instructions");
  }
  {
    Made made;
    Add(*made.entry, "add", "y", {made.x});
    CHECK(made.Why() == "y: add takes 2 operands, found 1");
  }
  {
    Made made;
    HloInstruction& first = Add(*made.entry, "tanh", "first", {});
    HloInstruction& second = Add(*made.entry, "tanh", "second", {made.x});
    first.operands = {&second};
    CHECK(made.Why() == "first: the operand second does not stand before it in computation e");
  }
  {
    Made made;
    HloComputation& other = made.module.AddComputation("other");
    other.root = &Add(other, "tanh", "y", {made.x});
    CHECK(made.Why() == "y: the operand x does not stand before it in computation other");
  }
  {
    Made made;
    Add(*made.entry, "call", "y", {made.x});
    CHECK(made.Why() == "y: call needs the attribute to_apply");
  }
  {
    Made made;
    Add(*made.entry, "tanh", "y", {made.x}).attributes.push_back({"speed", true});
    CHECK(made.Why() == "y: tanh has no attribute speed");
  }
  {
    Made made;
    Add(*made.entry, "iota", "y", {}).Set("iota_dimension", true);
    CHECK(made.Why() == "y: the attribute iota_dimension has a value of the wrong kind");
  }
  {
    Made made;
    HloInstruction& compare = Add(*made.entry, "compare", "y", {made.x, made.x});
    compare.shape = ShapeUtil::MakeScalarShape(PRED);
    compare.Set("direction", std::string("SAME"));
    CHECK(made.Why() == "y: the attribute direction cannot be SAME");
  }
  {
    Made made;
    Add(*made.entry, "constant", "y", {});
    CHECK(made.Why() == "y: a constant must have a value");
  }
}

TEST_CASE("verifier: parameter numbers are 0, 1, ... once each") {
  Made made;
  HloInstruction& second = Add(*made.entry, "parameter", "y", {});
  second.parameter_number = 2;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found 2");
  second.parameter_number = -1;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found -1");
  second.parameter_number = INT64_MAX;
  CHECK(made.Why() == "y: parameter numbers of e must be 0 to 1, found 9223372036854775807");
  second.parameter_number = 0;
  CHECK(made.Why() == "y: e has parameter 0 twice");
  second.parameter_number = 1;
  CHECK(VerifyHloModule(made.module).has_value());
}

TEST_CASE("verifier: no computation calls itself, and none the entry") {
  Made made;
  HloComputation& first = made.module.AddComputation("first");
  HloComputation& second = made.module.AddComputation("second");
  HloInstruction& a = Add(first, "parameter", "a", {});
  HloInstruction& b = Add(second, "parameter", "b", {});
  first.root = &Add(first, "call", "first_call", {&a});
  second.root = &Add(second, "call", "second_call", {&b});
  first.root->Set("to_apply", &second);
  second.root->Set("to_apply", &first);
  CHECK(made.Why() == "computation first: calls itself, by way of second");
  second.root->Set("to_apply", made.entry);
  CHECK(made.Why() == "second_call: calls the entry computation e");
}

TEST_CASE("verifier: a chain of calls as deep as the input likes") {
  Made made;
  HloComputation* callee = nullptr;
  for (int i = 0; i < 100000; ++i) {
    HloComputation& computation = made.module.AddComputation("f" + std::to_string(i));
    HloInstruction& parameter = Add(computation, "parameter", "p" + std::to_string(i), {});
    computation.root = &parameter;
    if (callee != nullptr) {
      computation.root = &Add(computation, "call", "c" + std::to_string(i), {&parameter});
      computation.root->Set("to_apply", callee);
    }
    callee = &computation;
  }
  CHECK(VerifyHloModule(made.module).has_value());
}
