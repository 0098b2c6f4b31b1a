// A PJRT plugin that runs modules on the reference, and misbehaves as it is told.
//
// Options of its client: devices=N (or cpu_device_count=N, XLA:CPU's name of it), platform=NAME (with `cpu` it has the
// passes of passes.h), and behaviour=WORD[,WORD...], each a misdeed or MISDEED@OP, which is for modules with that op
// alone:
//
//   abort, exit, hang, print, flush               when a module is compiled
//   code-N, empty-N, garbled-N, size-N            an error with that number; without a message; with bytes that are not
//                                                 UTF-8; with a message of a size without an address
//   mlir                                          compiles the format mlir alone; refuses others as XLA's plugins do
//   iree                                          the same with IREE's error
//   no-format                                     refuses every format
//   old                                           the error of XLA's plugins for a struct of an older version
//   late-code-N, late-hang                        the same at the end of a run
//   no-executable, results-N, no-buffers          an OK without a result; N results; results without buffers
//   type, dimensions, dimensions-N, bytes-of-N    results with wrong type, dimensions, number of these, bytes
//   sizes-N                                       N for each s32[] of a result
//   wrong                                         results whose first element has another sign
//   order                                         a result whose layout is no order of its dimensions
//   row-major                                     passes over the layouts that the host asks for
//
// FAKE_PJRT_TABLE in the environment is for what a host sees before it has a client: version-A.B, size-N (the bytes of
// the table), null-N (the function with this number is null), none.
#include <xmmintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backends/pjrt/abi/api.h"
#include "backends/pjrt/buffer_types.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "spec_tests/backends/fake_pjrt/misdeeds.h"
#include "spec_tests/backends/fake_pjrt/passes.h"

