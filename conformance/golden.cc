#include "conformance/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "conformance/digest.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDirective = "//!";

std::string_view NextWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  const std::size_t end = std::min(text.find_first_of(" \t\r"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// "x" and the bits in hex, for floats; a decimal otherwise.
Result<std::uint64_t> ParseComponent(std::string_view word, PrimitiveType type) {
  const auto bad = [&] {
    return Error{ErrorCode::kInput, fmt::format("{} is no value of {}", word, PrimitiveTypeName(type))};
  };
  if (word.starts_with('x')) {
    std::uint64_t bits = 0;
    const auto [end, code] = std::from_chars(word.data() + 1, word.data() + word.size(), bits, 16);
    if (code != std::errc() || end != word.data() + word.size()) return bad();
    if (BitWidth(type) < 64 && bits >> BitWidth(type) != 0) return bad();
    return bits;
  }
  if (IsFloatingPointType(type)) {
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) return bad();
    const std::uint64_t bits = RoundDouble(FloatFormatOf(type), value);
    const double back = ToDouble(FloatFormatOf(type), bits);
    // A decimal must be the value itself: what rounds is written in bits.
    if (back != value && value == value) return bad();
    return bits;
  }
  if (IsUnsignedIntegralType(type)) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) return bad();
    if (BitWidth(type) < 64 && value >> BitWidth(type) != 0) return bad();
    return value;
  }
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return bad();
  const int width = type == PRED ? 1 : BitWidth(type);
  const bool fits = type == PRED ? value == 0 || value == 1
                                 : width == 64 || (value >= -(std::int64_t{1} << (width - 1)) &&
                                                   value < std::int64_t{1} << (width - 1));
  if (!fits) return bad();
  return static_cast<std::uint64_t>(value);
}

// Takes "9*" off "9*0"; a word without it stands once.
Result<std::int64_t> TakeRepetition(std::string_view& word) {
  const std::size_t star = word.find('*');
  if (star == std::string_view::npos) return 1;
  std::int64_t times = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + star, times);
  if (code != std::errc() || end != word.data() + star || times < 1) {
    return Error{ErrorCode::kInput, fmt::format("{} does not say how often", word)};
  }
  word.remove_prefix(star + 1);
  return times;
}

// "f32[2] x3f800000 x40000000" or "f32[1000] seeded 7".
Result<Literal> ParseValues(std::string_view text) {
  const std::string_view shape_text = NextWord(text);
  ASSAY_TRY(const Shape shape, ParseShape(shape_text));
  if (!shape.IsArray()) return Error{ErrorCode::kInput, fmt::format("{} is no array shape", shape_text)};
  ASSAY_TRY(const std::int64_t count, ShapeUtil::CheckedElementsIn(shape));
  Literal value(shape);
  std::string_view word = NextWord(text);
  if (word == "seeded") {
    ASSAY_TRY(const std::uint64_t seed, ParseComponent(NextWord(text), U64));
    if (!NextWord(text).empty()) return Error{ErrorCode::kInput, "nothing may follow the seed"};
    FillWithSeed(value, seed);
    return value;
  }
  const PrimitiveType component = ComplexComponentType(shape.element_type());
  const std::int64_t components = count * (IsComplexType(shape.element_type()) ? 2 : 1);
  const int bytes = StorageBytes(component);
  std::byte* out = components > 0 ? value.mutable_data() : nullptr;
  std::int64_t filled = 0;
  for (; !word.empty() && filled < components; word = NextWord(text)) {
    ASSAY_TRY(const std::int64_t times, TakeRepetition(word));
    ASSAY_TRY(const std::uint64_t bits, ParseComponent(word, component));
    for (const std::int64_t end = filled + std::min(times, components - filled + 1); filled < end; ++filled) {
      if (filled < components) std::memcpy(out + filled * bytes, &bits, bytes);
    }
  }
  if (filled < components) {
    return Error{ErrorCode::kInput, fmt::format("{} needs {} values, found {}", shape_text, components, filled)};
  }
  if (!word.empty() || filled > components)
    return Error{ErrorCode::kInput, fmt::format("{} has more than {} values", shape_text, components)};
  return value;
}

