// The objects that a full listing requests from the host of all providers: those that no provider
// with a host has registered.
//
// A listing's value name would call every provider there, so it requests lists of indices. Only a
// reply shows which titles are objects, such as those that the system translates from V2: all
// unregistered titles are requested once, and from then on those that have been in any reply.
// 32-bit providers have no host; the objects of their lists need no such trial. Not validated: the
// registrations and the name tables, which only decide what is requested. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/provider/registration.h"
#include "collectors/sources/source.h"

namespace winperf {

class RestObjects {
 public:
  // The name of a registry value has at most 16,383.
  static constexpr std::size_t kMaxListChars = 16'000;

  // `elsewhere`: providers with a host, and those that are left out. `hostless`: those that only
  // the system can call. `v1_only`: without unregistered objects.
  RestObjects(std::vector<ProviderRegistration> elsewhere,
              std::vector<ProviderRegistration> hostless, bool v1_only);

  // Whether the machine's name tables are needed to decide what is requested, and aren't known.
  bool needs_names() const { return needs_names_; }
  // `tables`: the candidates for the table of English names. The error is that of the first one, if
  // none could be read; then they are still needed.
  [[nodiscard]] std::expected<void, Error> take_names(
      std::span<const std::expected<Bytes, Error>> tables);

  // The value names for untried titles, used one after the other, and for known objects.
  struct Lists {
    std::vector<std::string> untried;
    std::vector<std::string> known;
  };
  Lists lists() const;

  // Learns from the reply to such a list, or to any other.
  void learn(std::string_view value_name, const Reply& reply);

 private:
  bool is_possible(ObjectIndex index) const;

  std::vector<ProviderRegistration> elsewhere_, hostless_;
  bool v1_only_;
  bool needs_names_;
  std::set<ObjectIndex> possible_;  // by their names
  std::set<ObjectIndex> known_;
  std::vector<std::string> untried_;
};

}  // namespace winperf
