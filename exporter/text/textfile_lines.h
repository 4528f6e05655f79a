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

// `is_taken`: whether the page has a metric or a series of this name already. Metrics with such
// names are left out, the same ones in both formats. Returns how many series they have.
// `is_wanted`: whether somebody wants lines of this name; of a histogram, one name stands for all.
std::size_t append_textfile_families(std::string& out, PageFormat format,
                                     const TextfileFamilies& families,
                                     const std::function<bool(std::string_view)>& is_taken,
                                     const std::function<bool(std::string_view)>& is_wanted = {});

}  // namespace winperf
