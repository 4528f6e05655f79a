// The host of a program that somebody has started at a console: stopped by Ctrl-C or SIGTERM, and
// asked by SIGHUP, where the system has it, to reload.
#pragma once

#include "service/console/stop_signal.h"
#include "service/run/control_queue.h"
#include "service/run/service_host.h"

namespace winperf {

class ConsoleHost final : public ServiceHost {
 public:
  ConsoleHost();

  const std::string& service_name() const override { return no_name_; }
  int cannot_start(const Failure& failure) override;
  void still_starting() override {}
  void still_stopping() override {}
  void running() override {}
  void wait(const HostedWork& work) override;
  void request_reload() override;
  [[noreturn]] void abandon() override;

 private:
  const std::string no_name_;
  ControlQueue queue_;
  const StopSignal signal_;
};

}  // namespace winperf
