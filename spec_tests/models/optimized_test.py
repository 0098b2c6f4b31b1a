"""Programs as they come out of XLA's pipelines, library calls included, agree with what went in (optimized/).

Both forms run on the reference with the same inputs. They round in other places, so floats may differ by four
units of the type's roundoff, relative to the largest element of the result; integers are equal. make_optimized_dumps.py
says which modules XLA printed and which are written by hand.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import ml_dtypes
import numpy as np
from spec_tests.tools.command_line import ASSAY

FOLDER = pathlib.Path(__file__).parent / "optimized"
OPTIMIZED = sorted(path for path in FOLDER.glob("*.hlo") if path.name.count(".") == 2)
TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "s8": np.int8,
    "s32": np.int32,
    "u16": np.uint16,
    "c64": np.complex64,
}
TARGETS = {
    "__cublas$lt$matmul", "__cublas$lt$matmul$f8", "__cublas$triangularSolve", "__cub$DeviceRadixSort",
    "__cudnn$convBackwardFilter", "__cudnn$convBackwardInput", "__cudnn$convBiasActivationForward",
    "__cudnn$convForwardGraph", "__cudnn$fmhaScaleBiasSoftmax", "__cudnn$fmhaScaleBiasSoftmaxBackward",
    "__cudnn$fmhaSoftmax", "__cudnn$norm", "__gpu$TopK", "__onednn$convolution", "__onednn$layernorm",
    "__onednn$matmul", "__onednn$softmax", "TopK",
}
# A change of each module after which its two forms must not agree: the text, and its replacement.
DAMAGE = {
    "alpha_beta.gpu": ('"alpha_real":3', '"alpha_real":2'),
    "attention_gradients.gpu": ('"fmha_scale": 0.25', '"fmha_scale": 0.5'),
    "bias_gelu.gpu": ('"epilogue":"BIAS_GELU"', '"epilogue":"BIAS_RELU"'),
    "bias_side_relu.gpu": ('"side_input_scale":1', '"side_input_scale":2'),
    "causal_attention.gpu": ('"mask_type": "CAUSAL"', '"mask_type": "NO_MASK"'),
    "complex_product.gpu": ('"alpha_imag":1', '"alpha_imag":-1'),
    "convolution_gradients.kinds": ("convolution_kind=dgrad", "convolution_kind=fprop"),
    "convolution_gradients.gpu": ("pad=2_2x1_1", "pad=1_2x1_1"),
    "dense_tanh.onednn": ('"TANH"', '"SIGMOID"'),
    "f8_convolution.gpu": ("[f8e4m3fn]scale(", "[f8e4m3fn]invscale("),
    "f8_product.gpu": ('"alpha_real":1', '"alpha_real":2'),
    "layer_norm.gpu": ('"epsilon":9.9999997473787516e-06', '"epsilon":1'),
    "layer_norm_rows.onednn": ('"epsilon_typecast":925353388', '"epsilon_typecast":1065353216'),
    "sorted_pairs.cub": ('"descending":false', '"descending":true'),
    "strided_convolution.onednn": ('"BIAS","RELU"', '"BIAS","ELU"'),
    "triangular_solve.gpu": ('"lower":true', '"lower":false'),
}


def leaves(value):
    if "tuple" in value:
        return [leaf for element in value["tuple"] for leaf in leaves(element)]
    element_type, rest = value["shape"].split("[")
    sizes = [int(size) for size in rest.split("]")[0].split(",") if size]
    return [np.frombuffer(bytes.fromhex(value["data_hex"]), TYPES[element_type]).reshape(sizes)]


def assay(*words, **options):
    return subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, timeout=600, **options)


def inputs(module, seed):
    """Returns the inputs, which are the same for all forms of a module."""
    header = assay("print", module).stdout.split("\n", 1)[0]
    shapes = header[header.index("entry_computation_layout={(") : header.index(")->")]
    random = np.random.default_rng(seed)
    values = []
    for name, sizes in re.findall(r"([a-z]\w*)\[([\d,]*)\]", shapes):
        sizes = [int(size) for size in sizes.split(",") if size]
        dtype = np.dtype(TYPES[name])
        if np.issubdtype(dtype, np.integer):
            array = random.integers(0, 9, sizes)
        else:
            array = random.uniform(-1, 1, sizes) if len(sizes) > 1 else random.uniform(0, 1, sizes)
            if np.issubdtype(dtype, np.complexfloating):
                array = array + 1j * random.uniform(-1, 1, sizes)
        shape = f"{name}[{','.join(map(str, sizes))}]"
        values.append({"shape": shape, "data_hex": np.asarray(array).astype(dtype).tobytes().hex()})
    return values


def run(module, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"inputs": inputs(unoptimized(module), seed)}, file)
        file.flush()
        result = assay("run", module, "--inputs", file.name, "--format", "json")
    if result.returncode != 0:
        raise AssertionError(result.stderr[-1500:])
    return leaves(json.loads(result.stdout)["outputs"][0])


def roundoff(dtype):
    """Half the distance from 1 to the next number; 0 for integers."""
    if np.issubdtype(dtype, np.integer):
        return 0.0
    return float(ml_dtypes.finfo(np.real(np.zeros((), dtype)).dtype).eps) / 2


def differences(one, other):
    """Returns for each result the error of the worst element, relative to the allowed error."""
    if [(a.shape, a.dtype) for a in one] != [(b.shape, b.dtype) for b in other]:
        raise AssertionError("the two forms have different results")
    worst = []
    for a, b in zip(one, other):
        wide = np.complex128 if np.iscomplexobj(a) else np.float64
        a, b, u = a.astype(wide), b.astype(wide), roundoff(a.dtype)
        far = np.max(np.abs(a - b), initial=0)
        allowed = 4 * u * np.max(np.abs(a), initial=0)
        worst.append(0.0 if far == 0 else float(far / allowed) if allowed > 0 else np.inf)
    return worst


def unoptimized(module):
    return FOLDER / (module.name.split(".")[0] + ".hlo")


class Optimized(unittest.TestCase):
    def test_agree_with_the_unoptimized_form(self):
        self.assertGreaterEqual(len(OPTIMIZED), 20)
        for module in OPTIMIZED:
            for seed in (1, 2):
                with self.subTest(module.stem, seed=seed):
                    before = run(unoptimized(module), seed)
                    self.assertTrue(all(np.all(np.isfinite(a.astype(np.complex128))) for a in before))
                    self.assertTrue(all(np.any(a != 0) for a in before))
                    for share in differences(before, run(module, seed)):
                        self.assertLessEqual(share, 1)

    def test_a_damaged_module_does_not_agree(self):
        for name, (said, wrong) in DAMAGE.items():
            module = FOLDER / f"{name}.hlo"
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                text = module.read_text()
                self.assertIn(said, text)
                damaged = pathlib.Path(folder) / module.name
                damaged.write_text(text.replace(said, wrong))
                self.assertGreater(max(differences(run(unoptimized(module), 1), run(damaged, 1))), 1)

    def test_library_calls_are_there(self):
        text = "".join(module.read_text() for module in OPTIMIZED)
        for target in TARGETS:
            self.assertIn(f'custom_call_target="{target}"', text)

    def test_are_small(self):
        for module in FOLDER.glob("*.hlo"):
            self.assertLess(module.stat().st_size, 20_000, module.name)
