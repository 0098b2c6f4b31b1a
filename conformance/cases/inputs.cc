#include "conformance/cases/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/cases/fan_in.h"
#include "conformance/cases/npy.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/least_memory.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/shard_maps.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using nlohmann::json;

Error BadInput(std::string what) { return {ErrorCode::kInput, std::move(what)}; }

// Rejects a .npz file (numpy.savez) with a hint.
Status CheckNoArchive(std::string_view bytes) {
  if (!bytes.starts_with("PK\x03\x04")) return {};
  return BadInput("an archive (.npz): --input takes the .npy files in it one by one");
}

// Parses a literal, which may omit the shape of its parameter.
Result<Literal> ParseArgument(std::string_view text, const Shape& expected) {
  Result<Literal> whole = ParseLiteral(text);
  // Only shapes have brackets.
  if (whole || expected.IsUnboundedDynamic() || text.find('[') != std::string_view::npos) return whole;
  TextParser parser(text);
  ASSAY_TRY(Literal values, ParseLiteral(parser, expected, LiteralReading::kAlsoBits));
  ASSAY_CHECK_OK(parser.ExpectEnd());
  return values;
}

Result<Literal> ReadInput(const std::string& text, const Shape& expected) {
  std::error_code error;
  if (!std::filesystem::exists(text, error)) {
    // A missing path with this ending is more likely a mistake than a literal.
    if (text.ends_with(".npy") || text.ends_with(".txt")) return Error{ErrorCode::kIo, text + ": no such file"};
    return ParseArgument(text, expected);
  }
  ASSAY_TRY(const std::string bytes, ReadFile(text));
  if (text.ends_with(".npy") || bytes.starts_with("\x93NUMPY")) return ParseNpy(bytes, expected);
  ASSAY_CHECK_OK(CheckNoArchive(bytes));
  if (bytes.starts_with('{') && bytes.find('"') != std::string::npos) {
    return BadInput("expected a literal; --inputs takes JSON");
  }
  return ParseArgument(bytes, expected);
}

// Checks the value of a parameter. A value smaller than the parameter's bounds stays dense.
Result<Literal> CheckShape(Literal value, const HloInstruction& parameter) {
  if (!ShapeUtil::Compatible(value.shape(), parameter.shape)) {
    if (Literal fitted = value; FitArgument(parameter.shape, fitted)) return value;
    return BadInput(fmt::format("parameter {} ({}) expects {}, found {}", parameter.parameter_number, parameter.name,
                                parameter.shape.ToStringWithoutLayout(), value.shape().ToStringWithoutLayout()));
  }
  return std::move(value).WithShape(parameter.shape);
}

Result<std::vector<Literal>> DeviceInputs(const std::string& path, const json& list, std::size_t count) {
  if (!list.is_array() || list.size() != count) {
    return BadInput(fmt::format("{}: expected a list of {} inputs, one for each parameter, found {}", path, count,
                                list.is_array() ? fmt::format("{}", list.size()) : "no list"));
  }
  std::vector<Literal> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    Result<Literal> value = ArrayFromJson(list[i]);
    if (!value) return BadInput(fmt::format("{}: input {}: {}", path, i, value.error().message));
    inputs.push_back(*std::move(value));
  }
  return inputs;
}

Result<DeviceValues> ParseInputs(const std::string& path, const std::string& text, std::size_t count) {
  if (const Status fits = CheckNoArchive(text); !fits)
    return BadInput(fmt::format("{}: {}", path, fits.error().message));
  const Result<json> parsed = ParseJson(text);
  if (!parsed) return BadInput(fmt::format("{}: {}", path, parsed.error().message));
  const json& document = *parsed;
  DeviceValues inputs;
  if (document.is_object() && document.contains("inputs")) {
    ASSAY_TRY(std::vector<Literal> device, DeviceInputs(path, document["inputs"], count));
    inputs.push_back(std::move(device));
    return inputs;
  }
  if (document.is_object() && document.contains("inputs_per_device") && document["inputs_per_device"].is_array()) {
    if (document["inputs_per_device"].empty()) return BadInput(path + ": inputs_per_device has no device");
    for (const json& list : document["inputs_per_device"]) {
      ASSAY_TRY(std::vector<Literal> device, DeviceInputs(path, list, count));
      inputs.push_back(std::move(device));
    }
    return inputs;
  }
  return BadInput(path + ": expected an object with a field inputs or inputs_per_device");
}

// The number of elements processed at a time, which bounds the scratch memory.
constexpr std::int64_t kBlock = 65536;

void TemperReals(Literal& literal, double fan_in) {
  const Shape& shape = literal.shape();
  const PrimitiveType component = ComplexComponentType(shape.element_type());
  const std::int64_t parts = ComponentCount(shape.element_type()), n = literal.element_count() * parts;
  double shift = 1, scale = 0.5;
  if (shape.rank() >= 2) {
    // The mean square of a uniform number in [-1, 1) is 1/3.
    shift = 0;
    scale = fan_in == 0 ? 1 : std::sqrt(3 / (fan_in * static_cast<double>(parts)));
  }
  std::vector<double> values(std::min(n, kBlock));
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    CheckLimits();
    const std::int64_t count = std::min(kBlock, n - begin);
    std::byte* at = literal.mutable_data() + begin * StorageBytes(component);
    LoadReals(component, at, values.data(), count);
    for (double& value : values) value = (value + shift) * scale;
    StoreReals(component, values.data(), at, count);
  }
}

