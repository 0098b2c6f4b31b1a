"""Rules of the text of C++ sources: their includes, the orders that they sort by, and the fields that pages list."""

import functools
import re
import unittest

from spec_tests.meta.tree_test import CODE, LAYERS, ROOT, files

FOLDERS = [*LAYERS, "spec_tests", "docs/examples"]
# Functions of each standard header. The file that calls one includes the header, or the header of its own name does.
FUNCTIONS = {
    "algorithm":
        "adjacent_find all_of any_of binary_search clamp contains copy copy_backward copy_if copy_n count count_if ends_with equal "
        "equal_range fill fill_n find find_end find_first_of find_if find_if_not for_each for_each_n generate generate_n includes "
        "inplace_merge is_partitioned is_permutation is_sorted is_sorted_until lexicographical_compare lower_bound make_heap max "
        "max_element merge min min_element minmax minmax_element mismatch move_backward next_permutation none_of nth_element "
        "partial_sort partition partition_point pop_heap push_heap remove remove_if replace replace_if reverse rotate sample search "
        "search_n set_difference set_intersection set_union shuffle sort sort_heap stable_partition stable_sort starts_with "
        "swap_ranges transform unique upper_bound",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero has_single_bit popcount rotl rotr",
    "charconv": "from_chars to_chars",
    "cmath":
        "acos asin atan atan2 cbrt ceil copysign cos cosh erf exp exp2 expm1 fabs floor fma fmax fmin fmod frexp hypot ilogb isfinite "
        "isinf isnan isnormal ldexp lgamma llround log log10 log1p log2 logb lround modf nearbyint nextafter pow remainder rint round "
        "scalbn signbit sin sinh sqrt tan tanh trunc",
    "cstdlib": "abort exit getenv quick_exit strtoll strtoull system",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen",
    "numeric":
        "accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce "
        "transform_reduce",
}  # fmt: skip
CALLS = {header: re.compile(rf"\bstd::(?:ranges::)?(?:{'|'.join(names.split())})[(<]") for header, names in FUNCTIONS.items()}
# An algorithm that needs a strict weak order, with an order that holds for equal elements.
NOT_STRICT = re.compile(
    r"\b(?:sort|stable_sort|partial_sort|nth_element|is_sorted\w*|lower_bound|upper_bound|equal_range|binary_search|merge|"
    r"inplace_merge|includes|set_\w+|\w+_heap|(?:min|max|minmax)(?:_element)?)\((?:[^();{}]|\([^();{}]*\))*\b(?:less|greater)_equal\b")  # fmt: skip
# The parts of an op's records and the headers that have their fields; docs/architecture.md has a table of them.
RECORDS = {
    "`syntax`": ("interpreter/hlo/op_syntax.h", "OpSyntax"),
    "`legality`": ("interpreter/hlo/op_legality.h", "OpLegality"),
    "`evaluation`": ("interpreter/hlo/op_evaluation.h", "OpEvaluation"),
    "`OpAcceptance`": ("interpreter/acceptance/ops/op_acceptance.h", "OpAcceptance"),
}


def code_of(text):
    return re.sub(r" *//.*", "", text)


@functools.cache
def included(path):
    return set(re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(), re.M)) if path.exists() else set()


def fields_of(header, name):
    """Returns the names of the fields of a struct, in order."""
    body = re.search(rf"^struct {name} \{{$(.*?)^\}};", code_of((ROOT / header).read_text()), re.M | re.S)[1]
    return re.findall(r"^  [\w:<>, *&]+[ *&](?:\(\*)?(\w+)(?:\)\([^;]*\))?(?: = [^;]*)?;$", body, re.M)


class Sources(unittest.TestCase):
    def test_include_what_they_call(self):
        missing = []
        for path in files(CODE, *FOLDERS):
            code = code_of(path.read_text())
            has = included(path) | (included(path.with_suffix(".h")) if path.suffix == ".cc" else set())
            missing += [f"{path.relative_to(ROOT)}: <{header}> for {found[0][:-1]}" for header, calls in CALLS.items()
                        if header not in has and (found := calls.search(code))]  # fmt: skip
        self.assertEqual(missing, [])

    def test_sort_by_strict_orders(self):
        for path in files(CODE, *FOLDERS):
            self.assertIsNone(NOT_STRICT.search(code_of(path.read_text())), f"{path}: adjacent_find is meant for such a test")

    def test_orders_are_recognized(self):
        for code in ["is_sorted(d, std::less_equal())", "std::sort(a.begin(), a.end(), std::greater_equal<>())"]:
            self.assertRegex(code, NOT_STRICT)
        for code in ["sort(d); adjacent_find(d, std::greater_equal())", "adjacent_find(d, std::less_equal())", "sort(d, std::less())"]:
            self.assertNotRegex(code, NOT_STRICT)

    def test_fields_of_op_records_are_those_of_the_page(self):
        page = (ROOT / "docs/architecture.md").read_text()
        for part, place in RECORDS.items():
            (row,) = re.findall(rf"^\| {part} \|[^|]*\|(.*)\|$", page, re.M)
            self.assertEqual(sorted(re.findall(r"`(\w+)`", row)), sorted(fields_of(*place)), f"{part}: {place[0]}")
        self.assertLessEqual(len(fields_of(*RECORDS["`OpAcceptance`"])), 15)

    def test_ops_with_a_gap_in_the_specification_are_on_its_page(self):
        page = (ROOT / "docs/spec_gaps.md").read_text()
        rows = "".join(path.read_text() for path in (ROOT / "interpreter/acceptance/ops").glob("*.cc"))
        gaps = [op for op, row in re.findall(r"\.op = &op_(\w+)(.*?)(?=\.op = |\Z)", rows, re.S) if ".gap = " in row]
        self.assertGreater(len(gaps), 7)
        for op in gaps:
            self.assertIn(f"`{op.replace('_', '-')}`", page)
