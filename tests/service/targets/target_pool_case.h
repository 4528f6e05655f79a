// A pool of targets on a network that is acted out. Thread rule: one thread.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "service/targets/target_pool.h"
#include "tests/service/targets/fake_network.h"

namespace winperf::testing {

class TargetPoolCase : public ::testing::Test {
 protected:
  ~TargetPoolCase() override {
    pool_.request_stop();
    EXPECT_TRUE(pool_.ended_by(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
  }

  void change(const std::string& targets, const std::string& more = "") {
    pool_.change(config_with_targets(targets, more));
  }
  // Second by second, while so many lanes wait in between.
  void pass(std::chrono::seconds time, std::size_t lanes) {
    for (std::chrono::seconds passed{0}; passed < time; ++passed) {
      ASSERT_TRUE(network_.clock().settle(lanes));
      network_.clock().advance(std::chrono::seconds(1));
    }
    ASSERT_TRUE(network_.clock().settle(lanes));
  }
  TargetState state(const std::string& host) const {
    for (const TargetState& state : pool_.report().targets)
      if (state.host == host) return state;
    return {};
  }
  ProbeAnswer probe(std::string_view host, std::string_view module = "default",
                    std::uint8_t asker = 0) {
    return pool_.probe(host, module, {asker});
  }
  std::vector<std::string> hosts() const {
    std::vector<std::string> hosts;
    for (const TargetState& state : pool_.report().targets) hosts.push_back(state.host);
    return hosts;
  }

  FakeNetwork network_;
  TargetPool pool_{network_.tools()};
};

}  // namespace winperf::testing
