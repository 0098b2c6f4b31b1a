// Times of several pieces of work that take turns, so that a busy moment of the machine is every one's.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct Timing {
  double median = 0, least = 0, most = 0;  // seconds
};

// Of the seconds of several repetitions.
Timing TimingOf(std::vector<double> seconds);

// How long `runs` runs take, each.
double SecondsOf(const std::function<void()>& work, int runs = 1);

inline constexpr int kBenchRepetitions = 7;

// Runs each work once to warm up, then all of them by turns. Work that takes less than `least_seconds` is repeated
// within a turn until that is reached; timings are of one run.
std::vector<Timing> TimeByTurns(std::span<const std::function<void()>> works, double least_seconds = 0);
Timing Time(const std::function<void()>& work);

// "12.3 (12.1 to 14.0)": the median and the range, times `scale`.
std::string TimingText(const Timing& timing, double scale);

}  // namespace assay
