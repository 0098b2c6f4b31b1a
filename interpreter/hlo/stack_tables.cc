#include "interpreter/hlo/stack_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace assay {
namespace {

constexpr std::string_view kLocationFields[] = {"file_name_id", "function_name_id", "line",
                                                "end_line",     "column",           "end_column"};
// The text has the parent plus one, so 1 means "none".
constexpr std::string_view kFrameFields[] = {"file_location_id", "parent_frame_id"};

// Parses "1 row  2 row ...", or no row. Rows count from 1, regardless of the written numbers.
template <class ParseRow>
Status ParseTable(TextParser& parser, std::string_view title, ParseRow parse_row) {
  if (!parser.EatKeyword(title)) return parser.Expected(title);
  while (parser.Is(TokenKind::kInteger)) {
    parser.Next();
    ASSAY_CHECK_OK(parse_row());
  }
  return {};
}

Status ParseNames(TextParser& parser, std::string_view title, std::vector<std::string>& names) {
  return ParseTable(parser, title, [&]() -> Status {
    ASSAY_TRY(names.emplace_back(), parser.ParseString());
    return {};
  });
}

// Parses "{field=1 field=2 ...}", every field once.
template <class Row>
Status ParseRows(TextParser& parser, std::string_view title, std::span<const std::string_view> fields,
                 std::vector<Row>& rows) {
  return ParseTable(parser, title, [&]() -> Status {
    Row row;
    std::vector<bool> seen(fields.size(), false);
    ASSAY_CHECK_OK(parser.Expect("{"));
    while (parser.Is(TokenKind::kAttributeName)) {
      const auto field = std::ranges::find(fields, parser.token().text);
      const auto index = static_cast<std::size_t>(field - fields.begin());
      if (field == fields.end() || seen[index]) return parser.Fail(fmt::format("not a field of {}", title));
      seen[index] = true;
      parser.Next();
      ASSAY_TRY(row[index], parser.ParseInteger());
      parser.Eat(",");
    }
    if (const auto missing = std::ranges::find(seen, false); missing != seen.end()) {
      return parser.Expected(fmt::format("{}=", fields[missing - seen.begin()]));
    }
    ASSAY_CHECK_OK(parser.Expect("}"));
    rows.push_back(row);
    return {};
  });
}

bool HasRow(std::int64_t id, std::size_t rows) { return id >= 1 && id <= static_cast<std::int64_t>(rows); }

void AppendNames(std::string_view title, const std::vector<std::string>& names, std::string& out) {
  out += fmt::format("{}\n", title);
  for (std::size_t i = 0; i < names.size(); ++i) out += fmt::format("{} \"{}\"\n", i + 1, Escape(names[i]));
  out += "\n";
}

}  // namespace

Status StackTables::Parse(TextParser& parser) {
  if (!parser.AtKeyword("FileNames")) return {};
  ASSAY_CHECK_OK(ParseNames(parser, "FileNames", text_.files));
  ASSAY_CHECK_OK(ParseNames(parser, "FunctionNames", text_.functions));
  ASSAY_CHECK_OK(ParseRows(parser, "FileLocations", kLocationFields, text_.locations));
  ASSAY_CHECK_OK(ParseRows(parser, "StackFrames", kFrameFields, text_.frames));
  used_.assign(text_.frames.size() + 1, -1);
  return {};
}

bool StackTables::HasLocation(std::int64_t id) const {
  if (!HasRow(id, text_.locations.size())) return false;
  const Location& location = text_.locations[id - 1];
  return HasRow(location[0], text_.files.size()) && HasRow(location[1], text_.functions.size());
}

std::int64_t StackTables::UseLocation(std::int64_t id) {
  Location location = text_.locations[id - 1];
  location[0] = numbers_.files.Number(text_.files[location[0] - 1]);
  location[1] = numbers_.functions.Number(text_.functions[location[1] - 1]);
  return numbers_.locations.Number(location);
}

std::int64_t StackTables::Use(std::int64_t id) {
  // The frames from `id` up to one with a known number, or without a parent.
  std::vector<std::int64_t> chain;
  std::int64_t parent = 0;
  while (true) {
    if (!HasRow(id, text_.frames.size())) {
      parent = -1;
      break;
    }
    if (used_[id] >= 0) {
      parent = used_[id] == 0 ? -1 : used_[id];
      break;
    }
    used_[id] = 0;  // a frame found again in this chain is its own ancestor, and counts as missing
    chain.push_back(id);
    id = text_.frames[id - 1][1] - 1;
    if (id == 0) break;
  }
  if (parent < 0) return 0;
  // A frame without a location counts as missing, and so do the frames that it called. Its callers stay unused.
  const auto missing = std::find_if(chain.rbegin(), chain.rend(),
                                    [&](std::int64_t frame) { return !HasLocation(text_.frames[frame - 1][0]); });
  if (missing != chain.rend()) {
    std::for_each(chain.rbegin(), missing, [&](std::int64_t frame) { used_[frame] = -1; });
    return 0;
  }
  for (; !chain.empty(); chain.pop_back()) {
    parent = numbers_.frames.Number({UseLocation(text_.frames[chain.back() - 1][0]), parent + 1});
    used_[chain.back()] = parent;
  }
  return parent;
}

std::string StackTables::Numbers::ToString() const {
  if (frames.rows.empty()) return "";
  std::string out = "\n";
  AppendNames("FileNames", files.rows, out);
  AppendNames("FunctionNames", functions.rows, out);
  out += "FileLocations\n";
  for (std::size_t i = 0; i < locations.rows.size(); ++i) {
    const Location& row = locations.rows[i];
    out += fmt::format("{} {{", i + 1);
    for (std::size_t f = 0; f < row.size(); ++f) {
      out += fmt::format("{}{}={}", f > 0 ? " " : "", kLocationFields[f], row[f]);
    }
    out += "}\n";
  }
  out += "\nStackFrames\n";
  for (std::size_t i = 0; i < frames.rows.size(); ++i) {
    out += fmt::format("{} {{file_location_id={} parent_frame_id={}}}\n", i + 1, frames.rows[i][0], frames.rows[i][1]);
  }
  return out + "\n";
}

}  // namespace assay
