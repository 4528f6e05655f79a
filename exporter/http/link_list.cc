#include "exporter/http/link_list.h"

#include "exporter/http/router.h"

namespace winperf {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char& c : text)
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string_view(&c, 1);
  return out;
}

std::string link(const Router::Route& route, std::string_view path) {
  const std::string shown = escaped(path);
  if (route.method != "GET") return std::string(route.method) + ' ' + shown;
  return "<a href=\"" + shown.substr(1) + "\">" + shown + "</a>";
}

}  // namespace

std::string link_list(std::string_view version, std::string_view metrics_path) {
  std::string page = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>winperf_exporter</title>
</head>
<body>
<h1>winperf_exporter</h1>
<p>Windows performance counters for Prometheus. Version )" +
                     escaped(version) + "</p>\n<ul>\n";
  for (const Router::Route& route : Router::routes())
    if (!route.title.empty())
      page += "<li>" + link(route, route.path == "/metrics" ? metrics_path : route.path) + ": " +
              escaped(route.title) + "</li>\n";
  return page + "</ul>\n</body>\n</html>\n";
}

}  // namespace winperf
