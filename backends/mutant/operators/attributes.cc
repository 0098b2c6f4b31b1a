#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backends/mutant/operators/operators.h"

namespace assay {
namespace {

using AttributeRewrite = MutantList::Rewrite;

// Changes the attribute's value, or its default if the instruction does not have the attribute.
template <class T>
AttributeRewrite Change(const AttributeSpec& spec, std::function<void(T&)> change) {
  return [name = spec.name, if_absent = spec.default_value, change = std::move(change)](HloInstruction& instruction) {
    const T* value = instruction.Find<T>(name);
    if (value == nullptr) value = std::get_if<T>(&if_absent);
    if (value == nullptr) return false;
    T changed = *value;
    change(changed);
    if (changed == *value) return false;
    instruction.Set(name, std::move(changed));
    return true;
  };
}

// Removes the attribute, so that its default applies.
AttributeRewrite Ignore(const AttributeSpec& spec) {
  return [name = spec.name](HloInstruction& instruction) {
    return std::erase_if(instruction.attributes, [&](const Attribute& a) { return a.name == name; }) > 0;
  };
}

void AddFlag(MutantList& mutants, const AttributeSpec& spec) {
  mutants.AddEdit("flag_flipped", spec.name, fmt::format("{} means the opposite", spec.name),
                  [name = spec.name](HloInstruction& instruction) {
                    instruction.Set(name, !instruction.Bool(name));
                    return true;
                  });
}

void AddNumber(MutantList& mutants, const AttributeSpec& spec) {
  using Number = std::int64_t;
  mutants.AddEdit("one_more", spec.name, fmt::format("{} is one more", spec.name),
                  Change<Number>(spec, [](Number& n) { ++n; }));
  mutants.AddEdit("one_less", spec.name, fmt::format("{} is one less", spec.name),
                  Change<Number>(spec, [](Number& n) { n = std::max<Number>(n - 1, 0); }));
  mutants.AddEdit("taken_as_zero", spec.name, fmt::format("{} is taken as 0", spec.name),
                  Change<Number>(spec, [](Number& n) { n = 0; }));
}

void AddReal(MutantList& mutants, const AttributeSpec& spec) {
  mutants.AddEdit("taken_as_zero", spec.name, fmt::format("{} is taken as 0", spec.name),
                  Change<double>(spec, [](double& x) { x = 0; }));
  mutants.AddEdit("halved", spec.name, fmt::format("{} is half as large", spec.name),
                  Change<double>(spec, [](double& x) { x /= 2; }));
}

void AddWords(MutantList& mutants, const AttributeSpec& spec) {
  for (const std::string_view from : spec.enumerators) {
    for (const std::string_view to : spec.enumerators) {
      if (from == to) continue;
      mutants.AddEdit("word_taken_as", fmt::format("{}_{}_{}", spec.name, from, to),
                      fmt::format("{}={} is taken as {}", spec.name, from, to),
                      Change<std::string>(spec, [from, to](std::string& word) {
                        if (word == from) word = to;
                      }));
    }
  }
}

bool IsPermutation(const Int64List& list) {
  Int64List sorted = list;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

void Invert(Int64List& list) {
  if (!IsPermutation(list)) return;
  const Int64List permutation = list;
  for (std::size_t i = 0; i < permutation.size(); ++i) list[permutation[i]] = static_cast<std::int64_t>(i);
}

template <class List>
void Turn(List& list) {
  if (list.size() > 1) std::rotate(list.begin(), list.begin() + 1, list.end());
}

void AddList(MutantList& mutants, const AttributeSpec& spec) {
  const auto add = [&](std::string_view made_by, std::string_view what, void (*change)(Int64List&)) {
    mutants.AddEdit(made_by, spec.name, fmt::format("{} {}", spec.name, what), Change<Int64List>(spec, change));
  };
  add("list_sorted", "is sorted", [](Int64List& list) { std::ranges::sort(list); });
  add("list_reversed", "is reversed", [](Int64List& list) { std::ranges::reverse(list); });
  add("list_turned", "begins with its second number", Turn<Int64List>);
  add("list_inverted", "is taken for the inverse permutation", Invert);
  add("first_dropped", "lacks its first number", [](Int64List& list) {
    if (!list.empty()) list.erase(list.begin());
  });
  add("last_dropped", "lacks its last number", [](Int64List& list) {
    if (!list.empty()) list.pop_back();
  });
  add("first_one_more", "has one more as its first number", [](Int64List& list) {
    if (!list.empty()) ++list.front();
  });
  add("last_one_more", "has one more as its last number", [](Int64List& list) {
    if (!list.empty()) ++list.back();
  });
  add("first_one_less", "has one less as its first number", [](Int64List& list) {
    if (!list.empty()) --list.front();
  });
  add("last_one_less", "has one less as its last number", [](Int64List& list) {
    if (!list.empty()) --list.back();
  });
  add("numbers_from_zero", "counts from 0", [](Int64List& list) { std::iota(list.begin(), list.end(), 0); });
  add("first_for_all", "has its first number in all places", [](Int64List& list) {
    if (!list.empty()) std::ranges::fill(list, list.front());
  });
}

using Pairs = std::vector<Int64List>;

void AddPairs(MutantList& mutants, const AttributeSpec& spec) {
  const auto add = [&](std::string_view made_by, std::string_view what, void (*change)(Pairs&)) {
    mutants.AddEdit(made_by, spec.name, fmt::format("{} {}", spec.name, what), Change<Pairs>(spec, change));
  };
  add("pairs_turned_round", "go the other way", [](Pairs& pairs) {
    for (Int64List& pair : pairs) std::ranges::reverse(pair);
  });
  add("last_dropped", "lacks its last pair", [](Pairs& pairs) {
    if (!pairs.empty()) pairs.pop_back();
  });
  add("first_dropped", "lacks its first pair", [](Pairs& pairs) {
    if (!pairs.empty()) pairs.erase(pairs.begin());
  });
  add("sources_sorted", "have their sources in order", [](Pairs& pairs) {
    if (std::ranges::any_of(pairs, &Int64List::empty)) return;
    Int64List sources;
    for (const Int64List& pair : pairs) sources.push_back(pair.front());
    std::ranges::sort(sources);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].front() = sources[i];
  });
}

}  // namespace

void AddAttributeMutants(MutantList& mutants) {
  for (const AttributeSpec& spec : mutants.op().syntax.attributes) {
    if (!spec.required) mutants.AddEdit("ignored", spec.name, fmt::format("{} is ignored", spec.name), Ignore(spec));
    switch (spec.kind) {
      case AttributeKind::kBool:
        AddFlag(mutants, spec);
        break;
      case AttributeKind::kInt64:
        AddNumber(mutants, spec);
        break;
      case AttributeKind::kFloat:
        AddReal(mutants, spec);
        break;
      case AttributeKind::kEnum:
        AddWords(mutants, spec);
        break;
      case AttributeKind::kInt64List:
        AddList(mutants, spec);
        break;
      case AttributeKind::kInt64ListList:
        AddPairs(mutants, spec);
        break;
      default:
        break;
    }
  }
}

}  // namespace assay
