#include "conformance/cases/recorded_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "backends/files.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/cases/module_file.h"
#include "conformance/cases/npy.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kOutputs = "outputs-", kJson = ".json";

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Error BadOutputs(const std::string& path, const std::string& what) {
  return {ErrorCode::kInput, fmt::format("{}: {}", path, what)};
}

// Returns the names of the backends that have outputs beside a module.
std::vector<std::string> BackendsAt(const std::string& prefix) {
  const fs::path folder = fs::path(prefix).parent_path();
  const std::string start = fs::path(prefix).filename().string();
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(start)) continue;
    const std::string rest = file.substr(start.size());
    if (rest.starts_with(kOutputs) && rest.ends_with(kJson) && rest.size() > kOutputs.size() + kJson.size()) {
      names.insert(rest.substr(kOutputs.size(), rest.size() - kOutputs.size() - kJson.size()));
    } else if (IsFile(entry.path() / "output-0.npy") || IsFile(entry.path() / "output-0.json")) {
      names.insert(rest);
    }
  }
  return {names.begin(), names.end()};
}

// Adds the cases of one folder. `name` is its path below the searched folder.
void AddCases(const fs::path& folder, const std::string& name, std::vector<RecordedCase>& cases) {
  Result<std::vector<std::string>> modules = FindModuleFiles(folder.string());
  if (!modules) return;
  std::erase_if(*modules, [&](const std::string& path) { return fs::path(path).parent_path() != folder; });
  for (const std::string& path : *modules) {
    const bool is_alone = modules->size() == 1;
    const std::string stem = fs::path(path).stem().string();
    RecordedCase found = {is_alone && !name.empty() ? name : (fs::path(name) / stem).string(),
                          path,
                          folder.string() + "/" + (is_alone ? "" : stem + "."),
                          {}};
    found.backends = BackendsAt(found.prefix);
    if (!found.backends.empty()) cases.push_back(std::move(found));
  }
}

// Appends the shapes of the arrays of a value, in order, through tuples.
void AppendArrayShapes(const Shape& shape, std::vector<Shape>& arrays) {
  if (shape.IsArray()) arrays.push_back(shape);
  for (const Shape& element : shape.tuple_shapes()) AppendArrayShapes(element, arrays);
}

// Builds a value of a shape from its arrays, in order.
Literal FromArrays(const Shape& shape, std::vector<Literal>& arrays, std::size_t& next) {
  if (shape.IsArray()) return std::move(arrays[next++]);
  if (!shape.IsTuple()) return Literal(shape);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) elements.push_back(FromArrays(element, arrays, next));
  return Literal::MakeTuple(std::move(elements));
}

Result<Literal> ReadJsonArray(const std::string& path, const Shape& shape) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  Result<json> parsed = ParseJson(text);
  if (!parsed) return BadOutputs(path, parsed.error().message);
  Result<Literal> value = ArrayFromJson(*parsed, shape, "");
  return value ? std::move(value) : BadOutputs(path, value.error().message);
}

Result<Literal> ReadNpyArray(const std::string& path, const Shape& shape) {
  ASSAY_TRY(const std::string bytes, ReadFile(path));
  const Result<Literal> value = ParseNpy(bytes, shape);
  if (!value) return BadOutputs(path, value.error().message);
  if (ShapeUtil::Compatible(value->shape(), shape)) return value->WithShape(shape);
  return BadOutputs(path, fmt::format("expected {}, found {}", shape.ToStringWithoutLayout(),
                                      value->shape().ToStringWithoutLayout()));
}

