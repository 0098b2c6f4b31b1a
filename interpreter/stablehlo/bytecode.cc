// The operations of a bytecode file: "MLIR Bytecode Format", IR Section.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "interpreter/hlo/suggest.h"
#include "interpreter/stablehlo/bytecode_locations.h"
#include "interpreter/stablehlo/bytecode_tables.h"
#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/vhlo_operations.h"

namespace assay::stablehlo {
namespace {

// Operations of other dialects in a portable artifact, with their properties in order. "?" is optional.
struct OtherOperation {
  std::string_view name, properties;
};
constexpr OtherOperation kOtherOperations[] = {
    {"builtin.module", "sym_name? sym_visibility?"},
    {"builtin.unrealized_conversion_cast", ""},
    {"sdy.manual_computation", "in_shardings manual_axes out_shardings"},
    {"sdy.mesh", "mesh sym_name"},
    {"sdy.named_computation", "in_shardings? name out_shardings?"},
    {"sdy.reshard", "sharding"},
    {"sdy.return", ""},
    {"sdy.sharding_constraint", "sharding"},
    {"sdy.sharding_group", "group_id"},
};
constexpr std::string_view kCast = "builtin.unrealized_conversion_cast";

// A name of the file, with its entry in the tables of operations.
struct KnownOperation {
  const BytecodeOperationName* name = nullptr;
  const VhloOperation* vhlo = nullptr;  // null for other dialects
  std::vector<std::string_view> properties;
};

// Bits of an operation's mask.
enum OperationMask {
  kHasAttributes = 1,
  kHasResults = 2,
  kHasOperands = 4,
  kHasSuccessors = 8,
  kHasRegions = 16,
  kHasUseListOrders = 32,
  kHasProperties = 64,
};

class OperationReader {
 public:
  OperationReader(BytecodeFile& file, const BytecodeTables& tables)
      : file_(file), tables_(tables), values_(file, tables), locations_(file, tables) {}

  Program Read() {
    Program program;
    program.producer = file_.producer;
    Cursor cursor = tables_.ir;
    known_.resize(tables_.operations.size());
    Block block = ReadBlock(cursor, "");
    if (!cursor.ok()) return program;
    if (block.operations.size() != 1 || block.operations[0].name != "builtin.module") {
      cursor.Fail("expected one operation outside of all regions, a builtin.module");
      return program;
    }
    program.module = std::move(block.operations[0]);
    if (!casts_.empty()) ReplaceCasts(program.module);
    return program;
  }

 private:
  // The values that are visible in an isolated region: an id for each number.
  struct Scope {
    std::vector<ValueId> ids;
    std::size_t next = 0;  // the number of the next result or block argument
    std::size_t end = 0;   // after the last number of the current region
  };

  const KnownOperation* ReadName(Cursor& cursor) {
    const std::size_t index = cursor.Index(known_.size(), "an operation");
    if (!cursor.ok()) return nullptr;
    KnownOperation& known = known_[index];
    if (known.name != nullptr) return &known;
    const BytecodeOperationName& name = tables_.operations[index];
    file_.operation = name.name;
    if (!FindOperation(name, known, cursor)) return nullptr;
    known.name = &name;
    return &known;
  }

  static bool FindOperation(const BytecodeOperationName& name, KnownOperation& known, Cursor& cursor) {
    const std::string_view text = name.name;
    if (text.starts_with("vhlo.")) {
      known.vhlo = FindVhloOperation(text.substr(5));
      if (known.vhlo == nullptr) {
        cursor.Fail(fmt::format("no version of VHLO up to {} has the operation {}{}", kNewestStableHlo, text,
                                Suggest(text.substr(5), VhloOperationNames())),
                    ErrorCode::kUnsupported);
        return false;
      }
      for (const VhloAttribute& attribute : known.vhlo->attributes) known.properties.push_back(attribute.name);
      return true;
    }
    for (const OtherOperation& row : kOtherOperations) {
      if (row.name != text) continue;
      known.properties = WordsOf(row.properties);
      return true;
    }
    cursor.Fail(
        fmt::format("the operation {} is not supported: expected operations of builtin, sdy and vhlo (serialize a "
                    "portable artifact of StableHLO)",
                    text),
        ErrorCode::kUnsupported);
    return false;
  }

