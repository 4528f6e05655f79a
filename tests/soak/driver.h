// Runs a whole server on the soak's machine and time, lets things go wrong, and looks at it after
// each round of sampling. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "service/run/run.h"
#include "tests/service/run/temp_folder.h"
#include "tests/soak/clients.h"
#include "tests/soak/counted_events.h"
#include "tests/soak/measures.h"
#include "tests/soak/page_check.h"
#include "tests/soak/weather.h"

namespace winperf::soak {

struct SoakOptions {
  double days = 30;
  std::uint64_t seed = 1;
  // Whether memory is compared; a sanitizer has much of its own.
  bool compare_memory = true;
};

class Driver {
 public:
  Driver(const SoakOptions& options, Board& board, const testing::TempFolder& folder);
  ~Driver();

  // Errors are exceptions: the first thing that was wrong, in words.
  void run();
  // What has happened so far, as a table.
  void report() const;

 private:
  // After 10, 50 and 100 % of the time.
  struct Mark {
    double part = 0;
    Measures measures{};  // with no client and no trouble
    double busy_mib = 0;  // just before, with both
    double recorder_mib = 0;
    std::uint64_t samples = 0;
  };

  void start();
  int port() const;
  // From the end of one round to the end of the next one.
  void round();
  void check_page();
  void check_log();
  void perform(const Errands& errands);
  // Of the variant and the sources that are wanted now.
  void write_config(const std::string& extra = {}) const;
  std::filesystem::path config_file() const { return folder_.path() / "soak.yaml"; }
  std::filesystem::path log_folder() const { return folder_.path() / "log"; }
  // Asks for a reload over HTTP, and does it. Throws if the answer isn't that one.
  void reload(int expected_status);
  // Lets the server come to rest, and measures it.
  void measure_at(double part);
  // Of the exporter, without labels; nothing if the page doesn't have it.
  std::optional<double> own_metric(const std::string& name);
  void wait_for_connections(double count);
  Answer scrape();
  void compare() const;

  const SoakOptions options_;
  Board& board_;
  const testing::TempFolder& folder_;
  Timeline timeline_;
  Weather weather_;
  ReloadGate gate_;
  std::counting_semaphore<> reload_requests_{0};
  EventCounts events_;
  Logger logger_;
  std::optional<Server> server_;
  std::optional<Reloader> reloader_;
  std::optional<Clients> clients_;
  std::optional<HttpConnection> connection_;
  PageCheck pages_;
  Announced announced_;
  // In samples.
  std::uint64_t announced_until_ = 0;
  std::uint64_t provider_troubled_ = 0;  // the last one
  std::uint64_t perflib_troubled_ = 0;
  std::uint64_t variant_ = 0;
  std::uint64_t sources_ = 0;
  std::uint64_t scrapes_ = 0;  // of this object, and of clients that are gone
  std::uint64_t reloads_ = 0;
  std::uint64_t rounds_ = 0;
  std::uintmax_t most_log_bytes_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace winperf::soak
