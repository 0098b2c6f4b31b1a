"""The command `python -m golden.make`: writes the derived goldens (make_goldens.py)."""

import sys

from golden.make.make_goldens import main

if __name__ == "__main__":
    sys.exit(main())