  std::string NewName(const KnownOperation& known, std::string_view parent) const {
    if (known.vhlo == nullptr) return known.name->name;
    if (known.vhlo->family != "return") return known.vhlo->stablehlo_name;
    if (parent == "func.func") return "func.return";
    return parent.starts_with("sdy.") ? "sdy.return" : "stablehlo.return";
  }

  Operation ReadOperation(Cursor& cursor, std::string_view parent) {
    Operation operation;
    operation.offset = cursor.offset();
    const KnownOperation* known = ReadName(cursor);
    if (known == nullptr) return operation;
    file_.operation = known->name->name;
    operation.name = NewName(*known, parent);
    const std::uint8_t mask = cursor.Byte();
    operation.location = locations_.Read(cursor);
    if (mask & (kHasAttributes | kHasProperties)) ReadAttributes(cursor, *known, mask, operation);
    if (mask & kHasResults) ReadResults(cursor, operation);
    if (mask & kHasOperands) ReadOperands(cursor, operation);
    if (mask & kHasSuccessors) cursor.Fail("branches between blocks are not supported", ErrorCode::kUnsupported);
    if (mask & kHasUseListOrders) SkipUseListOrders(cursor, operation.results.size());
    if (mask & kHasRegions) ReadRegions(cursor, operation);
    if (cursor.ok()) {
      for (const Value& result : operation.results) is_defined_[result.id] = true;
    }
    return operation;
  }

  // Equal operations refer to the same dictionary and properties, so their attributes are built once.
  struct AttributeKey {
    const KnownOperation* known = nullptr;
    std::uint64_t dictionary = 0, properties = 0;

    bool operator<(const AttributeKey& other) const {
      return std::tie(known, dictionary, properties) < std::tie(other.known, other.dictionary, other.properties);
    }
  };
  struct MadeAttributes {
    Dictionary attributes;
    std::size_t charge = 0;  // of a copy
  };

  void ReadAttributes(Cursor& cursor, const KnownOperation& known, int mask, Operation& operation) {
    AttributeKey key = {&known};
    if (mask & kHasAttributes) key.dictionary = 1 + cursor.Index(tables_.attributes.size(), "an attribute");
    if (mask & kHasProperties) {
      const bool is_encoded = known.name->is_registered;
      key.properties =
          1 + cursor.Index(is_encoded ? tables_.properties.size() : tables_.attributes.size(), "properties");
    }
    if (!cursor.ok()) return;
    const auto [entry, is_new] = made_.try_emplace(key);
    MadeAttributes& made = entry->second;
    if (is_new) {
      const std::size_t charged = file_.charged();
      MakeAttributes(cursor, key, made.attributes);
      made.charge = file_.charged() - charged;
    } else {
      file_.Charge(made.charge, cursor.offset());
    }
    operation.attributes = made.attributes;
    if (made.charge > kLargeAttributes) made_.erase(entry);  // a constant is mostly used once
  }

  void MakeAttributes(Cursor& cursor, const AttributeKey& key, Dictionary& attributes) {
    if (key.dictionary != 0) AddDictionary(cursor, key.dictionary - 1, attributes);
    if (key.properties != 0 && key.known->name->is_registered) {
      AddProperties(tables_.properties[key.properties - 1], *key.known, attributes);
    } else if (key.properties != 0) {
      AddDictionary(cursor, key.properties - 1, attributes);
    }
    if (key.known->vhlo != nullptr && cursor.ok()) UpgradeVhloAttributes(*key.known->vhlo, attributes, cursor);
    SortByName(attributes);
  }

  void AddDictionary(Cursor& cursor, std::size_t index, Dictionary& attributes) {
    Attribute attribute = values_.AttributeAt(index);
    auto* dictionary = std::get_if<Dictionary>(&attribute.value);
    if (dictionary == nullptr) return cursor.Fail("expected the index of a dictionary of attributes");
    for (NamedAttribute& entry : dictionary->entries) attributes.entries.push_back(std::move(entry));
  }

