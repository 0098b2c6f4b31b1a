#include "conformance/cases/golden_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "conformance/cases/golden_values.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::string_view kEntry = "ENTRY ";
// A file of n lines could have n^2 / 4 lines, written out.
constexpr std::size_t kMostBytesExpanded = std::size_t{64} << 20;
// The directives whose words may be alternatives.
constexpr std::array<std::string_view, 5> kOfValues = {"row", "arg", "want", "infeed", "outfeed"};

// Returns the first word of a directive and leaves the rest in `line`; an empty word for another line.
std::string_view TakeDirective(std::string_view& line) {
  if (!line.starts_with(kDirective)) return {};
  line.remove_prefix(kDirective.size());
  return NextWord(line);
}

bool IsName(std::string_view word) { return word.size() == 2 && word[0] == '$' && word[1] >= 'A' && word[1] <= 'Z'; }

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = NextWord(text); !word.empty(); word = NextWord(text)) words.push_back(word);
  return words;
}

// Calls `visit` for the parts of a text between separators.
template <class Visit>
void ForParts(std::string_view text, char separator, const Visit& visit) {
  while (true) {
    const std::size_t end = text.find(separator);
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

class Expansion {
 public:
  void Read(std::string_view line, int number) {
    number_ = number;
    std::string_view rest = line;
    const std::string_view directive = TakeDirective(rest);
    if (directive == "for") return BeginOrGoOn(rest);
    if (directive == "end") return End();
    if (repeat_) {
      repeat_->lines.push_back({number, line});
    } else {
      Write(line, line, number);
    }
  }

  void Finish() {
    number_ = repeat_ ? repeat_->number : 0;
    if (repeat_) Fail("for without end");
  }

  const std::optional<Error>& error() const { return error_; }
  ExpandedText Take() { return std::move(expanded_); }

 private:
  // The lines between `for` and `end`, and the values of its names.
  struct Repeat {
    int number;
    std::vector<std::string_view> names;
    std::vector<std::vector<std::string_view>> values;
    std::vector<std::pair<int, std::string_view>> lines;
  };

  // Keeps the first error.
  void Fail(std::string message) {
    if (!error_) error_ = Error{ErrorCode::kInput, std::move(message), {number_, 0}};
  }

  void BeginOrGoOn(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::vector<std::string_view> names = WordsOf(text.substr(0, colon));
    const bool are_different =
        std::ranges::all_of(names, [&](auto name) { return std::ranges::count(names, name) == 1; });
    const bool are_names = !names.empty() && are_different && std::ranges::all_of(names, IsName);
    if (repeat_ && !repeat_->lines.empty())
      return Fail(fmt::format("for inside of the for of line {}", repeat_->number));
    if (colon == std::string_view::npos || !are_names) {
      return Fail("for needs different names such as $T, a colon and their values");
    }
    if (!repeat_) repeat_ = Repeat{number_, names, {}, {}};
    if (names != repeat_->names) {
      return Fail(fmt::format("expected the names {}, found {}", JoinText(repeat_->names, " "), JoinText(names, " ")));
    }
    ForParts(text.substr(colon + 1), ',', [&](std::string_view value) {
      repeat_->values.push_back(WordsOf(value));
      if (repeat_->values.back().size() == names.size()) return;
      Fail(fmt::format("expected {} words for {}, found {}", names.size(), JoinText(names, " "),
                       JoinText(repeat_->values.back(), " ")));
    });
  }

  void End() {
    if (!repeat_) return Fail("end without for");
    for (std::size_t place = 0; place < repeat_->values.size() && !error_; ++place) {
      for (const auto& [number, line] : repeat_->lines) {
        number_ = number;
        const bool is_other_entry = place > 0 && line.starts_with(kEntry);
        Write(WithValues(line.substr(is_other_entry ? kEntry.size() : 0), place), line, number);
        if (error_) return;
      }
    }
    repeat_.reset();
  }

  std::string WithValues(std::string_view line, std::size_t place) {
    std::string named;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view name = line.substr(i, 2);
      if (!IsName(name)) {
        named += line[i];
        continue;
      }
      const auto found = std::ranges::find(repeat_->names, name);
      if (found == repeat_->names.end()) {
        Fail(fmt::format("{} has no value: expected {}", name, JoinText(repeat_->names, " or ")));
        return {};
      }
      named += repeat_->values[place][static_cast<std::size_t>(found - repeat_->names.begin())];
      ++i;
    }
    std::string_view rest = named;
    const std::string_view directive = TakeDirective(rest);
    return std::ranges::find(kOfValues, directive) == kOfValues.end() ? named : WithAlternatives(named, place);
  }

  // Chooses among the alternatives of each word that has some. A bar alone is between values of the host.
  std::string WithAlternatives(std::string_view line, std::size_t place) {
    constexpr std::string_view kEnds = " \t\r;";
    std::string chosen;
    while (!line.empty()) {
      const std::size_t blanks = std::min(line.find_first_not_of(kEnds), line.size());
      chosen += line.substr(0, blanks);
      line.remove_prefix(blanks);
      const std::string_view word = line.substr(0, line.find_first_of(kEnds));
      line.remove_prefix(word.size());
      std::vector<std::string_view> alternatives;
      ForParts(word, '|', [&](std::string_view one) { alternatives.push_back(one); });
      const bool is_one = alternatives.size() == 1 || word == "|";
      if (!is_one && alternatives.size() != repeat_->values.size()) {
        Fail(fmt::format("expected {} alternatives, found {}", repeat_->values.size(), word));
        return {};
      }
      chosen += is_one ? word : alternatives[place];
    }
    return chosen;
  }

  // Writes a line, or the rows in it. `source` is the line of the file.
  void Write(std::string_view line, std::string_view source, int number) {
    std::string_view rest = line;
    if (TakeDirective(rest) != "row" || rest.find(';') == std::string_view::npos) {
      return Add(line, {number, line == source});
    }
    ForParts(rest, ';', [&](std::string_view row) { Add(fmt::format("{} row {}", kDirective, row), {number, false}); });
  }

  void Add(std::string_view line, SourceLine source) {
    if (expanded_.text.size() + line.size() > kMostBytesExpanded) {
      return Fail(
          fmt::format("the file has more than {} bytes, with its repeated parts written out", kMostBytesExpanded));
    }
    expanded_.text += line;
    expanded_.text += '\n';
    expanded_.lines.push_back(source);
  }

  ExpandedText expanded_;
  std::optional<Repeat> repeat_;
  std::optional<Error> error_;
  int number_ = 0;
};

}  // namespace

Result<ExpandedText> ExpandGolden(std::string_view text) {
  Expansion expansion;
  int number = 0;
  while (!text.empty() && !expansion.error()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    expansion.Read(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  expansion.Finish();
  if (expansion.error()) return *expansion.error();
  return expansion.Take();
}

bool HasRepeatedParts(std::string_view text) {
  constexpr std::string_view kFor = "//! for ";
  return text.starts_with(kFor) || text.find(fmt::format("\n{}", kFor)) != std::string_view::npos;
}

Error InSource(const ExpandedText& expanded, Error error) {
  const int line = error.location.line;
  if (line <= 0 || line > std::ssize(expanded.lines)) return error;
  const SourceLine& source = expanded.lines[static_cast<std::size_t>(line) - 1];
  error.location = {source.number, source.is_as_written ? error.location.column : 0};
  return error;
}

}  // namespace assay