// Reads NAME/output-N.npy, or output-N.json for a type that .npy cannot name. The module must run on one device.
Result<PerDevice<Literal>> ReadArrayFiles(const std::string& folder, const HloModule& module) {
  if (module.device_count() > 1) {
    return BadOutputs(folder,
                      fmt::format("files of arrays must have a module on one device, found {} devices: use {}NAME{}",
                                  module.device_count(), kOutputs, kJson));
  }
  const Shape& root = module.entry->root->shape;
  std::vector<Shape> shapes;
  AppendArrayShapes(root, shapes);
  std::vector<Literal> arrays;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string path = fmt::format("{}/output-{}", folder, i);
    ASSAY_TRY(Literal array, IsFile(path + ".json") ? ReadJsonArray(path + ".json", shapes[i])
                                                    : ReadNpyArray(path + ".npy", shapes[i]));
    arrays.push_back(std::move(array));
  }
  std::size_t next = 0;
  return PerDevice<Literal>(1, FromArrays(root, arrays, next));
}

// Reads {"outputs": [...]}: a value for each device, as `assay run --format json` prints them, or, for one device, the
// arrays of the result.
Result<PerDevice<Literal>> ReadOutputsFile(const std::string& path, const HloModule& module) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  const Result<json> parsed = ParseJson(text);
  if (!parsed) return BadOutputs(path, parsed.error().message);
  const auto devices = static_cast<std::size_t>(module.device_count());
  const json outputs = parsed->is_object() ? parsed->value("outputs", json()) : json();
  const Shape& root = module.entry->root->shape;
  std::vector<Shape> shapes(devices, root);
  const bool is_whole = outputs.is_array() && outputs.size() == devices &&
                        (!root.IsTuple() || (outputs[0].is_object() && !outputs[0].contains("shape")));
  if (!is_whole) {
    shapes.clear();
    if (devices == 1) AppendArrayShapes(root, shapes);
  }
  if (!outputs.is_array() || outputs.size() != shapes.size()) {
    return BadOutputs(path, fmt::format("expected an object with a list outputs of {} values, found {}",
                                        is_whole ? devices : std::max(devices, shapes.size()),
                                        outputs.is_array() ? fmt::format("{}", outputs.size()) : "no list"));
  }
  std::vector<Literal> values;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Result<Literal> value = ArrayFromJson(outputs[i], shapes[i], "");
    if (!value) return BadOutputs(path, fmt::format("output {}: {}", i, value.error().message));
    values.push_back(*std::move(value));
  }
  if (is_whole) {
    PerDevice<Literal> whole;
    for (Literal& value : values) whole.push_back(std::move(value));
    return whole;
  }
  std::size_t next = 0;
  return PerDevice<Literal>(1, FromArrays(root, values, next));
}

}  // namespace

InputOptions RecordedCase::Inputs() const {
  InputOptions options;
  if (IsFile(prefix + "inputs.json")) {
    options.inputs_file = prefix + "inputs.json";
    return options;
  }
  for (int i = 0;; ++i) {
    const std::string path = fmt::format("{}input-{}.npy", prefix, i);
    if (!IsFile(path)) return options;
    options.inputs.push_back(path);
  }
}

Result<PerDevice<Literal>> RecordedCase::ReadOutputs(const std::string& backend, const HloModule& module) const {
  const std::string file = fmt::format("{}{}{}{}", prefix, kOutputs, backend, kJson);
  return IsFile(file) ? ReadOutputsFile(file, module) : ReadArrayFiles(prefix + backend, module);
}

Result<std::vector<RecordedCase>> FindRecordedCases(const std::string& folder) {
  std::vector<RecordedCase> cases;
  std::error_code error;
  const fs::path root = fs::path(folder).lexically_normal();
  AddCases(root.has_filename() ? root : root.parent_path(), "", cases);
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    std::error_code no_folder;
    if (!entry->is_directory(no_folder)) continue;
    AddCases(entry->path(), entry->path().lexically_relative(folder).string(), cases);
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
  if (cases.empty()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: no module with outputs: expected module.mlir or module.hlo in a folder of its own, "
                             "beside outputs-NAME.json or NAME/output-0.npy",
                             folder)};
  }
  std::ranges::sort(cases, {}, &RecordedCase::name);
  return cases;
}

}  // namespace assay
