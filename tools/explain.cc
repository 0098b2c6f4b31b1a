#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/printer.h"
#include "tools/backends.h"
#include "tools/commands.h"
#include "tools/compare.h"
#include "tools/files.h"
#include "tools/golden.h"
#include "tools/report.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// What is explained: the root of a module, with its operands and its exact result, of all devices.
struct Subject {
  std::string title;
  std::unique_ptr<HloModule> module;
  std::vector<Literal> arguments;
  RootValues exact;
};

// The places of all leaves' elements, in order.
void AddPlaces(const Literal& value, const Place& place, std::vector<Place>& places) {
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    AddPlaces(value.elements()[i], part, places);
  }
  if (!value.shape().IsArray()) return;
  for (std::int64_t i = 0; i < value.element_count(); ++i) places.push_back({place.tuple_index, i});
}

std::string NameOf(const Place& place, const Literal& leaf) {
  std::string name = "element ";
  for (const std::int64_t i : place.tuple_index) name += fmt::format("({})", i);
  std::vector<std::int64_t> index(leaf.shape().rank());
  std::int64_t rest = place.offset;
  for (std::int64_t d = leaf.shape().rank() - 1; d >= 0; --d) {
    index[d] = rest % leaf.shape().dimensions(d);
    rest /= leaf.shape().dimensions(d);
  }
  return name + fmt::format("[{}]", fmt::join(index, ","));
}

Result<Subject> FindCase(const ExplainOptions& options) {
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(options.corpus));
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(const GoldenFile file, ParseGoldenFile(path, text));
    for (const GoldenCase& golden : file.cases) {
      if (golden.name != options.target) continue;
      Subject subject;
      subject.title = fmt::format("{} ({}:{}): {}", golden.name, path, golden.line, golden.reason);
      ASSAY_TRY(subject.module, ReadGoldenModule(file, golden.entry));
      ASSAY_TRY(subject.exact, EvaluateGolden(file, golden, *subject.module, LimitsOf(options.common)));
      subject.arguments = golden.arguments;
      return subject;
    }
  }
  return Error{ErrorCode::kUsage,
               fmt::format("{} is neither a file nor the name of a case below {}", options.target, options.corpus)};
}

Result<Subject> OfModule(const ExplainOptions& options, LoadedModule loaded) {
  Subject subject;
  subject.title = options.target;
  subject.module = std::move(loaded.module);
  ASSAY_TRY(const Inputs inputs, ReadInputs(*subject.module, options.inputs));
  subject.arguments = Flat(inputs.per_device);
  ASSAY_TRY(subject.exact, EvaluateRoot(*subject.module, subject.arguments, LimitsOf(options.common)));
  return subject;
}

void PrintElement(const Subject& subject, const Place& place, const Literal* got, const Profile& profile) {
  const HloInstruction& root = *subject.module->entry->root;
  const RootValues& exact = subject.exact;
  const Literal& want = place.LeafOf(exact.want);
  fmt::print("\n{}: want {}\n", NameOf(place, want), DescribeElement(want, place.offset));
  for (const std::string& step : ExplainElement(root, exact.operands, exact.want, place, profile)) {
    fmt::print("  {}\n", step);
  }
  if (got != nullptr) fmt::print("  got {}\n", DescribeElement(place.LeafOf(*got), place.offset));
}

void PrintJudgement(const Judgement& judgement) {
  fmt::print("\n{}{}{}: {} elements, {} not exact\n", VerdictName(judgement.verdict),
             judgement.reason.empty() ? "" : ": ", judgement.reason, judgement.elements, judgement.not_exact);
  for (const Tally& tally : judgement.tallies) {
    fmt::print("  {} {}: {}\n", tally.elements, VerdictName(tally.verdict), tally.reason);
  }
  if (judgement.not_exact == 0) return;
  fmt::print("  the worst: {}\n", DescribeWorst(judgement.worst));
}

Status Explain(const ExplainOptions& options, const Subject& subject, const Profile& profile) {
  const HloInstruction& root = *subject.module->entry->root;
  std::optional<Literal> got;
  if (!options.backend.empty()) {
    ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenAnyBackend(options.backend, options.case_timeout));
    ASSAY_TRY(std::vector<Literal> outputs,
              backend->Run(*subject.module, ByDevice(*subject.module, subject.arguments)));
    got = OfAllDevices(std::move(outputs));
  }
  std::vector<Place> places;
  AddPlaces(subject.exact.want, {}, places);
  if (options.element >= static_cast<std::int64_t>(places.size())) {
    return Error{ErrorCode::kUsage,
                 fmt::format("the result has {} elements, so there is no element {}", places.size(), options.element)};
  }
  fmt::print("{}\n{}\nprofile {}: {}\n", subject.title, PrintInstruction(root), profile.name(), profile.meaning());
  if (options.element >= 0) places = {places[options.element]};
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < places.size() && i < kShown; ++i) {
    PrintElement(subject, places[i], got ? &*got : nullptr, profile);
  }
  if (places.size() > kShown) fmt::print("\nand {} more elements: --element N shows one\n", places.size() - kShown);
  if (got) PrintJudgement(JudgeInstruction(root, subject.exact.operands, subject.exact.want, *got, profile));
  return {};
}

}  // namespace

int ExplainCommand(const ExplainOptions& options) {
  if (const Status prepared = Prepare(options.common); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile);
  if (!profile) return Fail(profile.error());
  std::error_code error;
  Result<Subject> subject = Error{ErrorCode::kUsage, ""};
  if (options.target == "-" || fs::is_regular_file(options.target, error)) {
    int exit_code = 0;
    Result<LoadedModule> loaded = LoadModule(options.target, options.devices, options.inputs.seed, &exit_code);
    if (!loaded) return exit_code;
    subject = OfModule(options, *std::move(loaded));
  } else {
    subject = FindCase(options);
  }
  if (!subject) return Fail(subject.error());
  if (const Status status = Explain(options, *subject, *profile); !status) return Fail(status.error());
  return FlushOutput();
}

}  // namespace assay
