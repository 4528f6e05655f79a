// All targets of the configuration, and the lanes that sample them (docs/adr/0020).
//
// Lanes are made when there is something for them to do: as many for targets that answer as
// remote.workers says, and up to kMaxLonely for those that hang, each of which has one of its own
// as long as there are enough. Targets that were only named by a pattern are made by their first
// probe, and go ten minutes after the last one.
// Thread rule: probe() and report() by any thread; everything else by the one that made the pool.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/target_state.h"
#include "config/config.h"
#include "exporter/http/targets.h"
#include "service/targets/lane.h"
#include "service/targets/target_tools.h"

namespace winperf {

class TargetPool final : public Targets {
 public:
  static constexpr std::size_t kMaxLonely = 8;
  static constexpr std::size_t kMaxUnnamed = 1000;  // that only a pattern names
  static constexpr std::size_t kMaxUnread = 16;     // of those, that have never answered
  static constexpr std::chrono::minutes kForgetAfter{10};

  explicit TargetPool(TargetTools tools) : tools_(std::move(tools)) {}
  ~TargetPool() override { request_stop(); }

  // Those of it that stay as they were go on.
  void change(const Config& config);
  // Call it regularly: forgets targets that nobody probes, and lanes without targets.
  void maintain();
  void request_stop();
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

  [[nodiscard]] ProbeAnswer probe(std::string_view host, std::string_view module) override;
  [[nodiscard]] TargetsReport report() const override;

 private:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  using Lanes = std::vector<std::unique_ptr<Lane>>;

  // With the mutex held:
  std::shared_ptr<Target> add(TargetDescription description, SteadyTime due);
  Lane& lane_for(bool hangs);
  std::unique_ptr<Lane> make_lane(bool hangs);
  std::shared_ptr<Target> find(const Key& key) const;
  [[nodiscard]] ProbeAnswer first_probe(const Key& key, std::string_view host);

  void move(std::shared_ptr<Target> target, bool hangs);
  void look();

  const TargetTools tools_;
  mutable std::mutex mutex_;
  Config config_;
  std::map<Key, std::shared_ptr<Target>> targets_;
  Lanes common_;
  Lanes lonely_;
  Lanes ending_;          // their threads may still wait for an answer
  std::size_t made_ = 0;  // lanes, for their names
  bool is_stopped_ = false;
};

}  // namespace winperf
