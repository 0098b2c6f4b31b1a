// Folds of many elements for each of many results, by threads that share a result.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/folding.h"

namespace assay::cuda {

// The distribution of a fold. `width` threads of a block fold the elements of one part of one result; there are `count`
// results of `n` elements.
struct Tree {
  // The number of threads that keeps a device busy.
  static constexpr std::int64_t kWantedThreads = 1 << 18;

  std::int64_t count = 0;
  std::int64_t n = 0;
  bool is_row = false;      // neighboring threads have one result, otherwise neighboring results
  std::int64_t width = 1;   // threads of a part, a power of two
  std::int64_t splits = 1;  // parts of a result
  std::int64_t part = n;    // elements of each part but the last
  std::int64_t pack = 1;    // elements that a thread reads at once; parts are whole packs

  void SplitInto(std::int64_t parts);
  // Makes packs of at most `size` elements, such that rows consist of whole packs.
  void TakePacks(std::int64_t size);
  std::int64_t Jobs() const { return count * splits; }
  std::int64_t Blocks() const;
  // Declares the work of a thread: part "job", the number "o" of its result, the elements "begin" to "end".
  void Declare(Body& body) const;
};

// Returns the distribution of a fold whose accumulators may be combined.
Tree SharedTree(const Folding& folding, std::int64_t count, std::int64_t n, bool is_row, bool may_split = true);

// The text that differs between folds.
struct TreeParts {
  // Loads the packs of the elements from "k" on, if the tree has packs. `read` then uses their element "e".
  std::function<void(const std::string& k)> load = nullptr;
  // Returns the accumulators of element "k" of result "o".
  std::function<std::vector<std::string>(const std::string& k)> read = nullptr;
  // Replaces `read` in a free fold: adds element "k" to the accumulators.
  std::function<void(std::span<const std::string> accumulators, const std::string& k)> add = nullptr;
  // Returns the initial values of the result.
  std::function<std::vector<std::string>()> inits = nullptr;
  std::function<void(std::span<const std::string> accumulators)> write = nullptr;
  bool starts = true;  // true if the fold starts with the initial values
};
void WriteTree(const Tree& tree, const Folding& folding, const TreeParts& parts, Body& body, ElementEmitter& emitter);

}  // namespace assay::cuda
