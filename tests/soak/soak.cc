// A month in the life of the exporter, in minutes.
//
// Everything is the product's own: the server with its HTTP front and pool, the sampling thread,
// the reloader, the rotated log, and worker processes, which are this executable again. Its machine
// is simulated, and so is its time (timeline.h): the server and its workers get clocks that stand
// still while anything works. When the sampling thread waits for its next round, the driver moves
// the time there; a provider that hangs moves it to the deadline of whoever waits for it
// (timed_process.h). So a day takes as long as its 1,440 samples do. Only what really waits, HTTP,
// has real time. Between two rounds all stands still, and the driver looks at the page, breaks
// something (weather.h), or reloads the configuration; while samples are taken, other clients
// scrape.
//
// Three times, at rest, it counts memory, descriptors, threads and processes; they are the same, or
// the soak fails. scripts/soak runs it.
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <string_view>

#include "service/commands/command_line.h"
#include "service/plan/setup.h"
#include "tests/soak/driver.h"

namespace {

using winperf::soak::SoakOptions;

template <class T>
bool parse(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::optional<SoakOptions> options_of(int argc, char** argv) {
  SoakOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--memory-of-a-sanitizer") {
      options.compare_memory = false;
    } else if (word == "--days" && parse(value, options.days) && options.days > 0) {
      ++i;
    } else if (word == "--seed" && parse(value, options.seed)) {
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int soak(const SoakOptions& options) {
  const winperf::testing::TempFolder folder;
  winperf::soak::Board& board = winperf::soak::make_board(folder.path() / "board");
  std::optional<winperf::soak::Driver> driver;
  try {
    driver.emplace(options, board, folder);
    driver->run();
  } catch (const std::exception& error) {
    if (driver) driver->report();
    std::cout << "FAILED: " << error.what() << "; the log is in " << folder.path().string()
              << std::endl;
    // At once: a thread that hangs would be waited for, and the folder would go.
    std::_Exit(1);
  }
  driver->report();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], winperf::kWorkerCommand) == 0)
    return winperf::run_command_line(argc, argv);
  const auto options = options_of(argc, argv);
  if (options) return soak(*options);
  std::cerr << "usage: winperf_soak [--days N] [--seed S] [--memory-of-a-sanitizer]" << std::endl;
  return 2;
}
