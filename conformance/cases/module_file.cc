#include "conformance/cases/module_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "backends/data_folder.h"
#include "backends/files.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/process/child_process.h"
#include "backends/process/temporary_folder.h"
#include "conformance/cases/golden_expansion.h"
#include "conformance/cases/hlo_texts.h"
#include "conformance/cases/stablehlo_file.h"
#include "conformance/cases/xla_dumps.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

enum class Kind { kHlo, kMlir, kMessage, kMessageText };

// Editors on Windows write it at the start of a text in UTF-8. No module in any form begins with it.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::array<std::pair<std::string_view, Kind>, 7> kEndings = {{{".hlo", Kind::kHlo},
                                                                        {".mlir", Kind::kMlir},
                                                                        {".bc", Kind::kMlir},
                                                                        {".mlirbc", Kind::kMlir},
                                                                        {".stablehlo", Kind::kMlir},
                                                                        {".pb", Kind::kMessage},
                                                                        {".pbtxt", Kind::kMessageText}}};

constexpr std::string_view kOwnModule = "module.hlo";

constexpr double kLongestConversion = 60;  // seconds; jaxlib may parse damaged bytecode for ever
constexpr std::size_t kLongestLine = std::size_t{4} << 30;

// Returns the first line after blanks and comments.
std::string_view FirstLine(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view end = text.starts_with("//") ? "\n" : text.starts_with("/*") ? "*/" : "";
    if (end.empty()) return text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find(end), text.size()));
    if (end == "*/") text.remove_prefix(std::min<std::size_t>(2, text.size()));
  }
}

// True if the bytes look like a serialized message: even a damaged one begins with the tag of its first field and soon
// has bytes that no text has.
bool LooksLikeMessage(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 64);
  return start.starts_with('\n') && std::ranges::any_of(start, [](char c) {
           return static_cast<unsigned char>(c) < ' ' &&
                  std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
         });
}

// Detects the kind by the contents, otherwise by the name.
Kind KindOf(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with(stablehlo::kBytecodeStart)) return Kind::kMlir;
  if (IsHloMessage(bytes)) return Kind::kMessage;
  if (IsHloMessageText(bytes)) return Kind::kMessageText;
  const std::string_view line = FirstLine(bytes);
  if (line.starts_with("HloModule ")) return Kind::kHlo;
  for (const std::string_view start : {"module {", "module @", "module attributes", "builtin.module",
                                       "\"builtin.module\"", "func.func", "sdy.mesh", "#", "!"}) {
    if (line.starts_with(start)) return Kind::kMlir;
  }
  const auto ending =
      std::ranges::find(kEndings, fs::path(path).extension().string(), &std::pair<std::string_view, Kind>::first);
  if (ending != kEndings.end()) return ending->second;
  return LooksLikeMessage(bytes) ? Kind::kMessage : Kind::kHlo;
}

// Returns the command of the converter: Python and the script.
Result<std::vector<std::string>> Converter() {
  const fs::path script = FindData("backends/adapters/to_hlo.py");
  if (script.empty()) return Error{ErrorCode::kInput, "backends/adapters/to_hlo.py, which converts it, was not found"};
  const fs::path python = script.parent_path().parent_path().parent_path() / ".venv/bin/python";
  std::error_code error;
  return std::vector<std::string>{fs::exists(python, error) ? python.string() : "python3", script.string()};
}

Result<json> Convert(const std::vector<std::string>& arguments) {
  ASSAY_TRY(std::vector<std::string> command, Converter());
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::error_code error;
  ASSAY_TRY(ChildProcess child, ChildProcess::Start(command, fs::current_path(error).string()));
  ASSAY_TRY(const std::string line, child.ReadLine(Deadline(kLongestConversion), kLongestLine));
  ASSAY_TRY(const json reply, ParseJson(line));
  if (reply.contains("error")) return Error{ErrorCode::kInput, reply["error"].get<std::string>()};
  return reply;
}

// The environment variable that selects the StableHLO converter: "jaxlib" selects jaxlib, which tests compare with.
constexpr const char* kConverterVariable = "ASSAY_STABLEHLO_CONVERTER";

bool IsJaxlibWanted() {
  const char* converter = std::getenv(kConverterVariable);
  return converter != nullptr && std::string_view(converter) == "jaxlib";
}

// Returns a file for the converter: `path` itself, or a copy of the bytes if `path` is no regular file.
Result<std::string> FileWith(const std::string& bytes, const std::string& path, const TemporaryFolder& folder) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  const std::string copy = folder.path() + "/module";
  ASSAY_CHECK_OK(WriteFileAtomically(copy, bytes));
  return copy;
}

// Converts StableHLO to HLO text through jaxlib.
Status ConvertModule(const std::string& path, ModuleFile& file) {
  const TemporaryFolder folder;
  ASSAY_TRY(const std::string readable, FileWith(file.text, path, folder));
  ASSAY_TRY(const json reply, Convert({"--mlir", readable}));
  reply.at("hlo").get_to(file.text);
  file.note = fmt::format("converted to HLO by {}", reply.at("by").get<std::string>());
  file.file_name += " (as HLO)";
  return {};
}

