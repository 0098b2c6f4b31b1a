#include "conformance/cases/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>

#include "backends/files.h"
#include "conformance/cases/golden_values.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The folders whose cases test several operations together.
constexpr std::string_view kOfPrograms[] = {"miscompilations", "programs", "wrong_results"};

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// Returns the names of the computations: lines without indentation, except comments, that end with a brace.
std::set<std::string, std::less<>> ComputationNames(std::string_view text) {
  std::set<std::string, std::less<>> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = Trimmed(text.substr(0, end));
    const bool is_indented = text.front() == ' ' || text.front() == '/';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_indented || !line.ends_with('{')) continue;
    std::string_view name = NextWord(line);
    if (name == "ENTRY") name = NextWord(line);
    if (name.starts_with('%')) name.remove_prefix(1);
    names.emplace(name);
  }
  return names;
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
        "neighbour, clause, provenance, oracle, tags, for or end",
        directive);
  }

  // Ends the last case, and checks for directives that every file must have.
  Status Finish() {
    ASSAY_CHECK_OK(EndColumns());
    if (file_.cases.empty()) return Bad("no case");
    const bool is_of_programs = std::ranges::find(kOfPrograms, file_.op) != std::end(kOfPrograms);
    if (file_.clause.empty()) file_.clause = is_of_programs ? "programs.md" : fmt::format("ops/{}.md", file_.op);
    if (file_.provenance.empty()) file_.provenance = "derived";
    if (file_.oracle.empty()) {
      file_.oracle = file_.provenance == "seed" ? "the specification's example" : "exact arithmetic, XLA:CPU";
    }
    NameEntries();
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

  // A case without an entry runs the computation on_NAME, if there is one.
  void NameEntries() {
    const std::set<std::string, std::less<>> names = ComputationNames(file_.expanded.text);
    for (GoldenCase& golden : file_.cases) {
      const std::string implied = "on_" + golden.name.substr(golden.name.rfind('/') + 1);
      if (golden.entry.empty() && names.contains(implied)) golden.entry = implied;
    }
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
}  // namespace

Error InFile(const std::string& path, const Error& error) {
  std::string place = path;
  if (error.location.line > 0) place += fmt::format(":{}", error.location.line);
  if (error.location.column > 0) place += fmt::format(":{}", error.location.column);
  return {error.code, fmt::format("{}: {}", place, error.message)};
}

Error InFile(const GoldenFile& file, const Error& error) { return InFile(file.path, InSource(file.expanded, error)); }

Result<GoldenFile> ReadGoldenFile(const std::string& path) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  return ParseGoldenFile(path, text);
}

Result<GoldenFile> ParseGoldenFile(const std::string& path, const std::string& text) {
  GoldenFile file;
  file.path = path;
  file.op = fs::path(path).parent_path().filename().string();
  Result<ExpandedText> expanded = ExpandGolden(text);
  if (!expanded) return InFile(path, expanded.error());
  file.expanded = *std::move(expanded);
  DirectiveReader reader(file);
  std::string_view rest = file.expanded.text;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (!line.starts_with(kDirective)) continue;
    Status status = WithoutThrowing([&] { return reader.Read(line, line_number); });
    if (!status) {
      if (status.error().location.line == 0) status.error().location.line = line_number;
      return InFile(file, status.error());
    }
  }
  const Status status = reader.Finish();
  if (!status) return InFile(file, status.error());
  for (GoldenCase& golden : file.cases) {
    golden.line = file.expanded.lines[static_cast<std::size_t>(golden.line) - 1].number;
  }
  return file;
}

bool IsStableHlo(std::string_view path) { return path.ends_with(".mlir"); }

Result<std::vector<std::string>> FindGoldenFiles(const std::string& corpus) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(corpus, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (it->path().extension() == ".hlo" || IsStableHlo(path)) files.push_back(path);
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", corpus, error.message())};
  if (files.empty()) return Error{ErrorCode::kIo, fmt::format("{}: no golden (*.hlo, *.mlir) below it", corpus)};
  std::ranges::sort(files);
  return files;
}

namespace {

// Suggests the name that was probably meant, followed by some names of the same file.
std::string NearNames(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  std::string near = Suggest(name, candidates);
  const std::string file = name.substr(0, name.rfind('/') + 1);
  for (std::size_t i = 0; i < names.size() && near.size() < 200; ++i) {
    if (!near.starts_with(", did") && !file.empty() && names[i].starts_with(file)) {
      near += (near.empty() ? "; there are " : ", ") + names[i];
    }
  }
  return near;
}

}  // namespace

std::string NamedCase::Title() const {
  return fmt::format("{} ({}:{}): {}", golden.name, file.path, golden.line, golden.reason);
}

Result<NamedCase> FindCase(const std::string& corpus, const std::string& name) {
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(corpus));
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(GoldenFile file, ParseGoldenFile(path, text));
    for (GoldenCase& golden : file.cases) {
      names.push_back(golden.name);
      if (golden.name != name) continue;
      if (!golden.refused.empty()) {
        return Error{ErrorCode::kInput, fmt::format("{} must be refused: it has no values", name)};
      }
      if (golden.has_host()) return Error{ErrorCode::kInput, fmt::format("{} needs a host", name)};
      GoldenCase found = std::move(golden);
      return NamedCase{std::move(file), std::move(found)};
    }
  }
  return Error{ErrorCode::kUsage, fmt::format("{} is neither a file nor the name of a case below {}{}\nassay check "
                                              "--list prints all names",
                                              name, corpus, NearNames(name, names))};
}

Result<NamedCase> FindNeighbour(const GoldenFile& file, const GoldenCase& refused) {
  const std::string& name = refused.neighbour;
  const std::filesystem::path corpus = std::filesystem::path(file.path).parent_path().parent_path();
  ASSAY_TRY(GoldenFile of_neighbour, ReadGoldenFile((corpus / name.substr(0, name.rfind('/'))).string() + ".hlo"));
  const auto found = std::ranges::find(of_neighbour.cases, name, &GoldenCase::name);
  if (found == of_neighbour.cases.end() || !found->refused.empty() || found->has_host()) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}:{}: the neighbour of {} must be a legal case without a host in {}, found {}",
                             file.path, refused.line, refused.name, of_neighbour.path, name)};
  }
  GoldenCase golden = std::move(*found);
  return NamedCase{std::move(of_neighbour), std::move(golden)};
}

}  // namespace assay