namespace assay::pjrt {

struct PJRT_Error {
  int code;
  std::string message;
  std::size_t further_size = 0;
};
struct PJRT_Event {
  std::optional<PJRT_Error> error;
  bool hangs = false;
};
struct PJRT_DeviceDescription {
  int id;
};
struct PJRT_Device {
  PJRT_DeviceDescription description;
};
struct PJRT_Client {
  std::vector<std::unique_ptr<PJRT_Device>> devices;
  std::vector<PJRT_Device*> addressable;
  std::string platform = "fake";
  std::string behaviour;
};
struct PJRT_LoadedExecutable {
  std::unique_ptr<HloModule> module;
  std::string behaviour;  // the misdeeds that are for this module
};
struct PJRT_Executable {
  std::size_t results;
};
struct PJRT_Buffer {
  Literal literal;
  std::string misdeeds;
  std::vector<std::int64_t> dimensions, minor_to_major;
};

namespace {

PJRT_Error* MakeError(int code, std::string message) { return new PJRT_Error{code, std::move(message)}; }

void DestroyError(PJRT_Error_Destroy_Args* args) { delete args->error; }
void Message(PJRT_Error_Message_Args* args) {
  const std::string& message = args->error->message;
  args->message = message.empty() ? nullptr : message.data();
  args->message_size = message.size() + args->error->further_size;
}
PJRT_Error* GetCode(PJRT_Error_GetCode_Args* args) {
  args->code = static_cast<PJRT_Error_Code>(args->error->code);
  return nullptr;
}
PJRT_Error* Initialize(PJRT_Plugin_Initialize_Args*) { return nullptr; }
PJRT_Error* AwaitEvent(PJRT_Event_Await_Args* args) {
  if (args->event->hangs) std::this_thread::sleep_for(std::chrono::hours(1));
  const std::optional<PJRT_Error>& error = args->event->error;
  return error ? new PJRT_Error(*error) : nullptr;
}

PJRT_Error* CreateClient(PJRT_Client_Create_Args* args) {
  auto client = std::make_unique<PJRT_Client>();
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < args->num_options; ++i) {
    const PJRT_NamedValue& option = args->create_options[i];
    const std::string_view name(option.name, option.name_size);
    if ((name == "devices" || name == "cpu_device_count") && option.type == PJRT_NamedValue_kInt64) {
      devices = option.int64_value;
    } else if (name == "platform" && option.type == PJRT_NamedValue_kString) {
      client->platform.assign(option.string_value, option.value_size);
    } else if (name == "behaviour" && option.type == PJRT_NamedValue_kString) {
      client->behaviour.assign(option.string_value, option.value_size);
    } else {
      return MakeError(PJRT_Error_Code_INVALID_ARGUMENT, "no option " + std::string(name) + " of type " +
                                                             std::to_string(option.type) + " and size " +
                                                             std::to_string(option.value_size));
    }
  }
  for (int id = 0; id < devices; ++id) {
    // Ids that are no places in the list.
    client->devices.push_back(std::make_unique<PJRT_Device>(PJRT_Device{{10 * id + 7}}));
    client->addressable.push_back(client->devices.back().get());
  }
  args->client = client.release();
  return nullptr;
}

PJRT_Error* PlatformName(PJRT_Client_PlatformName_Args* args) {
  args->platform_name = args->client->platform.data();
  args->platform_name_size = args->client->platform.size();
  return nullptr;
}
PJRT_Error* PlatformVersion(PJRT_Client_PlatformVersion_Args* args) {
  args->platform_version = "7\nand more";
  args->platform_version_size = 10;
  return nullptr;
}
PJRT_Error* AddressableDevices(PJRT_Client_AddressableDevices_Args* args) {
  args->addressable_devices = args->client->addressable.data();
  args->num_addressable_devices = args->client->addressable.size();
  return nullptr;
}
PJRT_Error* GetDescription(PJRT_Device_GetDescription_Args* args) {
  args->device_description = &args->device->description;
  return nullptr;
}
PJRT_Error* GetId(PJRT_DeviceDescription_Id_Args* args) {
  args->id = args->device_description->id;
  return nullptr;
}

PJRT_Error* Misbehave(const std::string& misdeeds) {
  if (Find(misdeeds, "print")) std::puts("{\"id\": 1, \"status\": \"ok\"}");
  std::fflush(stdout);
  if (Find(misdeeds, "abort")) {
    std::fputs("the fake plugin is at its end\n", stderr);
    std::abort();
  }
  if (Find(misdeeds, "hang")) std::this_thread::sleep_for(std::chrono::hours(1));
  if (Find(misdeeds, "flush")) _mm_setcsr(_mm_getcsr() | 0x8040);
  if (Find(misdeeds, "exit")) std::_Exit(0);
  if (const auto code = Find(misdeeds, "code-")) return MakeError(std::atoi(code->c_str()), "as it was told");
  if (const auto code = Find(misdeeds, "empty-")) return MakeError(std::atoi(code->c_str()), "");
  if (const auto code = Find(misdeeds, "garbled-")) return MakeError(std::atoi(code->c_str()), "bad \xff\xfe bytes");
  if (const auto size = Find(misdeeds, "size-")) return new PJRT_Error{3, "", std::stoull(*size)};
  if (Find(misdeeds, "old")) {
    return MakeError(PJRT_Error_Code_INVALID_ARGUMENT,
                     "Unexpected PJRT_Program size: expected 56, got 48. Check installed software versions.");
  }
  return nullptr;
}

PJRT_Error* RefuseFormat(std::string_view format, const std::string& behaviour) {
  const bool is_mlir = Find(behaviour, "mlir").has_value(), is_iree = Find(behaviour, "iree").has_value();
  if (!Find(behaviour, "no-format") && format == (is_mlir || is_iree ? "mlir" : "hlo")) return nullptr;
  return MakeError(PJRT_Error_Code_INVALID_ARGUMENT,
                   is_iree ? "INVALID_ARGUMENT; because IREE only supports MLIR input but got something else"
                           : "Unknown program format '" + std::string(format) + "'.");
}

Result<std::unique_ptr<HloModule>> ReadProgram(std::string_view format, std::string_view code) {
  if (format == "hlo") return ReadHloModuleProto(code);
  ASSAY_TRY(const stablehlo::Program program, stablehlo::ParseText(code));
  return stablehlo::ToHlo(program);
}

PJRT_Error* Compile(PJRT_Client_Compile_Args* args) {
  const PJRT_Program& program = *args->program;
  const std::string_view format(program.format, program.format_size);
  if (PJRT_Error* error = RefuseFormat(format, args->client->behaviour)) return error;
  Result<std::unique_ptr<HloModule>> module = ReadProgram(format, {program.code, program.code_size});
  if (!module) return MakeError(PJRT_Error_Code_INVALID_ARGUMENT, module.error().message);
  const std::vector<Error> errors = FindIllegal(**module, {});
  if (!errors.empty()) return MakeError(PJRT_Error_Code_INVALID_ARGUMENT, errors[0].message);
  std::string misdeeds = MisdeedsFor(**module, args->client->behaviour);
  if (PJRT_Error* error = Misbehave(misdeeds)) return error;
  if (Find(misdeeds, "no-executable")) return nullptr;
  if (args->client->platform == "cpu") RunPasses(**module, {args->compile_options, args->compile_options_size});
  args->executable = new PJRT_LoadedExecutable{*std::move(module), std::move(misdeeds)};
  return nullptr;
}

PJRT_Error* GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args* args) {
  const PJRT_LoadedExecutable& loaded = *args->loaded_executable;
  const std::optional<std::string> results = Find(loaded.behaviour, "results-");
  const auto leaves = static_cast<std::size_t>(ShapeUtil::LeafCount(loaded.module->entry->root->shape));
  args->executable = new PJRT_Executable{results ? std::stoull(*results) : leaves};
  return nullptr;
}
PJRT_Error* NumOutputs(PJRT_Executable_NumOutputs_Args* args) {
  args->num_outputs = args->executable->results;
  return nullptr;
}

