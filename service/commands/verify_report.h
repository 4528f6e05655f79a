// What `verify` prints: what differs between the registry and the other path, as a table or as
// JSON. Thread rule: any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "collectors/pdh/pdh_verifier.h"
#include "collectors/sampler/path_verifier.h"
#include "service/console/look.h"

namespace winperf {

struct VerifyReport {
  std::string other;  // the other path's name in columns and keys
  std::vector<VerifiedCounterset> countersets{};
  // If it is PDH: what else it says about each of them, and the objects that it lists beside them.
  std::vector<VerifiedByPdh> by_pdh{};
  std::vector<std::string> only_pdh{};
  std::vector<std::string> only_pdh_with_values{};  // of only_pdh: those that have any
  std::vector<std::string> only_pdh_not_asked{};    // of only_pdh: those that had no time
  std::vector<std::string> unlisted{};              // read on both sides, but not listed by PDH
  std::vector<std::string> without_time{};          // countersets that PDH wasn't asked for

  // Whether at least one counterset was delivered and nothing differs.
  bool verified() const;
  void add(VerifiedByPdh result);
  // As one that isn't compared, for that reason.
  void add_without_time(const std::string& name);
};

// A line per difference, then a summary.
std::string verification_table(const VerifyReport& report, const Look& look);
std::string verification_json(const VerifyReport& report);

}  // namespace winperf
