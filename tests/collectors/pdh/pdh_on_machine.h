// PDH beside us on the simulated machine, whose clocks move with each look at it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/pdh/pdh_verifier.h"
#include "tests/simulator/pdh_double.h"
#include "tests/simulator/pdh_lies.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::testing {

class PdhOnMachine : public ::testing::Test {
 protected:
  PdhOnMachine() { simulator::furnish(machine_); }

  VerifiedByPdh verify(const std::string& name, std::vector<simulator::PdhLie> lies = {},
                       std::size_t rounds = 3) {
    simulator::LyingPdh pdh(std::make_unique<simulator::SimulatedPdh>(machine_), std::move(lies));
    return verify_with(pdh, name, rounds);
  }

  VerifiedByPdh verify_with(PdhApi& pdh, const std::string& name, std::size_t rounds = 3) {
    simulator::RegistrySource registry(machine_, {});
    CatalogKeeper catalog(registry, Language::kEnglish, {});
    const ClockSource clocks{.steady_now = [this] { return now_; },
                             .wall_now = [] { return Ticks100ns{}; },
                             .pause_until =
                                 [this](auto time, const auto&) {
                                   pauses_.push_back(time - now_);
                                   passed_ += std::chrono::nanoseconds(time - now_).count() / 100;
                                   now_ = time;
                                 }};
    PdhVerifier verifier(registry, catalog, pdh, clocks, rounds, [this] { return readers_; });
    return verifier.verify(name, {});
  }

  static std::string text_of(const PdhDifference& found) {
    return found.instance + '|' + found.counter + '|' + found.type + '|' + found.what + '|' +
           found.ours + '|' + found.pdh;
  }
  static std::string text_of(const VerifiedByPdh& result) {
    std::string text;
    for (const PdhDifference& found : result.comparison.differences) text += text_of(found) + '\n';
    return text;
  }
  static bool has(const VerifiedByPdh& result, const std::string& counter,
                  const std::string& what) {
    return std::ranges::any_of(result.comparison.differences, [&](const PdhDifference& found) {
      return found.counter == counter && found.what == what;
    });
  }

  std::chrono::steady_clock::time_point now_;
  std::vector<std::chrono::steady_clock::duration> pauses_;
  ReadingProcesses readers_;
  std::int64_t passed_ = 0;  // in 100 ns
  bool stands_ = false;      // whether the clocks stand while nothing pauses
  simulator::Machine machine_{[this] {
    if (!stands_) passed_ += 1'000;
    simulator::Now now;
    now.perf_time += passed_;
    now.time_100ns += passed_;
    return now;
  }};
};

}  // namespace winperf::testing
