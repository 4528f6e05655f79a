#include "tests/service/run/running_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "tests/exporter/support/own_series.h"
#include "tests/exporter/support/raw_connection.h"

namespace winperf::testing {

RunningServer::RunningServer(const Config& config, RunningServerOptions options)
    : server_(open_sources(options.run.setup,
                           with_overrides({.config = config}, options.run.overrides).value().config)
                  .value(),
              options.run, options.place, options.logger, std::move(options.reload)) {
  if (const auto started = server_.start(); !started) throw std::runtime_error(started.error());
}

RunningServer::~RunningServer() {
  EXPECT_EQ(server_.stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)), "");
}

int RunningServer::port() const {
  const std::string url = server_.urls();
  return std::stoi(url.substr(url.rfind(':') + 1));
}

double RunningServer::own(const std::string& name) {
  for (const auto& family : collected(server_.registry().metrics())) {
    if (family.name != "winperf_exporter_" + name) continue;
    const auto& metric = family.metric.at(0);
    return family.type == prometheus::MetricType::Counter ? metric.counter.value
                                                          : metric.gauge.value;
  }
  throw std::runtime_error("there is no metric " + name);
}

std::string RunningServer::request(const std::string& line, const std::string& host) {
  RawConnection connection(port());
  connection.send(line + " HTTP/1.1\r\nHost: " + host +
                  "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  return connection.receive_all();
}

}  // namespace winperf::testing
