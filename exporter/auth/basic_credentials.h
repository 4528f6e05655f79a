// What a client says in its Authorization field. Input is not trusted. Thread rule: any thread.
// Source: RFC 7617.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

struct Credentials {
  std::string user;
  std::string password;
};

// Nothing if the field is not of the scheme Basic, or not well-formed, or longer than 1 KiB.
std::optional<Credentials> parse_basic_credentials(std::string_view field);

}  // namespace winperf
