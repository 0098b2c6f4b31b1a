#include "conformance/cases/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "backends/files.h"
#include "conformance/cases/case_filter.h"
#include "conformance/cases/golden.h"
#include "conformance/cases/golden_expansion.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t";

// Cuts the first word off a text, with the blanks around it.
std::string_view TakeWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return word;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::string_view word = TakeWord(text);
    if (word.empty()) return words;
    words.emplace_back(word);
  }
}

// Reads one file of statements, line by line. Its grammar is that of docs/specification.md.
class StatementReader {
 public:
  StatementReader(std::string file, std::string page, Specification& specification)
      : file_(std::move(file)), page_(std::move(page)), specification_(specification) {}

  Status Read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      ASSAY_CHECK_OK(ReadLine(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return EndStatement();
  }

 private:
  Error Malformed(const std::string& message) const { return MalformedAt(line_, message); }
  Error MalformedAt(int line, const std::string& message) const {
    return {ErrorCode::kParse, fmt::format("{}:{}: {}", file_, line, message)};
  }

  Status ReadLine(std::string_view line) {
    if (line.find_first_not_of(kBlanks) == std::string_view::npos || line.starts_with('#')) return {};
    if (line.starts_with("    ")) return Continue(line.substr(4));
    const bool is_pin = line.starts_with("  ");
    const std::string_view word = TakeWord(line);
    if (line.empty()) return Malformed(fmt::format("nothing follows the word {}", word));
    if (is_pin) return ReadPin(word, line);
    ASSAY_CHECK_OK(EndStatement());
    if (word == "section") {
      specification_.sections.push_back({.page = page_, .name = std::string(line), .file = file_});
      has_section_ = true;
      return {};
    }
    if (!has_section_) return Malformed(fmt::format("expected section NAME, found {}", word));
    if (word == "heading") {
      section().heading = line;
      return {};
    }
    if (word == "names") return Append(section().names, line);
    if (word == "ops") return Append(section().ops, line);
    return BeginStatement(word, line);
  }

  static Status Append(std::vector<std::string>& list, std::string_view line) {
    for (std::string& word : Words(line)) list.push_back(std::move(word));
    return {};
  }

  Status BeginStatement(std::string_view number, std::string_view rest) {
    const bool is_number = number.find_first_not_of("0123456789", number.starts_with('C')) == std::string_view::npos;
    if (!is_number) {
      return Malformed(
          fmt::format("expected section, heading, names, ops or the number of a statement, found {}", number));
    }
    if (section().heading.empty()) return Malformed("the section has no heading");
    const std::string_view kind = TakeWord(rest);
    if (std::ranges::find(kStatementKinds, kind) == std::end(kStatementKinds)) {
      return Malformed(
          fmt::format("{} is not a kind of statement: expected one of {}", kind, JoinText(kStatementKinds, ", ")));
    }
    Statement statement;
    statement.id = fmt::format("{}/{}", section().id(), number);
    if (!ids_.insert(statement.id).second) return Malformed(fmt::format("{} is there twice", statement.id));
    statement.kind = kind;
    statement.text = rest;
    section().statements.push_back(std::move(statement));
    statement_line_ = line_;
    is_open_ = true;
    return {};
  }

  Status Continue(std::string_view line) {
    if (!is_open_) return Malformed("nothing is before this line that it could continue");
    if (!has_pins_) {
      statement().text += " " + std::string(line);
      return {};
    }
    if (!is_in_cases_) return Malformed("only a text and cases may continue in the next line");
    return Append(statement().cases.back().patterns, line);
  }

  Status ReadPin(std::string_view word, std::string_view rest) {
    if (!is_open_) return Malformed(fmt::format("{} belongs to a statement, and none is before it", word));
    has_pins_ = true;
    is_in_cases_ = word == "cases";
    if (is_in_cases_) {
      statement().cases.push_back({.patterns = Words(rest)});
    } else if (word == "has") {
      if (statement().cases.empty()) return Malformed("has belongs to cases, and none are before it");
      statement().cases.back().has.emplace_back(rest);
    } else if (word == "legality" || word == "test") {
      const std::size_t colon = rest.find(": ");
      if (colon == std::string_view::npos) return Malformed(fmt::format("expected {} FILE: NAME", word));
      std::vector<NamedPin>& pins = word == "test" ? statement().tests : statement().legality;
      pins.push_back({std::string(rest.substr(0, colon)), std::string(rest.substr(colon + 2))});
    } else if (word == "mutants") {
      statement().mutants = Words(rest);
    } else if (word == "none") {
      return ReadReason(std::string(rest));
    } else {
      return Malformed(fmt::format("expected cases, has, legality, test, mutants or none, found {}", word));
    }
    return {};
  }

  Status ReadReason(std::string name) {
    if (std::ranges::find(specification_.reasons, name, &StatementReason::name) == specification_.reasons.end()) {
      return Malformed(fmt::format("{} is not a reason of reasons.txt", name));
    }
    statement().none = std::move(name);
    return {};
  }

  Status EndStatement() {
    if (is_open_ && statement().IsPinned() != statement().none.empty()) {
      return MalformedAt(
          statement_line_,
          fmt::format("{} needs cases, a legality text, a test, or else a reason for none", statement().id));
    }
    is_open_ = has_pins_ = false;
    return {};
  }

  StatementSection& section() { return specification_.sections.back(); }
  Statement& statement() { return section().statements.back(); }

  std::string file_, page_;
  Specification& specification_;
  std::set<std::string> ids_;
  int line_ = 0, statement_line_ = 0;
  bool has_section_ = false, is_open_ = false, has_pins_ = false, is_in_cases_ = false;
};

// Returns the names of all cases of the corpus, sorted. Reads only the lines that name them.
Result<std::vector<std::string>> CaseNames(const std::string& corpus) {
  constexpr std::string_view kCase = "//! case ";
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(corpus));
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string written, ReadFile(path));
    ASSAY_TRY(const ExpandedText expanded, ExpandGolden(written));
    const std::string& text = expanded.text;
    const fs::path file(path);
    const std::string prefix = (file.parent_path().filename() / file.stem()).string() + "/";
    for (std::size_t at = text.find(kCase); at != std::string::npos; at = text.find(kCase, at + 1)) {
      std::string_view rest = std::string_view(text).substr(at + kCase.size());
      rest = rest.substr(0, rest.find('\n'));
      names.push_back(prefix + std::string(TakeWord(rest)));
    }
  }
  std::ranges::sort(names);
  return names;
}

