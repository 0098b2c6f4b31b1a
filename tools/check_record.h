// What a check has found so far, as text and as JSON.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/expectations.h"
#include "tools/outcome.h"
#include "tools/type_matrix.h"

namespace assay {

class CheckRecord {
 public:
  explicit CheckRecord(Expectations expectations) : expectations_(std::move(expectations)) {}

  // Gives a line for the user where the outcome makes the check fail, else nothing.
  std::string Add(const Outcome& outcome);

  int total() const { return total_; }
  // 1 for failures of the backend. What has no verdict leaves the check unfinished: 2 for broken cases, 4 for limits.
  int exit_code() const;
  std::string Summary(bool with_types) const;
  // "12 cases, 11 EXACT, 1 FAIL"
  std::string Totals() const;
  // Its fields cases, types and models.
  nlohmann::json ToJson() const;

 private:
  // One line of the summary: an op's goldens.
  struct Row {
    int cases = 0;
    std::map<Verdict, int> verdicts;
    double worst_ulps = 0;
  };

  static std::string RowText(const std::string& name, const Row& row);
  void AddGolden(const Outcome& outcome);
  void AddModel(const Outcome& outcome);

  Expectations expectations_;
  std::map<std::string, Row> goldens_;
  TypeMatrix matrix_;
  std::map<Verdict, int> verdicts_;
  std::vector<std::string> model_lines_;
  std::map<std::string, int> unsupported_;  // by op and reason
  std::vector<std::string> expected_, weak_, failures_, unjudged_;
  nlohmann::json cases_ = nlohmann::json::array();
  nlohmann::json models_ = nlohmann::json::array();
  int total_ = 0;
  bool has_failed_ = false;
  bool has_broken_cases_ = false;
};

}  // namespace assay
