#include "collectors/sampling/registry/registry_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/sources/source.h"
#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

std::expected<void, Error> check(const ObjectView& object) {
  // An object without counters doesn't affect others.
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
      return std::unexpected(duplicate_of(object));
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

namespace {

std::unexpected<ReadFailure> absent(ErrorCode code) {
  return std::unexpected(ReadFailure{.error = {.code = code, .where = "counterset"}});
}

// The culprit of wrong data, known if a single provider has all requested objects.
Error blamed(const Error& problem, CounterSource& source, std::span<const ObjectIndex> candidates) {
  if (kind_of(problem.code) != ErrorKind::kCorrupt || candidates.size() != 1) return problem;
  SourceHealth* const health = source.health();
  return health != nullptr ? with_supplier(problem, health->supplier_of(candidates.front()))
                           : problem;
}

// Candidates are in ascending order: if a third party uses the name of one of the system's objects,
// the system's is taken.
ReadResult choose(SampledObjects& objects, std::uint64_t bytes) {
  std::vector<Error>& problems = objects.problems;
  if (!objects.samples.empty())
    return Reading{
        .sample = std::ranges::min(objects.samples, {},
                                   [](const auto& sample) { return sample->schema->index; }),
        .problems = std::move(problems),
        .bytes = bytes};
  if (problems.empty()) return absent(ErrorCode::kNoSuchObject);
  // A corrupt object is reported as corrupt, which is more precise than "absent".
  return std::unexpected(
      ReadFailure{.error = problems.back(), .problems = {problems.begin(), problems.end() - 1}});
}

}  // namespace

std::span<const ObjectIndex> RegistryReader::known(const CatalogKeeper& catalog) const {
  if (resolved_generation_ != catalog.generation()) return {};
  return resolved_;
}

std::span<const ObjectIndex> RegistryReader::shareable(const CatalogKeeper& catalog) const {
  if (is_left_out_) return {};
  return found_.empty() ? known(catalog) : found_;
}

ReadResult RegistryReader::read(CounterSource& source, CatalogKeeper& catalog,
                                std::string_view name, StopToken stop, const SharedReply* shared) {
  if (const auto found = std::exchange(found_, {});
      !found.empty() && catalog.objects_named(name) == found)
    resolve(found, name, catalog);
  if (resolved_name_ == name && !known(catalog).empty()) {
    if (const auto part = shared ? shared->part(resolved_) : std::nullopt) {
      auto result = take(part->reply, part->bytes, source, catalog, resolved_);
      if (result) {
        result->shared_query = part->took;
        result->taken_at = part->at;
      }
      return result;
    }
    const bool was_shared = shared != nullptr && shared->is_there();
    auto result = query(source, catalog, resolved_, stop);
    if (result && was_shared) is_left_out_ = true;
    if (result || kind_of(result.error().error.code) != ErrorKind::kAbsent) return result;
    resolved_.clear();
  }
  const auto candidates = catalog.objects_named(name);
  if (candidates.empty()) {
    catalog.report_unknown();
    if (const auto& why = catalog.catalog().unreadable())
      return std::unexpected(ReadFailure{.error = *why, .problems = {}});
    return absent(ErrorCode::kNoSuchName);
  }
  auto result = query(source, catalog, candidates, stop);
  if (result) {
    is_left_out_ = false;
    resolve({result->sample->schema->index}, name, catalog);
  }
  return result;
}

void RegistryReader::resolve(std::vector<ObjectIndex> object, std::string_view name,
                             const CatalogKeeper& catalog) {
  resolved_ = std::move(object);
  resolved_name_ = name;
  resolved_generation_ = catalog.generation();
}

ReadResult RegistryReader::query(CounterSource& source, CatalogKeeper& catalog,
                                 const std::vector<ObjectIndex>& candidates, StopToken stop) {
  auto reply = source.query(index_list(candidates), std::move(stop));
  if (!reply) return std::unexpected(ReadFailure{.error = reply.error()});
  auto result = take(*reply, size_of(*reply), source, catalog, candidates);
  source.take_back(*std::move(reply));
  return result;
}

ReadResult RegistryReader::take(const Reply& reply, std::uint64_t bytes, CounterSource& source,
                                CatalogKeeper& catalog,
                                const std::vector<ObjectIndex>& candidates) {
  sampler_.take(reply, catalog.catalog(), catalog.generation(), candidates, objects_);
  if (std::ranges::any_of(objects_.problems, [](const Error& problem) {
        return problem.code == ErrorCode::kUnknownIndex;
      }))
    catalog.report_unknown();
  for (Error& problem : objects_.problems) problem = blamed(problem, source, candidates);
  auto result = choose(objects_, bytes);
  objects_.samples.clear();  // the pool of samples waits for them
  if (!result && result.error().error.code == ErrorCode::kNoSuchObject)
    if (const auto reason = reason_of(reply, candidates)) result.error().error = *reason;
  return result;
}

}  // namespace winperf
