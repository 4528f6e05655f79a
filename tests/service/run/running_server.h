// A server on a free port of this machine's loopback interface, whose sources know nothing, in a
// folder for its configuration. Thread rule: one thread.
#pragma once

#include <functional>
#include <string>

#include "service/run/server.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::testing {

struct RunningServerOptions {
  RunOptions run{};
  LogPlace place{};
  std::function<PlainAnswer()> reload{};
  Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
};

class RunningServer {
 public:
  explicit RunningServer(const Config& config, RunningServerOptions options = {});
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer();

  Server& server() { return server_; }
  // Where it listens now.
  int port() const;
  // One of the metrics that are only numbers, such as "config_reloads_total".
  double own(const std::string& name);
  // What the server answers: the headers and the body.
  std::string request(const std::string& line, const std::string& host = "localhost");

 private:
  Server server_;
};

}  // namespace winperf::testing
