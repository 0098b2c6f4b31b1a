"""Quantized networks, by the model of golden/witness/quantized.py: a block of MobileNet with a scale for each channel, and the
MLP of a transformer with quantized weights."""

import itertools
import math
import random
import re
from fractions import Fraction

from golden.witness.quantized import Quantized, numbers_of, rounded
from spec_tests.tools.command_line import CliTest, peer

WINDOW = "window = {{pad = [[{0}, {0}], [{0}, {0}]]}}"
SUM = "batch_group_count = 1 : i64, feature_group_count = {} : i64"


def nested(numbers, sizes):
    """Returns numbers in row-major order as the text of a dense attribute."""
    numbers = list(map(str, numbers))
    for size in reversed(sizes):
        numbers = [f"[{', '.join(numbers[i : i + size])}]" for i in range(0, len(numbers), size)]
    return numbers[0]


def constant(name, kind, integers, *sizes):
    shape = "x".join(map(str, sizes))
    return (f'%{name} = "stablehlo.constant"() {{value = dense<{nested(integers, sizes)}> : tensor<{shape}x'
            f"{kind.storage}>}} : () -> {kind.tensor(*sizes)}\n")


def scales(numbers):
    return tuple(str(number) for number in numbers)


def accumulator(kind, weights):
    """Returns the type of sums of products: 32 bits, whose scale is the product of both scales, rounded to f32."""
    products = [rounded(kind.scale() * weights.scale(i), "f32") for i in range(len(weights.scales))]
    return Quantized("i32", "f32", scales(float(product) for product in products), (0,) * len(products), (), 3)


def convolve(image, kernel, size, channels, outputs, window, groups, pad):
    """Returns the exact sums of products of numbers in row-major order: [size, size, channels] and
    [window, window, channels / groups, outputs]."""
    in_group, out_group = channels // groups, outputs // groups
    for row, column, output in itertools.product(range(size), range(size), range(outputs)):
        total = Fraction(0)
        for i, j, c in itertools.product(range(window), range(window), range(in_group)):
            y, x = row + i - pad, column + j - pad
            if 0 <= y < size and 0 <= x < size:
                channel = output // out_group * in_group + c
                total += (image[(y * size + x) * channels + channel] *
                          kernel[((i * window + j) * in_group + c) * outputs + output])
        yield total


