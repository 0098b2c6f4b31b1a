#include "interpreter/hlo/mesh_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

bool AtWord(const TextParser& parser, std::string_view word) {
  return parser.Is(TokenKind::kIdentifier) && parser.token().text == word;
}

// Parses "maximal_mesh[device_id=3]".
Result<Mesh> ParseMaximalMesh(TextParser& parser) {
  parser.Next();
  ASSAY_CHECK_OK(parser.Expect("["));
  if (!parser.EatAttributeName("device_id")) return parser.Expected("device_id=");
  ASSAY_TRY(const std::int64_t device, parser.ParseInteger());
  ASSAY_CHECK_OK(parser.Expect("]"));
  Mesh mesh;
  mesh.is_maximal = true;
  mesh.devices = {device};
  mesh.text = fmt::format("maximal_mesh[device_id={}]", device);
  return mesh;
}

// Parses "'x'=2".
Status ParseAxis(TextParser& parser, Mesh& mesh) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(std::string name, parser.ParseString());
  if (std::ranges::find(mesh.axis_names, name) != mesh.axis_names.end()) {
    return TextParser::FailAt(location, "axis '" + Escape(name) + "' is listed twice in the mesh");
  }
  ASSAY_CHECK_OK(parser.Expect("="));
  ASSAY_TRY(const std::int64_t size, parser.ParseInteger());
  mesh.axis_names.push_back(std::move(name));
  mesh.axis_sizes.push_back(size);
  return {};
}

// Parses "(3,2,1,0)" or "([2,2]T(1,0))".
Status ParseDeviceIds(TextParser& parser, Mesh& mesh) {
  const Lexer before = parser.lexer();
  ASSAY_CHECK_OK(parser.Expect("("));
  if (parser.At("[")) {
    ASSAY_TRY(mesh.iota, ParseDeviceIota(parser));
    mesh.devices = mesh.iota->Devices();
    mesh.text += fmt::format(", device_ids=({})", mesh.iota->ToString());
    return parser.Expect(")");
  }
  parser.lexer() = before;
  ASSAY_TRY(mesh.devices, parser.ParseIntegers("(", ")"));
  mesh.text += fmt::format(", device_ids=({})", JoinText(mesh.devices, ","));
  return {};
}

}  // namespace

bool DividesAxis(const AxisReference& part, std::int64_t axis_size) {
  // Two sizes up to the axis's cannot overflow when multiplied: DeviceCount limits a mesh.
  return part.before > 0 && part.size > 0 && part.before <= axis_size && part.size <= axis_size &&
         axis_size % (part.before * part.size) == 0;
}

std::vector<AxisReference> AllAxes(const Mesh& mesh) {
  std::vector<AxisReference> axes;
  for (std::size_t i = 0; i < mesh.axis_names.size(); ++i) {
    axes.push_back({static_cast<std::int64_t>(i), 1, mesh.axis_sizes[i], "'" + Escape(mesh.axis_names[i]) + "'"});
  }
  return axes;
}

bool AtMesh(const TextParser& parser) { return AtWord(parser, "mesh") || AtWord(parser, "maximal_mesh"); }

Result<Mesh> ParseMesh(TextParser& parser) {
  if (AtWord(parser, "maximal_mesh")) return ParseMaximalMesh(parser);
  parser.Next();
  const SourceLocation location = parser.token().location;
  Mesh mesh;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&] { return ParseAxis(parser, mesh); }));
  ASSAY_TRY(const std::int64_t count, DeviceCount(mesh.axis_sizes, location));
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < mesh.axis_names.size(); ++i) {
    axes.push_back(fmt::format("'{}'={}", Escape(mesh.axis_names[i]), mesh.axis_sizes[i]));
  }
  mesh.text = fmt::format("mesh[{}]", JoinText(axes, ","));
  const Lexer before_comma = parser.lexer();
  if (!parser.Eat(",")) return mesh;
  if (!parser.EatAttributeName("device_ids")) {
    parser.lexer() = before_comma;
    return mesh;
  }
  ASSAY_CHECK_OK(ParseDeviceIds(parser, mesh));
  if (static_cast<std::int64_t>(mesh.devices.size()) != count) {
    return TextParser::FailAt(location,
                              fmt::format("the mesh has {} devices, device_ids lists {}", count, mesh.devices.size()));
  }
  return mesh;
}

Result<AxisReference> ParseAxisReference(TextParser& parser, const Mesh& mesh) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(const std::string name, parser.ParseString());
  const auto axis = std::ranges::find(mesh.axis_names, name);
  if (axis == mesh.axis_names.end()) return TextParser::FailAt(location, "the mesh has no axis '" + Escape(name) + "'");
  AxisReference reference;
  reference.axis = axis - mesh.axis_names.begin();
  reference.size = mesh.axis_sizes[reference.axis];
  reference.text = "'" + Escape(name) + "'";
  if (!parser.Eat(":")) return reference;
  ASSAY_CHECK_OK(parser.Expect("("));
  ASSAY_TRY(reference.before, parser.ParseInteger());
  ASSAY_CHECK_OK(parser.Expect(")"));
  ASSAY_TRY(reference.size, parser.ParseInteger());
  if (!DividesAxis(reference, mesh.axis_sizes[reference.axis])) {
    return TextParser::FailAt(location, fmt::format("this part does not divide axis '{}'", Escape(name)));
  }
  reference.text += fmt::format(":({}){}", reference.before, reference.size);
  return reference;
}

}  // namespace assay