PJRT_Error* BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args* args) {
  const PrimitiveType type = PrimitiveTypeOf(args->type);
  Literal literal(ShapeUtil::MakeShape(type, Dimensions(args->dims, args->dims + args->num_dims)));
  std::copy_n(static_cast<const std::byte*>(args->data), literal.byte_size(), literal.mutable_data());
  const std::int64_t rank = literal.shape().rank();
  Dimensions minor_to_major = LayoutUtil::GetDefaultLayoutForRank(rank).minor_to_major;
  if (args->device_layout != nullptr && !Find(args->client->behaviour, "row-major")) {
    const PJRT_Buffer_MemoryLayout_Tiled& tiled = args->device_layout->tiled;
    minor_to_major.assign(tiled.minor_to_major, tiled.minor_to_major + tiled.minor_to_major_size);
  }
  const Dimensions dimensions = literal.shape().dimensions();
  args->buffer = new PJRT_Buffer{std::move(literal), "", dimensions, std::move(minor_to_major)};
  args->done_with_host_buffer = new PJRT_Event{};
  return nullptr;
}

// `layouts` has the shape of the value.
void AddBuffers(const Literal& value, const Shape& layouts, const std::string& misdeeds, PJRT_Buffer**& next) {
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    AddBuffers(value.elements()[i], layouts.tuple_shapes(static_cast<std::int64_t>(i)), misdeeds, next);
  }
  if (value.shape().IsTuple()) return;
  if (Find(misdeeds, "no-buffers")) {
    *next++ = nullptr;
  } else {
    Literal sent = value;
    if (Find(misdeeds, "wrong") && sent.element_count() > 0) {
      sent.mutable_data()[StorageBytes(sent.element_type()) - 1] ^= std::byte{0x80};
    }
    const std::optional<std::string> size = Find(misdeeds, "sizes-");
    if (size && value.shape().IsScalar() && value.element_type() == S32) sent.Set<std::int32_t>({}, std::stoi(*size));
    *next++ = new PJRT_Buffer{std::move(sent), misdeeds, value.shape().dimensions(), layouts.layout().minor_to_major};
  }
}

