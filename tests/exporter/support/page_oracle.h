// What a page for a filter has to be, by the plain rule: each part and each line is asked whether
// the filter admits it, name by name. Thread rule: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "exporter/text/kept_page.h"
#include "exporter/text/page_selection.h"

namespace winperf::testing {

// Of the sample's part of a page.
std::string cut_by_parts(std::string_view page, std::span<const PagePart> parts,
                         const Sample& sample, const PageFilter& filter);

// Of the exporter's own metrics, which are not about topics of facts.
std::string cut_by_lines(std::string_view own, const Sample& sample, const PageFilter& filter);

}  // namespace winperf::testing
