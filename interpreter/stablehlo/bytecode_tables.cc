#include "interpreter/stablehlo/bytecode_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::stablehlo {
namespace {

enum SectionId {
  kStringSection = 0,
  kDialectSection = 1,
  kValueSection = 2,
  kValueOffsetSection = 3,
  kResourceSection = 5,
  kResourceOffsetSection = 6,
  kDialectVersionSection = 7,
  kPropertySection = 8,
  kSectionCount = 9,
};
constexpr std::array<std::string_view, kSectionCount> kSectionNames = {
    "strings",    "dialects",  "attributes and types", "offsets of attributes and types",
    "operations", "resources", "resource offsets",     "dialect versions",
    "properties",
};

class TableReader {
 public:
  TableReader(BytecodeFile& file, BytecodeTables& tables) : file_(file), tables_(tables) {}

  void Read() {
    ReadSections();
    if (!file_.ok()) return;
    ReadStrings(SectionOf(kStringSection));
    ReadDialects(SectionOf(kDialectSection));
    ReadEntries(SectionOf(kValueOffsetSection), SectionOf(kValueSection));
    if (has_section_[kResourceOffsetSection]) {
      ReadResources(SectionOf(kResourceOffsetSection), SectionOf(kResourceSection));
    }
    if (has_section_[kPropertySection]) ReadProperties(SectionOf(kPropertySection));
    tables_.ir = SectionOf(kIrSection);
  }

 private:
  void ReadSections() {
    Cursor cursor(file_, 0, file_.bytes().size());
    if (!file_.bytes().starts_with("ML\xEFR")) return cursor.Fail("expected MLIR bytecode, which begins with 4d4cef52");
    cursor.Bytes(4);
    tables_.version = cursor.Varint();
    if (cursor.ok() && tables_.version > kNewestBytecode) {
      cursor.Fail(
          fmt::format("the version of the bytecode must be in [0, {}], found {}", kNewestBytecode, tables_.version),
          ErrorCode::kUnsupported);
    }
    file_.producer = std::string(cursor.Text());
    while (!cursor.AtEnd()) {
      const Cursor::Section section = cursor.NextSection();
      if (!cursor.ok()) return;
      if (section.id >= kSectionCount) {
        return cursor.Fail(fmt::format("the id of a section must be below {}, found {}", +kSectionCount, section.id));
      }
      if (has_section_[section.id]) {
        return cursor.Fail(fmt::format("the section of {} must be there once", kSectionNames[section.id]));
      }
      has_section_[section.id] = true;
      sections_[section.id] = section;
    }
  }

  Cursor SectionOf(int id) {
    if (!has_section_[id])
      file_.Fail(file_.bytes().size(), fmt::format("the section of {} is missing", kSectionNames[id]));
    return Cursor(file_, sections_[id].begin, sections_[id].end);
  }

  // The lengths, with the zero byte after each string, are in reverse order: the last string ends the section.
  void ReadStrings(Cursor cursor) {
    std::vector<std::size_t> sizes(cursor.Count());
    for (std::size_t& size : sizes) size = cursor.Varint();
    std::size_t end = sections_[kStringSection].end;
    for (const std::size_t size : sizes) {
      if (!cursor.ok()) return;
      if (size == 0 || size > end - cursor.offset()) return cursor.Fail("the strings must fit in their section");
      tables_.strings.push_back(file_.bytes().substr(end - size, size - 1));
      end -= size;
    }
    std::reverse(tables_.strings.begin(), tables_.strings.end());
  }

  std::string_view StringAt(Cursor& cursor, std::uint64_t index) {
    if (cursor.ok() && index >= tables_.strings.size()) {
      cursor.Fail(fmt::format("the index of a string must be below {}, found {}", tables_.strings.size(), index));
    }
    return cursor.ok() ? tables_.strings[index] : std::string_view();
  }

  std::string_view DialectAt(Cursor& cursor) {
    const std::size_t index = cursor.Index(tables_.dialects.size(), "a dialect");
    return cursor.ok() ? tables_.dialects[index] : std::string_view();
  }

