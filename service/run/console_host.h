// The host of a program that was started at a console. Ctrl-C and SIGTERM stop it; SIGHUP, where
// available, reloads. Thread rule: as for ServiceHost.
#pragma once

#include <iostream>

#include <chrono>
#include <cstdlib>
#include <string>

#include "service/console/exit_code.h"
#include "service/console/stop_signal.h"
#include "service/run/service_host.h"

namespace winperf {

class ConsoleHost final : public ServiceHost {
 public:
  const std::string& service_name() const override { return no_name_; }
  int cannot_start(const Failure& failure) override {
    complain(failure);
    return failure.exit_code;
  }
  void still_starting() override {}
  void still_stopping() override {}
  bool pause_start(std::chrono::milliseconds time) override {
    return passes_without_stop(queue_, time);
  }
  void running(const std::string& url) override {
    std::cout << "listening on " << url << std::endl;
  }
  void wait(const HostedWork& work) override { do_hosted_work(queue_, work); }
  void request_reload() override { queue_.post(Control::kReload); }
  void request_maintenance() override { queue_.post(Control::kMaintain); }
  [[noreturn]] void abandon(bool) override { std::_Exit(kExitFailure); }
  [[noreturn]] void leave(int exit_code) override {
    std::cout << std::flush;
    std::_Exit(exit_code);
  }

 private:
  const std::string no_name_;
  ControlQueue queue_;
  const StopSignal signal_{[this] { queue_.post(Control::kStop); }, [this] { request_reload(); }};
};

}  // namespace winperf
