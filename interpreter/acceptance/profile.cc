#include "interpreter/acceptance/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/check.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr std::string_view kAnyOp = "*";
constexpr std::string_view kByProfile = "operand precision";

struct BuiltInText {
  std::string_view name;
  std::string_view text;
};
constexpr BuiltInText kBuiltIn[] = {
#include "interpreter/acceptance/profiles.inc"
};

// Returns the type "f32" and so on; every real type for "float", those of up to 16 bits for "narrow", every complex
// type for "complex".
std::vector<PrimitiveType> TypesNamed(const std::string& name) {
  std::vector<PrimitiveType> types;
  for (int i = 0; i < kPrimitiveTypeCount; ++i) {
    const auto type = static_cast<PrimitiveType>(i);
    const bool is_real = IsFloatingPointType(type), is_complex = IsComplexType(type);
    const bool is_named = PrimitiveTypeName(type) == name || (name == "float" && is_real) ||
                          (name == "narrow" && is_real && FloatFormatOf(type).bits() <= 16);
    if ((is_named && (is_real || is_complex)) || (name == "complex" && is_complex)) types.push_back(type);
  }
  return types;
}

}  // namespace

class ProfileReader {
 public:
  explicit ProfileReader(const std::string& place) : place_(place) {}

  Result<Profile> Read(std::string_view text) {
    const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object()) return Fail("expected a JSON object");
    if (document.contains("extends")) {
      ASSAY_TRY(const std::string base, Text(document, "extends"));
      const auto* built_in = std::ranges::find(kBuiltIn, base, &BuiltInText::name);
      if (built_in == std::end(kBuiltIn)) return Fail(fmt::format("there is no built-in profile {} to extend", base));
      ASSAY_TRY(profile_, Profile::Parse(built_in->text, base));
    }
    for (const auto& [key, value] : document.items()) {
      ASSAY_CHECK_OK(ReadMember(key, value, document));
    }
    if (!document.contains("name") || !document.contains("meaning")) return Fail("a profile has a name and a meaning");
    return std::move(profile_);
  }

 private:
  Error Fail(const std::string& what) const { return {ErrorCode::kInput, fmt::format("profile {}: {}", place_, what)}; }

  Result<std::string> Text(const json& object, const char* key) const {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_string() || *it == "") {
      return Fail(fmt::format("{} must be a text that is not empty: {}", key, object.dump()));
    }
    return it->get<std::string>();
  }

  Status ReadMember(const std::string& key, const json& value, const json& document) {
    if (key == "extends") return {};
    if (key == "name") {
      ASSAY_TRY(profile_.name_, Text(document, "name"));
    } else if (key == "meaning") {
      ASSAY_TRY(profile_.meaning_, Text(document, "meaning"));
    } else if (key == "freedoms") {
      return ReadFreedoms(value);
    } else if (key == "highest") {
      ASSAY_TRY(profile_.highest_, ReadAllowance(value));
    } else if (key == "allowances") {
      return ReadRows(value);
    } else if (key == "precisions") {
      return ReadPrecisions(value);
    } else if (key == "orders") {
      return ReadPromises(value);
    } else {
      return Fail(fmt::format("there is no member {}", key));
    }
    return {};
  }

  // Reads {"flush": "source", "either_zero": {"ops": ["maximum"], "source": "source for these ops"}, "reassociation":
  // null}. Null closes a freedom that the extended profile opens.
  Status ReadFreedoms(const json& freedoms) {
    if (!freedoms.is_object()) return Fail("freedoms must be an object");
    for (const auto& [name, value] : freedoms.items()) {
      const std::span<const Freedom> all = AllFreedoms();
      const auto freedom = std::ranges::find(all, name, [](Freedom f) { return RecordOf(f).name; });
      if (freedom == all.end()) return Fail(fmt::format("there is no freedom {}", name));
      Profile::Opening& opening = profile_.freedoms_[static_cast<int>(*freedom)];
      opening = {};
      if (value.is_null()) continue;
      if (value.is_object()) {
        ASSAY_TRY(opening.source, Text(value, "source"));
        ASSAY_TRY(opening.ops, ReadOps(value));
      } else {
        ASSAY_TRY(opening.source, Text(freedoms, name.c_str()));
      }
    }
    return {};
  }

  Result<std::vector<std::string>> ReadOps(const json& opening) const {
    const auto names = opening.find("ops");
    if (names == opening.end() || !names->is_array() || names->empty()) {
      return Fail(fmt::format("ops must be a list of ops that is not empty: {}", opening.dump()));
    }
    std::vector<std::string> ops;
    for (const json& op : *names) {
      if (!op.is_string() || FindOp(op.get<std::string>()) == nullptr) {
        return Fail(fmt::format("there is no op {}", op.dump()));
      }
      ops.push_back(op);
    }
    return ops;
  }

  Result<Allowance> ReadAllowance(const json& value) const {
    const auto ulp = value.is_object() ? value.find("ulp") : value.end();
    if (!value.is_object() || ulp == value.end() || !ulp->is_number() || ulp->get<double>() < 0) {
      return Fail(fmt::format("ulp must be a number that is not negative: {}", value.dump()));
    }
    ASSAY_TRY(std::string source, Text(value, "source"));
    const auto per_log = value.find("ulp_per_log");
    if (per_log == value.end()) return Allowance{ulp->get<double>(), std::move(source)};
    if (!per_log->is_number() || per_log->get<double>() < 0) {
      return Fail(fmt::format("ulp_per_log must be a number that is not negative: {}", value.dump()));
    }
    return Allowance{ulp->get<double>(), std::move(source), per_log->get<double>()};
  }

  Status ReadRows(const json& rows) {
    if (!rows.is_array()) return Fail("allowances must be a list");
    for (const json& row : rows) {
      ASSAY_TRY(Allowance allowance, ReadAllowance(row));
      ASSAY_TRY(const std::string name, Text(row, "op"));
      ASSAY_TRY(std::vector<PrimitiveType> types, ReadTypes(row));
      if (name != kAnyOp) ASSAY_CHECK_OK(CheckIsFunction(name, types));
      profile_.rows_.push_back({name, std::move(types), std::move(allowance)});
    }
    return {};
  }

  // Reads [{"types": ["f32"], "levels": ["default", "high"], "operand_error": 0.0009765625, "accumulator_roundoff":
  // 6e-8, "transform_error": 2e-4, "source": "source"}]. An error or roundoff that a row omits is 0. Null removes the
  // rows of the extended profile.
  Status ReadPrecisions(const json& rows) {
    if (rows.is_null()) {
      profile_.precisions_.clear();
      return {};
    }
    if (!rows.is_array()) return Fail("precisions must be a list");
    for (const json& row : rows) {
      Profile::Precision precision;
      ASSAY_TRY(precision.source, Text(row, "source"));
      ASSAY_TRY(precision.types, ReadTypes(row));
      for (const auto& [key, value] : row.items()) {
        if (double* const found = ErrorNamed(key, precision.algorithm)) {
          double& error = *found;
          if (!value.is_number() || value.get<double>() < 0 || value.get<double>() >= 1) {
            return Fail(fmt::format("{} must be a number in [0, 1): {}", key, row.dump()));
          }
          error = value.get<double>();
        } else if (key == "levels") {
          ASSAY_TRY(precision.levels, ReadLevels(value, row));
        } else if (key != "source" && key != "types") {
          return Fail(fmt::format("a row of precisions has no member {}: {}", key, row.dump()));
        }
      }
      precision.algorithm.name = kByProfile;
      profile_.precisions_.push_back(std::move(precision));
    }
    return {};
  }

  // Reads [{"op": "dot", "types": ["f32"], "terms": 64, "levels": [[8, 0], [1, 8]], "accumulator": "f32", "fused":
  // true, "source": "source"}]. Null removes the rows of the extended profile.
  Status ReadPromises(const json& rows) {
    if (rows.is_null()) {
      profile_.promises_.clear();
      return {};
    }
    if (!rows.is_array()) return Fail("orders must be a list");
    for (const json& row : rows) {
      Profile::Promise promise;
      ASSAY_TRY(promise.source, Text(row, "source"));
      ASSAY_TRY(promise.op, Text(row, "op"));
      const Op* const op = FindOp(promise.op);
      if (op == nullptr || AcceptanceOf(*op).terms == nullptr) return Fail(promise.op + " is not an op that adds");
      ASSAY_TRY(promise.types, ReadTypes(row));
      if (std::ranges::any_of(promise.types, IsComplexType)) return Fail("orders are of real types: " + row.dump());
      ASSAY_TRY(promise.levels, ReadLevelsOfOrder(row));
      ASSAY_TRY(promise.operands, ReadShapesOfOrder(row));
      const json name = row.value("accumulator", json()), terms = row.value("terms", json(0U));
      const json is_fused = row.value("fused", json(false));
      const std::vector<PrimitiveType> accumulator = name.is_string() ? TypesNamed(name) : std::vector<PrimitiveType>();
      if (accumulator.size() != 1 || !IsFloatingPointType(accumulator[0])) {
        return Fail("accumulator must be a floating-point type: " + row.dump());
      }
      if (!terms.is_number_unsigned() || !is_fused.is_boolean()) {
        return Fail("terms must be a number, and fused true or false: " + row.dump());
      }
      promise.accumulator = accumulator[0];
      promise.terms = terms;
      promise.is_fused = is_fused;
      profile_.promises_.push_back(std::move(promise));
    }
    return {};
  }

  // Reads [[1, 0], [0, 1]]; all shapes if the row has none.
  Result<std::vector<Dimensions>> ReadShapesOfOrder(const json& row) const {
    const json operands = row.value("operands", json::array());
    const auto is_shape = [](const json& sizes) {
      const auto is_size = [](const json& size) { return size.is_number_unsigned(); };
      return sizes.is_array() && std::ranges::all_of(sizes, is_size);
    };
    if (!operands.is_array() || !std::ranges::all_of(operands, is_shape)) {
      return Fail("operands must be a list of lists of sizes: " + row.dump());
    }
    return operands.get<std::vector<Dimensions>>();
  }

  Result<std::vector<Profile::Promise::Level>> ReadLevelsOfOrder(const json& row) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    const auto is_level = [](const json& level) {
      return level.is_array() && level.size() == 2 && level[0].is_number_integer() && level[1].is_number_unsigned() &&
             level[0] != 0 && level[0] > -kMost && level[0] < kMost && level[1] < kMost;
    };
    const json levels = row.value("levels", json());
    const auto is_open = [](const json& level) { return level[1] == 0; };
    constexpr std::size_t kMostLevels = 64;
    if (!levels.is_array() || levels.empty() || levels.size() > kMostLevels || !std::ranges::all_of(levels, is_level) ||
        std::ranges::count_if(levels, is_open) > 1) {
      return Fail("levels must be a list of [distance, count], in which one count may be 0: " + row.dump());
    }
    std::vector<Profile::Promise::Level> read;
    for (const json& level : levels) read.push_back({level[0], level[1]});
    return read;
  }

  // Returns the error of an algorithm that a member of a row states; null for other members.
  static double* ErrorNamed(std::string_view key, SumAlgorithm& algorithm) {
    return key == "operand_error"          ? &algorithm.operand_error
           : key == "accumulator_roundoff" ? &algorithm.accumulator_roundoff
           : key == "transform_error"      ? &algorithm.transform_error
                                           : nullptr;
  }

  // Returns all levels if the row names none.
  Result<std::vector<std::string>> ReadLevels(const json& levels, const json& row) const {
    std::vector<std::string> named;
    for (const json& level : levels.is_array() ? levels : json::array({levels})) {
      const bool is_known = level.is_string() &&
                            std::ranges::find(kPrecisionLevels, level.get<std::string>()) != std::end(kPrecisionLevels);
      if (!is_known) return Fail(fmt::format("{} is not a level of operand_precision: {}", level.dump(), row.dump()));
      named.push_back(level);
    }
    return named;
  }

  Status CheckIsFunction(const std::string& name, const std::vector<PrimitiveType>& types) const {
    const Op* op = FindOp(name);
    if (op == nullptr) return Fail(fmt::format("there is no op {}", name));
    for (PrimitiveType type : types) {
      const Acceptance rule = IsComplexType(type) ? AcceptanceOf(*op).RuleForComplex() : AcceptanceOf(*op).rule;
      if (rule != Acceptance::kUlp) {
        return Fail(fmt::format("{} of {} is not judged by ULP", name, PrimitiveTypeName(type)));
      }
    }
    return {};
  }

  // Returns all real types if the row names none.
  Result<std::vector<PrimitiveType>> ReadTypes(const json& row) const {
    if (!row.contains("types")) return TypesNamed("float");
    std::vector<PrimitiveType> types;
    for (const json& name : row["types"]) {
      const std::vector<PrimitiveType> named = name.is_string() ? TypesNamed(name) : std::vector<PrimitiveType>();
      if (named.empty()) return Fail(fmt::format("{} is not a floating-point type: {}", name.dump(), row.dump()));
      types.insert(types.end(), named.begin(), named.end());
    }
    return types;
  }

  const std::string& place_;
  Profile profile_;
};

