#include "conformance/cases/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "backends/files.h"
#include "conformance/cases/golden_columns.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDirective = "//!";

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// Reads the directives of one file in order.
class DirectiveReader {
 public:
  explicit DirectiveReader(GoldenFile& file)
      : file_(file), prefix_(file.op + "/" + fs::path(file.path).stem().string()) {}

  // Reads a line that begins with the mark of a directive. An error without a location concerns the line as a whole.
  Status Read(std::string_view line, int line_number) {
    line_ = line;
    line_number_ = line_number;
    line.remove_prefix(kDirective.size());
    const std::string_view directive = NextWord(line);
    if (directive == "row") return ReadRow(line);
    line = Trimmed(line);
    ASSAY_CHECK_OK(EndColumns());
    if (directive == "columns") return BeginColumns(line);
    if (directive == "case") return ReadCase(line);
    if (directive == "arg") return ReadValue(directive, line, &GoldenCase::arguments, ParseValues);
    if (directive == "want") return ReadValue(directive, line, &GoldenCase::want, ParseWanted);
    if (directive == "infeed") return ReadValue(directive, line, &GoldenCase::infeed, ParseHostValue);
    if (directive == "outfeed") return ReadValue(directive, line, &GoldenCase::outfeed, ParseHostValue);
    if (directive == "entry") return ReadOfCase(directive, line, &GoldenCase::entry);
    if (directive == "refused") return ReadOfCase(directive, line, &GoldenCase::refused);
    if (directive == "neighbour") return ReadOfCase(directive, line, &GoldenCase::neighbour);
    if (directive == "clause") return ReadHeader(directive, line, file_.clause);
    if (directive == "oracle") return ReadHeader(directive, line, file_.oracle);
    if (directive == "tags") return ReadHeader(directive, line, file_.tags);
    if (directive == "provenance") {
      if (line != "seed" && line != "derived") return Bad("provenance is seed or derived, not {}", line);
      return ReadHeader(directive, line, file_.provenance);
    }
    return Bad(
        "unknown directive {}: expected case, entry, arg, want, columns, row, infeed, outfeed, refused, "
        "neighbour, clause, provenance, oracle or tags",
        directive);
  }

  // Ends the last case, and checks for directives that every file must have.
  Status Finish() {
    ASSAY_CHECK_OK(EndColumns());
    if (file_.cases.empty()) return Bad("no case");
    if (file_.clause.empty()) return Bad("no clause");
    if (file_.provenance.empty()) return Bad("no provenance");
    if (file_.oracle.empty()) return Bad("no oracle");
    for (const GoldenCase& golden : file_.cases) {
      if (golden.want.empty() && golden.outfeed.empty() && golden.refused.empty())
        return Bad("the case {} has no want", golden.name);
      if (!golden.refused.empty() && (golden.want.size() + golden.arguments.size() > 0 || golden.has_host())) {
        return Bad("the case {} must be refused: it has no arg and no want", golden.name);
      }
      if (!golden.refused.empty() && golden.neighbour.empty()) {
        return Bad("the case {} must be refused: it needs a neighbour, the name of a legal case", golden.name);
      }
      if (golden.refused.empty() && !golden.neighbour.empty()) {
        return Bad("the case {} has a neighbour: only a case that must be refused has one", golden.name);
      }
    }
    return {};
  }

 private:
  template <typename... Args>
  static Error Bad(fmt::format_string<Args...> format, Args&&... args) {
    return {ErrorCode::kInput, fmt::format(format, std::forward<Args>(args)...)};
  }

  Status ReadHeader(std::string_view directive, std::string_view text, std::string& field) {
    if (!file_.cases.empty()) return Bad("{} after the first case", directive);
    if (!field.empty()) return Bad("duplicate {}", directive);
    if (text.empty()) return Bad("{} says nothing", directive);
    field = text;
    return {};
  }

