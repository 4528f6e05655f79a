// The addresses on which the program listens.
//
// Each has a server of its own, with its own threads and limits, so that whoever crowds one address
// doesn't keep those of another waiting. A change applies as a whole or not at all: addresses that
// stay go on without a gap, new ones are opened before old ones are given up, and these finish
// their answers. Neither a change nor stop() waits for a password that is being compared.
// Errors: a sentence that names the address. Thread rule: one thread; it calls maintain()
// regularly.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
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

// Of one of so many addresses.
FrontOptions front_options(std::size_t addresses, std::size_t max_requests);

struct AddressNotices {
  std::string address;  // with its port, as in a URL
  std::vector<std::string> notices;
};

// When it is said that certificates expire, have expired or aren't valid yet: at once, when what is
// to be said of an address is something else, and then once a day, because a log is read later than
// it is written. Thread rule: one thread. Time is an argument.
class CertificateWatch {
 public:
  static constexpr std::chrono::hours kRepeatAfter{24};

  // Those of `current` that are to be told now.
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

  // Listens at these addresses and no others.
  // `max_requests`: of each address that wait for their answers; only for those that are opened.
  [[nodiscard]] std::expected<void, std::string> change(const std::vector<ListenConfig>& wanted,
                                                        std::size_t max_requests);
  // The addresses whose protection the last change has made anew: keys and certificates, too.
  std::vector<ListenConfig> newly_protected() const;
  // What is to be said of the certificates of each address by now; without those of which nothing
  // is.
  std::vector<AddressNotices> certificate_notices(std::chrono::sys_seconds now) const;
  // Gives up servers that have answered what they were asked, and tries to listen again where a
  // change lost an address to another program. True if that succeeds.
  bool maintain();
  void stop();
  // Whether a password is still being compared for an address that was given up. That can't be
  // interrupted; the destructor waits for it.
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
  std::size_t addresses_ = 1;  // that are wanted
  std::size_t max_requests_ = FrontOptions().queue;
  std::vector<Place> places_;
  std::vector<Retired> retired_;
  std::vector<BackgroundThread> ending_;  // of servers that are gone
};

}  // namespace winperf
