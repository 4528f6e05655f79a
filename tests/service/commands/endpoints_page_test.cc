// docs/endpoints.md has all routes, and says which of them other machines can use by default.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "exporter/http/access.h"

namespace winperf {
namespace {

// "POST /-/reload no" for each path of the page's table. A row may have several paths.
std::set<std::string> documented_routes() {
  std::ifstream page(WINPERF_SOURCE_DIR "/docs/endpoints.md");
  const std::regex row(R"(\| (`.*`) \|.*\| (yes|no) \|\r?)");
  const std::regex route(R"(`((?:POST )?)(/[^`?]*)(?:\?[^`]*)?`)");
  std::set<std::string> found;
  for (std::string line; std::getline(page, line);) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    const std::string paths = line.substr(0, line.find(" |", 2));
    for (std::sregex_iterator match(paths.begin(), paths.end(), route), end; match != end; ++match)
      found.insert(((*match)[1].length() == 0 ? "GET " : "POST ") + (*match)[2].str() + ' ' +
                   cells[2].str());
  }
  return found;
}

TEST(EndpointsPage, HasAllRoutesAndTheirAccess) {
  std::set<std::string> routes;
  const auto add = [&](std::string_view path, std::string_view method, Area area) {
    const bool open = !why_refused(area, path, {}, {.host = "10.0.0.5:10182"});
    routes.insert(std::string(method) + ' ' + std::string(path) + (open ? " yes" : " no"));
  };
#define ROUTE(path, method, area, effort, handler, title) add(path, method, Area::area);
#include "config/routes.inc"
  EXPECT_EQ(documented_routes(), routes);
}

}  // namespace
}  // namespace winperf
