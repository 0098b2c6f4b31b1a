"""tools/check_packages.py: a file of a package that nothing installs is named."""

import unittest

from tools.check_packages import lacking


class CheckPackagesTest(unittest.TestCase):
    def test_a_package_that_nothing_installs_is_named_with_a_file(self):
        owner_of = {"/usr/include/fmt/core.h": "libfmt-dev", "/usr/include/x.h": "libx-dev", "/usr/include/w.h": "libx-dev"}
        self.assertEqual(lacking(owner_of, {"libfmt-dev"}), {"libx-dev": "/usr/include/w.h"})
        self.assertEqual(lacking(owner_of, {"libfmt-dev", "libx-dev"}), {})