// Writes out the repeated parts of a golden file.
Status WriteOut(ModuleFile& file) {
  Result<ExpandedText> expanded = ExpandGolden(file.text);
  if (!expanded) {
    const Error& error = expanded.error();
    return Error{ErrorCode::kInput, fmt::format("{}:{}: {}", file.file_name, error.location.line, error.message)};
  }
  file.text = std::move(expanded->text);
  file.file_name += " (expanded)";
  return {};
}

// Adds the inputs of a snapshot, if it has any.
void FillInputs(const HloSnapshot& snapshot, const std::string& path, ModuleFile& file) {
  if (snapshot.arguments_per_device.empty()) return;
  json devices = json::array();
  for (const std::vector<Literal>& arguments : snapshot.arguments_per_device) {
    json& values = devices.emplace_back(json::array());
    for (const Literal& argument : arguments) values.push_back(ArrayToJson(argument));
  }
  file.inputs = JsonText({{"inputs_per_device", std::move(devices)}});
  file.inputs_file = path;
}

// Converts one of XLA's serialized messages to HLO text and adds the inputs in it.
Status ReadMessage(const std::string& path, Kind kind, ModuleFile& file) {
  if (kind == Kind::kMessageText) {
    Result<std::string> bytes = SerializeHloMessageText(file.text);
    if (!bytes) {
      const auto& [line, column] = bytes.error().location;
      return Error{ErrorCode::kInput, fmt::format("line {}, column {}: {}", line, column, bytes.error().message)};
    }
    file.text = *std::move(bytes);
  }
  Result<HloSnapshot> snapshot = ReadHloSnapshot(file.text);
  if (!snapshot) return snapshot.error();
  file.text = PrintHloModule(*snapshot->module, PrintOptions::Exact());
  file.note = "converted from a serialized module";
  file.file_name += " (as HLO)";
  FillInputs(*snapshot, path, file);
  return {};
}

// Adds the inputs of a snapshot file that belongs to the module.
Status ReadInputsOf(const std::string& snapshot_path, ModuleFile& file) {
  ASSAY_TRY(const std::string bytes, ReadFile(snapshot_path));
  const Result<HloSnapshot> snapshot = ReadHloSnapshot(bytes);
  if (!snapshot) return Error{ErrorCode::kInput, fmt::format("{}: {}", snapshot_path, snapshot.error().message)};
  FillInputs(*snapshot, snapshot_path, file);
  return {};
}

// Returns the number of devices that an inputs.json has a list for. Returns 0 if it has one list for all devices, or if
// it cannot be read; a later step reports that error.
std::int64_t DevicesIn(const std::string& inputs) {
  const Result<json> document = ParseJson(inputs);
  if (!document || !document->is_object() || !document->contains("inputs_per_device")) return 0;
  return std::ssize((*document)["inputs_per_device"]);
}

std::string InputsBeside(const std::string& path) { return (fs::path(path).parent_path() / "inputs.json").string(); }

// Returns the path of a module: that of the only one for a folder.
Result<std::string> PathOfModule(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? OnlyModule(path) : path;
}

Result<ModuleFile> OpenModule(const std::string& path) {
  ModuleFile file;
  ASSAY_TRY(file.text, ReadFile(path));
  if (file.text.starts_with(kByteOrderMark)) file.text.erase(0, kByteOrderMark.size());
  if (const auto exported = stablehlo::ModuleOfExported(file.text)) file.text = std::string(*exported);
  file.file_name = path == "-" ? "<stdin>" : path;
  return file;
}

// Replaces the text of a file by the module of that name, or by the only one.
Status TakeModule(ModuleFile& file, const std::string& name) {
  std::vector<HloText> modules = FindHloTexts(file.text);
  const std::size_t count = modules.size();
  const std::string first = modules[0].name;
  if (!name.empty()) std::erase_if(modules, [&](const HloText& module) { return module.name != name; });
  if (modules.size() == 1) {
    file.text = std::move(modules[0].text);
    return {};
  }
  if (!name.empty()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: no HLO module in it has the name {}: there {}, such as {}", file.file_name, name,
                             count == 1 ? "is one" : fmt::format("are {}", count), first)};
  }
  return Error{ErrorCode::kInput, fmt::format("{}: it holds {} HLO modules, which `assay run` runs: name one of them, "
                                              "such as {}, by --function NAME",
                                              file.file_name, count, first)};
}

// True if a file may hold several HLO modules, or one among other lines.
bool MayHoldModules(const std::string& path, Kind kind, std::string_view text) {
  return kind == Kind::kHlo && !IsProgramOfItsOwn(path) && !HasRepeatedParts(text);
}