// Any NaN counts as the positive quiet one.
std::uint64_t DigestOf(const Literal& array) {
  const PrimitiveType component = ComplexComponentType(array.element_type());
  const auto bytes = static_cast<std::size_t>(StorageBytes(component));
  const std::int64_t count = array.element_count() * (IsComplexType(array.element_type()) ? 2 : 1);
  std::string stored(static_cast<std::size_t>(count) * bytes, '\0');
  if (count > 0) std::memcpy(stored.data(), array.data(), stored.size());
  if (IsFloatingPointType(component)) {
    std::vector<double> numbers(count);
    LoadReals(component, array.data(), numbers.data(), count);
    const std::uint64_t nan = FloatFormatOf(component).nan_bits(false);
    for (std::int64_t i = 0; i < count; ++i) {
      if (std::isnan(numbers[i])) std::memcpy(stored.data() + static_cast<std::size_t>(i) * bytes, &nan, bytes);
    }
  }
  Digest digest;
  digest.Add(stored);
  return digest.value();
}

// As ParseValues, or "f32[1025] digest 0123456789abcdef".
Result<WantedLeaf> ParseWanted(std::string_view text) {
  std::string_view rest = text;
  const std::string_view shape_text = NextWord(rest);
  if (NextWord(rest) != "digest") {
    ASSAY_TRY(Literal value, ParseValues(text));
    const Shape shape = value.shape();
    return WantedLeaf{shape, std::move(value), std::nullopt};
  }
  ASSAY_TRY(const Shape shape, ParseShape(shape_text));
  const std::string_view digits = NextWord(rest);
  std::uint64_t digest = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), digest, 16);
  const bool is_read = code == std::errc() && end == digits.data() + digits.size() && digits.size() == 16;
  if (!is_read || !NextWord(rest).empty()) {
    return Error{ErrorCode::kInput, fmt::format("expected 16 hexadecimal digits after digest, found {}", digits)};
  }
  if (!shape.IsArray() || BitWidth(shape.element_type()) < 8) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} has no digest: only arrays of at least a byte an element have", shape_text)};
  }
  return WantedLeaf{shape, Literal(), digest};
}

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// Reads the directives of one file, in order.
class DirectiveReader {
 public:
  explicit DirectiveReader(GoldenFile& file)
      : file_(file), prefix_(file.op + "/" + fs::path(file.path).stem().string()) {}

  Status Read(std::string_view line, int line_number) {
    const std::string_view directive = NextWord(line);
    line = Trimmed(line);
    if (directive == "case") return ReadCase(line, line_number);
    if (directive == "arg") return ReadValue(directive, line, &GoldenCase::arguments, ParseValues);
    if (directive == "want") return ReadValue(directive, line, &GoldenCase::want, ParseWanted);
    if (directive == "entry") return ReadOfCase(directive, line, &GoldenCase::entry);
    if (directive == "refused") return ReadOfCase(directive, line, &GoldenCase::refused);
    if (directive == "clause") return ReadHeader(directive, line, file_.clause);
    if (directive == "oracle") return ReadHeader(directive, line, file_.oracle);
    if (directive == "tags") return ReadHeader(directive, line, file_.tags);
    if (directive == "provenance") {
      if (line != "seed" && line != "derived") return Bad("provenance is seed or derived, not {}", line);
      return ReadHeader(directive, line, file_.provenance);
    }
    return Bad("unknown directive {}: expected case, entry, arg, want, refused, clause, provenance, oracle or tags",
               directive);
  }

