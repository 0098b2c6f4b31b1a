#include "fuzz/rewrite_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/ascii.h"

namespace assay {
namespace {

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

constexpr std::string_view kRewriteKinds[] = {"lawful", "beyond", "faulty"};  // by RewriteKind

std::string_view WideType(std::string_view type) {
  if (type == "f32" || type == "f64") return "f64";
  return "f32";
}

std::vector<std::string> FieldsOf(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

Error ErrorAt(const std::string& place, std::string message) {
  return Error{ErrorCode::kInput, fmt::format("{}: {}", place, message)};
}

Status ReadOperands(const std::string& text, const std::string& place, RewriteRow& row) {
  row.operands.clear();
  std::istringstream operands(text);
  for (std::string operand; std::getline(operands, operand, ';');) {
    std::vector<std::string> words = FieldsOf(operand);
    if (words.size() < 2 || words.size() > 3) {
      return ErrorAt(place, fmt::format("expected //! operands NAME SHAPE [VALUES]; ..., found {}", operand));
    }
    words.resize(3);
    row.operands.push_back({words[0], words[1], words[2]});
  }
  return {};
}

// Reads a line `//! KEY VALUES` into a row.
Status ReadKey(const std::string& line, const std::string& place, RewriteRow& row) {
  const std::vector<std::string> words = FieldsOf(line);
  const std::vector<std::string> values(words.size() < 2 ? words.end() : words.begin() + 2, words.end());
  const std::string key = words.size() < 2 ? "" : words[1];
  if (values.empty()) return ErrorAt(place, "expected //! KEY VALUE...");
  const std::string rest = line.substr(line.find(values[0], line.find(key) + key.size()));
  if (key == "source") {
    row.source = rest;
  } else if (key == "operands") {
    return ReadOperands(rest, place, row);
  } else if (const auto kind = std::ranges::find(kRewriteKinds, key); kind != std::end(kRewriteKinds)) {
    row.kind = static_cast<RewriteKind>(kind - std::begin(kRewriteKinds));
    row.profiles = values;
  } else {
    constexpr std::pair<std::string_view, std::vector<std::string> RewriteRow::*> kLists[] = {
        {"missed", &RewriteRow::missed},
        {"types", &RewriteRow::types},
        {"data", &RewriteRow::data},
        {"sizes", &RewriteRow::sizes}};
    const auto list = std::ranges::find(kLists, key, [](const auto& pair) { return pair.first; });
    if (list == std::end(kLists)) {
      return ErrorAt(place, fmt::format("unknown key {}: expected program, source, operands, lawful, beyond, faulty, "
                                        "missed, types, data, sizes",
                                        key));
    }
    row.*list->second = values;
  }
  return {};
}

// Returns why a row cannot be used; empty if it can.
std::string MissingIn(const RewriteRow& row) {
  if (row.source.empty() || row.profiles.empty()) return "it has no source, or no line lawful, beyond or faulty";
  const auto names = BuiltInProfileNames();
  for (const std::string& profile : row.profiles) {
    if (std::ranges::count(names, profile) == 0) return fmt::format("unknown profile {}", profile);
  }
  for (const std::string_view computation : {"given", "compiled"}) {
    const std::string start = fmt::format("\n{} {{", computation);
    if (("\n" + row.text).find(start) == std::string::npos) return fmt::format("no computation {}", computation);
  }
  return "";
}

struct Line {
  std::string name, text;
  std::vector<std::string> operands;
};

// Returns the instructions of a computation.
std::vector<Line> LinesOf(const std::string& text, std::string_view computation) {
  static const std::regex instruction(R"((?:ROOT )?([\w.-]+) = (?:\(.*?\)|\S+) [\w-]+\((.*?)\).*)"), name(R"([\w.-]+)");
  const std::string start = fmt::format("\n{} {{", computation), all = "\n" + text;
  std::size_t end = all.find(start) + start.size();
  const std::size_t begin = end;
  for (int depth = 1; end < all.size() && depth > 0; ++end) depth += all[end] == '{' ? 1 : all[end] == '}' ? -1 : 0;
  std::istringstream lines(all.substr(begin, end - 1 - begin));
  std::vector<Line> found;
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_search(line, match, instruction)) continue;
    Line& added = found.emplace_back(Line{match[1], match[0], {}});
    if (added.text.starts_with("ROOT ")) added.text.erase(0, 5);
    const std::string operands = match[2];
    for (std::sregex_iterator at(operands.begin(), operands.end(), name), none; at != none; ++at) {
      added.operands.push_back(at->str());
    }
  }
  return found;
}

// Returns the instructions of `given` that `compiled` uses and does not define.
std::string Inherited(const std::string& text) {
  std::set<std::string> used, defined;
  for (const Line& line : LinesOf(text, "compiled")) {
    used.insert(line.operands.begin(), line.operands.end());
    defined.insert(line.name);
  }
  std::string inherited;
  const std::vector<Line> given = LinesOf(text, "given");
  for (auto line = given.rbegin(); line != given.rend(); ++line) {
    if (!used.contains(line->name) || defined.contains(line->name)) continue;
    used.insert(line->operands.begin(), line->operands.end());
    inherited = fmt::format("  {}\n{}", line->text, inherited);
  }
  return inherited;
}

bool IsPartOfWord(char c) { return IsAsciiLetterOrDigit(c) || c == '_'; }

// Replaces `from` by `to` where it is no part of a longer word.
std::string Replaced(const std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool continues = at > 0 && IsPartOfWord(text[at - 1]) && IsPartOfWord(from.front());
    const bool is_continued = end < text.size() && IsPartOfWord(text[end]) && IsPartOfWord(from.back());
    if (continues || is_continued) continue;
    replaced.append(text, done, at - done).append(to);
    done = end;
  }
  return replaced.append(text, done);
}