  void AddProperties(Cursor properties, const KnownOperation& known, Dictionary& attributes) {
    for (std::string_view name : known.properties) {
      const bool is_optional = name.ends_with('?');
      if (is_optional) name.remove_suffix(1);
      std::optional<Attribute> value;
      if (is_optional) {
        value = values_.ReadOptionalAttribute(properties);
      } else {
        value = values_.ReadAttribute(properties);
      }
      if (value) attributes.entries.push_back({std::string(name), *std::move(value)});
    }
    if (properties.ok() && !properties.AtEnd()) {
      properties.Fail(fmt::format("expected {} properties, found more", known.properties.size()));
    }
  }

  ValueId Define(Cursor& cursor) {
    Scope& scope = *scope_;
    if (scope.next == scope.end) {
      cursor.Fail("a region must not define more values than it declares");
      return 0;
    }
    return scope.ids[scope.next++];
  }

  void ReadResults(Cursor& cursor, Operation& operation) {
    const std::size_t count = cursor.Count();
    for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
      Type type = values_.ReadType(cursor);
      operation.results.push_back({Define(cursor), std::move(type)});
    }
  }

  void ReadOperands(Cursor& cursor, Operation& operation) {
    operation.operands.resize(cursor.Count());
    for (ValueId& operand : operation.operands) {
      const std::size_t number = cursor.Index(scope_->ids.size(), "a value");
      if (!cursor.ok()) return;
      operand = scope_->ids[number];
      if (!is_defined_[operand]) return cursor.Fail(fmt::format("operand {} must be defined before its use", number));
    }
  }

  // Skips the order in which MLIR lists the uses of a value; it has no meaning here.
  static void SkipUseListOrders(Cursor& cursor, std::size_t value_count) {
    const std::uint64_t count = value_count > 1 ? cursor.Varint() : 1;
    for (std::uint64_t i = 0; i < count && cursor.ok(); ++i) {
      if (value_count > 1) cursor.Varint();
      const std::uint64_t size = cursor.FlaggedVarint().value;
      for (std::uint64_t j = 0; j < size && cursor.ok(); ++j) cursor.Varint();
    }
  }

  void ReadRegions(Cursor& cursor, Operation& operation) {
    const Cursor::Flagged count = cursor.FlaggedVarint();  // the flag: isolated from values above
    if (depth_ == kDeepestRegion) cursor.Fail(fmt::format("regions must nest at most {} deep", kDeepestRegion));
    ++depth_;
    Scope scope;
    Scope* const outer = std::exchange(scope_, count.flag ? &scope : scope_);
    Cursor inner = cursor;
    const bool is_section = count.flag && tables_.version >= kRegionSections;
    if (is_section) {
      const Cursor::Section section = cursor.NextSection();
      if (section.id != kIrSection) cursor.Fail("expected the section of isolated regions");
      inner = Cursor(file_, section.begin, section.end);
    }
    for (std::uint64_t i = 0; i < count.value && cursor.ok(); ++i) {
      operation.regions.push_back(ReadRegion(inner, operation.name));
    }
    if (!is_section) cursor = inner;
    scope_ = outer;
    --depth_;
  }

  Region ReadRegion(Cursor& cursor, std::string_view parent) {
    Region region;
    const std::size_t block_count = cursor.Count();
    if (block_count == 0) return region;
    // Each value needs at least an index in the file, so the bytes bound their number.
    const std::size_t value_count = cursor.Count();
    if (is_defined_.size() + value_count > file_.bytes().size()) cursor.Fail("the regions declare too many values");
    if (!cursor.ok()) return region;
    Scope& scope = *scope_;
    const std::size_t outer_next = scope.next, outer_end = scope.end;
    scope.next = scope.ids.size();
    for (std::size_t i = 0; i < value_count; ++i) {
      scope.ids.push_back(static_cast<ValueId>(is_defined_.size()));
      is_defined_.push_back(false);
    }
    scope.end = scope.ids.size();
    for (std::size_t i = 0; i < block_count && cursor.ok(); ++i) region.blocks.push_back(ReadBlock(cursor, parent));
    if (cursor.ok() && scope.next != scope.end) {
      cursor.Fail(fmt::format("a region must define the {} values that it declares, found {}", value_count,
                              value_count - (scope.end - scope.next)));
    }
    scope.ids.resize(scope.ids.size() - value_count);
    scope.next = outer_next;
    scope.end = outer_end;
    return region;
  }

