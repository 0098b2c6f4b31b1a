#include "conformance/cases/hlo_texts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "interpreter/types/ascii.h"

namespace assay {
namespace {

constexpr std::string_view kHeader = "HloModule ", kPieceMark = "// -----";
// The tables after the computations of a module.
constexpr std::array<std::string_view, 4> kTables = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};

bool IsNameCharacter(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '.' || c == '-'; }

std::string_view WithoutIndent(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Splits a text into the name at its start, without a "%", and what follows it.
std::pair<std::string_view, std::string_view> SplitName(std::string_view text) {
  text = WithoutIndent(text);
  if (text.starts_with('%')) text.remove_prefix(1);
  const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, IsNameCharacter) - text.begin());
  return {text.substr(0, size), WithoutIndent(text.substr(size))};
}

// Returns the length of the prefix that a logger writes before each line: "I0822 12:00:00.000000 77 file.cc:12] ", or
// with the date "2026-08-22 ".
std::size_t PrefixOf(std::string_view line) {
  const bool has_level = line.size() > 5 && std::string_view("IWEF").find(line[0]) != std::string_view::npos;
  const bool has_date = line.size() > 5 && line[4] == '-';
  if (!has_level && !has_date) return 0;
  const std::string_view number = line.substr(has_level ? 1 : 0, 4);
  const std::size_t end = line.find("] ");
  return std::ranges::all_of(number, IsAsciiDigit) && end != std::string_view::npos ? end + 2 : 0;
}

// Returns where a module starts in a line; nothing if none does. Words may precede it, but no comment or attribute.
std::optional<std::size_t> StartIn(std::string_view line) {
  const std::size_t at = line.find(kHeader);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(PrefixOf(line), at - std::min(at, PrefixOf(line)));
  const bool is_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
  if (!is_word || before.find_first_of("\"={%#") != std::string_view::npos ||
      before.find("//") != std::string_view::npos)
    return std::nullopt;
  const auto [name, after] = SplitName(line.substr(at + kHeader.size()));
  if (name.empty() || (!after.empty() && after[0] != ',' && !after.starts_with("//"))) return std::nullopt;
  return at;
}

// The characters that Brackets looks at: most of a large module are others.
constexpr auto kLookedAt = [] {
  std::array<bool, 256> is_looked_at = {};
  for (const char c : std::string_view("\"\\/*{}()[]")) is_looked_at[static_cast<unsigned char>(c)] = true;
  return is_looked_at;
}();

// The brackets that are open at a place of a text, and whether the place is in a string or a comment of several lines.
class Brackets {
 public:
  void Pass(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (!kLookedAt[static_cast<unsigned char>(c)]) continue;
      const std::string_view rest = line.substr(i);
      if (in_string_) {
        if (c == '\\') ++i;
        in_string_ = c != '"';
      } else if (in_comment_) {
        in_comment_ = !rest.starts_with("*/");
      } else if (rest.starts_with("//")) {
        return KeepLast(line.substr(0, i));
      } else {
        in_comment_ = rest.starts_with("/*");
        in_string_ = c == '"';
        PassBracket(c, line.substr(0, i));
      }
    }
    KeepLast(line);
  }

  bool IsOpen() const { return open_ > 0 || in_string_ || in_comment_; }
  // True after a computation, at no place within.
  bool IsAfterComputation() const { return has_closed_ && !IsOpen(); }

 private:
  void PassBracket(char c, std::string_view before) {
    if (c == '{' && open_ == 0) {
      KeepLast(before);
      is_computation_ = last_ != '=';  // the value of an attribute has braces too
    }
    if (c == '{' || c == '(' || c == '[') ++open_;
    if (c == '}' || c == ')' || c == ']') --open_;
    if (c == '}' && open_ == 0 && is_computation_) has_closed_ = true;
  }

  void KeepLast(std::string_view text) {
    const std::size_t last = text.find_last_not_of(' ');
    if (last != std::string_view::npos) last_ = text[last];
  }

  int open_ = 0;
  char last_ = ' ';  // before the place, but for spaces
  bool is_computation_ = false;
  bool has_closed_ = false;
  bool in_string_ = false;
  bool in_comment_ = false;
};

