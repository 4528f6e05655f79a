#include "collectors/sources/perflib_client.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/fill_buffer.h"

namespace winperf {
namespace {

constexpr const char* kAdding = "perflib.add_counters";
constexpr std::uint32_t kMaxAttempts = 10;
constexpr std::size_t kFirstBytes = 4096;
constexpr std::size_t kFirstGuids = 256;

// `call`: os_code(std::span<Item>, std::uint32_t& actual).
template <class Item, class Call>
std::expected<std::vector<Item>, Error> fill(BufferSizes sizes, const char* where,
                                             const Call& call) {
  const auto ask = [&call](std::span<Item> buffer, std::size_t& size) {
    std::uint32_t actual = 0;
    const std::uint32_t os_code = call(buffer, actual);
    size = actual;
    return os_code;
  };
  const auto next = [&](const FailedCall& failed) -> std::expected<std::size_t, Error> {
    if (OsCode{failed.os_code} != OsCode::kNotEnoughMemory)
      return std::unexpected(perflib_error(failed.os_code, where));
    // An answer that has shrunk since may need less than the last capacity.
    const std::size_t needed = std::max(failed.reported, failed.capacity);
    if (needed > sizes.max || failed.capacity == sizes.max)
      return std::unexpected(Error{
          .code = ErrorCode::kBufferLimit, .where = where, .actual = needed, .limit = sizes.max});
    if (failed.number >= kMaxAttempts)
      return std::unexpected(Error{.code = ErrorCode::kBusy, .where = where});
    return std::min(needed + needed / 4, sizes.max);
  };
  return fill_buffer<Item>(sizes, where, ask, next);
}

// The status of one identifier in a call that succeeded as a whole.
std::uint32_t status_of(std::span<const std::byte> identifier) {
  const v2::Identifiers answered = v2::parse_identifiers(identifier);
  return answered.all.empty() ? 0 : answered.all.front().status;
}

std::expected<void, Error> done(std::uint32_t os_code, const char* where) {
  if (OsCode{os_code} == OsCode::kSuccess) return {};
  return std::unexpected(perflib_error(os_code, where));
}

}  // namespace

Error perflib_error(std::uint32_t os_code, const char* where) {
  const auto error = [&](ErrorCode code) {
    return Error{.code = code, .where = where, .os_code = os_code};
  };
  switch (OsCode{os_code}) {
    case OsCode::kAccessDenied:
      return error(ErrorCode::kAccessDenied);
    case OsCode::kNotSupported:
      return error(ErrorCode::kUnsupported);
    case OsCode::kGuidNotFound:
    case OsCode::kItemNotFound:
      return error(ErrorCode::kNotRegistered);
    case OsCode::kPathNotFound:
    case OsCode::kInstanceNotFound:
      return error(ErrorCode::kNotRunning);
    default:
      return error(ErrorCode::kOsError);
  }
}

PerflibQuery::~PerflibQuery() { api_.close_query(handle_); }

std::expected<void, Error> PerflibQuery::add(std::span<std::byte> identifiers) {
  return done(api_.add_counters(handle_, identifiers), kAdding);
}

std::expected<void, Error> PerflibQuery::remove(std::span<std::byte> identifiers) {
  return done(api_.delete_counters(handle_, identifiers), "perflib.delete_counters");
}

std::expected<Bytes, Error> PerflibQuery::info() {
  return fill<std::byte>({.first = kFirstBytes, .max = limits_.max_bytes},
                         "perflib.query_counter_info",
                         [this](std::span<std::byte> buffer, std::uint32_t& actual) {
                           return api_.query_counter_info(handle_, buffer, actual);
                         });
}

std::expected<Bytes, Error> PerflibQuery::data() {
  const std::size_t first = std::max(data_bytes_ + data_bytes_ / 4, kFirstBytes);
  auto bytes =
      fill<std::byte>({.first = first, .max = limits_.max_bytes}, "perflib.query_counter_data",
                      [this](std::span<std::byte> buffer, std::uint32_t& actual) {
                        return api_.query_counter_data(handle_, buffer, actual);
                      });
  if (bytes) data_bytes_ = bytes->size();
  return bytes;
}

std::expected<std::vector<Guid>, Error> PerflibClient::countersets() {
  return fill<Guid>({.first = kFirstGuids, .max = kMaxGuids}, "perflib.enumerate_countersets",
                    [this](std::span<Guid> guids, std::uint32_t& actual) {
                      return api_.enumerate_countersets(machine_, guids, actual);
                    });
}

std::expected<Bytes, Error> PerflibClient::instances(const Guid& counterset) {
  auto bytes = fill<std::byte>(
      {.first = kFirstBytes, .max = limits_.max_bytes}, "perflib.enumerate_instances",
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.enumerate_instances(machine_, counterset, buffer, actual);
      });
  if (!bytes && bytes.error().code == ErrorCode::kNotRunning) return Bytes{};
  return bytes;
}