  Status ReadCase(std::string_view text) {
    const std::string_view word = NextWord(text);
    if (word.empty()) return Bad("a case needs a name");
    const std::string name = fmt::format("{}/{}", prefix_, word);
    if (Trimmed(text).empty()) return Bad("the case {} gives no reason", name);
    if (std::ranges::any_of(file_.cases, [&](const GoldenCase& c) { return c.name == name; })) {
      return Bad("duplicate case {}", name);
    }
    GoldenCase golden;
    golden.name = name;
    golden.reason = Trimmed(text);
    golden.line = line_number_;
    file_.cases.push_back(std::move(golden));
    return {};
  }

  Status ReadOfCase(std::string_view directive, std::string_view text, std::string GoldenCase::*field) {
    if (file_.cases.empty()) return Bad("{} before the first case", directive);
    if (text.empty()) return Bad("{} says nothing", directive);
    std::string& value = file_.cases.back().*field;
    if (!value.empty()) return Bad("duplicate {}", directive);
    value = text;
    return {};
  }

  template <class Value>
  Status ReadValue(std::string_view directive, std::string_view text, std::vector<Value> GoldenCase::*list,
                   Result<Value> (*parse)(std::string_view)) {
    if (file_.cases.empty()) return Bad("{} before the first case", directive);
    Result<Value> value = parse(text);
    if (!value) return InLine(value.error(), text);
    (file_.cases.back().*list).push_back(*std::move(value));
    return {};
  }

  Status BeginColumns(std::string_view text) {
    if (file_.cases.empty()) return Bad("columns before the first case");
    Result<GoldenColumns> columns = GoldenColumns::Parse(text);
    if (!columns) return InLine(columns.error(), text);
    columns_ = *std::move(columns);
    columns_location_ = LocationOf(text);
    return {};
  }

  Status ReadRow(std::string_view text) {
    if (!columns_) return Bad("row without columns: expected columns SHAPE... -> SHAPE... before it");
    const Status added = columns_->AddRow(text);
    return added ? added : InLine(added.error(), text);
  }

  // Adds the arrays of columns to their case. Does nothing unless columns have begun.
  Status EndColumns() {
    if (!columns_) return {};
    GoldenCase& golden = file_.cases.back();
    const Status moved = columns_->MoveTo(golden.arguments, golden.want);
    columns_.reset();
    if (!moved) return Error{moved.error().code, moved.error().message, columns_location_};
    return {};
  }

  // Returns the place of `text`, a part of the line.
  SourceLocation LocationOf(std::string_view text) const {
    return {line_number_, static_cast<int>(text.data() - line_.data()) + 1};
  }

  // Converts the location of an error in `text`, a part of the line, to a location in the file.
  Error InLine(Error error, std::string_view text) const {
    if (error.location.column > 0) {
      error.location = {line_number_, LocationOf(text).column + error.location.column - 1};
    }
    return error;
  }

  GoldenFile& file_;
  const std::string prefix_;
  std::string_view line_;
  int line_number_ = 0;
  std::optional<GoldenColumns> columns_;  // set from their directive to the one after their rows
  SourceLocation columns_location_;
};

// Reduces the module to the entry `name`, or to its own for an empty name, and the computations that it calls.
Result<std::unique_ptr<HloModule>> CutToEntry(const HloModule& module, const std::string& name) {
  const HloComputation* entry = name.empty() ? module.entry : module.FindComputation(name);
  if (entry == nullptr) return Error{ErrorCode::kInput, fmt::format("the module has no computation {}", name)};
  return CloneWithEntry(module, *entry);
}

// Adds the path to an error, and the line and the column that its location has.
Error InFile(const std::string& path, const Error& error) {
  std::string place = path;
  if (error.location.line > 0) place += fmt::format(":{}", error.location.line);
  if (error.location.column > 0) place += fmt::format(":{}", error.location.column);
  return {error.code, fmt::format("{}: {}", place, error.message)};
}

