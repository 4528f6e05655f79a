#include "collectors/facts/steady_file.h"

#include <utility>

namespace winperf {

std::expected<SteadyFile, FileFailure> read_steady_file(
    const std::filesystem::path& file, std::uint64_t max_bytes,
    const std::function<void()>& after_reading) {
  auto before = state_of_file(file);
  for (int tries = 0; tries < kSteadyTries && before; ++tries) {
    auto bytes = read_whole_file(file, max_bytes);
    if (!bytes) return std::unexpected(std::move(bytes).error());
    if (after_reading) after_reading();
    auto after = state_of_file(file);
    if (after && *after == *before && bytes->size() == before->bytes)
      return SteadyFile{.state = *before, .bytes = std::move(*bytes)};
    before = std::move(after);
  }
  if (!before) return std::unexpected(std::move(before).error());
  return std::unexpected(
      FileFailure{.problem = FileProblem::kSystem,
                  .reason = "it is being written: write it under another name, and rename it"});
}

}  // namespace winperf
