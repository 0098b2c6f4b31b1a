#include "fuzz/measure/compiled_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "backends/files.h"
#include "backends/lawful/lawful.h"
#include "conformance/judging/compare.h"
#include "fuzz/generate/random.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using generate::Random;

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
    {"short",  // products of such numbers have bits to spare
     [](std::vector<double>& numbers, std::size_t) {
       for (double& x : numbers) x = std::nearbyint(x * 64) / 64;
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

Result<std::vector<RewriteRow>> ReadCompiledPrograms(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path().string());
  }
  if (error || paths.empty()) return Error{ErrorCode::kInput, folder + ": no .hlo files"};
  std::ranges::sort(paths);
  std::vector<RewriteRow> programs;
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(std::vector<RewriteRow> rows, ReadRewrites(text, path));
    std::ranges::move(rows, std::back_inserter(programs));
  }
  const std::vector<std::string_view> names = CompiledProgramData();
  for (const RewriteRow& program : programs) {
    for (const std::string& data : program.data) {
      if (std::ranges::count(names, data) > 0) continue;
      return Error{ErrorCode::kInput, fmt::format("{}: unknown data {}", program.place, data)};
    }
  }
  return programs;
}

std::vector<CompiledProgramRun> RunsOf(const RewriteRow& program, std::uint64_t seeds) {
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

Result<ModuleReport> JudgeCompiled(const RewriteRow& program, const CompiledProgramRun& run) {
  ASSAY_TRY(const std::unique_ptr<HloModule> given, ModuleOf(program, "given", run.type, run.size));
  ASSAY_TRY(const std::unique_ptr<HloModule> compiled, ModuleOf(program, "compiled", run.type, run.size));
  LawfulBackend backend(BuiltInProfile(run.seed == 0 ? "exact" : run.profile), run.seed);
  CompilingBackend compiling(*given, *compiled, backend);
  return Judge(*given, run, compiling);
}

Result<ModuleReport> JudgeGiven(const RewriteRow& program, const CompiledProgramRun& run, Backend& backend) {
  ASSAY_TRY(const std::unique_ptr<HloModule> given, ModuleOf(program, "given", run.type, run.size));
  return Judge(*given, run, backend);
}

}  // namespace assay