  void ReadDialects(Cursor cursor) {
    const std::size_t count = cursor.Count();
    for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
      if (tables_.version < kDialectVersions) {
        tables_.dialects.push_back(StringAt(cursor, cursor.Varint()));
        continue;
      }
      const Cursor::Flagged name = cursor.FlaggedVarint();
      tables_.dialects.push_back(StringAt(cursor, name.value));
      if (name.flag && cursor.NextSection().id != kDialectVersionSection && cursor.ok()) {
        cursor.Fail("expected the section of a dialect's version");
      }
    }
    if (tables_.version >= kOptionalArgumentLocations) cursor.Varint();  // the number of names
    while (!cursor.AtEnd()) ReadOperationNames(cursor);
  }

  void ReadOperationNames(Cursor& cursor) {
    const std::string_view dialect = DialectAt(cursor);
    const std::size_t count = cursor.Count();
    for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
      const bool has_flag = tables_.version >= kProperties;
      const Cursor::Flagged name = has_flag ? cursor.FlaggedVarint() : Cursor::Flagged{cursor.Varint(), true};
      const std::string_view text = StringAt(cursor, name.value);
      file_.Charge(dialect.size() + text.size() + sizeof(BytecodeOperationName), cursor.offset());
      tables_.operations.push_back({fmt::format("{}.{}", dialect, text), name.flag});
    }
  }

  void ReadEntries(Cursor offsets, Cursor values) {
    const std::size_t attribute_count = offsets.Count();
    const std::size_t type_count = offsets.Count();
    std::vector<BytecodeEntry> entries;
    while (!offsets.AtEnd()) {
      const std::string_view dialect = DialectAt(offsets);
      const std::size_t count = offsets.Count();
      for (std::size_t i = 0; i < count && offsets.ok(); ++i) {
        const Cursor::Flagged size = offsets.FlaggedVarint();
        const std::size_t begin = values.offset();
        values.Bytes(size.value);
        entries.push_back({dialect, begin, values.offset(), !size.flag});
      }
    }
    if (!offsets.ok()) return;
    if (entries.size() != attribute_count + type_count) {
      return offsets.Fail(fmt::format("expected the offsets of {} attributes and {} types, found {}", attribute_count,
                                      type_count, entries.size()));
    }
    tables_.types.assign(entries.begin() + attribute_count, entries.end());
    entries.resize(attribute_count);
    tables_.attributes = std::move(entries);
  }

  // Reads blobs. Groups of external resources come first and are skipped: no handle refers to them.
  void ReadResources(Cursor offsets, Cursor values) {
    const std::size_t external_groups = offsets.Count();
    for (std::size_t group = 0; !offsets.AtEnd(); ++group) {
      offsets.Varint();  // the dialect or the external key
      const std::size_t count = offsets.Count();
      for (std::size_t i = 0; i < count && offsets.ok(); ++i) {
        offsets.Varint();  // the key
        const std::uint64_t size = offsets.Varint();
        const bool is_blob = offsets.Byte() == 0;
        const std::size_t begin = values.offset();
        values.Bytes(size);
        Cursor value(file_, begin, values.offset());
        const std::string_view blob = is_blob && size != 0 ? ReadResourceBlob(value) : std::string_view();
        if (group >= external_groups) tables_.resources.push_back(blob);
      }
    }
  }

  static std::string_view ReadResourceBlob(Cursor& cursor) {
    const std::uint64_t alignment = cursor.Varint();
    const std::uint64_t size = cursor.Varint();
    cursor.Align(alignment);
    return cursor.Bytes(size);
  }

  void ReadProperties(Cursor cursor) {
    const std::size_t count = cursor.Count();
    for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
      const std::uint64_t size = cursor.Varint();
      const std::size_t begin = cursor.offset();
      cursor.Bytes(size);
      tables_.properties.emplace_back(file_, begin, cursor.offset());
    }
  }

  BytecodeFile& file_;
  BytecodeTables& tables_;
  std::array<bool, kSectionCount> has_section_ = {};
  std::array<Cursor::Section, kSectionCount> sections_ = {};
};

}  // namespace

BytecodeTables ReadBytecodeTables(BytecodeFile& file) {
  BytecodeTables tables;
  TableReader(file, tables).Read();
  return tables;
}

}  // namespace assay::stablehlo
