#include "fuzz/measure/compiled_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <utility>

#include "backends/files.h"
#include "backends/lawful/lawful.h"
#include "conformance/judging/compare.h"
#include "fuzz/generate/random.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using generate::Random;

constexpr std::string_view kFolds = R"(
plus { a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT r = T[] add(a, b) }
times { a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT r = T[] multiply(a, b) }
most { a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT r = T[] maximum(a, b) }
least { a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT r = T[] minimum(a, b) }
wide_plus { a = W[] parameter(0)
  b = W[] parameter(1)
  ROOT r = W[] add(a, b) }
)";

// An array of numbers from its first element on; `columns` is the size of the last dimension.
using Fill = void (*)(std::vector<double>& numbers, std::size_t columns);

// The first or the last number of each row is so much larger than the others that their sum is nearly this number. The
// rows add up to 1, as those of a softmax.
void Dominate(std::vector<double>& numbers, std::size_t columns, bool is_first) {
  for (std::size_t row = 0; row < numbers.size(); row += columns) {
    double sum = 0;
    for (std::size_t i = row; i < row + columns; ++i) {
      const bool is_largest = i == (is_first ? row : row + columns - 1);
      sum += numbers[i] = std::exp(numbers[i]) * (is_largest ? 4.0 * static_cast<double>(columns) : 1);
    }
    for (std::size_t i = row; i < row + columns; ++i) numbers[i] /= sum;
  }
}

struct Data {
  std::string_view name;
  Fill fill;  // changes normal numbers
};
constexpr Data kData[] = {
    {"normal", [](std::vector<double>&, std::size_t) {}},
    {"positive",
     [](std::vector<double>& numbers, std::size_t) {
       for (double& x : numbers) x = std::abs(x) + 0.125;
     }},
    {"first", [](std::vector<double>& numbers, std::size_t columns) { Dominate(numbers, columns, true); }},
    {"last", [](std::vector<double>& numbers, std::size_t columns) { Dominate(numbers, columns, false); }},
    {"alternating",
     [](std::vector<double>& numbers, std::size_t) {
       for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = (i % 2 == 0 ? 64 : -64) + numbers[i];
     }},
    {"cancelling",
     [](std::vector<double>& numbers, std::size_t) {
       for (std::size_t i = numbers.size() / 2; i < numbers.size(); ++i) {
         numbers[i] = -numbers[numbers.size() - 1 - i] * (1 + 0x1p-6 * numbers[i]);
       }
     }},
    {"equal", [](std::vector<double>& numbers, std::size_t) { std::ranges::fill(numbers, 0.7); }},
    {"sparse",
     [](std::vector<double>& numbers, std::size_t) {
       for (double& x : numbers) x = std::abs(x) < 1.6 ? 0 : x;
     }},
    {"sorted", [](std::vector<double>& numbers, std::size_t) { std::ranges::sort(numbers); }},
    {"one_hot",
     [](std::vector<double>& numbers, std::size_t columns) {
       for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % columns == i / columns % columns ? 1 : 0;
     }},
};

// Integers are small and not negative, because many are indices; a scalar is positive.
Literal ArgumentOf(const Shape& shape, Fill fill, Random& random) {
  const PrimitiveType type = shape.element_type();
  std::vector<double> numbers(static_cast<std::size_t>(ShapeUtil::ElementsIn(shape)));
  for (double& x : numbers) x = random.Normal();
  if (type == PRED) {
    for (double& x : numbers) x = x > 0 ? 1 : 0;
  } else if (IsIntegralType(type)) {
    for (double& x : numbers) x = std::floor(std::abs(x) * 2);
  } else if (shape.rank() == 0) {
    for (double& x : numbers) x = std::abs(x) + 0.5;
  } else if (!numbers.empty()) {
    fill(numbers, static_cast<std::size_t>(shape.dimensions(shape.rank() - 1)));
  }
  Literal wide = Literal::Uninitialized(ShapeUtil::ChangeElementType(shape, F64));
  std::ranges::copy(numbers, wide.mutable_values<double>().begin());
  return LiteralUtil::Convert(wide, type);
}

std::string_view WideType(std::string_view type) {
  if (type == "f32" || type == "f64") return "f64";
  return "f32";
}

std::string TextOf(const CompiledProgram& program, const CompiledProgramRun& run, std::string_view entry) {
  static const std::regex type(R"(\bT\[)"), wide(R"(\bW\[)"), size(R"(\$E\b)");
  std::string text = fmt::format("HloModule {}\n{}{}", program.name, kFolds, program.text);
  text = std::regex_replace(text, type, run.type + "[");
  text = std::regex_replace(text, wide, fmt::format("{}[", WideType(run.type)));
  text = std::regex_replace(text, size, run.size);
  return std::regex_replace(text, std::regex(fmt::format(R"((^|\n){} \{{)", entry)),
                            fmt::format("\nENTRY {} {{", entry));
}

// Runs one module as another that was compiled from it, and all others as they are.
class CompilingBackend final : public Backend {
 public:
  CompilingBackend(const HloModule& given, const HloModule& compiled, LawfulBackend& backend)
      : given_(given), compiled_(compiled), backend_(backend) {}

  const BackendDescription& description() const override { return backend_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    return backend_.Compile(&module == &given_ ? compiled_ : module);
  }

 private:
  const HloModule& given_;
  const HloModule& compiled_;
  LawfulBackend& backend_;
};