// Adds the names that fit the pattern. Only the names that begin with its part before the first wildcard are compared.
bool AddFitting(const std::string& pattern, const std::vector<std::string>& names, std::set<std::string>& found) {
  const std::string prefix = pattern.substr(0, pattern.find_first_of("*?[\\"));
  bool fits = false;
  for (auto it = std::ranges::lower_bound(names, prefix); it != names.end() && it->starts_with(prefix); ++it) {
    if (!FitsPattern(pattern, *it)) continue;
    found.insert(*it);
    fits = true;
  }
  return fits;
}

Status FindCases(const std::vector<std::string>& names, Specification& specification) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (StatementSection& section : specification.sections) {
    for (Statement& statement : section.statements) {
      for (CasePin& pin : statement.cases) {
        std::set<std::string> found;
        for (const std::string& pattern : pin.patterns) {
          if (AddFitting(pattern, names, found)) continue;
          return Error{ErrorCode::kInput, fmt::format("{}: {}: no case fits {}{}", section.file, statement.id, pattern,
                                                      Suggest(pattern, candidates))};
        }
        pin.found.assign(found.begin(), found.end());
      }
    }
  }
  return {};
}

Status ReadReasons(const std::string& file, Specification& specification) {
  ASSAY_TRY(const std::string text, ReadFile(file));
  std::string_view rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view reason = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(reason.size() + 1, rest.size()));
    if (reason.empty() || reason.starts_with('#')) continue;
    const std::size_t colon = reason.find(": ");
    if (colon == std::string_view::npos) {
      return Error{ErrorCode::kParse, fmt::format("{}:{}: expected NAME: SENTENCE", file, line)};
    }
    specification.reasons.push_back({std::string(reason.substr(0, colon)), std::string(reason.substr(colon + 2))});
  }
  return {};
}

}  // namespace

Result<Specification> ReadSpecification(const std::string& corpus) {
  const fs::path folder = fs::path(corpus) / "specification";
  Specification specification;
  ASSAY_CHECK_OK(ReadReasons((folder / "reasons.txt").string(), specification));
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".txt" && it->path().parent_path() != folder) files.push_back(it->path());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder.string(), error.message())};
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    ASSAY_TRY(const std::string text, ReadFile(file.string()));
    StatementReader reader(file.string(), file.parent_path().filename().string(), specification);
    ASSAY_CHECK_OK(reader.Read(text));
  }
  ASSAY_TRY(const std::vector<std::string> names, CaseNames(corpus));
  ASSAY_CHECK_OK(FindCases(names, specification));
  return specification;
}

}  // namespace assay
