// Folds of many elements for each of many results, by threads that share a result.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/folding.h"

namespace assay::cuda {

// `width` threads of a block fold the elements of one part of one result; there are `count` results of `n` elements.
struct Tree {
  // A device is busy with these.
  static constexpr std::int64_t kWantedThreads = 1 << 18;

  std::int64_t count = 0;
  std::int64_t n = 0;
  bool is_row = false;      // neighbouring threads are those of one result, else those of neighbouring results
  std::int64_t width = 1;   // a power of two
  std::int64_t splits = 1;  // parts of a result
  std::int64_t part = n;    // elements of each but the last
  std::int64_t pack = 1;    // elements that a thread takes at a time; parts are whole packs

  void SplitInto(std::int64_t parts);
  // Makes packs of at most so many elements, where rows are made of whole ones.
  void TakePacks(std::int64_t size);
  std::int64_t Jobs() const { return count * splits; }
  std::int64_t Blocks() const;
  // Declares what a thread works on: part "job", the number "o" of its result, the elements "begin" to "end".
  void Declare(Body& body) const;
};

// The threads that a fold takes whose accumulators may be combined.
Tree SharedTree(const Folding& folding, std::int64_t count, std::int64_t n, bool is_row, bool may_split = true);

// What differs between folds.
struct TreeParts {
  // Of a tree of packs: loads that of the elements from "k" on, of which "e" is the one that is read then.
  std::function<void(const std::string& k)> load = nullptr;
  // The accumulators of element "k" of result "o".
  std::function<std::vector<std::string>(const std::string& k)> read = nullptr;
  // Instead, where folds are free: adds element "k" to accumulators.
  std::function<void(std::span<const std::string> accumulators, const std::string& k)> add = nullptr;
  // The initial values of the result.
  std::function<std::vector<std::string>()> inits = nullptr;
  std::function<void(std::span<const std::string> accumulators)> write = nullptr;
  bool starts = true;  // with the initial values
};
void WriteTree(const Tree& tree, const Folding& folding, const TreeParts& parts, Body& body, ElementEmitter& emitter);

}  // namespace assay::cuda