Result<Profile> Profile::Parse(std::string_view text, const std::string& place) {
  return ProfileReader(place).Read(text);
}

const Allowance& Profile::AllowanceOf(std::string_view op, PrimitiveType type) const {
  static const Allowance kNone;
  for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
    if ((row->op == op || row->op == kAnyOp) && std::ranges::find(row->types, type) != row->types.end())
      return row->allowance;
  }
  return kNone;
}

const Profile::Precision* Profile::PrecisionOf(PrimitiveType widest, std::string_view level) const {
  const auto names = [](const auto& list, const auto& value) { return std::ranges::find(list, value) != list.end(); };
  for (auto row = precisions_.rbegin(); row != precisions_.rend(); ++row) {
    if (names(row->types, widest) && (row->levels.empty() || names(row->levels, level))) return &*row;
  }
  return nullptr;
}

const Profile::Promise* Profile::PromiseOf(const HloInstruction& instruction, PrimitiveType type,
                                           std::int64_t terms) const {
  const auto has_sizes = [](const Dimensions& promised, const HloInstruction* operand) {
    const auto fits = [](std::int64_t size, std::int64_t own) { return size == own || (size == 0 && own > 1); };
    return std::ranges::equal(promised, operand->shape.dimensions(), fits);
  };
  for (auto row = promises_.rbegin(); row != promises_.rend(); ++row) {
    const bool has_type = std::ranges::find(row->types, type) != row->types.end();
    if (row->op != instruction.op->name || !has_type || (row->terms != 0 && row->terms != terms)) continue;
    const auto& operands = instruction.operands;
    if (row->operands.size() > operands.size()) continue;
    const std::span first(operands.begin(), row->operands.size());
    if (std::ranges::equal(row->operands, first, has_sizes)) return &*row;
  }
  return nullptr;
}

