#include "tests/service/run/running_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <utility>

#include "tests/exporter/support/raw_connection.h"

namespace winperf::testing {

TempFolder::TempFolder() {
  std::random_device random;
  do {
    path_ = std::filesystem::temp_directory_path() / ("winperf-run-" + std::to_string(random()));
  } while (!std::filesystem::create_directory(path_));
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::size_t TempFolder::files() const {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

std::string TempFolder::read(const std::string& file) const {
  std::ifstream stream(path_ / file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

RunningServer::RunningServer(const Config& config, RunningServerOptions options)
    : server_(open_sources(options.run.setup, config).value(), options.run, {}, options.logger,
              std::move(options.reload)) {
  if (const auto started = server_.start(); !started) throw std::runtime_error(started.error());
}

RunningServer::~RunningServer() {
  EXPECT_TRUE(server_.stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
}

int RunningServer::port() const {
  const std::string url = server_.urls();
  return std::stoi(url.substr(url.rfind(':') + 1));
}

double RunningServer::own(const std::string& name) {
  for (const auto& family : server_.registry().collect()) {
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