// Converts an open file, which holds one module.
Result<ModuleFile> ConvertFile(const std::string& path, Kind kind, ModuleFile file, const std::string& function,
                               const InputOptions& inputs) {
  if (IsProgramOfItsOwn(path)) {
    file.inputs_file = InputsBeside(path);
    ASSAY_TRY(file.inputs, ReadFile(file.inputs_file));
    file.recorded_devices = DevicesIn(file.inputs);
    return file;
  }
  if (kind == Kind::kMlir && !IsJaxlibWanted()) {
    ASSAY_CHECK_OK(TranslateModule(file, function, inputs, [&] { return ConvertModule(path, file); }));
    return file;
  }
  if (kind == Kind::kHlo && HasRepeatedParts(file.text)) ASSAY_CHECK_OK(WriteOut(file));
  Status converted;
  if (kind == Kind::kMlir) converted = ConvertModule(path, file);
  if (kind == Kind::kMessage || kind == Kind::kMessageText) converted = ReadMessage(path, kind, file);
  const std::string snapshot = SnapshotBeside(path);
  if (converted && !snapshot.empty() && snapshot != path) converted = ReadInputsOf(snapshot, file);
  if (converted) return file;
  return Error{ErrorCode::kInput,
               fmt::format("{}: cannot be converted to HLO: {}", file.file_name, converted.error().message)};
}

}  // namespace

Result<ModuleFile> ReadModuleFile(const std::string& given, const std::string& function, const InputOptions& inputs) {
  ASSAY_TRY(const std::string path, PathOfModule(given));
  ASSAY_TRY(ModuleFile file, OpenModule(path));
  const Kind kind = KindOf(path, file.text);
  const bool has_names = kind == Kind::kHlo || (kind == Kind::kMlir && !IsJaxlibWanted());
  if (!function.empty() && !has_names) {
    return Error{ErrorCode::kUsage, fmt::format("{}: --function is for texts of HLO, and for StableHLO that assay "
                                                "converts",
                                                file.file_name)};
  }
  if (MayHoldModules(path, kind, file.text)) ASSAY_CHECK_OK(TakeModule(file, function));
  return ConvertFile(path, kind, std::move(file), function, inputs);
}

void KeepSource(const ModuleFile& file, HloModule& module) {
  if (file.source_is_module) SetSource(module, file.source);
}

InputOptions WithRecorded(const ModuleFile& file, InputOptions inputs) {
  inputs.recorded = file.inputs;
  inputs.recorded_file = file.inputs_file;
  inputs.integer_scalars = file.chosen_size;
  return inputs;
}

Result<std::vector<ProgramFile>> ReadProgramFiles(const std::string& given, const InputOptions& inputs) {
  ASSAY_TRY(const std::string path, PathOfModule(given));
  ASSAY_TRY(ModuleFile file, OpenModule(path));
  std::vector<ProgramFile> files;
  const Kind kind = KindOf(path, file.text);
  if (kind == Kind::kMlir && !IsJaxlibWanted()) files = TranslateEach(file, inputs);
  // The way of one program tries jaxlib too if assay cannot convert a bytecode.
  if (files.size() == 1 && !files[0].file && file.text.starts_with(stablehlo::kBytecodeStart)) files.clear();
  if (MayHoldModules(path, kind, file.text)) {
    std::vector<HloText> modules = FindHloTexts(std::exchange(file.text, {}));
    for (HloText& module : modules) {
      ModuleFile one = file;
      one.text = std::move(module.text);
      files.push_back({module.name, ConvertFile(path, kind, std::move(one), "", inputs)});
    }
    if (files.size() == 1) files[0].function.clear();
  }
  if (files.empty()) files.push_back({"", ConvertFile(path, kind, std::move(file), "", inputs)});
  return files;
}

Result<std::vector<std::string>> FindModuleFiles(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  const auto dumps = DumpsIn(folder);
  for (const auto& [name, dump] : dumps) paths.push_back(dump.module);
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code no_folder;
    if (entry.is_directory(no_folder)) {
      for (const auto& [name, dump] : DumpsIn(entry.path().string())) paths.push_back(dump.module);
      continue;
    }
    const bool is_module = std::ranges::find(kEndings, entry.path().extension().string(),
                                             &std::pair<std::string_view, Kind>::first) != kEndings.end();
    const bool is_copy = entry.path().filename() == kStableHloFile && IsProgramOfItsOwn(folder + "/module.hlo");
    if (is_module && !is_copy && dumps.empty()) paths.push_back(entry.path().string());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
  std::ranges::sort(paths);
  return paths;
}

bool IsProgramOfItsOwn(const std::string& path) {
  std::error_code error;
  return fs::path(path).filename() == kOwnModule && fs::is_regular_file(InputsBeside(path), error);
}

std::string ModuleNameOf(const std::string& path) {
  const auto [module, rest] = SplitDumpName(fs::path(path).filename().string());
  std::error_code error;
  if (IsProgramOfItsOwn(path)) return fs::absolute(path, error).parent_path().filename().string();
  if (module.empty()) return fs::path(path).stem().string();
  return fmt::format("{}/{}", fs::absolute(path, error).parent_path().filename().string(), module);
}

}  // namespace assay
