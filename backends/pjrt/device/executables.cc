// The properties of a compiled program, and its serialized form.
#include <fmt/format.h>

#include <cstring>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/layouts.h"
#include "backends/pjrt/device/objects.h"

namespace assay::pjrt {

struct PJRT_SerializedExecutable : std::string {};
struct PJRT_SerializedDeviceAssignment : std::string {};
struct PJRT_SerializedCompileOptions : std::string {};

namespace {

// Returns bytes that the caller deletes by the function that it gets with them.
template <class Args, class Serialized>
void SetSerialized(std::string bytes, Args& args, Serialized*& serialized, void (*&deleter)(Serialized*)) {
  serialized = new Serialized{std::move(bytes)};
  SetList(*serialized, args.serialized_bytes, args.serialized_bytes_size);
  deleter = [](Serialized* of_caller) { delete of_caller; };
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

}  // namespace

// The begins and sizes of texts: names of memory kinds, or serialized shardings, of which a program of one partition
// has none.
struct TextLists {
  explicit TextLists(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      starts.push_back(text.data());
      sizes.push_back(text.size());
    }
  }
  explicit TextLists(const std::vector<std::size_t>& kinds) {
    for (const std::size_t kind : kinds) {
      starts.push_back(kMemoryKinds[kind].data());
      sizes.push_back(kMemoryKinds[kind].size());
    }
  }
  // A list of none is null.
  void Return(std::size_t& count, const char* const*& texts, const std::size_t*& text_sizes) const {
    count = starts.size();
    texts = starts.empty() ? nullptr : starts.data();
    text_sizes = sizes.data();
  }

  std::vector<const char*> starts;
  std::vector<std::size_t> sizes;
};

struct ExecutableLists {
  explicit ExecutableLists(const CompiledProgram& program);

  ResultLists results;
  const std::vector<std::string> parameter_texts, result_texts;
  const TextLists parameter_shardings, result_shardings, parameter_kinds, result_kinds;
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

PJRT_Executable::PJRT_Executable(std::shared_ptr<const CompiledProgram> compiled, std::unique_ptr<Backend> of_program)
    : engine(std::move(of_program)), program(std::move(compiled)), lists(std::make_unique<ExecutableLists>(*program)) {}
PJRT_Executable::~PJRT_Executable() = default;

void Executable_Destroy(PJRT_Executable_Destroy_Args& args) { delete args.executable; }

void Executable_Name(PJRT_Executable_Name_Args& args) {
  SetList(args.executable->program->name(), args.executable_name, args.executable_name_size);
}

void Executable_NumReplicas(PJRT_Executable_NumReplicas_Args& args) {
  args.num_replicas = static_cast<std::size_t>(args.executable->program->replicas());
}

void Executable_NumPartitions(PJRT_Executable_NumPartitions_Args& args) {
  args.num_partitions = static_cast<std::size_t>(args.executable->program->partitions());
}

void Executable_NumOutputs(PJRT_Executable_NumOutputs_Args& args) {
  args.num_outputs = args.executable->program->results().size();
}

void Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) {
  args.size_in_bytes = std::ssize(args.executable->program->source().code);
}

void Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args& args) {
  args.properties = &args.executable->lists->cost;
  args.num_properties = 1;
}

void Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args& args) {
  args.executable->lists->result_kinds.Return(args.num_outputs, args.memory_kinds, args.memory_kind_sizes);
}

void Executable_ParameterMemoryKinds(PJRT_Executable_ParameterMemoryKinds_Args& args) {
  args.executable->lists->parameter_kinds.Return(args.num_parameters, args.memory_kinds, args.memory_kind_sizes);
}

void Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args& args) {
  SetList(args.executable->lists->results.types, args.output_types, args.num_output_types);
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

void Executable_Serialize(PJRT_Executable_Serialize_Args& args) {
  SetSerialized(args.executable->program->source().Serialize(), args, args.serialized_executable,
                args.serialized_executable_deleter);
}

void Executable_Fingerprint(PJRT_Executable_Fingerprint_Args& args) {
  SetList(args.executable->lists->fingerprint, args.executable_fingerprint, args.executable_fingerprint_size);
}

Status Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  const CompiledProgram& program = *args.executable->program;
  args = {.sized = args.sized, .executable = args.executable};
  args.generated_code_size_in_bytes = std::ssize(program.source().code);
  args.argument_size_in_bytes = BytesOf(program.parameters());
  args.output_size_in_bytes = BytesOf(program.results());
  args.alias_size_in_bytes = DonatedBytes(program);
  args.peak_memory_in_bytes = args.argument_size_in_bytes + args.output_size_in_bytes - args.alias_size_in_bytes;
  args.total_size_in_bytes = args.peak_memory_in_bytes;
  return {};
}

void Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args& args) {
  SetSerialized(args.executable->program->source().compile_options, args, args.serialized_compile_options,
                args.serialized_compile_options_deleter);
}

void Shardings_PJRT_Executable_ParameterShardings(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args) {
  args.executable->lists->parameter_shardings.Return(args.num_parameters, args.shardings, args.sharding_sizes);
}

void Shardings_PJRT_Executable_OutputShardings(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args) {
  args.executable->lists->result_shardings.Return(args.num_outputs, args.shardings, args.sharding_sizes);
}

void Layouts_PJRT_Executable_GetParameterLayouts(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args) {
  LayoutList& layouts = args.executable->lists->parameter_layouts;
  args.num_parameters = layouts.size();
  args.layouts = layouts.data();
}

void Layouts_PJRT_Executable_GetOutputLayouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args) {
  LayoutList& layouts = args.executable->lists->result_layouts;
  args.num_outputs = layouts.size();
  args.layouts = layouts.data();
}

void LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  const PJRT_LoadedExecutable& loaded = *args.executable;
  std::vector<std::int64_t> ids;
  for (const PJRT_Device* device : loaded.devices) ids.push_back(device->description.id);
  SetSerialized(WriteDeviceAssignment(loaded.program->replicas(), loaded.program->partitions(), ids), args,
                args.serialized_device_assignment, args.serialized_device_assignment_deleter);
}

}  // namespace assay::pjrt
