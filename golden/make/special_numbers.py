"""Numbers at which roundings, ranges and formats differ, and the rules that they pin."""

# Two numbers whose sum is a tie of the format, and one that f32 loses beside them: if first rounded to f32, the sum is
# the tie itself.
NEAR_TIES = {"f16": [1, 2.0**-11, 2.0**-24], "bf16": [1, 2.0**-8, 2.0**-40]}
# Two numbers whose sum is halfway between two others, of which the smaller one is even.
TIES = {"f32": [2.0**24, 1], "f16": [2048, 1], "bf16": [256, 1]}
LARGE = 2.0**24  # f32 loses a one beside it
LEAST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}
LARGEST = "x7f7fffff"  # of f32
MOVED = {"f16": [2047, -1025], "f32": [2.0**24 - 1, -(2.0**12) - 1], "c64": [2.0**24 - 1, 4097],
         "c128": [2.0**30 + 1, -(2.0**31) - 1]}
SUMMED_ONCE = "one rounding: f32 would lose what lifts the sum above the tie"
TO_EVEN = "a tie goes to the even number"
GRADUAL = "subnormal numbers count"
DIGITS = "more digits than a narrower type has"