// Returns the text of a row with the parameters of both computations, and what `compiled` inherits.
std::string Completed(const RewriteRow& row) {
  std::string parameters;
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    parameters += fmt::format("  {} = {} parameter({})\n", row.operands[i].name, row.operands[i].shape, i);
  }
  const std::string text = fmt::format("HloModule {}\n{}{}", row.name, kFolds, row.text);
  return Replaced(Replaced(text, "\ngiven {", "\ngiven {\n" + parameters), "\ncompiled {",
                  "\ncompiled {\n" + parameters + Inherited(row.text));
}

std::string FilledText(const RewriteRow& row, std::string_view entry, std::string_view type, std::string_view size) {
  const std::string text = Replaced(row.text, fmt::format("\n{} {{", entry), fmt::format("\nENTRY {} {{", entry));
  const std::string of_type = Replaced(text, "T[", fmt::format("{}[", type));
  return Replaced(Replaced(of_type, "W[", fmt::format("{}[", WideType(type))), "$E", size);
}

// The files of fuzz/bait/.
struct BaitFile {
  std::string_view file, text;
};
constexpr BaitFile kMiscompiled[] = {
#include "fuzz/miscompiled_bait.inc"
};
constexpr BaitFile kLawful[] = {
#include "fuzz/lawful_bait.inc"
};

std::vector<RewriteRow> RowsOf(std::span<const BaitFile> texts) {
  std::vector<RewriteRow> all;
  for (const auto& [file, text] : texts) {
    auto rows = ReadRewrites(std::string(text), std::string(file));
    if (!rows) throw std::logic_error(rows.error().message);
    std::ranges::move(*rows, std::back_inserter(all));
  }
  return all;
}

}  // namespace

Result<std::vector<RewriteRow>> ReadRewrites(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  int number = 0;
  RewriteRow first;  // what all rows of the file share
  std::vector<RewriteRow> rows;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", path, ++number);
    if (line.starts_with("//! program ")) {
      rows.push_back(first);
      rows.back().name = FieldsOf(line).back();
      rows.back().place = place;
    } else if (line.starts_with("//!")) {
      ASSAY_CHECK_OK(ReadKey(line, place, rows.empty() ? first : rows.back()));
    } else if (rows.empty()) {
      if (!line.empty() && !line.starts_with("// ")) return ErrorAt(place, "expected //! program NAME");
    } else {
      rows.back().text += line + "\n";
    }
  }
  for (RewriteRow& row : rows) {
    if (const std::string missing = MissingIn(row); !missing.empty()) return ErrorAt(row.place, missing);
    row.text = Completed(row);
  }
  return rows;
}

Result<std::unique_ptr<HloModule>> ModuleOf(const RewriteRow& row, std::string_view entry, std::string_view type,
                                            std::string_view size) {
  auto module = ParseHloModule(FilledText(row, entry, type, size));
  if (!module) return ErrorAt(row.place, module.error().message);
  return module;
}

const std::vector<RewriteRow>& Miscompilations() {
  static const std::vector<RewriteRow> rows = RowsOf(kMiscompiled);
  return rows;
}

const std::vector<RewriteRow>& LawfulRewrites() {
  static const std::vector<RewriteRow> rows = RowsOf(kLawful);
  return rows;
}

}  // namespace assay
