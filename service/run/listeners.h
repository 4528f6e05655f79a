// The addresses on which the program listens.
//
// Each has a separate server with its own threads and limits, so that load on one address doesn't
// delay clients of another. A change applies completely or not at all: unchanged addresses continue
// without a gap, new ones are opened before old ones are closed, and these finish their answers.
// Neither a change nor stop() waits for a password that is being compared. Errors: a sentence that
// names the address. Thread rule: one thread; it calls maintain() regularly.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "config/config.h"
#include "exporter/http/http_server.h"
#include "exporter/http/router.h"
#include "service/run/protection.h"

namespace winperf {

// The number of one address among all.
FrontOptions front_options(std::size_t addresses, std::size_t max_requests);

struct AddressNotices {
  std::string address;  // with its port, as in a URL
  std::vector<std::string> notices;
};

// When notices about expiring, expired or not yet valid certificates are logged: immediately if the
// notices of an address change, and then once a day. Thread rule: one thread. Time is an argument.
class CertificateWatch {
 public:
  static constexpr std::chrono::hours kRepeatAfter{24};

  // Those of `current` that are due now.
  [[nodiscard]] std::vector<AddressNotices> due(std::vector<AddressNotices> current,
                                                SteadyTime now);
  // The certificates of this address were read again.
  void forget(const std::string& address) { reported_.erase(address); }

 private:
  struct Reported {
    std::vector<std::string> notices;
    SteadyTime at{};
  };
  std::map<std::string, Reported> reported_;  // by address
};

class Listeners {
 public:
  // The router must outlive this.
  explicit Listeners(Router& router) : router_(router) {}

  // Listens for the first time. `pause`: waits a moment; false if there is no time left. It is
  // called while a port is in use although no program listens there: connections of a program that
  // has ended may hold it, such as those of this service before a restart.
  [[nodiscard]] std::expected<void, std::string> open_first(
      const std::vector<ListenConfig>& wanted, std::size_t max_requests,
      const std::function<bool(const std::string& address)>& pause);

  // Listens at these addresses and no others.
  // `max_requests`: waiting per address; only for newly opened ones.
  [[nodiscard]] std::expected<void, std::string> change(const std::vector<ListenConfig>& wanted,
                                                        std::size_t max_requests);
  // The addresses whose protection the last change has renewed, including keys and certificates.
  std::vector<ListenConfig> newly_protected() const;
  // The notices on each address's certificates now; addresses without notices are left out.
  std::vector<AddressNotices> certificate_notices(std::chrono::sys_seconds now) const;
  // Destroys retired servers that have finished, and tries to listen again on addresses lost to
  // another program during a change. True if that succeeds.
  bool maintain();
  // Whether nothing is being retried or waits for its end.
  bool is_settled() const;
  void stop();
  // Whether a password is still being compared for a closed address. That can't be interrupted; the
  // destructor waits for it.
  bool still_compares() const;

  // "http://127.0.0.1:10182/ and http://[::1]:10182/", without those that are lost.
  std::string urls() const;

 private:
  using Server = std::unique_ptr<HttpServer>;
  struct Place {
    ListenConfig where;
    LoadedWeb web;
    Protection protection;
    Server server;
    bool is_new = true;  // the protection
    // The server has released this port, and another program has it: a new server should follow.
    std::optional<std::uint16_t> lost_port{};
  };
  struct Retired {
    Server server;
    std::chrono::steady_clock::time_point until;
  };

  [[nodiscard]] std::expected<Place, std::string> prepare(const ListenConfig& where,
                                                          const Place* same) const;
  [[nodiscard]] std::expected<Server, std::string> open(const Place& place, std::uint16_t port);
  [[nodiscard]] std::expected<Server, std::string> open_instead(const Place& place,
                                                                const std::vector<Place*>& leaving);
  [[nodiscard]] std::expected<void, std::string> check_ending();
  [[nodiscard]] std::expected<void, std::string> check_safeguards(
      const std::vector<ListenConfig>& wanted) const;
  std::string restore(const std::vector<Place*>& places);
  [[nodiscard]] std::expected<void, std::string> listen_again(Place& place);
  void retire(Server server);
  void give_up(Server server);

  Router& router_;
  AwaitPort await_port_;       // while listening for the first time
  std::size_t addresses_ = 1;  // that are wanted
  std::size_t max_requests_ = FrontOptions().queue;
  std::vector<Place> places_;
  std::vector<Retired> retired_;
  std::vector<BackgroundThread> ending_;  // of removed servers
};

}  // namespace winperf
