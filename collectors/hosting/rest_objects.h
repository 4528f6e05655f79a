// What the query of all providers together is asked for when everything is listed: the objects that
// no provider with a host has registered.
//
// A listing's own name would call everybody there, so it is asked for lists of indices. Which
// titles are objects, such as those that the system translates from V2, only a reply can say: all
// that nobody has registered are asked for once, and from then on those of them that have been in a
// reply, whatever was asked for. 32-bit providers have no host; the objects of their lists need no
// such trial.
// Not validated: the registrations and the name tables. They decide what is asked for, no more.
// Thread rule: one thread.
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

  // `elsewhere`: those with a host, and those that may not be asked at all. `hostless`: those that
  // only the system can call. `v1_only`: without what no provider at all has registered.
  RestObjects(std::vector<ProviderRegistration> elsewhere,
              std::vector<ProviderRegistration> hostless, bool v1_only);

  // Whether the names of the machine decide what is asked for, and aren't known.
  bool needs_names() const { return needs_names_; }
  // `tables`: the candidates for the table of English names. The error is that of the first one, if
  // none could be read; they are needed still.
  [[nodiscard]] std::expected<void, Error> take_names(
      std::span<const std::expected<Bytes, Error>> tables);

  // The value names of what is still to be tried, one after the other, and of what is known.
  struct Lists {
    std::vector<std::string> untried;
    std::vector<std::string> known;
  };
  Lists lists() const;

  // What the answer to such a list, or to any other, shows.
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
