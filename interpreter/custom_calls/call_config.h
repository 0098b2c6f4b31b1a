// The backend_config that XLA's pipelines write: a message in the JSON form of protocol buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// A part of a call's configuration. Numbers may be written as strings, as 64-bit integers are in this form; a field
// that is left out has its type's zero, as in protocol buffers. Errors name the target and the field.
class CallConfig {
 public:
  // Returns the field `section` of the configuration, or the whole configuration if that field is absent: older dumps
  // contain the section alone.
  static Result<CallConfig> Of(const HloInstruction& call, std::string_view section);

  bool Has(std::string_view field) const;
  // Fails if the field is absent.
  Status Require(std::string_view field) const;
  Result<CallConfig> Message(std::string_view field) const;
  Result<double> Double(std::string_view field) const;
  Result<std::int64_t> Integer(std::string_view field) const;
  Result<bool> Bool(std::string_view field) const;
  Result<std::string> String(std::string_view field) const;
  Result<std::vector<double>> Doubles(std::string_view field) const;
  Result<std::vector<std::int64_t>> Integers(std::string_view field) const;
  Result<std::vector<std::string>> Strings(std::string_view field) const;
  // Returns the one of `words` that the field names, by its name or its number.
  Result<std::string_view> Word(std::string_view field, const std::vector<std::string_view>& words) const;

 private:
  CallConfig(const HloInstruction& call, std::shared_ptr<const nlohmann::json> json)
      : call_(&call), json_(std::move(json)) {}
  Error Bad(std::string_view field, std::string_view expected) const;
  template <class T, class Entry>
  std::optional<std::vector<T>> ListOf(std::string_view field, Entry entry) const;

  const HloInstruction* call_;
  std::shared_ptr<const nlohmann::json> json_;
};

}  // namespace assay
