// Of what takes minutes, a sample is tried, except by scripts/test --all. As tests/support/thorough.py.
import { test } from "node:test";

export const IS_THOROUGH = "WINPERF_ALL_TESTS" in process.env;

// A case that isn't of the sample.
export function thorough(name, what) {
  test(name, { skip: !IS_THOROUGH && "LEFT TO scripts/test --all" }, what);
}