PJRT_Error* Execute(PJRT_LoadedExecutable_Execute_Args* args) {
  const PJRT_LoadedExecutable& executable = *args->executable;
  DeviceValues inputs;
  for (std::size_t device = 0; device < args->num_devices; ++device) {
    std::vector<Literal> arguments;
    for (std::size_t i = 0; i < args->num_args; ++i) arguments.push_back(args->argument_lists[device][i]->literal);
    inputs.push_back(std::move(arguments));
  }
  Result<PerDevice<DeviceOutputs>> outputs = EvaluateOnDevices(*executable.module, std::move(inputs));
  if (!outputs) {
    const bool lacks = outputs.error().code == ErrorCode::kUnsupported;
    return MakeError(lacks ? PJRT_Error_Code_UNIMPLEMENTED : PJRT_Error_Code_INTERNAL, outputs.error().message);
  }
  const auto code = Find(executable.behaviour, "late-code-");
  for (std::size_t device = 0; device < args->num_devices; ++device) {
    PJRT_Buffer** next = args->output_lists[device];
    AddBuffers((*outputs)[static_cast<std::int64_t>(device)].output, executable.module->entry_result_layout,
               executable.behaviour, next);
    auto* const event = new PJRT_Event{};
    event->hangs = Find(executable.behaviour, "late-hang").has_value();
    if (code) event->error = PJRT_Error{std::atoi(code->c_str()), "late, as it was told"};
    args->device_complete_events[device] = event;
  }
  return nullptr;
}

PJRT_Error* ElementType(PJRT_Buffer_ElementType_Args* args) {
  args->type = Find(args->buffer->misdeeds, "type") ? static_cast<PJRT_Buffer_Type>(99)
                                                    : BufferTypeOf(args->buffer->literal.element_type());
  return nullptr;
}
PJRT_Error* GetDimensions(PJRT_Buffer_Dimensions_Args* args) {
  const std::optional<std::string> number = Find(args->buffer->misdeeds, "dimensions-");
  if (!number && Find(args->buffer->misdeeds, "dimensions")) args->buffer->dimensions.assign({3, 5});
  args->dims = number ? nullptr : args->buffer->dimensions.data();
  args->num_dims = number ? std::stoull(*number) : args->buffer->dimensions.size();
  return nullptr;
}
PJRT_Error* GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args* args) {
  if (Find(args->buffer->misdeeds, "order")) std::ranges::fill(args->buffer->minor_to_major, 7);
  args->layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args->layout.tiled.minor_to_major = args->buffer->minor_to_major.data();
  args->layout.tiled.minor_to_major_size = args->buffer->minor_to_major.size();
  return nullptr;
}

// Copies the elements in the order that a layout has.
void CopyInOrder(const Literal& literal, const PJRT_Buffer_MemoryLayout_Tiled& layout, std::byte* to) {
  const auto size = static_cast<std::size_t>(StorageBytes(literal.element_type()));
  Dimensions index(literal.shape().dimensions().size());
  for (std::int64_t place = 0; place < literal.element_count(); ++place) {
    std::int64_t rest = place;
    for (std::size_t i = 0; i < layout.minor_to_major_size; ++i) {
      const std::int64_t dimension = layout.minor_to_major[i];
      index[static_cast<std::size_t>(dimension)] = rest % literal.shape().dimensions(dimension);
      rest /= literal.shape().dimensions(dimension);
    }
    const auto from = static_cast<std::size_t>(literal.OffsetOf(index)) * size;
    std::memcpy(to + static_cast<std::size_t>(place) * size, literal.data() + from, size);
  }
}

