// Reads one text file part by part, and parses it meanwhile, so that what breaks a bound isn't read
// to its end. A file that changes while it is read is read again. The time is that of the answers,
// not that of parsing, so that a slow machine costs no file. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/facts/fact_source.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {

inline constexpr int kTextfileTries = 3;                          // of a file that changes
inline constexpr std::chrono::seconds kTextfileTime{5};           // for the answers about a file
inline constexpr std::chrono::seconds kTextfileTimeUnsettled{2};  // after it was written

// What text files have cost.
struct TextfileCosts {
  std::uint64_t lists = 0;  // of folders
  std::uint64_t looks = 0;  // at which file it is, without its content
  std::uint64_t parts = 0;
  std::uint64_t bytes = 0;   // of parts
  std::uint64_t files = 0;   // that were read, or as much of them as was needed to refuse them
  std::uint64_t values = 0;  // that were parsed
  std::uint64_t merges = 0;
};

struct TextfileContent {
  FileStamp stamp{};
  std::uint64_t digest = 0;                        // of all bytes; not of a refused file
  std::shared_ptr<const ParsedTextfile> parsed{};  // null: there is no such file, or
  std::string problem{};                           // why it is refused
  // Whether another content would have another stamp. It may have the same one if the file was
  // written just before, because times of files have steps of up to two seconds.
  bool is_settled = false;
};

// `seen`: which file it is. Errors: those of FactSource::read_file(), kTimedOut (milliseconds),
// kCancelled.
[[nodiscard]] std::expected<TextfileContent, Error> read_textfile_content(
    FactSource& source, const std::string& file, FileStamp seen, const ClockSource& clocks,
    const StopToken& stop, TextfileCosts& costs);

}  // namespace winperf
