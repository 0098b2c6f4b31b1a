#include "conformance/reports/repro_py.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "backends/json/json_text.h"
#include "conformance/reports/repro_texts.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

struct Mark {
  std::string_view name;
  std::string value;
};

// Replaces the marks in a text by their values. The values are not searched for marks.
std::string Filled(std::string_view text, const std::vector<Mark>& marks) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto mark =
        std::ranges::find_if(marks, [&](const Mark& one) { return text.substr(at).starts_with(one.name); });
    if (mark == marks.end()) {
      filled += text[at++];
    } else {
      filled += mark->value;
      at += mark->name.size();
    }
  }
  return filled;
}

// Returns the bytes of an element in the form of Python's bytes.hex().
std::string HexOf(const Literal& array, std::int64_t offset) {
  const auto size = static_cast<std::size_t>(StorageBytes(array.element_type()));
  const std::byte* const data = array.data() + size * static_cast<std::size_t>(offset);
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) hex += fmt::format("{:02x}", static_cast<unsigned>(data[i]));
  return hex;
}

// The worst element: its device, its index in the result, and its expected value.
struct Worst {
  std::int64_t device = 0;
  std::vector<std::int64_t> tuple_index;
  std::int64_t offset = 0;
  const Literal* want = nullptr;
};

Worst WorstOf(const ReproSubject& subject, const ReproFinding& finding) {
  const ElementReport& element = finding.judgement.worst;
  Worst worst = {0, element.tuple_index, element.offset, nullptr};
  worst.want = &Place{element.tuple_index, element.offset}.LeafOf(subject.exact.want);
  if (subject.module->device_count() > 1 && !worst.tuple_index.empty()) {
    worst.device = worst.tuple_index[0];
    worst.tuple_index.erase(worst.tuple_index.begin());
  }
  return worst;
}

// Adds the tuple indices of the arrays of a result, in order. jaxlib returns these arrays, and no tokens.
void AddArrays(const Shape& shape, const std::vector<std::int64_t>& index,
               std::vector<std::vector<std::int64_t>>& arrays) {
  if (shape.IsArray()) arrays.push_back(index);
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    std::vector<std::int64_t> element = index;
    element.push_back(static_cast<std::int64_t>(i));
    AddArrays(shape.tuple_shapes(i), element, arrays);
  }
}

std::string CheckByJaxlib(const Shape& result, const Worst& worst) {
  std::vector<std::vector<std::int64_t>> arrays;
  AddArrays(result, {}, arrays);
  const auto number = std::ranges::find(arrays, worst.tuple_index) - arrays.begin();
  return fmt::format(
      "got = arrays[{0}][{1}].reshape(-1)[{2}:{3}]\n"
      "want = np.frombuffer(bytes.fromhex(\"{4}\"), got.dtype)\n"
      "print(\"expected\", want, want.tobytes().hex(), \"got\", got, got.tobytes().hex())\n"
      "sys.exit(not (got.tobytes() == want.tobytes() or (want != want).all() and (got != got).all()))",
      number, worst.device, worst.offset, worst.offset + 1, HexOf(*worst.want, worst.offset));
}

// Returns a Python expression that is true if x, the bits of a real number of this type, is a NaN.
std::string NanTest(PrimitiveType type) {
  if (!IsFloatingPointType(type)) return "False";
  const FloatFormat& format = FloatFormatOf(type);
  const std::uint64_t magnitude = format.magnitude_mask();
  switch (format.nan) {
    case NanEncoding::kIeee:
      return fmt::format("x & {:#x} > {:#x}", magnitude, magnitude - format.mantissa_mask());
    case NanEncoding::kAllOnes:
      return fmt::format("x & {0:#x} == {0:#x}", magnitude);
    case NanEncoding::kNegativeZero:
      return fmt::format("x == {:#x}", format.sign_mask());
    case NanEncoding::kNone:
      break;
  }
  return "False";
}

std::string CheckByPeer(const Worst& worst) {
  const PrimitiveType type = worst.want->element_type();
  const PrimitiveType part = IsComplexType(type) ? ComplexComponentType(type) : type;
  const std::int64_t bytes = StorageBytes(type);
  return fmt::format(
      "value = reply[\"outputs\"][{0}]\n"
      "for index in {1}:\n"
      "    value = value[\"tuple\"][index]\n"
      "data = bytes.fromhex(value[\"data_hex\"]) if \"data_hex\" in value else open(value[\"data_file\"], "
      "\"rb\").read()\n"
      "got, want = data[{2}:{3}], bytes.fromhex(\"{4}\")\n"
      "\n"
      "\n"
      "def is_nan(element):\n"
      "    parts = [int.from_bytes(element[i : i + {5}], \"little\") for i in range(0, len(element), {5})]\n"
      "    return any({6} for x in parts)\n"
      "\n"
      "\n"
      "print(\"expected\", want.hex(), \"got\", got.hex())\n"
      "sys.exit(not (got == want or is_nan(want) and is_nan(got)))",
      worst.device, JsonText(worst.tuple_index), worst.offset * bytes, (worst.offset + 1) * bytes,
      HexOf(*worst.want, worst.offset), StorageBytes(part), NanTest(part));
}

}  // namespace

std::optional<std::string> ReproScript(const BackendProgram& program, const BackendDescription& backend,
                                       const ReproSubject& subject, const ReproFinding& finding, bool has_parameters) {
  if (program.is_xla_cpu && has_parameters) return std::nullopt;
  std::string check = fmt::format("print({})  # it came to: {}", program.is_xla_cpu ? "arrays" : "reply",
                                  VerdictName(finding.judgement.verdict));
  if (finding.got && finding.judgement.not_exact > 0) {
    const Worst worst = WorstOf(subject, finding);
    check = program.is_xla_cpu ? CheckByJaxlib(subject.module->entry->root->shape, worst) : CheckByPeer(worst);
  }
  // Names and commands are inserted as JSON texts, which are also Python string literals without line breaks.
  return Filled(program.is_xla_cpu ? kReproByJaxlib : kReproByPeer,
                {{"@BACKEND@", JsonText(fmt::format("{} {}", backend.name, backend.version))},
                 {"@COMMAND@", JsonText(program.command)},
                 {"@FOLDER@", JsonText(program.folder)},
                 {"@REPLICAS@", fmt::to_string(subject.module->replica_count)},
                 {"@PARTITIONS@", fmt::to_string(subject.module->num_partitions)},
                 {"@CHECK@", check}});
}

}  // namespace assay