  // What only the whole file can lack.
  Status Finish() const {
    if (file_.cases.empty()) return Bad("no case");
    if (file_.clause.empty()) return Bad("no clause");
    if (file_.provenance.empty()) return Bad("no provenance");
    if (file_.oracle.empty()) return Bad("no oracle");
    for (const GoldenCase& golden : file_.cases) {
      if (golden.want.empty() && golden.refused.empty()) return Bad("the case {} wants nothing", golden.name);
      if (!golden.refused.empty() && golden.want.size() + golden.arguments.size() > 0) {
        return Bad("the case {} must be refused: it has no arg and no want", golden.name);
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
    if (!field.empty()) return Bad("{} stands twice", directive);
    if (text.empty()) return Bad("{} says nothing", directive);
    field = text;
    return {};
  }

  Status ReadCase(std::string_view text, int line_number) {
    const std::string_view word = NextWord(text);
    if (word.empty()) return Bad("a case needs a name");
    const std::string name = fmt::format("{}/{}", prefix_, word);
    if (Trimmed(text).empty()) return Bad("the case {} gives no reason", name);
    if (std::ranges::any_of(file_.cases, [&](const GoldenCase& c) { return c.name == name; })) {
      return Bad("the case {} stands twice", name);
    }
    GoldenCase golden;
    golden.name = name;
    golden.reason = Trimmed(text);
    golden.line = line_number;
    file_.cases.push_back(std::move(golden));
    return {};
  }

  Status ReadOfCase(std::string_view directive, std::string_view text, std::string GoldenCase::*field) {
    if (file_.cases.empty()) return Bad("{} before the first case", directive);
    if (text.empty()) return Bad("{} says nothing", directive);
    std::string& value = file_.cases.back().*field;
    if (!value.empty()) return Bad("{} stands twice", directive);
    value = text;
    return {};
  }

  template <class Value>
  Status ReadValue(std::string_view directive, std::string_view text, std::vector<Value> GoldenCase::*list,
                   Result<Value> (*parse)(std::string_view)) {
    if (file_.cases.empty()) return Bad("{} before the first case", directive);
    ASSAY_TRY(Value value, parse(text));
    (file_.cases.back().*list).push_back(std::move(value));
    return {};
  }

  GoldenFile& file_;
  const std::string prefix_;
};

void AddCalled(const HloComputation& computation, std::set<const HloComputation*>& called) {
  if (!called.insert(&computation).second) return;
  for (const auto& instruction : computation.instructions) {
    for (const HloComputation* callee : instruction->CalledComputations()) AddCalled(*callee, called);
  }
}

Status MakeEntry(HloModule& module, const std::string& name) {
  const auto it = std::ranges::find(module.computations, name, &HloComputation::name);
  if (it == module.computations.end()) {
    return Error{ErrorCode::kInput, fmt::format("the module has no computation {}", name)};
  }
  module.entry = it->get();
  module.entry_parameter_layouts.clear();
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    module.entry_parameter_layouts.push_back(parameter->shape);
  }
  module.entry_result_layout = module.entry->root->shape;
  return {};
}

// An empty name leaves the entry as it is. Computations that the entry does not call are left out.
Status CutToEntry(HloModule& module, const std::string& name) {
  if (!name.empty()) ASSAY_CHECK_OK(MakeEntry(module, name));
  std::set<const HloComputation*> called;
  AddCalled(*module.entry, called);
  std::erase_if(module.computations, [&](const auto& computation) { return !called.contains(computation.get()); });
  return {};
}

Error InFile(const std::string& path, const Error& error) {
  return {error.code, fmt::format("{}:{}:{}: {}", path, error.location.line, error.location.column, error.message)};
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

// The leaves of `want` as one value of the shape of what the reference returned. A leaf that has the wanted digest is
// the wanted one.
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

}  // namespace

Result<InstructionValues> EvaluateGolden(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                         const EvaluationLimits& limits) {
  const auto devices = static_cast<std::size_t>(module.device_count());
  if (golden.arguments.size() % devices != 0) {
    return BadCase(file, golden,
                   fmt::format("{} arg are not as many for each of {} devices", golden.arguments.size(), devices));
  }
  Result<InstructionValues> values = EvaluateRoot(module, ByDevice(module.device_count(), golden.arguments), limits);
  if (!values) return BadCase(file, golden, values.error().message, values.error().code);
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

Result<std::unique_ptr<HloModule>> ReadGoldenModule(const GoldenFile& file, const std::string& entry) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseModuleFile(file.path, file.text));
  ASSAY_CHECK_OK(CutToEntry(*module, entry));
  return module;
}

Result<std::unique_ptr<HloModule>> ReadRefusedModule(const GoldenFile& file, const GoldenCase& golden) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseTextOfFile(file.path, file.text));
  ASSAY_CHECK_OK(CutToEntry(*module, golden.entry));
  const std::vector<Error> errors = FindIllegal(*module);
  if (errors.empty()) return BadCase(file, golden, "the reference does not refuse the module");
  const auto says_it = [&](const Error& error) { return error.message.find(golden.refused) != std::string::npos; };
  if (std::ranges::any_of(errors, says_it)) return module;
  return BadCase(file, golden,
                 fmt::format("the reference refuses the module for another reason: {}", errors[0].message));
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
    line.remove_prefix(kDirective.size());
    const Status status = WithoutThrowing([&] { return reader.Read(line, line_number); });
    if (!status) {
      return Error{status.error().code, fmt::format("{}:{}: {}", path, line_number, status.error().message)};
    }
  }
  const Status status = reader.Finish();
  if (!status) return Error{ErrorCode::kInput, fmt::format("{}: {}", path, status.error().message)};
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
