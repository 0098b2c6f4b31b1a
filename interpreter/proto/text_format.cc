// The text format of protocol buffers: modules and snapshots as text become serialized messages.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/proto/attributes.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/message.h"
#include "interpreter/proto/schema.h"
#include "interpreter/types/ascii.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace proto {
namespace {

constexpr int kDeepest = 100;  // messages within messages

// The names of enumerations that no attribute of an op has, by number.
struct Names {
  const Field* field;
  std::array<std::string_view, 7> names;
};
constexpr Names kNames[] = {
    {&fields::OpSharding::type, {"REPLICATED", "MAXIMAL", "TUPLE", "OTHER", "MANUAL", "UNKNOWN", "UNREDUCED"}},
    {&fields::HloInputOutputAliasProto_AliasEntryProto::kind, {"UNDEFINED_ALIAS", "MAY_ALIAS", "MUST_ALIAS"}},
};

// Returns the number of a name in the enumeration of a field.
std::optional<std::int64_t> NumberOfName(const Field& field, std::string_view name) {
  if (name == "true" || name == "false") return name == "true" ? 1 : 0;
  if (field.name.ends_with("_type")) {
    for (int type = 0; type < kPrimitiveTypeCount; ++type) {
      if (AsciiUpper(PrimitiveTypeName(static_cast<PrimitiveType>(type))) == name) return type;
    }
  }
  const auto in = [&](const auto& names) -> std::optional<std::int64_t> {
    for (std::size_t i = 0; i < std::size(names); ++i) {
      if (!names[i].empty() && AsciiUpper(names[i]) == name) return static_cast<std::int64_t>(i);
    }
    return std::nullopt;
  };
  for (const Names& enumeration : kNames) {
    if (*enumeration.field == field) return in(enumeration.names);
  }
  return in(WordsOf(field));
}

bool IsWord(char c) { return IsAsciiLetterOrDigit(c) || c == '_'; }

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  // Reads the fields of a message up to `end`; 0: the end of the text. A type of kNone is skipped.
  Result<MessageWriter> ReadMessage(MessageType type, char end, int depth = 0) {
    MessageWriter message;
    if (depth > kDeepest) return Fail(fmt::format("messages are nested deeper than {}", kDeepest));
    for (SkipSpace(); end == 0 ? at_ < text_.size() : !Take(end); SkipSpace()) {
      const std::string_view name = Word();
      if (name.empty()) return Fail("expected the name of a field");
      const Field* field = type == MessageType::kNone ? nullptr : FindField(type, name);
      const bool has_colon = Take(':');
      if (Take('[')) {
        for (bool is_first = true; !Take(']'); is_first = false) {
          if (!is_first && !Take(',')) return Fail("expected ',' or ']'");
          ASSAY_CHECK_OK(ReadValue(field, true, depth, message));
        }
      } else {
        ASSAY_CHECK_OK(ReadValue(field, has_colon, depth, message));
      }
      if (!Take(',')) Take(';');
    }
    return message;
  }

  // Returns the first word if it can be the name of a field.
  std::string_view FirstName() {
    SkipSpace();
    const std::string_view name = Word();
    SkipSpace();
    return at_ < text_.size() && (text_[at_] == ':' || text_[at_] == '{') ? name : std::string_view();
  }

