#include "backends/pjrt/device/shadow/shadow.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>
#include <vector>

#include "backends/default_profile.h"
#include "interpreter/proto/message.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/types/without_throwing.h"

namespace assay::pjrt {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::int64_t TotalBytes(const std::vector<Literal>& values) {
  std::int64_t bytes = 0;
  for (const Literal& value : values) bytes += value.byte_size();
  return bytes;
}

// Calls a function that must not fail in the program's thread.
template <class Work>
void WithoutExceptions(const Work& work, const char* what) noexcept {
  try {
    work();
  } catch (const std::exception& error) {
    fmt::print(stderr, "assay: {}: {}\n", what, error.what());
  }
}

// Fails unless the plugin's table has the functions that the shadow replaces.
Status CheckTable(const Plugin& plugin, const std::string& file) {
  const PJRT_Api& api = plugin.api();
  const auto has = [&](const auto& function) { return plugin.Has(&function) && function != nullptr; };
  if (has(api.PJRT_Client_Create) && has(api.PJRT_Client_Compile) && has(api.PJRT_LoadedExecutable_Execute) &&
      has(api.PJRT_LoadedExecutable_Destroy)) {
    return {};
  }
  return Error{ErrorCode::kBackend,
               fmt::format("{} cannot be shadowed: its table of functions must have those that make clients, and that "
                           "compile, execute and destroy programs",
                           file)};
}

// True if the file is this library, under any name: the loader knows a loaded library by its inode. A copy of it is
// another library, and refuses itself when it starts.
bool IsThisLibrary(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
  if (library == nullptr) return false;
  Dl_info own = {}, other = {};
  const bool is_own = dladdr(reinterpret_cast<void*>(&IsThisLibrary), &own) != 0 &&
                      dladdr(dlsym(library, "GetPjrtApi"), &other) != 0 && own.dli_fbase == other.dli_fbase;
  dlclose(library);
  return is_own;
}

// Reads serialized shardings; nothing if there are none, or one cannot be read.
std::optional<std::vector<std::string>> ShardingTexts(const char* const* shardings, const std::size_t* sizes,
                                                      std::size_t count) {
  if (shardings == nullptr || sizes == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view bytes(shardings[i], sizes[i]);
    if (!proto::CheckMessage(bytes, proto::MessageType::kNone)) return std::nullopt;
    Result<std::string> text = proto::ReadSharding(proto::Message(bytes));
    if (!text) return std::nullopt;
    texts.push_back(*std::move(text));
  }
  return texts;
}

}  // namespace

Result<Shadow*> Shadow::Start() {
  ASSAY_TRY(ShadowedPlugin shadowed, ShadowedPlugin::Find(Variable("ASSAY_SHADOW")));
  ASSAY_TRY(ShadowOptions options, ShadowOptions::Read(Variable("ASSAY_SHADOW_OPTIONS")));
  if (options.profile.empty()) options.profile = DefaultProfile(Variable("ASSAY_SHADOW"));
  if (IsThisLibrary(shadowed.file)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("ASSAY_SHADOW: {} is the shadow itself: expected the plugin to shadow", shadowed.file)};
  }
  ASSAY_TRY(const Plugin plugin, Plugin::Open(shadowed.file));
  ASSAY_CHECK_OK(CheckTable(plugin, shadowed.file));
  ASSAY_TRY(ShadowJudge * judge, ShadowJudge::Start(std::move(options), shadowed.backend));
  return new Shadow(plugin, std::move(shadowed), judge);
}

PJRT_Error* Shadow::CreateClient(PJRT_Client_Create_Args& args) {
  std::vector<PJRT_NamedValue> values(args.create_options, args.create_options + args.num_options);
  for (const PJRT_NamedValue& value : shadowed_.options.Values()) values.push_back(value);
  const PJRT_NamedValue* const given = args.create_options;
  const std::size_t count = args.num_options;
  args.create_options = values.data();
  args.num_options = values.size();
  PJRT_Error* const error = inner().api().PJRT_Client_Create(&args);
  args.create_options = given;
  args.num_options = count;
  if (error == nullptr && judge_->IsHere()) {
    WithoutExceptions([&] { std::call_once(described_, [&] { Describe(args.client); }); }, "the plugin's name");
  }
  return error;
}

