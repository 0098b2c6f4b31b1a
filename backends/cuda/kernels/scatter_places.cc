#include "backends/cuda/kernels/scatter_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cuda {

ScatterPlaces::ScatterPlaces(const HloInstruction& scatter)
    : scatter_(scatter),
      arrays_(ArraysOf(scatter)),
      indices_(scatter.operand(static_cast<std::int64_t>(arrays_))),
      update_(scatter.operand(static_cast<std::int64_t>(arrays_) + 1).shape),
      operand_(scatter.operand(0).shape),
      vector_dim_(scatter.Int64("index_vector_dim")),
      batch_(indices_.shape.dimensions()) {
  if (HasVectors()) batch_.erase(batch_.begin() + vector_dim_);
  for (std::int64_t d = 0; d < operand_.rank(); ++d) {
    const auto has = [&](AttributeName list) { return std::ranges::count(scatter_.Int64s(list), d) > 0; };
    if (!has("inserted_window_dims") && !has("input_batching_dims")) window_dims_.push_back(d);
  }
  bool is_aligned = true;
  for (const std::int64_t d : scatter_.Int64s("update_window_dims")) {
    const std::int64_t size = update_.dimensions(d);
    is_aligned &= size == 1 || size == operand_.dimensions(window_dims_[window_.size()]);
    window_.push_back(size);
  }
  windows_ = assay::Product(batch_);
  together_ = is_aligned ? assay::Product(window_) : 1;
  pieces_ = is_aligned ? 1 : assay::Product(window_);
}

void ScatterPlaces::WriteTarget(const std::string& target, Body& body, ElementEmitter& emitter) const {
  const std::vector<std::string> batch = body.PlacesOf(IndexText::AtOffset(body.Quotient("i", pieces_)), batch_);
  std::vector<std::string> window;
  if (pieces_ > 1) window = body.PlacesOf(IndexText::AtOffset(body.Remainder("i", pieces_)), window_);
  body.Line(fmt::format("{} = -1;", target));
  IndexText to;
  for (std::int64_t d = 0; d < operand_.rank(); ++d) {
    const auto in_window = std::ranges::find(window_dims_, d) - window_dims_.begin();
    const bool has_window = in_window < static_cast<std::ptrdiff_t>(window_dims_.size());
    const std::int64_t size = has_window ? window_[static_cast<std::size_t>(in_window)] : 1;
    std::string start = StartOf(d, batch, operand_.dimensions(d) - size, body, emitter);
    if (has_window && !window.empty()) start = body.Sum(start, window[static_cast<std::size_t>(in_window)]);
    to.at.push_back(start);
  }
  body.Line(fmt::format("{} = {};", target, body.OffsetOf(to, operand_.dimensions())));
}

std::string ScatterPlaces::StartOf(std::int64_t d, const std::vector<std::string>& batch, std::int64_t last, Body& body,
                                   ElementEmitter& emitter) const {
  const auto batching = scatter_.Int64s("input_batching_dims");
  if (const auto at = std::ranges::find(batching, d); at != batching.end()) {
    const std::int64_t dimension =
        scatter_.Int64s("scatter_indices_batching_dims")[static_cast<std::size_t>(at - batching.begin())];
    const std::string place = batch[static_cast<std::size_t>(dimension > vector_dim_ ? dimension - 1 : dimension)];
    body.Line(fmt::format("if ({} > {}) return;", place, last));
    return place;
  }
  const auto map = scatter_.Int64s("scatter_dims_to_operand_dims");
  const auto at = std::ranges::find(map, d);
  if (at == map.end()) return "0";
  IndexText index{.at = batch, .offset = {}};
  if (HasVectors()) {
    index.at.insert(index.at.begin() + vector_dim_, fmt::format("{}", at - map.begin()));
  }
  const std::string start = body.Name("s64", fmt::format("start_of(value({}))", emitter.Element(indices_, index)));
  body.Line(fmt::format("if ({0} < 0 || {0} > {1}) return;", start, last));
  return body.Name(body.index_type(), fmt::format("({}){}", body.index_type(), start));
}

ScatterPlaces::Element ScatterPlaces::ElementOf(const std::string& inner, Body& body) const {
  Element element;
  IndexText within{.at = std::vector<std::string>(static_cast<std::size_t>(operand_.rank()), "0"), .offset = {}};
  if (together_ > 1) element.window = body.PlacesOf(IndexText::AtOffset(inner), window_);
  for (std::size_t k = 0; k < element.window.size(); ++k) {
    within.at[static_cast<std::size_t>(window_dims_[k])] = element.window[k];
  }
  element.to = body.Sum("start", body.OffsetOf(within, operand_.dimensions()));
  return element;
}

std::vector<std::string> ScatterPlaces::UpdatesOf(const Element& element, Body& body, ElementEmitter& emitter) const {
  const IndexText from = UpdateIndex(element.window, body);
  std::vector<std::string> updates;
  for (std::size_t k = 0; k < arrays_; ++k) {
    updates.push_back(emitter.Element(scatter_.operand(static_cast<std::int64_t>(arrays_ + 1 + k)), from));
  }
  return updates;
}

IndexText ScatterPlaces::UpdateIndex(std::vector<std::string> window, Body& body) const {
  const std::vector<std::string> batch = body.PlacesOf(IndexText::AtOffset(body.Quotient("item", pieces_)), batch_);
  if (pieces_ > 1) window = body.PlacesOf(IndexText::AtOffset(body.Remainder("item", pieces_)), window_);
  if (window.empty()) window.assign(window_.size(), "0");
  const auto window_dims = scatter_.Int64s("update_window_dims");
  IndexText index;
  std::size_t next_window = 0, next_batch = 0;
  for (std::int64_t d = 0; d < update_.rank(); ++d) {
    const bool is_window = std::ranges::count(window_dims, d) > 0;
    index.at.push_back(is_window ? window[next_window++] : batch[next_batch++]);
  }
  return index;
}

}  // namespace assay::cuda
