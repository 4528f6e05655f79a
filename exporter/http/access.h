// Access to the parts of the server.
//
// Health checks are for everyone, and so are the metrics unless an address leaves them out. The API
// and the page show more (names, raw values, errors), so they are served to this machine only
// unless an address opens them. A browser on this machine may show any site's page, so the API and
// the page answer only requests for this machine's names, because any site can point its name to
// this machine's address (DNS rebinding), and no requests from other sites' pages, except those
// that an address lists: they may read the API. Thread rule: pure functions. Source: Fetch Metadata
// Request Headers (W3C); RFC 6454, section 7 (Origin); Fetch (WHATWG), section 3.3 (CORS).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/net_address.h"

namespace winperf {

// A part of the server. `listen.serve` has the names of all but the first.
enum class Area : std::uint8_t { kHealth, kMetrics, kApi, kPage };

// What one listening address serves, and under which names.
struct AccessRules {
  // To everyone who reaches the address. Nothing: metrics to everyone, the rest to this machine.
  std::optional<std::vector<Area>> serve{};
  // Host names, in addition to localhost and addresses, accepted in requests for the API or the
  // page.
  std::vector<std::string> hosts{};
  // Whose pages may read the API in a browser, as browsers write them in Origin.
  std::vector<std::string> origins{};
  bool operator==(const AccessRules&) const = default;
};

// What is known about the sender of a request.
struct Visitor {
  bool is_local = false;      // its connection comes from this machine
  NetAddress address{};       // its own or, if it is forwarded, the proxy's
  bool is_forwarded = false;  // a proxy sends it for another client
  bool only_reads = true;     // GET or HEAD
  std::string host{};         // Host; empty if the request lacks it
  std::optional<std::string> origin{};
  std::optional<std::string> fetch_site{};  // Sec-Fetch-Site
  std::optional<std::string> fetch_mode{};  // Sec-Fetch-Mode
  std::string user_agent{};                 // printable and not long; may be empty
};

// Whether the visitor's page has an origin that the address lists. Nothing but the same bytes is
// the same origin.
bool is_listed_origin(const AccessRules& rules, const Visitor& visitor);

// Why this visitor is refused: a sentence for the answer, which names the configuration key that
// would allow it. Nothing if the visitor may have it. `path`: for the sentence.
std::optional<std::string> why_refused(Area area, std::string_view path, const AccessRules& rules,
                                       const Visitor& visitor);

}  // namespace winperf
