// Times several pieces of work in turns, so that a busy moment of the machine affects all of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct Timing {
  double median = 0, least = 0, most = 0;  // seconds
};

// Returns the median and the range of the seconds of several repetitions.
Timing TimingOf(std::vector<double> seconds);

// Returns the mean seconds of `runs` runs.
double SecondsOf(const std::function<void()>& work, int runs = 1);

inline constexpr int kBenchRepetitions = 7;

// Runs each work once to warm up, then all of them in turns. Repeats work that takes less than `least_seconds` within a
// turn until it reaches that time. The times are of one run.
std::vector<Timing> TimeByTurns(std::span<const std::function<void()>> works, double least_seconds = 0);
Timing Time(const std::function<void()>& work);

// Returns "12.3 (12.1 to 14.0)": the median and the range, times `scale`.
std::string TimingText(const Timing& timing, double scale);

}  // namespace assay
