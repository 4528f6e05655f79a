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

// The first corrupt part, or a second object with the index of another.
std::expected<void, Error> check(const ReplyBlocks& blocks) {
  if (const auto problems = blocks.problems(); !problems.empty())
    return std::unexpected(problems.front());
  const ObjectView* last = nullptr;  // with values
  for (const ReplyBlocks::Place& place : blocks.objects()) {
    const ObjectView& object = blocks.view(place);
    if (auto sound = check(object); !sound) return sound;
    if (object.metadata_only()) continue;
    if (last != nullptr && last->index() == object.index())
      return std::unexpected(Error{.code = ErrorCode::kDuplicateObject,
                                   .where = "object",
                                   .offset = object.offset(),
                                   .actual = value_of(object.index())});
    last = &object;
  }
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
  const auto checked = reply ? check(reply->blocks) : std::unexpected(reply.error());
  if (checked) {
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
  return checked.error();
}

void SharedReply::give_back(CounterSource& source) {
  source.take_back(std::exchange(reply_, {}));
  at_.reset();
}

std::optional<SharedReply::Part> SharedReply::part(std::span<const ObjectIndex> objects) const {
  if (!at_) return std::nullopt;
  std::uint64_t bytes = 0;
  for (const ObjectIndex object : objects) {
    if (reply_.blocks.has_values_of(object)) {
      for (const ReplyBlocks::Place& place : reply_.blocks.objects_with(object))
        bytes += reply_.blocks.view(place).byte_length();
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

}  // namespace winperf
