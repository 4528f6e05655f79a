// A report that a selftest has written somewhere, as tests read it: what it brings back is parsed,
// sampled, cooked and compared once more, by what the program is now.
//
// Reports are in $WINPERF_CAPTURES/reports, as archives or unpacked. They come from anywhere:
// validated is the archive (collectors/capture/archive.h), that report.json is an object with a
// list of checks, and each value where it is used. Checks, keys and files that this version doesn't
// know are left alone. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/replay.h"

namespace winperf::testing {

struct RecordedReport {
  std::string name;  // of its file or folder
  nlohmann::json document;
  std::shared_ptr<const CaptureFolder> captures{};  // null: it has none
  std::string pdh{};                                // empty: it has none

  // By which program, and on which system.
  std::string origin() const;
};

// Those in the folder, by name; none if there is no such folder.
std::vector<std::filesystem::path> report_places(const std::filesystem::path& captures);

[[nodiscard]] std::expected<RecordedReport, std::string> read_report(
    const std::filesystem::path& place);

// What was looked at, and a sentence for each thing that is wrong.
struct Recomputed {
  std::size_t blocks = 0;    // of the registry
  std::size_t samples = 0;   // of countersets, through either path
  std::size_t numbers = 0;   // that were cooked
  std::size_t compared = 0;  // values through both paths, or numbers of PDH
  std::size_t known = 0;     // numbers that PDH is known to make otherwise
  std::vector<std::string> problems{};
};

// The capture: each block is read by two parsers, each counterset is sampled through each path that
// has it, and both paths are compared.
[[nodiscard]] Recomputed recompute_captures(const std::shared_ptr<const CaptureFolder>& captures);
// PDH's numbers, cooked from PDH's raw values. The format: docs/pdh.md.
[[nodiscard]] Recomputed recompute_pdh(std::string_view file);

}  // namespace winperf::testing
