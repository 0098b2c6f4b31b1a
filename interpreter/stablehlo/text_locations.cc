// Locations: loc("jit(f)/add"("f"("file.py":1:2))), loc(callsite("f"("file.py":1:2) at #loc3)), loc(fused[...]).
#include <algorithm>
#include <limits>

#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

// Appends the frames of a location. Inside another location the name of a position in a file is that of its function.
void AppendFrames(ParsedLocation location, std::vector<SourceFrame>& frames) {
  if (location.is_named_file) location.location.frames[0].function = std::move(location.location.name);
  frames.insert(frames.end(), std::make_move_iterator(location.location.frames.begin()),
                std::make_move_iterator(location.location.frames.end()));
}

int ClampToInt(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

}  // namespace

Status MlirParser::ParseOptionalLocation(Location* location) {
  if (!At("loc")) return {};
  Next();
  ASSAY_CHECK_OK(Expect("("));
  ASSAY_TRY(ParsedLocation parsed, ParseLocation());
  if (location != nullptr) *location = std::move(parsed.location);
  return Expect(")");
}

// Parses the contents of the parentheses of loc(...).
Result<ParsedLocation> MlirParser::ParseLocation() {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  ++nodes_;
  if (Is(MlirTokenKind::kString)) return ParseNamedLocation();
  if (Take("unknown")) return ParsedLocation{};
  if (Take("callsite")) return ParseCallSite();
  if (Take("fused")) return ParseFusedLocation();
  if (!Is(MlirTokenKind::kHash)) return Expected("a location");
  ASSAY_TRY(const ParsedLocation* const location, UseAlias(&Alias::location, [&]() -> Result<ParsedLocation> {
              ASSAY_CHECK_OK(ExpectAll({"loc", "("}));
              ASSAY_TRY(ParsedLocation parsed, ParseLocation());
              ASSAY_CHECK_OK(Expect(")"));
              return parsed;
            }));
  Next();
  return *location;
}

// Parses "3:5", "3:5 to :10" and "3:5 to 4:10".
Status MlirParser::ParseFilePosition(SourceFrame& frame) {
  ASSAY_TRY(const std::int64_t line, ParseInteger());
  ASSAY_CHECK_OK(Expect(":"));
  ASSAY_TRY(const std::int64_t column, ParseInteger());
  frame.line = frame.end_line = ClampToInt(line);
  frame.column = frame.end_column = ClampToInt(column);
  if (!Take("to")) return {};
  if (!At(":")) {
    ASSAY_TRY(const std::int64_t end_line, ParseInteger());
    frame.end_line = ClampToInt(end_line);
  }
  ASSAY_CHECK_OK(Expect(":"));
  ASSAY_TRY(const std::int64_t end_column, ParseInteger());
  frame.end_column = ClampToInt(end_column);
  return {};
}

Result<ParsedLocation> MlirParser::ParseNamedLocation() {
  ParsedLocation named;
  ASSAY_TRY(std::string name, ParseString());
  if (Take(":")) {
    SourceFrame& frame = named.location.frames.emplace_back();
    frame.file = std::move(name);
    ASSAY_CHECK_OK(ParseFilePosition(frame));
    return named;
  }
  if (Take("(")) {
    ASSAY_TRY(ParsedLocation inside, ParseLocation());
    ASSAY_CHECK_OK(Expect(")"));
    const auto& frames = inside.location.frames;
    named.is_named_file = inside.location.name.empty() && frames.size() == 1 && frames[0].function.empty();
    if (name.ends_with(':') && !inside.location.name.empty()) {  // the type of an operation, around its name
      name += ";" + inside.location.name;
      nodes_ += static_cast<std::int64_t>(name.size() / sizeof(Attribute));
    }
    AppendFrames(std::move(inside), named.location.frames);
  }
  named.location.name = std::move(name);
  return named;
}

// Parses callsite(CALLEE at CALLER).
Result<ParsedLocation> MlirParser::ParseCallSite() {
  ParsedLocation site;
  ASSAY_CHECK_OK(Expect("("));
  ASSAY_TRY(ParsedLocation callee, ParseLocation());
  ASSAY_CHECK_OK(Expect("at"));
  ASSAY_TRY(ParsedLocation caller, ParseLocation());
  ASSAY_CHECK_OK(Expect(")"));
  if (!callee.is_named_file) site.location.name = callee.location.name;
  AppendFrames(std::move(callee), site.location.frames);
  AppendFrames(std::move(caller), site.location.frames);
  nodes_ += static_cast<std::int64_t>(site.location.frames.size());
  return site;
}

// Parses fused<metadata>[A, B], with the names of all locations and the frames of the first that has any.
Result<ParsedLocation> MlirParser::ParseFusedLocation() {
  ParsedLocation fused;
  if (Take("<")) {
    ASSAY_CHECK_OK(ParseAttribute());
    ASSAY_CHECK_OK(Expect(">"));
  }
  std::string& name = fused.location.name;
  ASSAY_CHECK_OK(ParseList("[", "]", [&]() -> Status {
    ASSAY_TRY(const ParsedLocation part, ParseLocation());
    if (!name.empty() && !part.location.name.empty()) name += ';';
    name += part.location.name;
    if (fused.location.frames.empty()) fused.location.frames = part.location.frames;
    return {};
  }));
  nodes_ += static_cast<std::int64_t>(fused.location.frames.size() + name.size() / sizeof(Attribute));
  return fused;
}

}  // namespace assay::stablehlo
