#include "conformance/cases/stablehlo_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "conformance/cases/hlo_sizes.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/to_hlo.h"

namespace assay {
namespace {

// Returns the program of a file that defines the function, or the only one. Sets whether it is that.
Result<stablehlo::Program> ProgramWith(std::string_view bytes, const std::string& function, bool& is_only) {
  std::vector<Result<stablehlo::Program>> programs = stablehlo::ReadPrograms(bytes);
  is_only = programs.size() == 1;
  if (is_only) return std::move(programs[0]);
  if (function.empty()) {
    return Error{ErrorCode::kInput, fmt::format("it holds {} programs, which `assay run` runs: name the function of "
                                                "one by --function NAME",
                                                programs.size())};
  }
  const auto has_function = [&](const Result<stablehlo::Program>& program) {
    return program && std::ranges::count(stablehlo::FunctionNames(*program), function) != 0;
  };
  const auto count = std::ranges::count_if(programs, has_function);
  if (count == 1) return *std::ranges::find_if(programs, has_function);
  return Error{ErrorCode::kInput, fmt::format("the function @{} must be that of one of its {} programs, found {}",
                                              function, programs.size(), count)};
}

// The sizes to choose for dimensions of unknown size. The later ones are for programs that assert more of them.
constexpr std::int64_t kSizesToChoose[] = {3, 4, 6, 8, 12, 16, 2, 1, 32, 64};

bool IsIntegerScalar(const Shape& shape) { return shape.IsScalar() && IsIntegralType(shape.element_type()); }

// Returns an argument that no inputs are given for.
stablehlo::Argument ChosenArgument(Shape shape, std::int64_t size) {
  SetUnknownSizes(shape, size);
  if (!IsIntegerScalar(shape)) return {std::move(shape), std::nullopt};
  Literal value(shape);
  StoreInteger(value, size);
  return {std::move(shape), std::move(value)};
}

// Returns argument `index` of every device. Its value is not known if the devices have different ones.
stablehlo::Argument GivenArgument(const DeviceValues& devices, std::size_t index) {
  const Literal& first = devices.front()[index];
  const bool is_integral =
      first.shape().IsArray() && (IsIntegralType(first.element_type()) || first.element_type() == PRED);
  const bool is_known = is_integral && std::ranges::all_of(devices, [&](const std::vector<Literal>& device) {
                          return device[index].BitwiseEqual(first);
                        });
  return {first.shape(), is_known ? std::optional<Literal>(first) : std::nullopt};
}

using Converted = Result<std::unique_ptr<HloModule>>;

// Converts a program with arguments of the first size that it accepts. Otherwise returns the error for the first size.
Converted ConvertWithChosenSize(const stablehlo::Program& program, const std::string& function,
                                const std::vector<Shape>& shapes, std::optional<std::int64_t>& chosen_size) {
  std::optional<Error> first;
  for (const std::int64_t size : kSizesToChoose) {
    std::vector<stablehlo::Argument> arguments;
    for (const Shape& shape : shapes) arguments.push_back(ChosenArgument(shape, size));
    Converted module = stablehlo::ToHlo(program, function, arguments);
    const auto has_choice = [](const Shape& shape) { return shape.IsUnboundedDynamic() || IsIntegerScalar(shape); };
    if (module && std::ranges::any_of(shapes, has_choice)) chosen_size = size;
    if (module) return module;
    if (!first) first = module.error();
    if (module.error().code != ErrorCode::kIllegal) break;
  }
  return *std::move(first);
}

// Converts a program; the sizes that it leaves open follow from the inputs. Sets `chosen_size` if none are given.
Converted ConvertProgram(const stablehlo::Program& program, const std::string& function, const InputOptions& inputs,
                         std::optional<std::int64_t>& chosen_size) {
  if (!stablehlo::IsUnbounded(program)) return stablehlo::ToHlo(program, function);
  ASSAY_TRY(const std::vector<Shape> shapes, stablehlo::EntryShapes(program, function));
  ASSAY_TRY(const DeviceValues given, ReadGivenInputs(shapes, inputs));
  if (given.empty()) return ConvertWithChosenSize(program, function, shapes, chosen_size);
  std::vector<stablehlo::Argument> arguments;
  for (std::size_t i = 0; i < shapes.size(); ++i) arguments.push_back(GivenArgument(given, i));
  return stablehlo::ToHlo(program, function, arguments);
}

// Returns the places of calls that may have a side effect, such as a check, by their names.
std::map<std::string, SourceLocation> PlacesOfCalls(const HloModule& module) {
  std::map<std::string, SourceLocation> places;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const bool may_have_effect = !instruction->op->evaluation.side_effect_flag.text().empty();
      if (may_have_effect) places[instruction->name] = instruction->location;
    }
  }
  return places;
}

// Returns the file with HLO text in place of `source`, its text before the conversion. Errors name the place in it.
Result<ModuleFile> Translated(ModuleFile file, const Converted& module,
                              const std::shared_ptr<const std::string>& source) {
  if (!module) {
    const Error& error = module.error();
    const SourceLocation& at = error.location;
    const std::string place =
        at.line == 0 ? file.file_name : fmt::format("{}:{}:{}", file.file_name, at.line, at.column);
    return Error{ErrorCode::kInput, fmt::format("{}: cannot be converted to HLO: {}", place, error.message)};
  }
  file.text = PrintHloModule(**module, PrintOptions::Exact());
  file.places = PlacesOfCalls(**module);
  file.source = source;
  file.note = "converted from StableHLO";
  if (file.chosen_size) {
    file.note += fmt::format("; no inputs are given: sizes that it leaves open (?), and its integer scalars, are {}",
                             *file.chosen_size);
  }
  file.file_name += " (as HLO)";
  return file;
}

}  // namespace

Status TranslateModule(ModuleFile& file, const std::string& function, const InputOptions& inputs,
                       const std::function<Status()>& convert) {
  const auto source = std::make_shared<const std::string>(std::move(file.text));
  Converted module = [&]() -> Converted {
    bool is_only = false;
    ASSAY_TRY(const stablehlo::Program program, ProgramWith(*source, function, is_only));
    file.source_is_module = is_only && function.empty() && !stablehlo::IsUnbounded(program);
    return ConvertProgram(program, function, inputs, file.chosen_size);
  }();
  if (!module && module.error().code == ErrorCode::kUnsupported && source->starts_with(stablehlo::kBytecodeStart)) {
    file.text = *source;
    if (convert()) return {};
  }
  ASSAY_TRY(file, Translated(std::move(file), module, source));
  return {};
}

std::vector<ProgramFile> TranslateEach(ModuleFile file, const InputOptions& inputs) {
  const auto source = std::make_shared<const std::string>(std::move(file.text));
  std::vector<ProgramFile> files;
  for (const Result<stablehlo::Program>& program : stablehlo::ReadPrograms(*source)) {
    const auto names = program ? stablehlo::EntryNames(*program) : Result<std::vector<std::string>>(program.error());
    if (!names) files.push_back({"", Translated(file, names.error(), source)});
    for (std::size_t i = 0; names && i < names->size(); ++i) {
      const std::string& name = (*names)[i];
      ModuleFile translated = file;
      const auto module = ConvertProgram(*program, name, inputs, translated.chosen_size);
      files.push_back({name, Translated(std::move(translated), module, source)});
    }
  }
  if (files.size() == 1) files[0].function.clear();
  return files;
}

}  // namespace assay
