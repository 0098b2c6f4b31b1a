#include "conformance/cases/stablehlo_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "interpreter/hlo/printer.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/to_hlo.h"

namespace assay {
namespace {

// Returns the program of a file that defines the function, or the only one.
Result<stablehlo::Program> ProgramWith(std::string_view bytes, const std::string& function) {
  std::vector<Result<stablehlo::Program>> programs = stablehlo::ReadPrograms(bytes);
  if (programs.size() == 1) return std::move(programs[0]);
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
Result<ModuleFile> Translated(ModuleFile file, const Result<std::unique_ptr<HloModule>>& module,
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
  if (!file.places.empty()) file.source = source;
  file.note = "converted from StableHLO";
  file.file_name += " (as HLO)";
  return file;
}

}  // namespace

Status TranslateModule(ModuleFile& file, const std::string& function, const std::function<Status()>& convert) {
  const auto source = std::make_shared<const std::string>(std::move(file.text));
  Result<std::unique_ptr<HloModule>> module = [&]() -> Result<std::unique_ptr<HloModule>> {
    ASSAY_TRY(const stablehlo::Program program, ProgramWith(*source, function));
    return stablehlo::ToHlo(program, function);
  }();
  if (!module && module.error().code == ErrorCode::kUnsupported && source->starts_with(stablehlo::kBytecodeStart)) {
    file.text = *source;
    if (convert()) return {};
  }
  ASSAY_TRY(file, Translated(std::move(file), module, source));
  return {};
}

std::vector<ProgramFile> TranslateEach(ModuleFile file) {
  const auto source = std::make_shared<const std::string>(std::move(file.text));
  std::vector<ProgramFile> files;
  for (const Result<stablehlo::Program>& program : stablehlo::ReadPrograms(*source)) {
    const auto names = program ? stablehlo::EntryNames(*program) : Result<std::vector<std::string>>(program.error());
    if (!names) files.push_back({"", Translated(file, names.error(), source)});
    for (std::size_t i = 0; names && i < names->size(); ++i) {
      const std::string& name = (*names)[i];
      files.push_back({name, Translated(file, stablehlo::ToHlo(*program, name), source)});
    }
  }
  if (files.size() == 1) files[0].function.clear();
  return files;
}

}  // namespace assay