void Shadow::Describe(PJRT_Client* client) {
  PJRT_Client_PlatformName_Args platform = {.client = client};
  std::string name = "unknown platform";
  if (ASSAY_PJRT_CALL(inner(), PJRT_Client_PlatformName, platform)) {
    name = TextOf(platform.platform_name, platform.platform_name_size);
  }
  judge_->Begin(std::filesystem::path(shadowed_.file).stem().string(),
                fmt::format("({}, PJRT {})", name, inner().Version()));
}

PJRT_Error* Shadow::Compile(PJRT_Client_Compile_Args& args) {
  PJRT_Error* const error = inner().api().PJRT_Client_Compile(&args);
  if (error == nullptr && args.executable != nullptr && judge_->IsHere()) {
    WithoutExceptions([&] { Remember(args); }, "a program cannot be judged");
  }
  return error;
}

void Shadow::Remember(const PJRT_Client_Compile_Args& args) {
  const PJRT_Program& program = *args.program;
  auto remembered = std::make_shared<ShadowedProgram>();
  const ProgramSource source = {std::string(program.format, program.format_size),
                                std::string(program.code, program.code_size),
                                std::string(args.compile_options, args.compile_options_size)};
  remembered->source = source.Serialize();
  PJRT_LoadedExecutable_GetExecutable_Args get = {.loaded_executable = args.executable};
  if (ASSAY_PJRT_CALL(inner(), PJRT_LoadedExecutable_GetExecutable, get)) {
    const Owned<PJRT_Executable> executable(get.executable, Destroyer{&host_.plugin});
    remembered->shardings = ShardingsOf(executable.get());
    PJRT_Executable_NumOutputs_Args outputs = {.executable = executable.get()};
    PJRT_Executable_Name_Args name = {.executable = executable.get()};
    if (ASSAY_PJRT_CALL(inner(), PJRT_Executable_NumOutputs, outputs)) remembered->results = outputs.num_outputs;
    if (ASSAY_PJRT_CALL(inner(), PJRT_Executable_Name, name)) {
      remembered->name = TextOf(name.executable_name, name.executable_name_size);
    }
  }
  judge_->CountProgram();
  if (remembered->name.empty()) remembered->name = "a program without a name";
  const std::lock_guard lock(mutex_);
  programs_[args.executable] = std::move(remembered);
}

EntryShardings Shadow::ShardingsOf(PJRT_Executable* executable) const {
  const PJRT_Extension_Base* extension = inner().api().sized.extension_start;
  while (extension != nullptr && extension->type != PJRT_Extension_Type_Shardings) extension = extension->next;
  EntryShardings chosen;
  if (extension == nullptr || extension->struct_size < sizeof(PJRT_Shardings_Extension)) return chosen;
  const auto& functions = *reinterpret_cast<const PJRT_Shardings_Extension*>(extension);
  PJRT_Shardings_PJRT_Executable_ParameterShardings_Args parameters = {.executable = executable};
  if (inner().Succeeds(functions.PJRT_Shardings_PJRT_Executable_ParameterShardings, parameters)) {
    chosen.parameters = ShardingTexts(parameters.shardings, parameters.sharding_sizes, parameters.num_parameters);
  }
  PJRT_Shardings_PJRT_Executable_OutputShardings_Args results = {.executable = executable};
  if (inner().Succeeds(functions.PJRT_Shardings_PJRT_Executable_OutputShardings, results)) {
    chosen.results = ShardingTexts(results.shardings, results.sharding_sizes, results.num_outputs);
  }
  return chosen;
}

PJRT_Error* Shadow::Destroy(PJRT_LoadedExecutable_Destroy_Args& args) {
  if (judge_->IsHere()) {
    // The program is forgotten before the plugin frees the executable: another thread may get a new one at its address.
    const std::lock_guard lock(mutex_);
    programs_.erase(args.executable);
  }
  return inner().api().PJRT_LoadedExecutable_Destroy(&args);
}