def quantized_multiplier(number):
    """Returns TFLite's QuantizeMultiplier: an integer of 31 bits and the power of two of which it is a multiple."""
    fraction, shift = math.frexp(number)
    multiplier = math.floor(fraction * 2**31 + 0.5)
    return (multiplier // 2, shift + 1) if multiplier == 2**31 else (multiplier, shift)


def multiplied_twice(integer, multiplier, shift):
    """Returns TFLite's MultiplyByQuantizedMultiplier: gemmlowp's SaturatingRoundingDoublingHighMul, then its
    RoundingDivideByPOT. Both round to nearest, the second with ties away from zero."""
    product = integer * 2 ** max(shift, 0) * multiplier
    nudged = product + (2**30 if product >= 0 else 1 - 2**30)
    high, right = abs(nudged) // 2**31 * (1 if nudged >= 0 else -1), max(-shift, 0)
    return (abs(high) + 2**right // 2) // 2**right * (1 if high >= 0 else -1)


class Layer:
    """A convolution of i8 with a scale for each channel, a bias and a requantization, as text and in the model."""
    def __init__(self, draw, name, given, result, channels, outputs, window, groups):
        self.name, self.given, self.result = name, given, result
        self.channels, self.outputs, self.window, self.groups = channels, outputs, window, groups
        self.kernel_type = Quantized("i8", "f32", scales(draw.uniform(0.002, 0.02) for _ in range(outputs)),
                                     (0,) * outputs, (-127, 127), 3)
        self.sizes = (window, window, channels // groups, outputs)
        self.kernel = [draw.randint(-127, 127) for _ in range(window * window * (channels // groups) * outputs)]
        self.sums = accumulator(given, self.kernel_type)
        self.bias = [draw.randint(-3000, 3000) for _ in range(outputs)]

    def text(self, operand, size):
        n, out = self.name, (1, size, size, self.outputs)
        bias = Quantized("i32", "f32", self.sums.scales, self.sums.zero_points, (), 0)
        pad = self.window // 2
        return (constant(f"w{n}", self.kernel_type, self.kernel, *self.sizes) +
                constant(f"b{n}", bias, self.bias, self.outputs) +
                f"%c{n} = stablehlo.convolution({operand}, %w{n}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
                f"{WINDOW.format(pad)} {{{SUM.format(self.groups)}}} : ({self.given.tensor(1, size, size, self.channels)}, "
                f"{self.kernel_type.tensor(*self.sizes)}) -> {self.sums.tensor(*out)}\n"
                f'%e{n} = "stablehlo.broadcast_in_dim"(%b{n}) {{broadcast_dimensions = array<i64: 3>}} : '
                f"({bias.tensor(self.outputs)}) -> {self.sums.tensor(*out)}\n"
                f"%s{n} = stablehlo.add %c{n}, %e{n} : {self.sums.tensor(*out)}\n"
                f"%{n} = stablehlo.uniform_quantize %s{n} : ({self.sums.tensor(*out)}) -> {self.result.tensor(*out)}\n")

    def model(self, integers, size):
        image = [self.given.dequantize(q) for q in integers]
        kernel = [self.kernel_type.dequantize(q, i % self.outputs) for i, q in enumerate(self.kernel)]
        sums = convolve(image, kernel, size, self.channels, self.outputs, self.window, self.groups, self.window // 2)
        result = []
        for i, total in enumerate(sums):
            channel = i % self.outputs
            products = self.sums.quantize(rounded(total, "f32"), channel)
            biased = rounded(self.sums.dequantize(products, channel) +
                             self.sums.dequantize(self.bias[channel], channel), "f32")
            result.append(self.result.quantize(self.sums.dequantize(self.sums.quantize(biased, channel), channel)))
        return result


class QuantizedNetworksTest(CliTest):
    def run_module(self, path, *options):
        return numbers_of(self.run_json(path, *options)["outputs"][0])

    def mobilenet(self):
        """Returns the text of a block with an inverted bottleneck and a residual, and the integers of its result."""
        draw, size = random.Random(5), 5
        image = Quantized("i8", "f32", ("0.047",), (-7,))
        wide = Quantized("i8", "f32", ("0.0235294122",), (-128,))  # zero to six: limits of the type are those of relu6
        out = Quantized("i8", "f32", ("0.063",), (4,))
        layers = [Layer(draw, "expand", image, wide, 4, 8, 1, 1), Layer(draw, "depth", wide, wide, 8, 8, 3, 8),
                  Layer(draw, "project", wide, out, 8, 4, 1, 1)]
        integers = [draw.randint(-128, 127) for _ in range(size * size * 4)]
        text = constant("x", image, integers, 1, size, size, 4)
        found, operand = integers, "%x"
        for layer in layers:
            text += layer.text(operand, size)
            found, operand = layer.model(found, size), "%" + layer.name
        total = Quantized("i8", "f32", ("0.09",), (1,))
        shape = (1, size, size, 4)
        text += (f"%r = stablehlo.add %x, %project : ({image.tensor(*shape)}, {out.tensor(*shape)}) -> "
                 f"{total.tensor(*shape)}\nreturn %r : {total.tensor(*shape)}\n")
        expected = [total.quantize(rounded(image.dequantize(a) + out.dequantize(b), "f32"))
                    for a, b in zip(integers, found)]
        return f"func.func @main() -> {total.tensor(*shape)} {{\n{text}}}\n", expected

    def test_block_of_mobilenet(self):
        text, expected = self.mobilenet()
        self.assertGreater(len(set(expected)), 20)
        self.assertEqual(self.run_module(self.file("m.mlir", text)), expected)

    def test_simd_is_lawful(self):
        for text, _ in (self.mobilenet(), self.mlp()):
            self.assay("diff", self.file("m.mlir", text), "--backend", "simd", code=0)

    def mlp(self):
        """Returns the text of an MLP: weights of i8 with a scale for each column, the first product of f32 and i8, the
        second of i8 and i8 into i32. Returns the text and the integers of its result."""
        draw, (tokens, width, hidden) = random.Random(7), (3, 6, 10)
        first = Quantized("i8", "f32", scales(draw.uniform(0.001, 0.01) for _ in range(hidden)), (0,) * hidden, (), 1)
        second = Quantized("i8", "f32", scales(draw.uniform(0.001, 0.01) for _ in range(width)), (0,) * width, (), 1)
        active = Quantized("i8", "f32", ("0.0131",), (-128,))
        sums = Quantized("i32", "f32", accumulator(active, second).scales, (0,) * width, (), 1)
        out = Quantized("i8", "f32", ("0.0043",), (11,))
        x = [rounded(Fraction(draw.uniform(-2, 2)), "f32") for _ in range(tokens * width)]
        w, v = ([draw.randint(-127, 127) for _ in range(width * hidden)] for _ in range(2))
        dot = "stablehlo.dot_general {0}, {1}, contracting_dims = [1] x [0]"
        numbers = nested([repr(float(number)) for number in x], (tokens, width))
        text = f"""func.func @main() -> {out.tensor(tokens, width)} {{
%x = stablehlo.constant dense<{numbers}> : tensor<{tokens}x{width}xf32>
{constant("w", first, w, width, hidden)}{constant("v", second, v, hidden, width)}
%h = {dot.format("%x", "%w")} : (tensor<{tokens}x{width}xf32>, {first.tensor(width, hidden)}) -> tensor<{tokens}x{hidden}xf32>
%q = stablehlo.uniform_quantize %h : (tensor<{tokens}x{hidden}xf32>) -> {active.tensor(tokens, hidden)}
%s = {dot.format("%q", "%v")} : ({active.tensor(tokens, hidden)}, {second.tensor(hidden, width)}) -> {sums.tensor(tokens, width)}
%r = stablehlo.uniform_quantize %s : ({sums.tensor(tokens, width)}) -> {out.tensor(tokens, width)}
return %r : {out.tensor(tokens, width)}
}}
"""
        expected = []
        for token in range(tokens):
            hiddens = [sum(x[token * width + k] * first.dequantize(w[k * hidden + n], n) for k in range(width))
                       for n in range(hidden)]
            quantized = [active.quantize(rounded(number, "f32")) for number in hiddens]  # below 0: the zero point, as relu
            for n in range(width):
                total = sum(active.dequantize(quantized[k]) * second.dequantize(v[k * width + n], n)
                            for k in range(hidden))
                expected.append(out.quantize(sums.dequantize(sums.quantize(rounded(total, "f32"), n), n)))
        return text, expected

    def test_mlp_of_a_transformer(self):
        text, expected = self.mlp()
        self.assertGreater(len(set(expected)), 10)
        self.assertEqual(self.run_module(self.file("m.mlir", text)), expected)

    def verdicts(self, text, integers, *profiles):
        """Returns the verdicts on a backend that returns these integers of a program with an output of i8."""
        data = bytes(integer % 256 for integer in integers)
        sizes = ",".join(re.search(r"-> tensor<([\dx]*)x!", text)[1].split("x"))
        reply = {"status": "ok", "outputs": [{"shape": f"s8[{sizes}]", "data_hex": data.hex()}]}
        backend = self.backend_of(peer(f"reply = {reply}", stablehlo=True))
        path = self.file("m.mlir", text)
        for profile in profiles:
            ran = self.assay("diff", path, "--backend", backend, "--profile", profile)
            yield re.search("^[A-Z]+", ran.stdout, re.M)[0]

    def test_kernels_of_integers(self):
        """The kernels of TFLite and gemmlowp, in Python's integers, on sums of i32."""
        sums, out = Quantized("i32", "f32", ("0.0007",)), Quantized("i8", "f32", ("0.0029",), (5,))
        integers = [-533, -200, -35, -2, 2, 10, 35, 200, 470, 530]
        text = (f"func.func @main() -> {out.tensor(10)} {{\n{constant('x', sums, integers, 10)}%r = stablehlo.uniform_quantize "
                f"%x : ({sums.tensor(10)}) -> {out.tensor(10)}\nreturn %r : {out.tensor(10)}\n}}\n")
        exact = [out.quantize(sums.dequantize(q)) for q in integers]
        multiplier, shift = quantized_multiplier(float(sums.scale()) / float(out.scale()))
        fixed = [min(max(multiplied_twice(q, multiplier, shift) + 5, -128), 127) for q in integers]
        self.assertNotEqual(fixed, exact)
        self.assertEqual([*self.verdicts(text, fixed, "quantized-fixed-point", "xla", "stablehlo")], ["LEGAL", "FAIL", "FAIL"])
        worse = [fixed[0] + 1, *fixed[1:]]
        self.assertEqual([*self.verdicts(text, worse, "quantized-fixed-point")], ["FAIL"])

    def test_lawful_noise_passes(self):
        """A backend with the errors that a profile allows may be off by one near a tie: that is no FAIL."""
        for text, _ in (self.mobilenet(), self.mlp()):
            path = self.file("m.mlir", text)
            for profile in ("ieee", "xla", "xla-cpu", "stablehlo", "quantized-fixed-point"):
                for seed in (1, 2):
                    with self.subTest(f"{profile} {seed}"):
                        judged = self.assay("diff", path, "--backend", f"lawful:{profile}:{seed}", "--profile", profile)
                        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_an_integer_that_is_off_by_one_fails(self):
        text, expected = self.mlp()
        profiles = ("ieee", "xla", "stablehlo", "quantized-fixed-point")
        for error, verdict in ((0, "EXACT"), (1, "FAIL")):
            found = self.verdicts(text, [expected[0] + error, *expected[1:]], *profiles)
            self.assertEqual([*found], [verdict] * len(profiles))
