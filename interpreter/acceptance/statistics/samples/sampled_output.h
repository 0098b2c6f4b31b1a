// One output of a module, and how near the samples come to a backend's result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/acceptance/choices.h"
#include "interpreter/acceptance/statistics/samples/common_errors.h"
#include "interpreter/acceptance/statistics/sums/lawful_samples.h"
#include "interpreter/types/literal.h"

namespace assay {

class SampledOutput {
 public:
  // `number`: among the arrays of all outputs. The values must outlive this object.
  SampledOutput(std::size_t number, OutputPath path, const Literal& want, const Literal& got);

  // Takes in two runs that made the same decisions.
  void See(const Literal& a, const Literal& b);
  // Takes in a run in which one element that is decided otherwise makes the second array of the first. `times`: as many
  // elements.
  void SeeDecision(const Literal& a, const Literal& b, int times);
  // Takes in a run by the sums' algorithms, for statistics of the whole array. `is_noisy`: as in LawfulSamples.
  void SeeSums(const Literal& run, bool is_noisy);

  // Returns the component that is farthest from all samples; nullopt if none is far.
  std::optional<std::size_t> Unexplained() const;
  // Returns the same for components that are far by the errors of the array's numbers of their size, too. An infinity
  // or NaN is far from numbers that do not nearly overflow, if `times` is 1. With kDecisions, the distance between
  // samples and the reference counts as an error, whatever they decided, in components that depend on more than two
  // decided elements (SeeDecision), or on how many is not known: this says nothing of integers. `times`: how many times
  // farther.
  enum class Errors { kRoundings, kDecisions };
  struct LeastErrors {
    double unit = 0;                // of a number that no sample varies
    double of_uses = 0;             // of a number that follows from a sum of products which is used twice
    double of_flushing = 0;         // of any number
    bool nearly_overflows = false;  // a function's result that it follows from
    bool assumes_finite = false;    // the profile promises nothing of infinities and NaNs
  };
  std::optional<std::size_t> Far(LeastErrors least, Errors errors, double times = 1) const;
  // Takes in a run with larger errors (SampleRuns::RunWithLargerErrors).
  void SeeLargerErrors(const Literal& run);
  // Returns the component that is farthest from all samples, of those that larger errors move less and no decision of
  // SeeDecision changes.
  std::optional<std::size_t> FarByItself(LeastErrors least) const;
  // True if every component is as near to a sample as samples are to each other, or by one unit in the last place.
  bool IsAmongSamples() const;
  // True if samples differ by an eighth of the array's largest number, as a sign that is free makes them do, in an
  // element that differs from the reference's by more than its last rounding.
  bool HasJumps() const;
  // Returns the way in which the array is unlike the runs that SeeSums took in.
  std::string FaultOfSums() const;
  // Takes in a run in which the uses of a value differ.
  void SeeUses(const Literal& run);
  // Returns the way in which the errors that the elements have in common are far from those of all runs.
  std::string FaultOfCommonErrors() const { return common_ ? common_->Fault() : std::string(); }
  std::string Describe(std::size_t component) const;

  bool is_real() const { return is_real_; }
  std::size_t number() const { return number_; }
  const OutputPath& path() const { return path_; }

 private:
  double Distance(const Literal& a, const Literal& b, std::size_t component) const;
  double LastPlace(std::size_t component) const;
  // Returns the distance of samples of the same decisions; 0 if one overflows, which explains nothing.
  double FiniteSpread(std::size_t component) const;
  bool IsNear(std::size_t component) const;
  bool MayOverflow(std::size_t component) const;
  double LeastError(std::size_t component, const LeastErrors& least) const;
  std::vector<double> WidestOfSize(const std::vector<double>& errors) const;

  std::size_t number_;
  OutputPath path_;
  const Literal *want_, *got_;
  bool is_real_ = false;
  std::size_t runs_ = 0;
  std::vector<int> decisions_;                    // on which each component depends; empty: not known
  std::vector<double> nearest_, spread_, reach_;  // reach_: the distance of samples from the reference
  std::vector<double> by_larger_errors_;          // the same with larger errors
  std::optional<LawfulSamples> sums_;
  std::optional<CommonErrors> common_;  // of real numbers
};

// Appends the arrays of a result that differ from the reference's. `path` and `number` are those of the first array.
void FindDiffering(const Literal& want, const Literal& got, OutputPath& path, std::size_t& number,
                   std::vector<SampledOutput>& outputs);
// Returns the largest distance of the magnitudes of two arrays, in units of the error that a factor may have.
double ShareOfMagnitudes(const Literal& want, const Literal& got);
const Literal& PartAt(const Literal& value, const OutputPath& path);

}  // namespace assay
