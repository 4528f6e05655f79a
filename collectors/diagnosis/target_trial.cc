#include "collectors/diagnosis/target_trial.h"

#include <algorithm>

#include "collectors/sources/perflib_client.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

constexpr const char* kSystemObject = "2";  // small, and every Windows has it

// What our clock may have been when the machine took its sample.
struct Moment {
  Ticks100ns from;
  Ticks100ns to;
};

std::chrono::seconds ahead_of(const Moment& ours, Ticks100ns theirs) {
  // A stranger's 64 bits: no difference of theirs fits into as many.
  using Ticks = std::chrono::duration<double, std::ratio<1, 10'000'000>>;
  const auto nearest = std::clamp(theirs.ticks, ours.from.ticks, ours.to.ticks);
  return std::chrono::duration_cast<std::chrono::seconds>(
      Ticks(static_cast<double>(theirs.ticks) - static_cast<double>(nearest)));
}

}  // namespace

TargetFacts try_target(CounterSource& source, const std::string& host, const ClockSource& clocks) {
  TargetFacts target;
  target.host = host;
  const Ticks100ns before = clocks.wall_now();
  const auto reply = source.query(kSystemObject, {});
  const Moment ours{.from = before, .to = std::max(before, clocks.wall_now())};
  if (!reply) {
    target.connection = reply.error();
    return target;
  }
  for (const auto& [block, objects, problems] : reply->blocks.walked())
    if (block) target.ahead = ahead_of(ours, block->clocks().time_100ns);
  return target;
}

void try_target_perflib(PerflibSource& perflib, TargetFacts& target) {
  if (const auto listed = perflib.countersets(); !listed) target.perflib = listed.error();
}

NetworkIdentity identity_of(std::string_view sid) {
  if (sid == "S-1-5-19" || sid == "S-1-5-7") return NetworkIdentity::kNobody;
  if (sid == "S-1-5-18" || sid == "S-1-5-20") return NetworkIdentity::kMachine;
  if (sid.starts_with("S-1-5-80-")) return NetworkIdentity::kMachine;  // NT SERVICE\name
  return sid.empty() ? NetworkIdentity::kUnknown : NetworkIdentity::kItself;
}

}  // namespace winperf
