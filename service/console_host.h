// The host of a program that somebody has started at a console: stopped by Ctrl-C or SIGTERM, and
// asked by SIGHUP, where the system has it, to reload.
#pragma once

#include "service/control_inbox.h"
#include "service/service_host.h"
#include "service/stop_signal.h"

namespace winperf {

class ConsoleHost final : public ServiceHost {
 public:
  ConsoleHost();

  const std::string& service_name() const override { return no_name_; }
  void still_starting() override {}
  void still_stopping() override {}
  void running() override {}
  void wait(const HostedWork& work) override;
  void request_reload() override;
  [[noreturn]] void abandon() override;

 private:
  const std::string no_name_;
  ControlInbox inbox_;
  const StopSignal signal_;
};

}  // namespace winperf
