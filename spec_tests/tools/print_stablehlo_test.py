"""`assay print --format stablehlo`: HLO modules as StableHLO."""

from spec_tests.tools.command_line import CliTest


class PrintStablehlo(CliTest):
    def test_the_attributes_of_a_custom_call_are_read_back(self):
        target = 'custom_call_target="f"'
        for shape, attributes in (
            ("f32[2,3]{1,0}", r'backend_config="a\"b\\c\001"'),
            ("f32[2,3]{0,1}", "operand_layout_constraints={f32[2,3]{0,1}, f32[2,3]{1,0}}"),
            ("f32[2,3]{1,0}", "output_to_operand_aliasing={{}: (1, {})}"),
            ("f32[2,3]{1,0}", "api_version=API_VERSION_TYPED_FFI, backend_config={a = array<f32: 1.500000e+00, 0x7F800000>}"),
            ("(f32[2,3]{0,1}, s32[])", "operand_layout_constraints={f32[2,3]{0,1}, f32[2,3]{1,0}}, "
             "output_to_operand_aliasing={{0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config={uplo = 76 : ui8}"),
        ):  # fmt: skip
            with self.subTest(attributes):
                module = self.file("m.hlo", "HloModule m\nENTRY e {\n  a = f32[2,3] parameter(0)\n  b = f32[2,3] parameter(1)\n"
                                            f"  ROOT r = {shape} custom-call(a, b), {target}, {attributes}\n}}\n")
                program = self.assay("print", "--format", "stablehlo", module)
                again = self.assay("print", self.file("m.mlir", program.stdout))
                self.assertIn(f"= {shape} custom-call(%Arg_0, %Arg_1), {target}, {attributes}\n", again.stdout, program.stderr)

    def test_an_asynchronous_value_is_refused(self):
        module = self.file("m.hlo", "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n"
                                    "  s = ((f32[2]), f32[2], s32[]) negate-start(a)\n"
                                    "  b = ((f32[2]), f32[2], s32[]) opt-barrier(s)\n  ROOT d = f32[2] negate-done(b)\n}\n")
        self.assert_fails(2, "5:3: error: opt-barrier: StableHLO has no asynchronous values", "print", "--format", "stablehlo", module)

    def test_programs_return_the_same_as_stablehlo(self):
        loop = "HloModule m\nb { ROOT p = () parameter(0) }\nc { p = () parameter(0)  ROOT r = pred[] constant(false) }\n"
        for text in (
            # HLO may omit the new state.
            "HloModule m\nENTRY e {\n  s = u64[2] constant({1, 2})\n"
            "  ROOT r = u32[4] rng-bit-generator(s), algorithm=rng_three_fry\n}\n",
            loop + "ENTRY e {\n  t = () tuple()\n  w = () while(t), condition=c, body=b\n  ROOT z = f32[] constant(2)\n}\n",
        ):
            with self.subTest(text):
                module = self.file("m.hlo", text)
                program = self.file("m.mlir", self.assay("print", "--format", "stablehlo", module).stdout)
                done, again = self.assay("run", module), self.assay("run", program)
                self.assertEqual((again.returncode, again.stdout), (0, done.stdout), again.stderr)

    def test_an_attribute_that_stablehlo_lacks_is_refused_not_dropped(self):
        conv = "f32[1,2,1] convolution(f32[1,3,1] %a, f32[2,1,1] %b), window={size=2}, dim_labels=b0f_0io->b0f"
        call = 'f32[2] custom-call(f32[2] %a), custom_call_target="f"'
        for shapes, root, reason in (
            ("f32[4]", "(f32[2], s32[2]) topk(%a), k=2, is_stable=false", "topk: CHLO's top_k keeps the order of equal"),
            ("f32[6] f32[2] s32[1]", "f32[6] dynamic-update-slice(%a, %b, %c)", "dynamic-update-slice: StableHLO has a scalar"),
            ("pred[3]", "u8[3] bitcast(%a)", "bitcast: StableHLO's i1 has one bit"),
            ("u32[10]{0:T(128)}", "u32[5]{0:T(128)} bitcast(%a)", "bitcast: StableHLO has no view of a part of an array"),
            ("f32[1,3,1] f32[2,1,1]", f"{conv}, convolution_kind=dgrad", "convolution: StableHLO has no convolution_kind dgrad"),
            ("f32[<=2,3]", "f32[<=2,3] reshape(%a), inferred_dimension=0", "reshape: StableHLO has no inferred_dimension"),
            ("f32[2]", f"{call}, feature_group_count=2", "StableHLO's custom_call has no feature_group_count"),
            ("f32[2]", f"{call}, padding_type=PADDING_SAME", "StableHLO's custom_call has no padding_type"),
            ("f32[2]", f"{call}, api_version=API_VERSION_TYPED_FFI, backend_config={{a = }}", "must be a dictionary of MLIR"),
        ):  # fmt: skip
            with self.subTest(root):
                parameters = [f"  {name} = {shape} parameter({i})\n"
                              for i, (name, shape) in enumerate(zip(("%a", "%b", "%c"), shapes.split()))]  # fmt: skip
                module = self.file("m.hlo", "HloModule m\nENTRY e {\n" + "".join(parameters) + f"  ROOT r = {root}\n}}\n")
                self.assertEqual(self.assay("print", module).returncode, 0)
                done = self.assay("print", "--format", "stablehlo", module)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(reason, done.stderr)

    def test_computations_that_call_each_other_twice_do_not_fill_the_memory(self):
        branches = ["b0 { p = f32[] parameter(0)  ROOT r = f32[] negate(p) }\n"]
        for i in range(1, 41):
            branches.append(f"b{i} {{ p = f32[] parameter(0)  c = pred[] constant(true)\n"
                            f"ROOT r = f32[] conditional(c, p, p), true_computation=b{i - 1}, false_computation=b{i - 1} }}\n")
        entry = "ENTRY e { p = f32[] parameter(0)  c = pred[] constant(true)\n"
        entry += "ROOT r = f32[] conditional(c, p, p), true_computation=b40, false_computation=b40 }\n"
        module = self.file("m.hlo", "HloModule m\n" + "".join(branches) + entry)
        done = self.assay("print", "--format", "stablehlo", module)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the program has more than 1048576 values", done.stderr)
