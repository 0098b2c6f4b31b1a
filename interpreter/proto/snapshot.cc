// The messages that contain an HloModuleProto, with the arguments of a run.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/message.h"
#include "interpreter/proto/values.h"

namespace assay {
namespace proto {
namespace {

// A message with a module in it.
struct Dumped {
  std::string_view module;    // an HloModuleProto
  std::string_view message;   // all of it
  std::string_view literals;  // after the message
  MessageType type = MessageType::kNone;
};

// True if the message names one of its computations as its entry. Text and other messages do not.
bool IsModuleMessage(std::string_view bytes) {
  if (!CheckMessage(bytes, MessageType::HloModuleProto)) return false;
  const Message module(bytes);
  const std::string_view entry = module.Text(fields::HloModuleProto::entry_computation_name);
  for (const std::string_view computation : module.Texts(fields::HloModuleProto::computations)) {
    if (!entry.empty() && Message(computation).Text(fields::HloComputationProto::name) == entry) return true;
  }
  return false;
}

// Returns the message of `type` with its module at the path of fields `path`; nothing if the bytes are not one.
std::optional<Dumped> AsMessage(std::string_view bytes, MessageType type, std::initializer_list<const Field*> path) {
  if (!CheckMessage(bytes, type)) return std::nullopt;
  std::string_view inner = bytes;
  for (const Field* field : path) {
    const std::vector<std::string_view> texts = Message(inner).Texts(*field);
    if (texts.empty()) return std::nullopt;
    inner = texts.back();
  }
  if (!IsModuleMessage(inner)) return std::nullopt;
  return Dumped{inner, bytes, {}, type};
}

std::optional<Dumped> FindDumped(std::string_view bytes) {
  if (auto found = AsMessage(bytes, MessageType::HloModuleProto, {})) return found;
  if (auto found = AsMessage(bytes, MessageType::HloProto, {&fields::HloProto::hlo_module})) return found;
  if (auto found =
          AsMessage(bytes, MessageType::HloSnapshot, {&fields::HloSnapshot::hlo, &fields::HloProto::hlo_module})) {
    return found;
  }
  constexpr MessageType kUnoptimized = MessageType::HloUnoptimizedSnapshot;
  if (auto found = AsMessage(bytes, kUnoptimized, {&fields::HloUnoptimizedSnapshot::hlo_module})) return found;
  // The message may be preceded by its length and followed by its literals.
  std::string_view rest = bytes;
  const std::optional<std::uint64_t> size = TakeVarint(rest);
  if (!size || *size > rest.size()) return std::nullopt;
  auto found = AsMessage(rest.substr(0, *size), kUnoptimized, {&fields::HloUnoptimizedSnapshot::hlo_module});
  if (found) found->literals = rest.substr(*size);
  return found;
}

// Returns the error for bytes that are none of these messages: the one of CheckMessage for an HloModuleProto, if any.
Error NoMessage(std::string_view bytes) {
  const Status checked = CheckMessage(bytes, MessageType::HloModuleProto);
  if (!bytes.empty() && !checked) return checked.error();
  return {ErrorCode::kParse,
          "no HloModuleProto, HloProto, HloSnapshot or HloUnoptimizedSnapshot: expected a module that names one of its "
          "computations as its entry"};
}

Result<std::vector<Literal>> ReadArguments(const Message& message, const Field& field) {
  std::vector<Literal> arguments;
  for (const std::string_view bytes : message.Texts(field)) {
    Result<Literal> literal = ReadLiteral(Message(bytes));
    if (!literal) {
      return Error{literal.error().code, fmt::format("argument {}: {}", arguments.size(), literal.error().message)};
    }
    arguments.push_back(*std::move(literal));
  }
  return arguments;
}

// Reads a literal in its stored form: the size of its ShapeProto in eight bytes, the ShapeProto, packed elements.
Result<Literal> ReadStoredLiteral(std::string_view bytes) {
  constexpr std::size_t kSizeBytes = 8;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), kSizeBytes); ++i) {
    size |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  }
  if (bytes.size() < kSizeBytes || size > bytes.size() - kSizeBytes) {
    return Error{ErrorCode::kParse, fmt::format("its shape is cut off after {} byte(s)", bytes.size())};
  }
  const std::string_view shape_bytes = bytes.substr(kSizeBytes, size);
  ASSAY_CHECK_OK(CheckMessage(shape_bytes, MessageType::ShapeProto));
  ASSAY_TRY(const Shape shape, ReadShape(Message(shape_bytes)));
  if (shape.IsToken()) return Literal::MakeToken();
  if (!shape.IsArray()) {
    return Error{ErrorCode::kParse,
                 fmt::format("only arrays are stored this way, found {}", shape.ToStringWithoutLayout())};
  }
  return LiteralOfBytes(shape, bytes.substr(kSizeBytes + size), /*is_packed=*/true);
}

// Reads the arguments of one device: messages, or as many bytes as descriptors state.
Result<std::vector<Literal>> ReadInputs(const Message& inputs, std::string_view& literals) {
  ASSAY_TRY(std::vector<Literal> arguments, ReadArguments(inputs, fields::HloInputs::arguments));
  for (const Message& descriptor : inputs.Messages(fields::HloInputs::arguments_descriptors)) {
    const auto size =
        static_cast<std::uint64_t>(descriptor.Integer(fields::HloInputs_LiteralDescriptor::argument_size_bytes));
    const auto place = fmt::format("argument {}: ", arguments.size());
    if (size > literals.size()) {
      return Error{ErrorCode::kParse, fmt::format("{}expected {} bytes, found {}", place, size, literals.size())};
    }
    Result<Literal> literal = ReadStoredLiteral(literals.substr(0, size));
    if (!literal) return Error{literal.error().code, place + literal.error().message};
    arguments.push_back(*std::move(literal));
    literals.remove_prefix(size);
  }
  return arguments;
}

Status ReadRecorded(const Dumped& dumped, HloSnapshot& snapshot) {
  const Message message(dumped.message);
  if (dumped.type == MessageType::HloSnapshot) {
    ASSAY_TRY(snapshot.arguments_per_device.emplace_back(), ReadArguments(message, fields::HloSnapshot::arguments));
    if (!message.Has(fields::HloSnapshot::result)) return {};
    Result<Literal> result = ReadLiteral(message.Sub(fields::HloSnapshot::result));
    if (!result) return Error{result.error().code, "the result: " + result.error().message};
    snapshot.result = *std::move(result);
  } else if (dumped.type == MessageType::HloUnoptimizedSnapshot) {
    std::string_view literals = dumped.literals;
    for (const Message& inputs : message.Messages(fields::HloUnoptimizedSnapshot::partitions)) {
      ASSAY_TRY(snapshot.arguments_per_device.emplace_back(), ReadInputs(inputs, literals));
    }
  }
  return {};
}

}  // namespace
}  // namespace proto

bool IsHloMessage(std::string_view bytes) { return proto::FindDumped(bytes).has_value(); }

Result<HloSnapshot> ReadHloSnapshot(std::string_view bytes) {
  const std::optional<proto::Dumped> dumped = proto::FindDumped(bytes);
  if (!dumped) return proto::NoMessage(bytes);
  HloSnapshot snapshot;
  ASSAY_TRY(snapshot.module, ReadHloModuleProto(dumped->module));
  ASSAY_CHECK_OK(proto::ReadRecorded(*dumped, snapshot));
  return snapshot;
}

}  // namespace assay
