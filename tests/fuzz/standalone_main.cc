// Runs a fuzz target without libFuzzer: its seeds, the files named on the command line (and those
// in directories named there), and a bounded number of mutations of them all, the same in every
// run.
//
//   v1_block_fuzz [--runs=N] [--seed=N] [file or directory ...]
//   v1_block_fuzz --write-seeds=FOLDER
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/seed_files.h"
#include "tests/support/thorough.h"

namespace {

using winperf::fuzz::Input;
namespace testing = winperf::testing;

struct Options {
  std::uint64_t runs = testing::tried(2'000, 20'000);
  std::uint64_t seed = 1;
  std::vector<std::filesystem::path> corpus;
};

bool take_number(std::string_view argument, std::string_view name, std::uint64_t& number) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  const char* const end = argument.data() + argument.size();
  const auto [stopped, error] = std::from_chars(argument.data(), end, number);
  winperf::fuzz::require(error == std::errc() && stopped == end, "an option is a number");
  return true;
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (take_number(argument, "--runs=", options.runs)) continue;
    if (take_number(argument, "--seed=", options.seed)) continue;
    options.corpus.emplace_back(argument);
  }
  return options;
}

Input read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  winperf::fuzz::require(file.good(), "a corpus file can be read");
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* const first = reinterpret_cast<const std::byte*>(content.data());
  return {first, first + content.size()};
}

void add_corpus(const std::filesystem::path& path, std::vector<Input>& inputs) {
  if (!std::filesystem::is_directory(path)) return inputs.push_back(read_file(path));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) inputs.push_back(read_file(entry.path()));
}

void run(const Input& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && winperf::fuzz::wrote_seeds(arguments[1])) return 0;
  const Options options = read_options(count, arguments);
  std::vector<Input> inputs = winperf::fuzz::seeds();
  for (const auto& path : options.corpus) add_corpus(path, inputs);
  for (const Input& input : inputs) run(input);
  run({});
  for (std::uint64_t i = 0; i < options.runs; ++i) {
    // One seed a run, so that a failing one can be repeated alone.
    winperf::fuzz::Mutator mutator(options.seed + i);
    run(mutator.mutate(inputs[mutator.below(inputs.size())]));
  }
  std::printf("%zu inputs and %llu mutations\n", inputs.size(),
              static_cast<unsigned long long>(options.runs));
  return 0;
}
