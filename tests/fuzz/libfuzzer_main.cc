// What is done before libFuzzer begins:
//
//   v1_block_fuzz --write-seeds=FOLDER   writes the seeds as the first corpus, and ends
#include <cstdlib>

#include "tests/fuzz/seed_files.h"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  for (int i = 1; i < *count; ++i)
    if (winperf::fuzz::wrote_seeds((*arguments)[i])) std::exit(0);
  return 0;
}