 private:
  Error Fail(std::string message) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return Error{ErrorCode::kParse, std::move(message), {static_cast<int>(line), static_cast<int>(at_ - start) + 1}};
  }

  void SkipSpace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool Take(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view Word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Reads one value of a field, which is skipped if the schema does not have it.
  Status ReadValue(const Field* field, bool has_colon, int depth, MessageWriter& message) {
    if (Take('{') || Take('<')) {
      const char end = text_[at_ - 1] == '{' ? '}' : '>';
      const bool is_message = field == nullptr || field->message != MessageType::kNone;
      if (!is_message) return Fail(fmt::format("the field {} is no message", field->name));
      ASSAY_TRY(const MessageWriter inner,
                ReadMessage(field == nullptr ? MessageType::kNone : field->message, end, depth + 1));
      if (field != nullptr) message.Sub(*field, inner);
      return {};
    }
    if (!has_colon) return Fail("expected ':' or '{'");
    SkipSpace();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      ASSAY_TRY(const std::string text, ReadStrings());
      if (field == nullptr) return {};
      if (field->kind != FieldKind::kText && field->kind != FieldKind::kTexts)
        return Fail(fmt::format("the field {} is no text", field->name));
      message.AddText(*field, text);
      return {};
    }
    return ReadScalar(field, message);
  }

  Status ReadScalar(const Field* field, MessageWriter& message) {
    const bool is_negative = Take('-');
    SkipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (IsWord(text_[at_]) || text_[at_] == '.' || text_[at_] == '+' ||
            (text_[at_] == '-' && at_ > begin && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) return Fail("expected a value");
    if (field == nullptr) return {};
    switch (field->kind) {
      case FieldKind::kInteger:
      case FieldKind::kIntegers:
        return AddInteger(*field, word, is_negative, message);
      case FieldKind::kFloat:
      case FieldKind::kDouble:
      case FieldKind::kFloats:
      case FieldKind::kDoubles:
        return AddNumber(*field, word, is_negative, message);
      default:
        return Fail(fmt::format("the field {} cannot be {}", field->name, word));
    }
  }

  Status AddInteger(const Field& field, std::string_view word, bool is_negative, MessageWriter& message) {
    if (const auto number = NumberOfName(field, word)) {
      message.PresentInteger(field, *number);
      return {};
    }
    const bool is_hexadecimal = word.starts_with("0x");
    const std::string_view digits = word.substr(is_hexadecimal ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value, is_hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.end())
      return Fail(fmt::format("the field {} has no value {}", field.name, word));
    message.PresentInteger(field, static_cast<std::int64_t>(is_negative ? -value : value));
    return {};
  }

  Status AddNumber(const Field& field, std::string_view word, bool is_negative, MessageWriter& message) {
    const bool is_double = field.kind == FieldKind::kDouble || field.kind == FieldKind::kDoubles;
    double value = 0;
    if (word == "inf" || word == "infinity") {
      value = std::numeric_limits<double>::infinity();
    } else if (word == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else {
      const std::string_view digits = word.ends_with('f') ? word.substr(0, word.size() - 1) : word;
      float single = 0;
      const auto [end, error] = is_double ? std::from_chars(digits.begin(), digits.end(), value)
                                          : std::from_chars(digits.begin(), digits.end(), single);
      if (error != std::errc() || end != digits.end())
        return Fail(fmt::format("the field {} has no value {}", field.name, word));
      if (!is_double) value = single;
    }
    message.AddNumber(field, is_negative ? -value : value);
    return {};
  }

  // Reads texts in quotation marks, which are joined.
  Result<std::string> ReadStrings() {
    std::string joined;
    for (SkipSpace(); at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\''); SkipSpace()) {
      const char quote = text_[at_++];
      while (true) {
        if (at_ >= text_.size() || text_[at_] == '\n') return Fail("the text has no end");
        const char c = text_[at_++];
        if (c == quote) break;
        if (c != '\\') {
          joined += c;
        } else {
          ASSAY_TRY(const char escaped, ReadEscape());
          joined += escaped;
        }
      }
    }
    return joined;
  }

  Result<char> ReadEscape() {
    constexpr std::string_view kLetters = "abfnrtv\\'\"?", kMeanings = "\a\b\f\n\r\t\v\\'\"?";
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) return kMeanings[letter];
    const bool is_octal = c >= '0' && c <= '7', is_hexadecimal = c == 'x' || c == 'X';
    if (!is_octal && !is_hexadecimal) return Fail("unknown escape in a text");
    const std::string_view digits = text_.substr(is_octal ? at_ - 1 : at_, is_octal ? 3 : 2);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value, is_octal ? 8 : 16);
    if (error != std::errc() || value > 255) return Fail("the escape of a text is no byte");
    at_ = static_cast<std::size_t>(end - text_.begin());
    return static_cast<char>(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Returns the message whose field comes first in a text.
MessageType TypeOfText(std::string_view text) {
  const std::string_view name = TextReader(text).FirstName();
  for (const MessageType type : {MessageType::HloProto, MessageType::HloModuleProto, MessageType::HloSnapshot,
                                 MessageType::HloUnoptimizedSnapshot}) {
    if (FindField(type, name) != nullptr) return type;
  }
  return MessageType::kNone;
}

}  // namespace
}  // namespace proto

bool IsHloMessageText(std::string_view text) { return proto::TypeOfText(text) != proto::MessageType::kNone; }

Result<std::string> SerializeHloMessageText(std::string_view text) {
  const proto::MessageType type = proto::TypeOfText(text);
  if (type == proto::MessageType::kNone) return Error{ErrorCode::kParse, "it starts with no field of a module"};
  ASSAY_TRY(proto::MessageWriter message, proto::TextReader(text).ReadMessage(type, '\0'));
  return message.TakeBytes();
}

}  // namespace assay
