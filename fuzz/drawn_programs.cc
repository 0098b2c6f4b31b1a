#include "fuzz/drawn_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "fuzz/coverage.h"
#include "fuzz/generate/modules.h"
#include "fuzz/pattern_program.h"
#include "fuzz/quantized_programs.h"
#include "fuzz/rewrite_table.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/types/split_mix.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;
namespace {

// Most numbers are moderate: results of infinities and NaNs show little.
constexpr EdgeClass kClasses[] = {
    EdgeClass::kNormal,     EdgeClass::kNormal,        EdgeClass::kNormal,        EdgeClass::kPositive,
    EdgeClass::kPositive,   EdgeClass::kSmallIntegers, EdgeClass::kSmallIntegers, EdgeClass::kDistinct,
    EdgeClass::kAnyBits,    EdgeClass::kSpecials,      EdgeClass::kWide,          EdgeClass::kTies,
    EdgeClass::kTiny,       EdgeClass::kHuge,          EdgeClass::kBoundaries,    EdgeClass::kSorted,
    EdgeClass::kCancelling, EdgeClass::kShort,         EdgeClass::kSparse,        EdgeClass::kDominated};

constexpr std::string_view kBaitKind = "bait", kFloatsKind = "floats", kLargeKind = "large", kOpsKind = "ops",
                           kQuantizedKind = "quantized";
constexpr std::string_view kKinds[] = {kBaitKind, kFloatsKind, kLargeKind, kOpsKind, kQuantizedKind};

// The kind of program `number` of a run with all kinds.
constexpr std::int64_t kKindsRepeatAfter = 4;
std::string_view KindAt(std::int64_t number) {
  if (number % kKindsRepeatAfter == 0) return kOpsKind;
  if (number % 512 == 1) return kLargeKind;
  if (number % 32 == 5) return kQuantizedKind;
  return number % kKindsRepeatAfter == 1 ? kFloatsKind : kBaitKind;
}

constexpr int kTargets = 3;  // for each module

// Draws a module of any ops; `turn` counts the programs of this kind.
DrawnProgram DrawModuleOfOps(Random& random, const ProgramWishes& constraints, std::int64_t turn, std::int64_t draw) {
  ModuleWishes module_wishes;
  module_wishes.may_have_devices = constraints.may_have_devices;
  module_wishes.may_ask_host = false;  // backends only receive arguments
  module_wishes.draws_layouts = true;
  module_wishes.classes = kClasses;
  if (constraints.ops.empty()) {
    // The more targets, the likelier is one that a backend does not support: draws after the first one have fewer.
    const std::int64_t targets = kTargets - draw % kTargets;
    for (int i = 0; i < targets; ++i) module_wishes.targets.push_back(TargetAt(constraints.seed, kTargets * turn + i));
    module_wishes.least_draws = 0;
    module_wishes.most_draws = 2;
  } else {
    module_wishes.op = random.OneOf(constraints.ops);
    module_wishes.most_draws = 8;
  }
  return {DrawModule(random, module_wishes), std::string(kOpsKind)};
}

// Lawful rewrites are bait for the judge, and few: one of four, so that each is about one of 100 programs.
DrawnProgram DrawBait(Random& random, Naming naming) {
  const std::vector<RewriteRow>& rows = random.Below(4) == 0 ? LawfulRewrites() : Miscompilations();
  const RewriteRow& bait = random.OneOf(rows);
  return {DrawPatternProgram(bait, "given", random.Bits(), naming), bait.name, true};
}

// The distance between the turns of two draws, which gives them different target ops.
constexpr std::int64_t kTurnsOfDraw = std::int64_t{1} << 32;

}  // namespace

std::uint64_t SeedOf(std::uint64_t seed, std::int64_t number, std::int64_t draw) {
  const std::uint64_t first = SplitMix(seed * kSplitMixStep + static_cast<std::uint64_t>(number));
  return draw == 0 ? first : SplitMix(first + static_cast<std::uint64_t>(draw));
}

std::span<const std::string_view> ProgramKinds() { return kKinds; }

DrawnProgram DrawProgram(const ProgramWishes& constraints, std::int64_t number, std::int64_t draw) {
  Random random(SeedOf(constraints.seed, number, draw));
  if (!constraints.ops.empty()) return DrawModuleOfOps(random, constraints, number, draw);
  const bool is_any = constraints.kind.empty();
  const std::string_view kind = is_any ? KindAt(number) : constraints.kind;
  if (kind == kOpsKind) {
    const std::int64_t turn = is_any ? number / kKindsRepeatAfter : number;
    return DrawModuleOfOps(random, constraints, turn + draw * kTurnsOfDraw, draw);
  }
  if (kind == kLargeKind) return {DrawLargeModule(random), std::string(kLargeKind)};
  if (kind == kQuantizedKind) return {DrawQuantizedProgram(random), std::string(kQuantizedKind)};
  if (kind == kFloatsKind) return {DrawFloatProgram(random), std::string(kFloatsKind)};
  return DrawBait(random, draw % 2 == 0 ? Naming::kCopy : Naming::kReshape);
}

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kInputSeed = 1;

Result<NamedSubject> ReadProgram(const std::string& path) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(path));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseModuleFile(file.file_name, file.text));
  FillElidedConstants(*module, 0);
  KeepSource(file, *module);
  InputOptions from_file = WithRecorded(file);
  from_file.seed = kInputSeed;
  ASSAY_TRY(Inputs inputs, ReadInputs(*module, from_file));
  return NamedSubject{ModuleNameOf(path), {std::move(module), std::move(inputs.per_device)}};
}

// Returns the modules of a folder and of its subfolders. A program in a folder of its own is one of them.
Result<std::vector<std::string>> ModuleFilesBelow(const std::string& folder) {
  ASSAY_TRY(std::vector<std::string> files, FindModuleFiles(folder));
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    std::error_code no_folder;
    if (!entry.is_directory(no_folder)) continue;
    ASSAY_TRY(const std::vector<std::string> inner, FindModuleFiles(entry.path().string()));
    files.insert(files.end(), inner.begin(), inner.end());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace

Result<GivenPrograms> ReadGivenPrograms(const std::string& path) {
  std::error_code no_folder;
  std::vector<std::string> files = {path};
  const bool is_folder = fs::is_directory(path, no_folder);
  if (is_folder) {
    ASSAY_TRY(files, ModuleFilesBelow(path));
    if (files.empty()) return Error{ErrorCode::kInput, path + ": no module in this folder"};
  }
  GivenPrograms given;
  for (const std::string& file : files) {
    Result<NamedSubject> program = WithoutThrowing([&] { return ReadProgram(file); });
    if (program) {
      given.programs.push_back(*std::move(program));
    } else {
      Error error = program.error();
      if (error.message.find(file) == std::string::npos) error.message = fmt::format("{}: {}", file, error.message);
      given.unread.push_back(std::move(error));
    }
  }
  if (given.programs.empty()) return given.unread[0];
  return given;
}

}  // namespace assay