std::vector<std::string> FieldsOf(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

Error ErrorAt(const std::string& place, std::string message) {
  return Error{ErrorCode::kInput, fmt::format("{}: {}", place, message)};
}

constexpr std::string_view kKinds[] = {"lawful", "beyond", "faulty"};  // by CompiledKind

// Reads a line `//! KEY VALUES` into a row.
Status ReadKey(const std::string& line, CompiledProgram& program, const std::string& place) {
  const std::vector<std::string> words = FieldsOf(line);
  const std::vector<std::string> values(words.size() < 2 ? words.end() : words.begin() + 2, words.end());
  const std::string key = words.size() < 2 ? "" : words[1];
  if (values.empty()) return ErrorAt(place, "expected //! KEY VALUE...");
  if (key == "source") {
    program.source = line.substr(line.find(values[0], line.find(key) + key.size()));
  } else if (const auto kind = std::ranges::find(kKinds, key); kind != std::end(kKinds)) {
    program.kind = static_cast<CompiledKind>(kind - std::begin(kKinds));
    program.profiles = values;
  } else if (key == "types") {
    program.types = values;
  } else if (key == "missed") {
    program.missed = values;
  } else if (key == "data") {
    program.data = values;
  } else if (key == "sizes") {
    program.sizes = values;
  } else {
    return ErrorAt(
        place,
        fmt::format("unknown key {}: expected program, source, lawful, beyond, faulty, missed, types, data, sizes",
                    key));
  }
  return {};
}

// Returns why a row cannot be used; empty if it can.
std::string MissingIn(const CompiledProgram& program) {
  if (program.source.empty() || program.profiles.empty())
    return "it has no source, or no line lawful, beyond or faulty";
  const auto is_unknown = [](const std::string& name) { return std::ranges::count(CompiledProgramData(), name) == 0; };
  if (const auto found = std::ranges::find_if(program.data, is_unknown); found != program.data.end()) {
    return fmt::format("unknown data {}", *found);
  }
  const auto names = BuiltInProfileNames();
  for (const std::string& profile : program.profiles) {
    if (std::ranges::count(names, profile) == 0) return fmt::format("unknown profile {}", profile);
  }
  for (const std::string_view computation : {"given", "compiled"}) {
    const std::string start = fmt::format("\n{} {{", computation);
    if (("\n" + program.text).find(start) == std::string::npos) return fmt::format("no computation {}", computation);
  }
  return "";
}

Status ReadFileOfPrograms(const std::string& path, std::vector<CompiledProgram>& programs) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  std::istringstream lines(text);
  int number = 0;
  const std::size_t first = programs.size();
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", path, ++number);
    if (line.starts_with("//! program ")) {
      programs.emplace_back().name = FieldsOf(line).back();
      programs.back().place = place;
    } else if (programs.size() == first) {
      if (!line.empty() && !line.starts_with("// ")) return ErrorAt(place, "expected //! program NAME");
    } else if (line.starts_with("//!")) {
      ASSAY_CHECK_OK(ReadKey(line, programs.back(), place));
    } else {
      programs.back().text += line + "\n";
    }
  }
  for (std::size_t i = first; i < programs.size(); ++i) {
    if (const std::string missing = MissingIn(programs[i]); !missing.empty())
      return ErrorAt(programs[i].place, missing);
  }
  return {};
}

Result<std::unique_ptr<HloModule>> ModuleOf(const CompiledProgram& program, const CompiledProgramRun& run,
                                            std::string_view entry) {
  auto module = ParseHloModule(TextOf(program, run, entry));
  if (!module) return ErrorAt(program.place, module.error().message);
  return module;
}

Result<ModuleReport> Judge(const HloModule& given, const CompiledProgramRun& run, Backend& backend) {
  const Data& data = *std::ranges::find(kData, run.data, &Data::name);
  Random random(run.seed + 1);
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter : given.entry->Parameters()) {
    arguments.push_back(ArgumentOf(parameter->shape, data.fill, random));
  }
  CompareOptions options;
  options.profile = BuiltInProfile(run.profile);
  return CompareModule(backend, given, {arguments}, options);
}

}  // namespace

std::vector<std::string_view> CompiledProgramData() {
  std::vector<std::string_view> names;
  for (const Data& data : kData) names.push_back(data.name);
  return names;
}

Result<std::vector<CompiledProgram>> ReadCompiledPrograms(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path().string());
  }
  if (error || paths.empty()) return ErrorAt(folder, "no .hlo files");
  std::ranges::sort(paths);
  std::vector<CompiledProgram> programs;
  for (const std::string& path : paths) ASSAY_CHECK_OK(ReadFileOfPrograms(path, programs));
  return programs;
}

std::vector<CompiledProgramRun> RunsOf(const CompiledProgram& program, std::uint64_t seeds) {
  std::vector<CompiledProgramRun> runs;
  for (const std::string& profile : program.profiles) {
    for (const std::string& type : program.types) {
      for (const std::string& size : program.sizes) {
        for (const std::string& data : program.data) {
          for (std::uint64_t seed = 0; seed < seeds; ++seed) runs.push_back({profile, type, data, size, seed});
        }
      }
    }
  }
  return runs;
}

Result<ModuleReport> JudgeCompiled(const CompiledProgram& program, const CompiledProgramRun& run) {
  ASSAY_TRY(const std::unique_ptr<HloModule> given, ModuleOf(program, run, "given"));
  ASSAY_TRY(const std::unique_ptr<HloModule> compiled, ModuleOf(program, run, "compiled"));
  LawfulBackend backend(BuiltInProfile(run.seed == 0 ? "exact" : run.profile), run.seed);
  CompilingBackend compiling(*given, *compiled, backend);
  return Judge(*given, run, compiling);
}

Result<ModuleReport> JudgeGiven(const CompiledProgram& program, const CompiledProgramRun& run, Backend& backend) {
  ASSAY_TRY(const std::unique_ptr<HloModule> given, ModuleOf(program, run, "given"));
  return Judge(*given, run, backend);
}

}  // namespace assay
