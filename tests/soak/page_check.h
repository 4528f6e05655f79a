// What must hold for each page of /metrics, by the page before: honest countersets can be read, no
// counter goes back unless it was announced, and what belongs together stays together.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::soak {

// What the next page may show because of something that has happened.
struct Announced {
  bool all = false;  // sources were opened again: every counter of a counterset or worker
  // Another configuration: every counterset but Clockwork and Restarter may have begun again.
  bool selection = false;
  bool restart = false;  // the service "Restarter" has
  bool gap = false;      // so long that a counter of 32 bits may have wrapped more than once
};

// For how many samples nothing has been wrong with them.
struct Well {
  std::uint64_t provider = 0;
  std::uint64_t perflib = 0;
};

class PageCheck {
 public:
  // Errors are exceptions, whose text has the line.
  void see(std::string_view page, const Announced& announced, const Well& well);

  std::uint64_t samples() const { return samples_; }  // of Clockwork
  std::uint64_t attempts() const { return attempts_; }
  const std::map<std::string, std::uint64_t>& restarts() const { return restarts_; }  // by reason
  std::uint64_t fallbacks() const { return fallbacks_; }  // of Waves, in pages
  double most_worker_memory() const { return most_worker_memory_; }

 private:
  using Values = std::map<std::string, double, std::less<>>;

  void compare(const Values& values, const Announced& announced) const;
  bool may_go_back(std::string_view series, const Announced& announced) const;
  void check_honest(const Values& values, const Well& well) const;
  void check_ticks(const Values& values, const std::string& labels, const std::string& object,
                   bool begins_again);
  void count(const Values& values);

  Values before_;
  std::string paths_;  // through which Waves and Callers were read, before and now
  bool path_changed_ = false;
  struct Origin {
    double ticks = 0;
    double beats = 0;
  };
  std::map<std::string, Origin> origins_;  // where the totals of ticks and beats began
  std::uint64_t samples_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t fallbacks_ = 0;
  double most_worker_memory_ = 0;
  std::map<std::string, std::uint64_t> restarts_;
};

}  // namespace winperf::soak
