// A server of this program that a check has started: its address, and how it ends.
//
// It listens where its words say, which is a free port of loopback unless there are others. Its
// first line of output says the address. Not validated: that it answers there. Errors: a sentence
// with what it wrote to standard error. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "service/selftest/program.h"

namespace winperf::selftest {

inline constexpr char kLoopbackPort[] = "127.0.0.1:0";

// For the configuration of a check's server: nothing of it meets a service that runs on this
// machine, and a machine that is slow costs no worker.
inline constexpr char kCheckSettings[] =
    "own_counters: none\nworkers: {shortest_timeout: 60s}\nlimits: {query_timeout: 60s}\n";

struct ServerStart {
  std::filesystem::path program;
  std::filesystem::path folder;  // for its output
  std::filesystem::path config{};
  // Where it listens instead of what its configuration says; empty: as that says.
  std::string listen = kLoopbackPort;
  std::vector<std::string> words{};  // more of them
  std::chrono::milliseconds patience{60'000};
};

class RunningServer {
 public:
  // Returns once it has said where it listens.
  [[nodiscard]] static std::expected<RunningServer, std::string> start(const ServerStart& start,
                                                                       const StopToken& stop);

  // "http://127.0.0.1:4711", or with https. Of several, the last one.
  const std::string& origin() const { return origin_; }
  // Of origin().
  std::uint16_t port() const { return port_; }
  Program& program() const { return *program_; }
  // Waits until it is ready (/-/ready), for a server without TLS and passwords. The error says why
  // it isn't.
  [[nodiscard]] std::expected<void, std::string> await_ready(std::chrono::milliseconds patience,
                                                             const StopToken& stop) const;
  // One that was started otherwise.
  static RunningServer of(std::unique_ptr<Program> program, std::string origin, std::uint16_t port);
  // Asks it to end as Ctrl-C does. Its exit code, or nothing if it still runs, or was killed
  // because it can't be asked.
  [[nodiscard]] std::optional<std::int64_t> end(std::chrono::milliseconds patience) const;
  // The same, and says what was wrong with its end. Empty: it ended with exit
  // code 0, or this process has no console through which it can be asked.
  [[nodiscard]] std::string end_wrongly(std::chrono::milliseconds patience) const;
  // What it wrote to standard error last, for messages.
  std::string last_words() const;

 private:
  std::unique_ptr<Program> program_;
  std::string origin_;
  std::uint16_t port_ = 0;
};

}  // namespace winperf::selftest