Result<std::unique_ptr<HloModule>> ParseTextOfFile(const std::string& path, const std::string& text) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module) return InFile(path, module.error());
  return module;
}

Error BadCase(const GoldenFile& file, const GoldenCase& golden, const std::string& what,
              ErrorCode code = ErrorCode::kInput) {
  return {code, fmt::format("{}:{}: case {}: {}", file.path, golden.line, golden.name, what)};
}

// Assembles the leaves of `want` into one value with the shape of `returned`, the reference's result. A leaf of
// `returned` with the expected digest replaces a leaf that has only a digest.
Result<Literal> Assemble(const GoldenFile& file, const GoldenCase& golden, const Literal& returned) {
  std::size_t next = 0;
  bool fits = true;
  std::optional<Error> other_digest;
  const auto assemble = [&](auto& self, const Literal& part) -> Literal {
    if (part.shape().IsTuple()) {
      std::vector<Literal> elements;
      for (const Literal& element : part.elements()) elements.push_back(self(self, element));
      return Literal::MakeTuple(std::move(elements));
    }
    if (part.shape().IsToken()) return Literal::MakeToken();
    fits = fits && next < golden.want.size() && ShapeUtil::Compatible(golden.want[next].shape, part.shape());
    if (!fits) return Literal();
    const WantedLeaf& leaf = golden.want[next++];
    if (!leaf.digest) return leaf.value.WithShape(part.shape());
    if (const std::uint64_t digest = DigestOf(part); digest != *leaf.digest) {
      other_digest = BadCase(
          file, golden,
          fmt::format("the reference returns the digest {:016x}, the golden says {:016x}", digest, *leaf.digest));
    }
    return part;
  };
  Literal want = assemble(assemble, returned);
  if (other_digest) return *other_digest;
  if (fits && next == golden.want.size()) return want;
  return BadCase(
      file, golden,
      fmt::format("want does not have the shape of the result, {}", returned.shape().ToStringWithoutLayout()));
}

Result<InstructionValues> EvaluateAlone(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                        const EvaluationLimits& limits) {
  Result<InstructionValues> values = EvaluateRoot(module, ByDevice(module.device_count(), golden.arguments), limits);
  if (!values) return BadCase(file, golden, values.error().message, values.error().code);
  return values;
}

// Evaluates a case with the host's side and checks the values that reach the host against the golden. The result has no
// operands, because it is not judged.
Result<InstructionValues> EvaluateWithHost(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                           const EvaluationLimits& limits, const OpOverrides& bodies) {
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.from_host = ByDevice(module.device_count(), golden.infeed);
  Result<PerDevice<DeviceOutputs>> devices =
      EvaluateOnDevices(module, ByDevice(module.device_count(), golden.arguments), evaluation, bodies);
  if (!devices) return BadCase(file, golden, devices.error().message, devices.error().code);
  InstructionValues values;
  PerDevice<Literal> outputs;
  std::vector<Literal> to_host;
  for (DeviceOutputs& device : *devices) {
    outputs.push_back(std::move(device.output));
    to_host.insert(to_host.end(), device.to_host.begin(), device.to_host.end());
  }
  const auto is_same = [](const Literal& wanted, const Literal& given) {
    return CompareExactly(wanted, given).verdict == Verdict::kExact;
  };
  if (!std::ranges::equal(golden.outfeed, to_host, is_same)) {
    return BadCase(file, golden, "the reference does not give the host what the golden says");
  }
  values.want = OfAllDevices(std::move(outputs));
  return values;
}

}  // namespace

