#include "conformance/judging/module_report.h"

#include <algorithm>
#include <utility>

#include "interpreter/acceptance/elements.h"

namespace assay {
namespace {

void Collect(const Literal& want, const Literal& got, Place place, const ElementObserver& collect) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    Collect(want.elements()[i], got.elements()[i], std::move(part), collect);
  }
  if (!want.shape().IsArray() || want.BitwiseEqual(got)) return;
  for (place.offset = 0; place.offset < want.element_count(); ++place.offset) {
    if (!SameElement(want, got, place.offset)) collect(place, Verdict::kFail, "");
  }
}

}  // namespace

const PieceReport* ModuleReport::blamed() const {
  if (!IsFailure(verdict)) return nullptr;
  const auto first = std::ranges::find_if(
      offenders, [](const PieceReport& offender) { return IsFailure(offender.judgement.verdict); });
  return first == offenders.end() ? nullptr : &*first;
}

ElementObserver CollectFailed(std::vector<Place>& failed, std::vector<std::int64_t> prefix) {
  return [&failed, prefix = std::move(prefix)](const Place& place, Verdict verdict, std::string_view) {
    if (verdict != Verdict::kFail || failed.size() >= ModuleReport::kMostFailed) return;
    Place& added = failed.emplace_back(place);
    added.tuple_index.insert(added.tuple_index.begin(), prefix.begin(), prefix.end());
  };
}

void CollectDiffering(const Literal& want, const Literal& got, std::vector<Place>& failed) {
  if (ShapeUtil::Compatible(want.shape(), got.shape())) Collect(want, got, {}, CollectFailed(failed));
}

Verdict VerdictOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnsupported:
      return Verdict::kUnsupported;
    case ErrorCode::kLimit:
      return Verdict::kTimeout;
    case ErrorCode::kBackend:
      return Verdict::kCrash;
    default:
      return Verdict::kError;
  }
}

Judgement JudgementOf(const Error& error) {
  Judgement judgement;
  judgement.verdict = VerdictOf(error);
  judgement.reason = error.message;
  return judgement;
}

}  // namespace assay
