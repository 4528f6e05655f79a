#include "collectors/sampling/registry/shared_reply.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"

namespace winperf {

void SharedReply::fetch(CounterSource& source, std::span<const ObjectIndex> objects,
                        const ClockSource& clocks, StopToken stop) {
  clear();
  const Time before = clocks.steady_now();
  if (objects.size() < 2 || before < not_before_) return;
  auto reply = source.query(index_list(objects), std::move(stop));
  const Time after = clocks.steady_now();
  if (reply && list_objects(*reply)) {
    reply_ = *std::move(reply);
    took_ = after - before;
    rest_ = kFirstRest;
    return;
  }
  clear();
  if (!reply && reply.error().code == ErrorCode::kCancelled) return;
  not_before_ = after + rest_;
  rest_ = std::min(2 * rest_, kLastRest);
}

void SharedReply::clear() {
  reply_ = {};
  sizes_.clear();
}

std::optional<SharedReply::Part> SharedReply::part(std::span<const ObjectIndex> objects) const {
  std::uint64_t bytes = 0;
  for (const ObjectIndex object : objects) {
    const auto found = sizes_.find(object);
    if (found == sizes_.end()) return std::nullopt;
    bytes += found->second;
  }
  return Part{.reply = reply_, .bytes = bytes, .took = took_};
}

bool SharedReply::list_objects(const Reply& reply) {
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) return false;
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) {
      if (!*object) return false;
      const ObjectView& view = **object;
      if (view.metadata_only()) continue;
      if (!sizes_.emplace(view.index(), view.byte_length()).second) return false;
    }
  }
  return true;
}

}  // namespace winperf
