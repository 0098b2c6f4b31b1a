// The properties of a compiled program, and its serialized form.
#include <fmt/format.h>

#include <cstring>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/layouts.h"
#include "backends/pjrt/device/objects.h"

namespace assay::pjrt {

struct PJRT_SerializedExecutable {
  std::string bytes;
};
struct PJRT_SerializedDeviceAssignment {
  std::string bytes;
};
struct PJRT_SerializedCompileOptions {
  std::string bytes;
};

namespace {

template <class Serialized>
void DeleteSerialized(Serialized* serialized) {
  delete serialized;
}

// Lists of results that PJRT_Executable functions return. They live as long as the program.
struct ResultLists {
  std::vector<PJRT_Buffer_Type> types;
  std::vector<std::int64_t> dimensions;
  std::vector<std::size_t> ranks;
};

std::int64_t BytesOf(const std::vector<ShardedValue>& values) {
  std::int64_t bytes = 0;
  for (const ShardedValue& value : values) {
    if (const Result<std::int64_t> size = ShapeUtil::CheckedByteSizeOf(value.part)) bytes += *size;
  }
  return bytes;
}

std::int64_t DonatedBytes(const CompiledProgram& program) {
  std::vector<ShardedValue> donated;
  for (std::size_t i = 0; i < program.donated().size(); ++i) {
    if (program.donated()[i]) donated.push_back(program.parameters()[i]);
  }
  return BytesOf(donated);
}

struct KindLists {
  explicit KindLists(const std::vector<std::size_t>& values) {
    for (const std::size_t kind : values) {
      kinds.push_back(kMemoryKinds[kind].data());
      sizes.push_back(kMemoryKinds[kind].size());
    }
  }

  std::vector<const char*> kinds;
  std::vector<std::size_t> sizes;
};

}  // namespace

// Serialized shardings; none for a program of one partition.
struct ShardingLists {
  explicit ShardingLists(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      starts.push_back(text.data());
      sizes.push_back(text.size());
    }
  }

  std::vector<const char*> starts;
  std::vector<std::size_t> sizes;
};

struct ExecutableLists {
  explicit ExecutableLists(const CompiledProgram& program);

  ResultLists results;
  const std::vector<std::string> parameter_texts, result_texts;
  const ShardingLists parameter_shardings, result_shardings;
  const KindLists parameter_kinds, result_kinds;
  LayoutList parameter_layouts, result_layouts;
  std::string fingerprint;
  PJRT_NamedValue cost = {};
};

namespace {

constexpr std::string_view kBytesAccessed = "bytes accessed";

}  // namespace

ExecutableLists::ExecutableLists(const CompiledProgram& program)
    : parameter_texts(SerializedShardings(program.parameters(), program.partitions())),
      result_texts(SerializedShardings(program.results(), program.partitions())),
      parameter_shardings(parameter_texts),
      result_shardings(result_texts),
      parameter_kinds(program.memory_kinds().parameters),
      result_kinds(program.memory_kinds().results),
      parameter_layouts(program.parameters(), program.layouts().parameters),
      result_layouts(program.results(), program.layouts().results),
      fingerprint(program.fingerprint()) {
  for (const ShardedValue& value : program.results()) {
    const Dimensions& dimensions = value.part.dimensions();
    results.types.push_back(BufferTypeOf(value.part.element_type()));
    results.ranks.push_back(dimensions.size());
    results.dimensions.insert(results.dimensions.end(), dimensions.begin(), dimensions.end());
  }
  cost = {.name = kBytesAccessed.data(),
          .name_size = kBytesAccessed.size(),
          .type = PJRT_NamedValue_kFloat,
          .float_value = static_cast<float>(program.bytes_accessed()),
          .value_size = 1};
}

PJRT_Executable::PJRT_Executable(std::shared_ptr<const CompiledProgram> compiled)
    : program(std::move(compiled)), lists(std::make_unique<ExecutableLists>(*program)) {}
PJRT_Executable::~PJRT_Executable() = default;

Status Executable_Destroy(PJRT_Executable_Destroy_Args& args) {
  delete args.executable;
  return {};
}

Status Executable_Name(PJRT_Executable_Name_Args& args) {
  args.executable_name = args.executable->program->name().data();
  args.executable_name_size = args.executable->program->name().size();
  return {};
}

Status Executable_NumReplicas(PJRT_Executable_NumReplicas_Args& args) {
  args.num_replicas = static_cast<std::size_t>(args.executable->program->replicas());
  return {};
}

Status Executable_NumPartitions(PJRT_Executable_NumPartitions_Args& args) {
  args.num_partitions = static_cast<std::size_t>(args.executable->program->partitions());
  return {};
}

Status Executable_NumOutputs(PJRT_Executable_NumOutputs_Args& args) {
  args.num_outputs = args.executable->program->results().size();
  return {};
}

Status Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) {
  args.size_in_bytes = std::ssize(args.executable->program->source().code);
  return {};
}

