// Metrics of text files on the page, in both of its formats.
//
// In OpenMetrics a metric whose numbers or name the format forbids for its type is of the type
// unknown: a counter without "_total" or with a negative value, a histogram without a sum. What
// client libraries write into text files as a metric of its own, "x_created", is a part of x there.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "exporter/text/page_format.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {

// A metric as it is written.
struct TextfileText {
  std::string_view name;
  TextfileType type{};
  std::string text{};        // empty if it is left out, or is a part of another one
  std::size_t left_out = 0;  // series
};

// One after the other. `is_taken`: whether the page has a metric or a series of this name already.
// Metrics with such names are left out, the same ones in both formats. What is written follows from
// the families and from what is_taken() says when it is asked, and from nothing else.
void write_textfile_families(PageFormat format, const TextfileFamilies& families,
                             const std::function<bool(std::string_view)>& is_taken,
                             const std::function<void(TextfileText)>& use);

}  // namespace winperf