  Block ReadBlock(Cursor& cursor, std::string_view parent) {
    Block block;
    const Cursor::Flagged header = cursor.FlaggedVarint();  // the flag: has arguments
    if (header.flag) ReadBlockArguments(cursor, block);
    block.operations.reserve(std::min<std::uint64_t>(header.value, 1024));
    for (std::uint64_t i = 0; i < header.value && cursor.ok(); ++i) {
      Operation operation = ReadOperation(cursor, parent);
      if (cursor.ok() && operation.name == kCast) {
        AddCast(cursor, operation);
      } else {
        block.operations.push_back(std::move(operation));
      }
    }
    return block;
  }

  void ReadBlockArguments(Cursor& cursor, Block& block) {
    const std::size_t count = cursor.Count();
    for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
      Type type;
      bool has_location = true;
      if (tables_.version >= kOptionalArgumentLocations) {
        const Cursor::Flagged index = cursor.FlaggedVarint();
        has_location = index.flag;
        if (index.value >= tables_.types.size()) return cursor.Fail("the index of a type is too large");
        type = values_.TypeAt(index.value);
      } else {
        type = values_.ReadType(cursor);
      }
      if (has_location) cursor.Varint();
      block.arguments.push_back({Define(cursor), std::move(type)});
      if (cursor.ok()) is_defined_[block.arguments.back().id] = true;
    }
    if (tables_.version >= kUseListOrders && cursor.Byte() != 0) SkipUseListOrders(cursor, count);
  }

  // Removes a cast between VHLO's type and MLIR's own: its results are its operands.
  void AddCast(Cursor& cursor, const Operation& cast) {
    if (cast.operands.size() != cast.results.size()) {
      return cursor.Fail(fmt::format("a cast of {} operands must have as many results, found {}", cast.operands.size(),
                                     cast.results.size()));
    }
    for (std::size_t i = 0; i < cast.operands.size(); ++i) casts_.emplace_back(cast.results[i].id, cast.operands[i]);
  }

  void ReplaceCasts(Operation& module) {
    std::vector<ValueId> replacements(is_defined_.size());
    std::iota(replacements.begin(), replacements.end(), 0);
    // The operand of a cast is defined before it: one pass finds the source of a chain of casts.
    for (const auto& [result, operand] : casts_) replacements[result] = replacements[operand];
    ReplaceOperands(module, replacements);
  }

  static void ReplaceOperands(Operation& operation, const std::vector<ValueId>& replacements) {
    for (ValueId& operand : operation.operands) operand = replacements[operand];
    for (Region& region : operation.regions) {
      for (Block& block : region.blocks) {
        for (Operation& inner : block.operations) ReplaceOperands(inner, replacements);
      }
    }
  }

  static constexpr int kDeepestRegion = 200;
  static constexpr std::size_t kLargeAttributes = 1 << 16;

  BytecodeFile& file_;
  const BytecodeTables& tables_;
  BytecodeValues values_;
  BytecodeLocations locations_;
  std::vector<KnownOperation> known_;
  std::map<AttributeKey, MadeAttributes> made_;
  Scope outermost_;
  Scope* scope_ = &outermost_;
  std::vector<bool> is_defined_;                    // by the ids of values
  std::vector<std::pair<ValueId, ValueId>> casts_;  // a result, and its operand
  int depth_ = 0;
};

}  // namespace

Result<Program> ReadBytecode(std::string_view bytes) {
  BytecodeFile file(bytes);
  const BytecodeTables tables = ReadBytecodeTables(file);
  if (!file.ok()) return file.TakeError();
  Program program = OperationReader(file, tables).Read();
  if (!file.ok()) return file.TakeError();
  return program;
}

}  // namespace assay::stablehlo