std::expected<Bytes, Error> PerflibClient::registration(const Guid& counterset,
                                                        RegistrationInfo info,
                                                        std::uint32_t argument) {
  return fill<std::byte>(
      {.first = kFirstBytes, .max = limits_.max_bytes}, "perflib.query_registration",
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.query_registration(machine_, counterset, info, argument, buffer, actual);
      });
}

std::expected<std::unique_ptr<PerflibQuery>, Error> PerflibClient::open_query() {
  PerflibHandle handle{};
  const auto opened = done(api_.open_query(machine_, handle), "perflib.open_query");
  if (!opened) return std::unexpected(opened.error());
  return std::make_unique<PerflibQuery>(api_, handle, limits_);
}

std::expected<std::vector<ResultPlace>, Error> PerflibClient::open(
    PerflibSet key, std::span<const v2::CounterRequest> requests) {
  Set& set = sets_[key];
  withdraw(set, requests);
  std::vector<Member> members;
  for (const v2::CounterRequest& request : requests) {
    const auto known = std::ranges::find(set.members, request, &Member::request);
    members.push_back(known != set.members.end() ? *known : Member{.request = request});
  }
  set.members = std::move(members);
  if (const auto completed = complete(set); !completed) {
    sets_.erase(key);
    return std::unexpected(completed.error());
  }
  std::vector<ResultPlace> places;
  for (const Member& member : set.members) places.push_back(member.place);
  return places;
}

void PerflibClient::withdraw(Set& set, std::span<const v2::CounterRequest> wanted) {
  for (const Member& member : set.members) {
    if (!member.is_added || std::ranges::find(wanted, member.request) != wanted.end()) continue;
    std::vector<std::byte> identifier = v2::build_identifiers({&member.request, 1});
    set.is_ordered = false;
    if (set.query->remove(identifier) && status_of(identifier) == 0) continue;
    set.query.reset();
    set.members.clear();
    return;
  }
}

std::expected<void, Error> PerflibClient::complete(Set& set) {
  if (!set.query) {
    auto query = open_query();
    if (!query) return std::unexpected(query.error());
    set.query = *std::move(query);
  }
  const auto began = std::chrono::steady_clock::now();
  bool has_tried = false;  // at least one, so that each call makes progress on a slow machine
  for (Member& member : set.members) {
    if (member.is_added) continue;
    if (has_tried && max_time_ && std::chrono::steady_clock::now() - began > *max_time_) {
      member.place = std::unexpected(Error{.code = ErrorCode::kPending, .where = kAdding});
      continue;
    }
    has_tried = true;
    if (const auto added = add(set, member); !added) return added;
  }
  const bool any_added = std::ranges::any_of(set.members, &Member::is_added);
  return set.is_ordered || !any_added ? std::expected<void, Error>() : find_places(set);
}

std::expected<void, Error> PerflibClient::add(Set& set, Member& member) {
  std::vector<std::byte> identifier = v2::build_identifiers({&member.request, 1});
  const auto called = set.query->add(identifier);
  const std::uint32_t status = status_of(identifier);
  // If nothing was added before, this call is the only one to notice.
  if (!called && is_not_open(called.error())) return called;
  if (!called) {
    member.place = std::unexpected(called.error());
  } else if (status != 0 && OsCode{status} != OsCode::kAlreadyExists) {
    member.place = std::unexpected(perflib_error(status, kAdding));
  } else {
    member.is_added = true;
    set.is_ordered = false;
  }
  return {};
}

std::expected<void, Error> PerflibClient::find_places(Set& set) {
  const auto bytes = set.query->info();
  if (!bytes) return std::unexpected(bytes.error());
  const v2::Identifiers identifiers = v2::parse_identifiers(*bytes);
  if (identifiers.problem) return std::unexpected(*identifiers.problem);
  set.is_ordered = true;
  for (Member& member : set.members) {
    if (!member.is_added) continue;
    member.place = std::nullopt;
    for (const v2::Identifier& identifier : identifiers.all)
      if (v2::alike(identifier.request, member.request)) member.place = identifier.index;
    // Perhaps the answer was damaged.
    if (*member.place == std::nullopt) set.is_ordered = false;
  }
  return {};
}

std::expected<Bytes, Error> PerflibClient::collect(PerflibSet key) {
  const auto set = sets_.find(key);
  if (set == sets_.end())
    return std::unexpected(
        perflib_error(value_of(OsCode::kInvalidHandle), "perflib.query_counter_data"));
  auto bytes = set->second.query->data();
  if (!bytes) sets_.erase(set);
  return bytes;
}

}  // namespace winperf