std::string_view Profile::SourceOf(Freedom freedom, std::string_view op) const {
  const Opening& opening = freedoms_[static_cast<int>(freedom)];
  const bool is_open = opening.ops.empty() || std::ranges::find(opening.ops, op) != opening.ops.end();
  return is_open ? std::string_view(opening.source) : std::string_view();
}

Profile Profile::OfPartitioned() const {
  Profile own = *this;
  for (const Freedom freedom : AllFreedoms()) {
    std::vector<std::string>& ops = own.freedoms_[static_cast<int>(freedom)].ops;
    const auto adds = [](const std::string& op) { return AcceptanceOf(*FindOp(op)).Has(Trait::kAddsTerms); };
    if (RecordOf(freedom).permits != &LawfulArithmetic::keeps_narrow_sums || std::ranges::none_of(ops, adds)) continue;
    for (const OpAcceptance* row : AllAcceptances()) {
      if (row->rule == Acceptance::kSum) ops.emplace_back(row->op->name);
    }
  }
  return own;
}

LawfulArithmetic Profile::ArithmeticOf(std::string_view op) const {
  LawfulArithmetic arithmetic;
  for (const Freedom freedom : AllFreedoms()) {
    const Permission permits = RecordOf(freedom).permits;
    if (permits != nullptr && Allows(freedom, op)) arithmetic.*permits = true;
  }
  return arithmetic;
}

bool Profile::AllowsAnything() const {
  return std::ranges::any_of(freedoms_, [](const Opening& opening) { return !opening.source.empty(); });
}

std::vector<std::string_view> BuiltInProfileNames() {
  std::vector<std::string_view> names;
  for (const BuiltInText& profile : kBuiltIn) names.push_back(profile.name);
  return names;
}

const Profile& BuiltInProfile(std::string_view name) {
  static const std::vector<Profile> profiles = [] {
    std::vector<Profile> read;
    for (const BuiltInText& profile : kBuiltIn) {
      Result<Profile> parsed = Profile::Parse(profile.text, std::string(profile.name));
      ASSAY_CHECK(parsed.has_value(), parsed.error().message);
      read.push_back(*std::move(parsed));
    }
    return read;
  }();
  const auto profile = std::ranges::find(profiles, name, &Profile::name);
  ASSAY_CHECK(profile != profiles.end(), fmt::format("there is no built-in profile {}", name));
  return *profile;
}

}  // namespace assay
