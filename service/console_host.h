// The host of a program that somebody has started at a console: stopped by Ctrl-C or SIGTERM.
#pragma once

#include "service/service_host.h"
#include "service/stop_signal.h"

namespace winperf {

class ConsoleHost final : public ServiceHost {
 public:
  const std::string& service_name() const override { return no_name_; }
  void still_starting() override {}
  void still_stopping() override {}
  void running(std::function<void()>) override {}
  void wait() override { stop_.wait(); }
  [[noreturn]] void abandon() override;

 private:
  const std::string no_name_;
  const StopSignal stop_;
};

}  // namespace winperf