void TemperIntegers(Literal& literal) {
  const PrimitiveType type = literal.element_type();
  const std::int64_t n = literal.element_count();
  std::vector<std::int64_t> values(std::min(n, kBlock));
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    CheckLimits();
    const std::int64_t count = std::min(kBlock, n - begin);
    for (std::int64_t i = 0; i < count; ++i) values[i] = std::abs(literal.IntegerAt(begin + i));
    Convert(S64, reinterpret_cast<const std::byte*>(values.data()), type,
            literal.mutable_data() + begin * StorageBytes(type), count);
  }
}

// Uses one number of `fan_ins` for each array and removes it from the front.
void TemperSeeded(Literal& literal, std::span<const double>& fan_ins) {
  if (literal.shape().IsTuple()) {
    for (Literal& element : literal.mutable_elements()) TemperSeeded(element, fan_ins);
    return;
  }
  const double fan_in = fan_ins.front();
  fan_ins = fan_ins.subspan(1);
  if (literal.element_count() == 0 || literal.element_type() == PRED) return;
  if (IsIntegralType(literal.element_type())) return TemperIntegers(literal);
  TemperReals(literal, fan_in);
}

Inputs SeededInputs(const HloModule& module, const InputOptions& options) {
  std::uint64_t seed = options.seed;
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  Inputs inputs;
  inputs.are_seeded = !parameters.empty();
  const std::vector<std::vector<double>> fan_ins = FanInOfParameters(module);
  const std::int64_t lists = options.are_whole_arrays || HasMeshes(module) ? 1 : module.device_count();
  if (options.is_for_reference) CheckRoomForEntry(module);
  for (std::int64_t d = 0; d < lists; ++d) {
    std::vector<Literal> device;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Literal value = SeededLiteral(parameters[i]->shape, seed++, fan_ins[i]);
      const bool is_size = options.integer_scalars && value.shape().IsScalar() && IsIntegralType(value.element_type());
      if (is_size) StoreInteger(value, *options.integer_scalars);
      device.push_back(std::move(value));
    }
    inputs.per_device.push_back(std::move(device));
  }
  return inputs;
}

Result<Inputs> MakeInputs(const HloModule& module, const InputOptions& options) {
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  std::vector<Shape> shapes;
  for (const HloInstruction* parameter : parameters) shapes.push_back(parameter->shape);
  Inputs inputs;
  ASSAY_TRY(inputs.per_device, ReadGivenInputs(shapes, options));
  if (inputs.per_device.empty()) return SeededInputs(module, options);
  inputs.are_recorded = options.inputs_file.empty() && options.inputs.empty();
  for (std::vector<Literal>& device : inputs.per_device) {
    for (std::size_t i = 0; i < device.size(); ++i) {
      ASSAY_TRY(device[i], CheckShape(std::move(device[i]), *parameters[i]));
    }
  }
  return inputs;
}

}  // namespace

void StoreInteger(Literal& scalar, std::int64_t value) {
  Convert(S64, reinterpret_cast<const std::byte*>(&value), scalar.element_type(), scalar.mutable_data(), 1);
}

Literal SeededLiteral(const Shape& shape, std::uint64_t seed, std::span<const double> fan_ins) {
  Literal literal(shape);
  FillWithSeed(literal, seed);
  TemperSeeded(literal, fan_ins);
  return literal;
}

Result<DeviceValues> ReadGivenInputs(std::span<const Shape> parameters, const InputOptions& options) {
  if (!options.inputs_file.empty()) {
    if (!options.inputs.empty()) return Error{ErrorCode::kUsage, "--input and --inputs exclude each other"};
    ASSAY_TRY(const std::string text, ReadFile(options.inputs_file));
    return ParseInputs(options.inputs_file, text, parameters.size());
  }
  if (options.inputs.empty()) {
    return options.recorded.empty() ? DeviceValues()
                                    : ParseInputs(options.recorded_file, options.recorded, parameters.size());
  }
  if (options.inputs.size() != parameters.size()) {
    return BadInput(fmt::format("the entry takes {} inputs, found {}", parameters.size(), options.inputs.size()));
  }
  std::vector<Literal> device;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Result<Literal> value = ReadInput(options.inputs[i], parameters[i]);
    if (!value) return Error{value.error().code, fmt::format("input {}: {}", i, value.error().message)};
    device.push_back(*std::move(value));
  }
  return DeviceValues(1, std::move(device));
}

std::string InputsText(const DeviceValues& arguments) {
  json devices = json::array();
  for (const std::vector<Literal>& device : arguments) {
    json values = json::array();
    for (const Literal& value : device) values.push_back(ArrayToJson(value));
    devices.push_back(std::move(values));
  }
  return JsonText({{"inputs_per_device", std::move(devices)}}) + "\n";
}

Result<Inputs> ReadInputs(const HloModule& module, const InputOptions& options) {
  return WithoutThrowing([&]() -> Result<Inputs> {
    ASSAY_CHECK_OK(CheckDeviceCount(module));
    ASSAY_TRY(Inputs inputs, MakeInputs(module, options));
    if (inputs.per_device.size() == 1) {
      inputs.per_device = DeviceValues(module.device_count(), std::vector<Literal>(inputs.per_device.front()));
    }
    if (std::ssize(inputs.per_device) == module.device_count()) return inputs;
    return BadInput(fmt::format("{} replicas of {} partitions run, found inputs for {} devices", module.replica_count,
                                module.num_partitions, inputs.per_device.size()));
  });
}

}  // namespace assay
