// A machine in memory whose services and registered counters the command line acts on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/service/scm/fake_counter_registrar.h"
#include "tests/service/scm/fake_service_manager.h"

namespace winperf::testing {

class ServiceCommandTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Runs `service` with these words, or another command; its exit code, and its output in output_.
  int service(std::vector<std::string> words);
  int command(const std::vector<std::string>& words);
  const ServiceDefinition& definition(const std::string& name) {
    return manager_.services.at(name).definition;
  }

  FakeServiceManager manager_;
  FakeCounterRegistrar registrar_;
  std::string output_;
};

}  // namespace winperf::testing
