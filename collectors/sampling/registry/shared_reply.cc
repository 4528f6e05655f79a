#include "collectors/sampling/registry/shared_reply.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

std::expected<void, Error> check(const ObjectView& object) {
  // An object without counters spoils nothing but itself.
  const auto problem = object.counters().problem;
  if (problem && problem->code != ErrorCode::kNoCounters) return std::unexpected(*problem);
  if (!object.multi_instance()) {
    const auto block = object.single_block();
    return block ? std::expected<void, Error>() : std::unexpected(block.error());
  }
  InstanceWalk walk = object.instances();
  while (const auto instance = walk.next())
    if (!*instance) return std::unexpected(instance->error());
  return {};
}

Reply all_missing(std::span<const ObjectIndex> objects, const Error& reason) {
  Reply reply;
  for (const ObjectIndex object : objects) reply.missing.push_back({object, reason});
  return reply;
}

}  // namespace

std::optional<Error> SharedReply::fetch(CounterSource& source, std::span<const ObjectIndex> objects,
                                        std::string_view value_name, const ClockSource& clocks,
                                        StopToken stop) {
  give_back(source);
  const Time before = clocks.steady_now();
  const bool has_failed = has_failed_with(objects);
  if (objects.size() < 2 || (has_failed && before < not_before_)) return std::nullopt;
  auto reply = source.query(value_name.empty() ? index_list(objects) : std::string(value_name),
                            std::move(stop));
  const Time after = clocks.steady_now();
  if (!reply && reply.error().code == ErrorCode::kCancelled) return std::nullopt;
  if (!reply && reply.error().code == ErrorCode::kPending)
    reply = all_missing(objects, reply.error());
  const auto listed = reply ? list_objects(*reply) : std::unexpected(reply.error());
  if (listed) {
    reply_ = *std::move(reply);
    took_ = after - before;
    at_ = Instant{after, clocks.wall_now()};
    if (has_failed) failed_.clear();
    return std::nullopt;
  }
  give_back(source);
  if (!has_failed) rest_.reset();
  not_before_ = after + rest_.next();
  failed_.assign(objects.begin(), objects.end());
  return listed.error();
}

void SharedReply::give_back(CounterSource& source) {
  source.take_back(std::exchange(reply_, {}));
  sizes_.clear();
  at_.reset();
}

std::optional<SharedReply::Part> SharedReply::part(std::span<const ObjectIndex> objects) const {
  if (!at_) return std::nullopt;
  std::uint64_t bytes = 0;
  for (const ObjectIndex object : objects) {
    const auto found = sizes_.find(object);
    if (found != sizes_.end()) {
      bytes += found->second;
    } else if (!reason_of(reply_, std::span(&object, 1))) {
      return std::nullopt;
    }
  }
  return Part{.reply = reply_, .bytes = bytes, .took = took_, .at = *at_};
}

bool SharedReply::has_failed_with(std::span<const ObjectIndex> objects) const {
  return !failed_.empty() && std::ranges::all_of(failed_, [&](ObjectIndex failed) {
    return std::ranges::find(objects, failed) != objects.end();
  });
}

std::expected<void, Error> SharedReply::list_objects(const Reply& reply) {
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) return std::unexpected(block.error());
    if (auto listed = list_objects(*block); !listed) return listed;
  }
  return {};
}

std::expected<void, Error> SharedReply::list_objects(const BlockView& block) {
  ObjectWalk walk = block.objects();
  while (const auto object = walk.next()) {
    if (!*object) return std::unexpected(object->error());
    const ObjectView& view = **object;
    if (auto sound = check(view); !sound) return sound;
    if (view.metadata_only()) continue;
    if (!sizes_.emplace(view.index(), view.byte_length()).second)
      return std::unexpected(Error{.code = ErrorCode::kDuplicateObject,
                                   .where = "object",
                                   .offset = view.offset(),
                                   .actual = value_of(view.index())});
  }
  return {};
}

}  // namespace winperf
