#include "exporter/http/socket.h"

#include <algorithm>

namespace winperf {
namespace {

// Another program may have, in one family, the port that the system chose in the other.
constexpr int kMostPorts = 20;

std::expected<std::vector<Socket>, std::string> listen_at_all(
    const std::vector<ListenPlace>& places, int port, const DescribeOwners& describe_owners,
    const AwaitPort& await_port) {
  std::vector<Socket> sockets;
  std::string unavailable = "no address was found";
  for (const ListenPlace& place : places) {
    auto socket = listen_at(place, port);
    while (!socket && socket.error().is_in_use && await_port && await_port(place.address, port))
      socket = listen_at(place, port);
    if (socket) {
      if (port == 0) port = local_port(*socket);
      sockets.push_back(*std::move(socket));
    } else if (socket.error().is_unavailable) {
      unavailable = socket.error().reason;  // a family that is missing leaves the other one
    } else {
      const bool may_name_owner = socket.error().may_be_taken && describe_owners;
      const std::string owners = may_name_owner ? describe_owners(place.address, port) : "";
      return std::unexpected(owners.empty() ? socket.error().reason
                                            : "the address is already in use by " + owners);
    }
  }
  if (sockets.empty()) return std::unexpected(unavailable);
  return sockets;
}

}  // namespace

std::expected<std::vector<Socket>, std::string> listen_on(const std::string& address, int port,
                                                          const DescribeOwners& describe_owners,
                                                          const AwaitPort& await_port) {
  const bool is_any = address.empty() || address == "::";
  std::vector<ListenPlace> places;
  std::string unknown;
  for (const char* literal : {"::", "0.0.0.0"}) {
    const auto found = find_places(is_any ? literal : address);
    if (!found) unknown = found.error();  // perhaps of a family that this machine doesn't have
    for (const ListenPlace& place : found.value_or(std::vector<ListenPlace>()))
      if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    if (!is_any) break;
  }
  if (places.empty()) return std::unexpected(unknown);
  auto sockets = listen_at_all(places, port, describe_owners, await_port);
  for (int i = 1; !sockets && port == 0 && places.size() > 1 && i < kMostPorts; ++i)
    sockets = listen_at_all(places, port, describe_owners, await_port);
  return sockets;
}

}  // namespace winperf
