"""Of what takes minutes, a sample is tried, except by scripts/test --all."""

import os
import unittest

THOROUGH = "WINPERF_ALL_TESTS" in os.environ
LEFT = "LEFT TO scripts/test --all"

# Marks a case that isn't of the sample.
thorough = unittest.skipUnless(THOROUGH, LEFT)