Status Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args& args) {
  args.properties = &args.executable->lists->cost;
  args.num_properties = 1;
  return {};
}

Status Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args& args) {
  const KindLists& lists = args.executable->lists->result_kinds;
  args.num_outputs = lists.kinds.size();
  args.memory_kinds = lists.kinds.data();
  args.memory_kind_sizes = lists.sizes.data();
  return {};
}

Status Executable_ParameterMemoryKinds(PJRT_Executable_ParameterMemoryKinds_Args& args) {
  const KindLists& lists = args.executable->lists->parameter_kinds;
  args.num_parameters = lists.kinds.size();
  args.memory_kinds = lists.kinds.data();
  args.memory_kind_sizes = lists.sizes.data();
  return {};
}

Status Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args& args) {
  args.output_types = args.executable->lists->results.types.data();
  args.num_output_types = args.executable->lists->results.types.size();
  return {};
}

Status Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args& args) {
  const ResultLists& lists = args.executable->lists->results;
  args.num_outputs = lists.ranks.size();
  args.dims = lists.dimensions.data();
  args.dim_sizes = lists.ranks.data();
  return {};
}

// The first call, without a place for the code, asks for its size.
Status Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args& args) {
  static constexpr std::string_view kFormat = "hlo_with_config";
  ASSAY_TRY(const std::string hlo, args.executable->program->Hlo());
  PJRT_Program& program = *args.program;
  program.format = kFormat.data();
  program.format_size = kFormat.size();
  if (program.code == nullptr) {
    program.code_size = hlo.size();
    return {};
  }
  if (program.code_size < hlo.size()) {
    return Error{ErrorCode::kInput,
                 fmt::format("the program has {} bytes, found a place for {}", hlo.size(), program.code_size)};
  }
  std::memcpy(const_cast<char*>(program.code), hlo.data(), hlo.size());
  program.code_size = hlo.size();
  return {};
}

Status Executable_Serialize(PJRT_Executable_Serialize_Args& args) {
  auto* const serialized = new PJRT_SerializedExecutable{args.executable->program->source().Serialize()};
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_executable = serialized;
  args.serialized_executable_deleter = DeleteSerialized;
  return {};
}

Status Executable_Fingerprint(PJRT_Executable_Fingerprint_Args& args) {
  args.executable_fingerprint = args.executable->lists->fingerprint.data();
  args.executable_fingerprint_size = args.executable->lists->fingerprint.size();
  return {};
}

Status Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  const CompiledProgram& program = *args.executable->program;
  args = {.struct_size = args.struct_size, .extension_start = args.extension_start, .executable = args.executable};
  args.generated_code_size_in_bytes = std::ssize(program.source().code);
  args.argument_size_in_bytes = BytesOf(program.parameters());
  args.output_size_in_bytes = BytesOf(program.results());
  args.alias_size_in_bytes = DonatedBytes(program);
  args.peak_memory_in_bytes = args.argument_size_in_bytes + args.output_size_in_bytes - args.alias_size_in_bytes;
  args.total_size_in_bytes = args.peak_memory_in_bytes;
  return {};
}

Status Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args& args) {
  auto* const serialized = new PJRT_SerializedCompileOptions{args.executable->program->source().compile_options};
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_compile_options = serialized;
  args.serialized_compile_options_deleter = DeleteSerialized;
  return {};
}

Status Shardings_Parameters(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args) {
  const ShardingLists& lists = args.executable->lists->parameter_shardings;
  args.num_parameters = lists.starts.size();
  args.shardings = lists.starts.empty() ? nullptr : lists.starts.data();
  args.sharding_sizes = lists.sizes.data();
  return {};
}

Status Shardings_Outputs(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args) {
  const ShardingLists& lists = args.executable->lists->result_shardings;
  args.num_outputs = lists.starts.size();
  args.shardings = lists.starts.empty() ? nullptr : lists.starts.data();
  args.sharding_sizes = lists.sizes.data();
  return {};
}

Status Layouts_Parameters(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args) {
  LayoutList& layouts = args.executable->lists->parameter_layouts;
  args.num_parameters = layouts.size();
  args.layouts = layouts.data();
  return {};
}

Status Layouts_Outputs(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args) {
  LayoutList& layouts = args.executable->lists->result_layouts;
  args.num_outputs = layouts.size();
  args.layouts = layouts.data();
  return {};
}

Status LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  const PJRT_LoadedExecutable& loaded = *args.executable;
  std::vector<std::int64_t> ids;
  for (const PJRT_Device* device : loaded.devices) ids.push_back(device->description.id);
  auto* const serialized = new PJRT_SerializedDeviceAssignment{
      WriteDeviceAssignment(loaded.program->replicas(), loaded.program->partitions(), ids)};
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_device_assignment = serialized;
  args.serialized_device_assignment_deleter = DeleteSerialized;
  return {};
}

}  // namespace assay::pjrt
