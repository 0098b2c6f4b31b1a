"""A test for each case of the suite: pytest --backend BACKEND.py [-k NAME]"""

import run_suite
from suite_cases import VERDICTS


def test_case(case, suite, run):
    """The backend's result is in the set of accepted values."""
    verdict, reason = run_suite.judge(suite, case, run)
    if verdict == "UNSUPPORTED":
        import pytest

        pytest.skip(reason)
    assert VERDICTS.index(verdict) < VERDICTS.index("SUSPECT"), f"{verdict}: {reason}"
