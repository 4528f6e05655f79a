#include "exporter/http/landing_page.h"

#include <string_view>

namespace winperf {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string landing_page(const BuildInfo& build) {
  return R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>winperf_exporter</title>
<style>body{font-family:sans-serif;margin:3em}h1{color:#e6522c}li{margin:.4em 0}</style>
</head>
<body>
<h1>winperf_exporter</h1>
<p>Windows performance counters for Prometheus. Version )" +
         escaped(build.version) + R"(</p>
<ul>
<li><a href="metrics">/metrics</a>: the latest sample as Prometheus metrics</li>
<li><a href="api/v1/sample">/api/v1/sample</a>: the same with raw and cooked values, as JSON</li>
<li><a href="-/healthy">/-/healthy</a>, <a href="-/ready">/-/ready</a>: for probes</li>
<li><a href="version">/version</a>: what this build is</li>
</ul>
</body>
</html>
)";
}

}  // namespace winperf