Result<InstructionValues> EvaluateGolden(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                         const EvaluationLimits& limits, const OpOverrides& bodies) {
  const auto devices = static_cast<std::size_t>(module.device_count());
  for (const auto& [directive, count] : {std::pair("arg", golden.arguments.size()), {"infeed", golden.infeed.size()}}) {
    if (count % devices == 0) continue;
    return BadCase(file, golden,
                   fmt::format("{} {} are not as many for each of {} devices", count, directive, devices));
  }
  Result<InstructionValues> values = golden.has_host() ? EvaluateWithHost(file, golden, module, limits, bodies)
                                                       : EvaluateAlone(file, golden, module, limits);
  if (!values) return values.error();
  const Literal returned = std::move(values->want);
  ASSAY_TRY(values->want, Assemble(file, golden, returned));
  if (CompareExactly(values->want, returned).verdict == Verdict::kExact) return values;
  return BadCase(file, golden, "the reference does not return what the golden says");
}

Result<std::unique_ptr<HloModule>> ParseModuleFile(const std::string& path, const std::string& text) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseTextOfFile(path, text));
  const std::vector<Error> errors = FindIllegal(*module);
  if (!errors.empty()) return InFile(path, errors[0]);
  return module;
}

Status GoldenModules::Parse() {
  if (!parsing_) {
    Result<std::unique_ptr<HloModule>> module = ParseTextOfFile(file_.path, file_.text);
    if (module) parsed_ = *std::move(module);
    parsing_ = module ? Status() : Status(module.error());
  }
  return *parsing_;
}

Status GoldenModules::Verify() {
  ASSAY_CHECK_OK(Parse());
  if (!verification_) {
    const std::vector<Error> errors = FindIllegal(*parsed_);
    verification_ = errors.empty() ? Status() : Status(InFile(file_.path, errors[0]));
  }
  return *verification_;
}

Result<std::unique_ptr<HloModule>> GoldenModules::WithEntry(const std::string& entry) {
  ASSAY_CHECK_OK(Verify());
  return CutToEntry(*parsed_, entry);
}

Result<std::unique_ptr<HloModule>> GoldenModules::Refused(const GoldenCase& golden) {
  ASSAY_CHECK_OK(Parse());
  ASSAY_TRY(std::unique_ptr<HloModule> module, CutToEntry(*parsed_, golden.entry));
  const std::vector<Error> errors = FindIllegal(*module);
  if (errors.empty()) return BadCase(file_, golden, "the reference does not refuse the module");
  const auto says_it = [&](const Error& error) { return error.message.find(golden.refused) != std::string::npos; };
  if (std::ranges::any_of(errors, says_it)) return module;
  return BadCase(file_, golden,
                 fmt::format("the reference refuses the module for another reason: {}", errors[0].message));
}

Result<std::unique_ptr<HloModule>> ReadGoldenModule(const GoldenFile& file, const std::string& entry) {
  return GoldenModules(file).WithEntry(entry);
}

Result<std::unique_ptr<HloModule>> ReadRefusedModule(const GoldenFile& file, const GoldenCase& golden) {
  return GoldenModules(file).Refused(golden);
}

Result<GoldenFile> ReadGoldenFile(const std::string& path) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  return ParseGoldenFile(path, text);
}

Result<GoldenFile> ParseGoldenFile(const std::string& path, const std::string& text) {
  GoldenFile file;
  file.path = path;
  file.op = fs::path(path).parent_path().filename().string();
  file.text = text;
  DirectiveReader reader(file);
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (!line.starts_with(kDirective)) continue;
    Status status = WithoutThrowing([&] { return reader.Read(line, line_number); });
    if (!status) {
      if (status.error().location.line == 0) status.error().location.line = line_number;
      return InFile(path, status.error());
    }
  }
  const Status status = reader.Finish();
  if (!status) return InFile(path, status.error());
  return file;
}

Result<std::vector<std::string>> FindGoldenFiles(const std::string& corpus) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(corpus, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".hlo") files.push_back(it->path().string());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", corpus, error.message())};
  if (files.empty()) return Error{ErrorCode::kIo, fmt::format("{}: no golden (*.hlo) below it", corpus)};
  std::ranges::sort(files);
  return files;
}

}  // namespace assay