PJRT_Error* ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args* args) {
  const Literal& literal = args->src->literal;
  const auto bytes = static_cast<std::size_t>(literal.byte_size());
  if (args->dst == nullptr) {
    const std::optional<std::string> size = Find(args->src->misdeeds, "bytes-of-");
    args->dst_size = size ? std::stoull(*size) : bytes;
  } else if (args->dst_size != bytes) {
    return MakeError(PJRT_Error_Code_INVALID_ARGUMENT, "a wrong size of the host's buffer");
  } else {
    CopyInOrder(literal, args->host_layout->tiled, static_cast<std::byte*>(args->dst));
    args->event = new PJRT_Event{};
  }
  return nullptr;
}

PJRT_Api MakeTable() {
  PJRT_Api api;
  api.pjrt_api_version.major_version = kMajorVersion;
  api.pjrt_api_version.minor_version = kMinorVersion;
  api.PJRT_Error_Destroy = DestroyError;
  api.PJRT_Error_Message = Message;
  api.PJRT_Error_GetCode = GetCode;
  api.PJRT_Plugin_Initialize = Initialize;
  api.PJRT_Event_Await = AwaitEvent;
  api.PJRT_Event_Destroy = [](PJRT_Event_Destroy_Args* args) -> PJRT_Error* { return delete args->event, nullptr; };
  api.PJRT_Client_Create = CreateClient;
  api.PJRT_Client_Destroy = [](PJRT_Client_Destroy_Args* args) -> PJRT_Error* { return delete args->client, nullptr; };
  api.PJRT_Client_PlatformName = PlatformName;
  api.PJRT_Client_PlatformVersion = PlatformVersion;
  api.PJRT_Client_AddressableDevices = AddressableDevices;
  api.PJRT_Client_Compile = Compile;
  api.PJRT_Client_BufferFromHostBuffer = BufferFromHostBuffer;
  api.PJRT_Device_GetDescription = GetDescription;
  api.PJRT_DeviceDescription_Id = GetId;
  api.PJRT_Executable_Destroy = [](PJRT_Executable_Destroy_Args* args) -> PJRT_Error* {
    return delete args->executable, nullptr;
  };
  api.PJRT_Executable_NumOutputs = NumOutputs;
  api.PJRT_LoadedExecutable_Destroy = [](PJRT_LoadedExecutable_Destroy_Args* args) -> PJRT_Error* {
    return delete args->executable, nullptr;
  };
  api.PJRT_LoadedExecutable_GetExecutable = GetExecutable;
  api.PJRT_LoadedExecutable_Execute = Execute;
  api.PJRT_Buffer_Destroy = [](PJRT_Buffer_Destroy_Args* args) -> PJRT_Error* { return delete args->buffer, nullptr; };
  api.PJRT_Buffer_ElementType = ElementType;
  api.PJRT_Buffer_Dimensions = GetDimensions;
  api.PJRT_Buffer_GetMemoryLayout = GetMemoryLayout;
  api.PJRT_Buffer_ToHostBuffer = ToHostBuffer;
  return api;
}

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const assay::pjrt::PJRT_Api* GetPjrtApi() {
  static assay::pjrt::PJRT_Api api = assay::pjrt::MakeTable();
  const char* const variable = std::getenv("FAKE_PJRT_TABLE");
  const std::string table = variable == nullptr ? "" : variable;
  std::sscanf(table.c_str(), "version-%d.%d", &api.pjrt_api_version.major_version, &api.pjrt_api_version.minor_version);
  std::sscanf(table.c_str(), "size-%zu", &api.sized.struct_size);
  std::size_t number = 0;
  if (std::sscanf(table.c_str(), "null-%zu", &number) == 1) {
    std::memset(reinterpret_cast<std::byte*>(&api.PJRT_Error_Destroy) + number * sizeof(void*), 0, sizeof(void*));
  }
  return table == "none" ? nullptr : &api;
}
