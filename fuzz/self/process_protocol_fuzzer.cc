// The messages of a program on a pipe. Any bytes, in pieces of any sizes, are lines, and each line is a hello, a reply
// with outputs, a list of passes, or a protocol error. The first byte is the size of the pieces.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/process/line_buffer.h"
#include "backends/process/replies.h"
#include "fuzz/self/target.h"

namespace assay {
namespace {

constexpr std::size_t kLongestLine = 1 << 12;

void ReadMessage(const std::string& line) {
  static const Shape shapes[] = {
      ShapeUtil::MakeShape(F32, {2}),
      ShapeUtil::MakeShape(U4, {3}, {true}),
      ShapeUtil::MakeTupleShape({ShapeUtil::MakeScalarShape(PRED), ShapeUtil::MakeTokenShape()}),
  };
  const Result<nlohmann::json> message = ParseMessage(line);
  if (!message) return;
  if (const Result<BackendDescription> description = DescriptionFrom(*message)) {
    Require(description->max_devices >= 1, "a backend has a device");
  }
  for (const Shape& shape : shapes) {
    for (const std::size_t devices : {1, 2}) {
      const Result<PerDevice<Literal>> outputs = OutputsFrom(*message, shape, devices, "");
      if (outputs) Require(StatusOf(*message) && outputs->size() == devices, "outputs are a reply's that is ok");
    }
  }
  const Result<CompilerTrace> trace = TraceFrom(*message);
  static_cast<void>(trace);
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(process_protocol) {
  if (text.empty()) return;
  const SmallLimits limits;
  const std::size_t piece = std::max<std::size_t>(static_cast<std::uint8_t>(text[0]), 1);
  LineBuffer buffer;
  std::string seen;
  for (std::string_view rest = text.substr(1); !rest.empty();) {
    buffer.Append(rest.substr(0, piece));
    rest.remove_prefix(std::min(piece, rest.size()));
    while (true) {
      const Result<std::optional<std::string>> line = buffer.TakeLine(kLongestLine);
      if (!line) return;
      if (!*line) break;
      Require((*line)->find('\n') == std::string::npos, "a line is one line");
      seen += **line + '\n';
      ReadMessage(**line);
    }
  }
  seen += buffer.Cut();
  Require(seen == text.substr(1), "no byte is lost");
}
