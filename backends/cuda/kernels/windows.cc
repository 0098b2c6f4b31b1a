#include "backends/cuda/kernels/windows.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cuda {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 60;

// Returns a saturating product of numbers that are not negative.
std::int64_t Reach(std::int64_t a, std::int64_t b) { return a != 0 && b > kFarthest / a ? kFarthest : a * b; }

}  // namespace

WindowText::WindowText(const Window& window, std::span<const std::int64_t> base,
                       std::span<const std::int64_t> positions)
    : window_(window), base_(base.begin(), base.end()), positions_(positions.begin(), positions.end()) {
  for (std::size_t d = 0; d < base_.size(); ++d) {
    const WindowDimension& w = window.dimensions[d];
    sizes_.push_back(w.size);
    for (const std::int64_t reach :
         {Reach(w.size, w.window_dilation), Reach(base_[d], w.base_dilation), Reach(positions_[d], w.stride),
          std::max(w.padding_low, -w.padding_low), std::max(w.padding_high, -w.padding_high), w.window_dilation}) {
      reach_ = std::max(reach_, reach);
    }
    all_cells_ = Reach(all_cells_, w.size);
    cell_count_ = Reach(cell_count_, std::min(w.size, Reach(base_[d], w.base_dilation) / w.window_dilation + 1));
  }
}

bool WindowText::IsApart() const {
  return std::ranges::all_of(window_.dimensions, [](const WindowDimension& w) {
    return w.size == 1 || ((w.size - 1) * w.window_dilation < w.stride);
  });
}

bool WindowText::MayBeOutside() const {
  for (std::size_t d = 0; d < base_.size(); ++d) {
    if (Least(d) < 0 || Greatest(d) > LastPlace(d) || window_.dimensions[d].base_dilation > 1) return true;
  }
  return false;
}

std::int64_t WindowText::Greatest(std::size_t d) const {
  const WindowDimension& w = window_.dimensions[d];
  return (positions_[d] - 1) * w.stride + (w.size - 1) * w.window_dilation - w.padding_low;
}

std::string WindowText::InBase(Body& body, std::size_t d, const std::string& place, bool may_be_outside,
                               std::string& condition) const {
  const auto add = [&](const std::string& more) { condition += (condition.empty() ? "" : " && ") + more; };
  if (may_be_outside && Least(d) < 0) add(fmt::format("{} >= 0", place));
  if (may_be_outside && Greatest(d) > LastPlace(d)) add(fmt::format("{} <= {}", place, LastPlace(d)));
  const std::int64_t dilation = window_.dimensions[d].base_dilation;
  if (dilation > 1) add(fmt::format("{} % {} == 0", place, dilation));
  return body.Quotient(place, dilation);
}

std::vector<std::string> WindowText::Element(Body& body, std::span<const std::string> position,
                                             std::span<const std::string> cell, std::string& condition) const {
  std::vector<std::string> at;
  for (std::size_t d = 0; d < base_.size(); ++d) {
    const WindowDimension& w = window_.dimensions[d];
    const std::string of_cell = w.window_reversal ? body.Difference(w.size - 1, cell[d]) : cell[d];
    const std::string start = body.Sum(body.Product(position[d], w.stride), -w.padding_low);
    const std::string place = body.Sum(start, body.Product(of_cell, w.window_dilation));
    at.push_back(InBase(body, d, place, /*may_be_outside=*/true, condition));
  }
  return at;
}

std::vector<std::string> WindowText::OpenCells(Body& body, std::span<const std::string> position) {
  const std::string_view index = body.index_type();
  std::vector<std::string> at;
  for (std::size_t d = 0; d < base_.size(); ++d) {
    const WindowDimension& w = window_.dimensions[d];
    const std::string start = body.Sum(body.Product(position[d], w.stride), -w.padding_low);
    std::string first = "0", last = fmt::format("{}", w.size - 1);
    if (Least(d) < 0) {
      first = body.Name(index, fmt::format("{0} >= 0 ? 0 : ({1} - 1 - {0}) / {1}", start, w.window_dilation));
    }
    if (Greatest(d) > LastPlace(d)) {
      const std::string text = fmt::format("{0} > {1} ? -1 : ({1} - {0}) / {2} < {3} ? ({1} - {0}) / {2} : {3}", start,
                                           LastPlace(d), w.window_dilation, w.size - 1);
      last = body.Name(index, text);
    }
    std::string cell = first;
    if (w.size > 1 || first != "0" || last != "0") {
      cell = body.NewName("c");
      body.Open(w.window_reversal ? fmt::format("for ({0} {1} = {2}; {1} >= {3}; --{1}) {{", index, cell, last, first)
                                  : fmt::format("for ({0} {1} = {3}; {1} <= {2}; ++{1}) {{", index, cell, last, first));
      ++open_;
    }
    const std::string place = body.Sum(start, body.Product(cell, w.window_dilation));
    std::string condition;
    at.push_back(InBase(body, d, place, /*may_be_outside=*/false, condition));
    if (condition.empty()) continue;
    body.Open(fmt::format("if ({}) {{", condition));
    ++open_;
  }
  return at;
}

std::vector<std::string> WindowText::OpenPositions(Body& body, std::span<const std::string> element) {
  const std::string_view index = body.index_type();
  std::vector<std::string> at;
  for (std::size_t d = 0; d < base_.size(); ++d) {
    const WindowDimension& w = window_.dimensions[d];
    const std::string place = body.Sum(body.Product(element[d], w.base_dilation), w.padding_low);
    const std::int64_t reach = (w.size - 1) * w.window_dilation;
    const std::string least = body.Sum(place, -reach);
    const std::string first =
        body.Name(index, fmt::format("{0} <= 0 ? 0 : ({0} + {1}) / {2}", least, w.stride - 1, w.stride));
    const std::string last = body.Name(
        index, fmt::format("{0} < 0 ? -1 : {0} / {1} < {2} ? {0} / {1} : {2}", place, w.stride, positions_[d] - 1));
    at.push_back(body.NewName("c"));
    body.Open(fmt::format("for ({0} {1} = {2}; {1} <= {3}; ++{1}) {{", index, at.back(), first, last));
    ++open_;
  }
  return at;
}

void WindowText::Close(Body& body) {
  for (; open_ > 0; --open_) body.Close();
}

}  // namespace assay::cuda
