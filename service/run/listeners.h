// The addresses on which the program listens.
//
// Each has a server of its own, with its own threads and limits, so that whoever crowds one address
// doesn't keep those of another waiting. A change applies as a whole or not at all: addresses that
// stay go on without a gap, new ones are opened before old ones are given up, and these finish
// their answers. Errors: a sentence that names the address. Thread rule: one thread; it calls
// maintain() regularly.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "exporter/http/http_server.h"
#include "exporter/http/router.h"

namespace winperf {

class Listeners {
 public:
  // The router must outlive this.
  explicit Listeners(Router& router) : router_(router) {}

  // Listens at these addresses and no others.
  [[nodiscard]] std::expected<void, std::string> change(const std::vector<ListenConfig>& wanted);
  // Gives up servers that have answered what they were asked, and tries to listen again where a
  // change lost an address to another program. True if that succeeds.
  bool maintain();
  void stop();

  // "http://127.0.0.1:10182/ and http://[::1]:10182/", without those that are lost.
  std::string urls() const;

 private:
  using Server = std::unique_ptr<HttpServer>;
  struct Place {
    ListenConfig where;
    Server server;
    // The server has released this port, and another program has it: a new server should follow.
    std::optional<std::uint16_t> lost_port{};
  };
  struct Retired {
    Server server;
    std::chrono::steady_clock::time_point until;
  };

  [[nodiscard]] std::expected<Server, std::string> open(const ListenConfig& where);
  [[nodiscard]] std::expected<Server, std::string> open_instead(const ListenConfig& where,
                                                                const std::vector<Place*>& leaving);
  std::string restore(const std::vector<Place*>& places);
  [[nodiscard]] std::expected<void, std::string> listen_again(Place& place);
  void retire(Server server);

  Router& router_;
  std::size_t addresses_ = 1;  // that are wanted
  std::vector<Place> places_;
  std::vector<Retired> retired_;
};

}  // namespace winperf
