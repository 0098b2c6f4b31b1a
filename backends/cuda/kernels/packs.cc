#include "backends/cuda/kernels/packs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cuda/kernels/text.h"
#include "interpreter/types/ascii.h"

namespace assay::cuda {
namespace {

constexpr std::int64_t kWordBytes = 16;
constexpr std::int64_t kMostPackBytes = 32;

}  // namespace

std::optional<std::vector<std::int64_t>> ReadInOrder(const HloComputation& fused, const std::string& text,
                                                     const std::string& offset) {
  std::vector<std::int64_t> in_order;
  for (const HloInstruction* parameter : fused.Parameters()) {
    const std::string read = fmt::format("p{}[", parameter->parameter_number);
    bool is_read = false;
    for (std::size_t at = text.find(read); at != std::string::npos; at = text.find(read, at + 1)) {
      if (at > 0 && (IsAsciiLetterOrDigit(text[at - 1]) || text[at - 1] == '_')) continue;
      const std::size_t from = at + read.size();
      const std::string where = text.substr(from, text.find(']', from) - from);
      if (where != offset && where != "0") return std::nullopt;
      is_read |= where == offset;
    }
    if (is_read) in_order.push_back(parameter->parameter_number);
  }
  return in_order;
}

std::int64_t PackSize(const std::vector<PrimitiveType>& types) {
  std::int64_t least = kWordBytes, most = 1;
  for (const PrimitiveType type : types) {
    least = std::min<std::int64_t>(least, StorageBytes(type));
    most = std::max<std::int64_t>(most, StorageBytes(type));
  }
  return std::min(kWordBytes / least, kMostPackBytes / most);
}

std::string PackType(PrimitiveType type, std::int64_t size) {
  return fmt::format("packed<{}, {}>", TypeText(type), size);
}

void Packs::Load(Body& body, const std::string& offset, std::optional<std::int64_t> limit) const {
  const auto parameters = fused_->Parameters();
  for (const std::int64_t number : parameters_) {
    const std::string type = PackType(parameters[static_cast<std::size_t>(number)]->shape.element_type(), size_);
    const std::string load = fmt::format("*(const {}*)(p{} + {})", type, number, offset);
    if (!limit) {
      body.Line(fmt::format("const {} q{} = {};", type, number, load));
      continue;
    }
    body.Line(fmt::format("{} q{};", type, number));
    body.Line(fmt::format("if ({} + {} <= {}) q{} = {};", offset, size_, *limit, number, load));
    // The last pack repeats its first element in place of those that it lacks.
    body.Line(fmt::format("else for (int e = 0; e < {0}; ++e) q{1}.at[e] = p{1}[{2} + (e < {3} - {2} ? e : 0)];", size_,
                          number, offset, *limit));
  }
}

void Packs::Bind(ElementEmitter& emitter, const IndexText& index) const {
  const auto parameters = fused_->Parameters();
  for (const std::int64_t number : parameters_) {
    emitter.Bind(*parameters[static_cast<std::size_t>(number)], index, fmt::format("q{}.at[e]", number));
  }
}

void Packs::Open(Body& body) const {
  body.Line("#pragma unroll");
  body.Open(fmt::format("for (int e = 0; e < {}; ++e) {{", size_));
}

}  // namespace assay::cuda