// True if a line after a computation can be of HLO: empty, a comment, the head of a computation or a row of its tables.
bool MayFollow(std::string_view line) {
  const std::string_view text = WithoutIndent(line);
  if (text.empty() || text.starts_with("//") || text.starts_with("/*") || text.starts_with("->")) return true;
  if (IsAsciiDigit(text[0]) || text[0] == '{' || text[0] == ',' || text.starts_with("ENTRY")) return true;
  const auto [name, after] = SplitName(text);
  return std::ranges::find(kTables, text) != kTables.end() ||
         (!name.empty() && !after.empty() && (after[0] == '(' || after[0] == '{'));
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool IsMark(std::string_view line) { return line.starts_with(kPieceMark); }

struct Start {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string name;  // empty for a module without a header
};

// The lines of a piece: those between marks.
struct Piece {
  std::optional<std::size_t> first;  // the first line that is no comment
  bool has_header = false;
  bool has_entry = false;
};

// Returns where modules start. A piece without a header is a module if it has an ENTRY and the module before it has
// one too; in a text without headers each piece is one.
std::vector<Start> FindStarts(const std::vector<std::string_view>& lines) {
  std::vector<Start> starts;
  const bool has_headers = std::ranges::any_of(lines, [](std::string_view line) { return StartIn(line).has_value(); });
  const bool has_pieces = std::ranges::any_of(lines, IsMark);
  bool has_entry = !has_headers;  // in the module before the piece
  Piece piece;
  Brackets brackets;  // of the module before the line: attributes may hold modules
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    if (i == lines.size() || IsMark(lines[i])) {
      const bool is_module = !piece.has_header && has_pieces && (!has_headers || (has_entry && piece.has_entry));
      if (is_module && piece.first) starts.push_back({*piece.first, 0, ""});
      has_entry |= piece.has_entry;
      piece = {};
      continue;
    }
    const std::string_view text = WithoutIndent(lines[i]);
    const auto column = StartIn(lines[i]);
    if (column && (!brackets.IsOpen() || *column == PrefixOf(lines[i]))) {
      brackets = {};
      starts.push_back({i, *column, std::string(SplitName(lines[i].substr(*column + kHeader.size())).first)});
      has_entry = false;
      piece.has_entry = false;
      piece.has_header = true;
    }
    if (!starts.empty()) brackets.Pass(lines[i].substr(PrefixOf(lines[i])));
    piece.has_entry |= text.starts_with("ENTRY");
    if (!piece.first && !text.empty() && !text.starts_with("//")) piece.first = i;
  }
  return starts;
}

// Returns the text of the module that starts there, up to line `last`.
std::string TextAt(const std::vector<std::string_view>& lines, const Start& start, std::size_t last) {
  std::string text(start.line, '\n');
  const bool has_prefix = PrefixOf(lines[start.line]) > 0;
  Brackets brackets;
  bool is_in_head = false;  // of a computation, whose head may have several lines
  for (std::size_t i = start.line; i < last; ++i) {
    const std::size_t skipped = i == start.line ? start.column : has_prefix ? PrefixOf(lines[i]) : 0;
    const std::string_view line = lines[i].substr(skipped);
    if (brackets.IsAfterComputation() && !is_in_head) {
      if (!MayFollow(line) || (!has_prefix && PrefixOf(line) > 0)) break;
      const std::string_view head = WithoutIndent(line);
      is_in_head = head.starts_with('%') || head.starts_with("ENTRY") ||
                   (!head.starts_with('/') && head.find('(') != std::string_view::npos);
    }
    is_in_head = is_in_head && line.find('{') == std::string_view::npos;
    brackets.Pass(line);
    if (i > start.line) text += '\n';
    text.append(skipped, ' ').append(line);
  }
  return text;
}

}  // namespace

std::vector<HloText> FindHloTexts(std::string_view text) {
  const std::vector<std::string_view> lines = LinesOf(text);
  const std::vector<Start> starts = FindStarts(lines);
  std::vector<HloText> modules;
  std::set<std::string> names;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::string name = starts[i].name;
    if (name.empty() || !names.insert(name).second) name += "#" + std::to_string(i + 1);
    const std::size_t last = i + 1 < starts.size() ? starts[i + 1].line : lines.size();
    modules.push_back({std::move(name), TextAt(lines, starts[i], last)});
  }
  if (modules.empty()) modules.push_back({"", std::string(text)});
  return modules;
}

}  // namespace assay
