// What text files are on a page, from their contents. Thread rule: any thread.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/text/textfile_part.h"
#include "exporter/textfile/textfile_parser.h"
#include "tests/exporter/textfile/parse_textfile.h"

namespace winperf::testing {

inline TextfileInput textfile_input(std::string file, std::string_view content) {
  auto parsed = parse_textfile(content);
  if (!parsed) throw std::invalid_argument(parsed.error());
  return {.file = std::move(file),
          .parsed = std::make_shared<const ParsedTextfile>(*std::move(parsed))};
}

inline std::shared_ptr<const TextfileResult> merged_textfile(std::string file,
                                                             std::string_view content) {
  return std::make_shared<const TextfileResult>(
      merge_textfiles(std::vector{textfile_input(std::move(file), content)}));
}

struct WrittenTextfiles {
  std::string text;
  std::size_t left_out = 0;
};

inline WrittenTextfiles write_textfiles(
    PageFormat format, const TextfileFamilies& families,
    const std::function<bool(std::string_view)>& is_taken = [](std::string_view) {
      return false;
    }) {
  WrittenTextfiles written;
  write_textfile_families(format, families, is_taken, [&](const TextfileText& metric) {
    written.text += metric.text;
    written.left_out += metric.left_out;
  });
  return written;
}

}  // namespace winperf::testing
