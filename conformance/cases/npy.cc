#include "conformance/cases/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "backends/json/array_json.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

const std::map<std::string, PrimitiveType, std::less<>>& TypesByDescr() {
  static const std::map<std::string, PrimitiveType, std::less<>> types = {
      {"|b1", PRED}, {"|i1", S8},  {"|u1", U8},  {"<i2", S16}, {"<u2", U16}, {"<i4", S32}, {"<u4", U32},
      {"<i8", S64},  {"<u8", U64}, {"<f2", F16}, {"<f4", F32}, {"<f8", F64}, {"<c8", C64}, {"<c16", C128}};
  return types;
}

Error BadNpy(std::string what) { return {ErrorCode::kInput, "npy: " + what}; }

struct Header {
  std::string descr;
  bool fortran_order = false;
  Dimensions shape;
  std::size_t data_offset = 0;
};

// Returns the text after 'key': in the header, a Python dict.
std::optional<std::string_view> FieldOf(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

Result<Dimensions> ParseShapeTuple(std::string_view text) {
  Dimensions shape;
  if (!text.starts_with('(')) return BadNpy("the header's shape is not a tuple");
  text.remove_prefix(1);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.starts_with(')')) return shape;
    std::int64_t size = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      if (__builtin_mul_overflow(size, 10, &size) || __builtin_add_overflow(size, text[digits] - '0', &size)) {
        return BadNpy("a dimension of the header's shape is too large");
      }
    }
    if (digits == 0) return BadNpy("the header's shape is malformed");
    shape.push_back(size);
    text.remove_prefix(digits);
  }
}

Result<Header> ParseHeader(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with(kMagic)) return BadNpy("the magic string is missing");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return BadNpy(fmt::format("version {} is unknown", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) return BadNpy("the header is cut off");
  std::size_t length = 0;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  Header header;
  header.data_offset = 8 + length_bytes + length;
  if (bytes.size() < header.data_offset) return BadNpy("the header is cut off");
  const std::string_view text = bytes.substr(8 + length_bytes, length);
  const auto descr = FieldOf(text, "descr");
  const auto order = FieldOf(text, "fortran_order");
  const auto shape = FieldOf(text, "shape");
  if (descr && descr->starts_with('[')) {
    return BadNpy("the items are structured: save each field, such as array['x'], as a file of its own");
  }
  if (!descr || !order || !shape || descr->size() < 2 || (*descr)[0] != '\'') {
    return BadNpy("the header must name descr, fortran_order and shape");
  }
  header.descr = descr->substr(1, descr->find('\'', 1) - 1);
  header.fortran_order = order->starts_with("True");
  ASSAY_TRY(header.shape, ParseShapeTuple(*shape));
  return header;
}

std::optional<PrimitiveType> TypeOf(const std::string& descr, const Shape& expected) {
  const auto it = TypesByDescr().find(descr);
  if (it != TypesByDescr().end()) return it->second;
  if (descr == "<f1") return F8E5M2;
  // NumPy has a name for the types of the table, so raw items are records or numbers of a type that is none of them.
  const bool is_raw = descr.starts_with("|V") || descr.starts_with("<V");
  if (!is_raw || !expected.IsArray() || NpyCanHold(expected.element_type())) return std::nullopt;
  const bool has_item_size = descr.substr(2) == fmt::format("{}", StorageBytes(expected.element_type()));
  return has_item_size ? std::optional(expected.element_type()) : std::nullopt;
}

// Returns "; ..." with the NumPy expression that converts items of an unknown type; empty if there is none.
std::string HintOn(std::string_view descr) {
  if (descr.starts_with('>')) {
    return "; it is big-endian: save array.astype(array.dtype.newbyteorder('<'))";
  }
  if (descr.find_first_of("OSUMm") == 1) return "; convert the items to numbers, with array.astype";
  return "";
}

// Copies elements from column-major order.
void CopyFromFortranOrder(std::string_view data, Literal& value) {
  Shape stored = value.shape();
  std::vector<std::int64_t> column_major(stored.rank());
  std::iota(column_major.begin(), column_major.end(), 0);
  stored.set_layout(LayoutUtil::MakeLayout(column_major));
  const int item = StorageBytes(stored.element_type());
  std::vector<std::int64_t> index(stored.rank(), 0);
  std::byte* out = value.mutable_data();
  do {
    std::memcpy(out, data.data() + IndexUtil::MultidimensionalIndexToLinearIndex(stored, index) * item, item);
    out += item;
  } while (IndexUtil::BumpIndices(stored.dimensions(), index));
}

// Sign-extends integers of less than a byte: ml_dtypes saves int4 -1 as 0f, a Literal holds ff.
void ExtendSigns(Literal& value) {
  const int width = BitWidth(value.element_type());
  if (!IsSignedIntegralType(value.element_type()) || width >= 8) return;
  for (std::byte& element : std::span(value.mutable_data(), value.byte_size())) {
    if ((element >> (width - 1)) == std::byte{1}) element |= std::byte{0xff} << width;
  }
}

}  // namespace

Result<Literal> ParseNpy(std::string_view bytes, const Shape& expected) {
  ASSAY_TRY(const Header header, ParseHeader(bytes));
  const std::optional<PrimitiveType> type = TypeOf(header.descr, expected);
  if (!type) {
    return BadNpy(fmt::format("the item type {} fits no element type, expected {}{}", header.descr,
                              expected.ToStringWithoutLayout(), HintOn(header.descr)));
  }
  Shape shape = ShapeUtil::MakeShape(*type, header.shape);
  const Result<std::int64_t> checked = ShapeUtil::CheckedByteSizeOf(shape);
  if (!checked) return BadNpy(checked.error().message);
  const std::int64_t byte_size = *checked;
  if (static_cast<std::int64_t>(bytes.size() - header.data_offset) != byte_size) {
    return BadNpy(fmt::format("{} needs {} bytes of data, found {}", shape.ToStringWithoutLayout(), byte_size,
                              bytes.size() - header.data_offset));
  }
  Literal value = Literal::Uninitialized(shape);
  const std::string_view data = bytes.substr(header.data_offset);
  if (header.fortran_order && byte_size > 0) {
    CopyFromFortranOrder(data, value);
  } else if (byte_size > 0) {
    std::memcpy(value.mutable_data(), data.data(), data.size());
  }
  ExtendSigns(value);
  ASSAY_CHECK_OK(CheckStoredRange(value));
  return value;
}

bool NpyCanHold(PrimitiveType type) {
  for (const auto& [descr, held] : TypesByDescr()) {
    if (held == type) return true;
  }
  return false;
}

void WriteNpy(const Literal& value, const TextSink& sink) {
  std::string descr;
  for (const auto& [name, type] : TypesByDescr()) {
    if (type == value.element_type()) descr = name;
  }
  const Dimensions& dimensions = value.shape().dimensions();
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                   JoinText(dimensions, ", "), dimensions.size() == 1 ? "," : "");
  // The data is aligned to 64 bytes.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  sink(bytes);
  sink({reinterpret_cast<const char*>(value.data()), static_cast<std::size_t>(value.byte_size())});
}

}  // namespace assay
