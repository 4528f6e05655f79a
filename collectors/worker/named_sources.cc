#include "collectors/worker/named_sources.h"

#include <utility>

namespace winperf::worker {

std::expected<CounterSource*, Error> NamedSources::source_of(std::string_view machine) {
  if (const auto known = sources_.find(machine); known != sources_.end())
    return known->second.get();
  if (!make_) return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = kConnecting});
  if (sources_.size() >= kMax)
    return std::unexpected(Error{.code = ErrorCode::kLimitExceeded,
                                 .where = kConnecting,
                                 .actual = sources_.size() + 1,
                                 .limit = kMax});
  std::string name(machine);
  auto source = make_(name);
  if (!source) return std::unexpected(Error{.code = source.error().code, .where = kConnecting});
  return sources_.emplace(std::move(name), *std::move(source)).first->second.get();
}

void NamedSources::release(std::string_view machine) {
  const auto known = sources_.find(machine);
  if (known == sources_.end()) return;
  known->second->release();
  sources_.erase(known);
}

void NamedSources::release() {
  for (const auto& [machine, source] : std::exchange(sources_, {})) source->release();
}

}  // namespace winperf::worker
