#include "tools/bench/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace assay {

double SecondsOf(const std::function<void()>& work, int runs) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
}

Timing TimingOf(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

std::vector<Timing> TimeByTurns(std::span<const std::function<void()>> works, double least_seconds) {
  std::vector<int> runs;
  for (const auto& work : works) {
    SecondsOf(work, 1);  // warms caches and tables
    runs.push_back(1 + static_cast<int>(least_seconds / std::max(SecondsOf(work, 1), 1e-9)));
  }
  std::vector<std::vector<double>> seconds(works.size());
  for (int repetition = 0; repetition < kBenchRepetitions; ++repetition) {
    for (std::size_t i = 0; i < works.size(); ++i) seconds[i].push_back(SecondsOf(works[i], runs[i]));
  }
  std::vector<Timing> timings;
  for (auto& of_work : seconds) timings.push_back(TimingOf(std::move(of_work)));
  return timings;
}

Timing Time(const std::function<void()>& work) { return TimeByTurns({&work, 1})[0]; }

std::string TimingText(const Timing& timing, double scale) {
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", timing.median * scale, timing.least * scale, timing.most * scale);
}

}  // namespace assay
