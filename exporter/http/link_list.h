// The document at "/" in a build without the page (WINPERF_PAGE): the version, and a link for each
// route that has a title. Thread rule: pure function.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// The links are relative, so that a proxy may serve everything below another path.
std::string link_list(std::string_view version, std::string_view metrics_path);

}  // namespace winperf
