// The registry face as a source of counters, with the query policy of the real one.
#pragma once

#include "collectors/base/stop.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"
#include "tests/simulator/registry_face.h"

namespace winperf::simulator {

class RegistrySource : public CounterSource {
 public:
  RegistrySource(Machine& machine, const QueryLimits& limits)
      : machine_(machine), face_(machine), policy_(limits, clocks()) {}

  ~RegistrySource() override { face_.close(); }

  std::expected<Reply, Error> query(std::string_view value_name, StopToken stop) override;
  std::expected<std::size_t, Error> query_in(const ReplyRoom& room, std::string_view value_name,
                                             StopToken stop) override;
  bool is_live() const override { return true; }
  std::vector<std::expected<winperf::Bytes, Error>> text_tables(TextTable table,
                                                                Language language) override;
  void limit_time(std::chrono::milliseconds time) override { policy_.limit_time(time); }
  bool supports_metadata() override { return machine_.supports_metadata; }
  std::uint64_t provider_generation() override { return machine_.last_counter(); }
  void release() override { face_.close(); }

  const RegistryFace& face() const { return face_; }

 private:
  // Pauses cost no time.
  ClockSource clocks() {
    return {.steady_now = [this] { return now_; },
            .wall_now = [] { return Ticks100ns{}; },
            .pause_until = [this](auto then, const StopToken&) { now_ = then; }};
  }

  QueryCalls calls_for(std::u16string name);
  std::expected<winperf::Bytes, Error> ask(std::string_view value_name, StopToken stop);

  Machine& machine_;
  RegistryFace face_;
  std::chrono::steady_clock::time_point now_;
  QueryPolicy policy_;
};

}  // namespace winperf::simulator