std::shared_ptr<ShadowedProgram> Shadow::Find(const PJRT_LoadedExecutable* executable) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ShadowedProgram>& program = programs_[executable];
  if (program == nullptr) {
    program = std::make_shared<ShadowedProgram>();
    program->name = "an unknown program";
  }
  return program;
}

PJRT_Error* Shadow::Execute(PJRT_LoadedExecutable_Execute_Args& args) {
  std::optional<ShadowedExecution> execution;
  if (judge_->IsHere()) WithoutExceptions([&] { execution = Begin(args); }, "the arguments cannot be read");
  PJRT_Error* const error = inner().api().PJRT_LoadedExecutable_Execute(&args);
  if (!execution) return error;
  WithoutExceptions(
      [&] {
        const Status read = error == nullptr ? WithoutThrowing([&] { return ReadOutputs(args, *execution); })
                                             : Error{ErrorCode::kBackend, "the plugin's execution failed"};
        if (!read) return judge_->Skip(*execution->program, execution->number, read.error().message);
        judge_->Add(*std::move(execution));
      },
      "the results cannot be judged");
  return error;
}

std::optional<ShadowedExecution> Shadow::Begin(const PJRT_LoadedExecutable_Execute_Args& args) {
  judge_->CountExecution();
  const std::shared_ptr<ShadowedProgram> program = Find(args.executable);
  ShadowedExecution execution = {.program = program, .number = ++program->executions};
  if (!judge_->options().Judges(execution.number)) return std::nullopt;
  if (program->source.empty()) {
    judge_->Skip(*program, execution.number,
                 "the program is not known: it was deserialized, or compiled without a client");
    return std::nullopt;
  }
  const Status read = WithoutThrowing([&] { return ReadInputs(args, execution); });
  if (read) return execution;
  judge_->Skip(*program, execution.number, read.error().message);
  return std::nullopt;
}

Status Shadow::Read(PJRT_Buffer* const* buffers, std::size_t count, std::int64_t& bytes_left,
                    std::vector<Literal>& values) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (buffers[i] == nullptr) return Error{ErrorCode::kBackend, "the plugin returned no buffer"};
    ASSAY_TRY(const Shape shape, ShapeOf(host_, buffers[i]));
    ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(shape));
    bytes_left -= bytes;
    if (bytes_left < 0) {
      return Error{ErrorCode::kLimit, fmt::format("the arguments and results have more bytes than max_bytes, {}",
                                                  judge_->options().most_bytes)};
    }
    ASSAY_TRY(Literal value, CopyToHost(host_, buffers[i], shape));
    values.push_back(std::move(value));
  }
  return {};
}

Status Shadow::ReadInputs(const PJRT_LoadedExecutable_Execute_Args& args, ShadowedExecution& execution) const {
  if (args.options != nullptr && (args.options->num_send_ops > 0 || args.options->num_recv_ops > 0)) {
    return Error{ErrorCode::kUnsupported, "the program sends to the host or receives from it"};
  }
  std::int64_t bytes_left = judge_->options().most_bytes;
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    std::vector<Literal> values;
    // The arguments are read before the execution, which may donate them.
    ASSAY_CHECK_OK(Read(args.argument_lists[device], args.num_args, bytes_left, values));
    execution.inputs.push_back(std::move(values));
  }
  return {};
}

Status Shadow::ReadOutputs(const PJRT_LoadedExecutable_Execute_Args& args, ShadowedExecution& execution) const {
  std::int64_t bytes_left = judge_->options().most_bytes;
  for (const std::vector<Literal>& values : execution.inputs) bytes_left -= TotalBytes(values);
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    std::vector<Literal> values;
    ASSAY_CHECK_OK(Read(args.output_lists[device], execution.program->results, bytes_left, values));
    execution.outputs.push_back(std::move(values));
  }
  execution.bytes = judge_->options().most_bytes - bytes_left;
  return {};
}

}  // namespace assay::pjrt
