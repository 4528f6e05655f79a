#include "collectors/worker/worker_perflib.h"

#include <algorithm>
#include <cstring>

#include "collectors/worker/frame.h"

namespace winperf::worker {
namespace {

enum class PlaceState : std::uint32_t { kKnown, kUnknown, kRefused };

// Both sides are the same executable, as for frame.h.
struct PlaceFrame {
  PlaceState state;
  std::uint32_t place;
  ErrorFrame error;
};
static_assert(std::is_trivially_copyable_v<PlaceFrame>);

std::unexpected<Error> wrong(Operation operation, std::uint64_t actual, std::uint64_t limit) {
  return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                               .where = where_of(operation),
                               .actual = actual,
                               .limit = limit});
}

std::string identifiers_of(std::span<const v2::CounterRequest> requests) {
  const auto bytes = v2::build_identifiers(requests);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The same text for the same requests in any order.
std::string sorted_identifiers(std::span<const v2::CounterRequest> requests) {
  std::vector<std::string> all;
  for (const v2::CounterRequest& request : requests) all.push_back(identifiers_of({&request, 1}));
  std::ranges::sort(all);
  std::string text;
  for (const std::string& one : all) text += one;
  return text;
}

}  // namespace

void write_places(ReplyWriter& reply, const std::vector<ResultPlace>& places) {
  std::vector<PlaceFrame> frames;
  for (const ResultPlace& place : places) {
    if (!place) {
      frames.push_back(
          {.state = PlaceState::kRefused, .place = 0, .error = frame_of(place.error())});
    } else {
      frames.push_back({.state = *place ? PlaceState::kKnown : PlaceState::kUnknown,
                        .place = place->value_or(0),
                        .error = {}});
    }
  }
  reply.add(std::as_bytes(std::span(frames)));
}

std::expected<std::vector<ResultPlace>, Error> read_places(std::span<const std::byte> part,
                                                           std::size_t count) {
  if (part.size() != count * sizeof(PlaceFrame))
    return wrong(Operation::kOpenSet, part.size(), count * sizeof(PlaceFrame));
  std::vector<PlaceFrame> frames(count);
  if (count != 0) std::memcpy(frames.data(), part.data(), part.size());
  std::vector<ResultPlace> places;
  for (const PlaceFrame& frame : frames) {
    if (frame.state == PlaceState::kKnown) {
      places.emplace_back(frame.place);
    } else if (frame.state == PlaceState::kUnknown) {
      places.emplace_back(std::nullopt);
    } else if (frame.state != PlaceState::kRefused) {
      return wrong(Operation::kOpenSet, static_cast<std::uint32_t>(frame.state),
                   static_cast<std::uint32_t>(PlaceState::kRefused));
    } else {
      const auto error = read_error(frame.error);
      if (!error) return wrong(Operation::kOpenSet, frame.error.code, kErrorCodeCount);
      places.emplace_back(std::unexpected(*error));
    }
  }
  return places;
}

std::expected<std::vector<Guid>, Error> read_guids(std::span<const std::byte> part) {
  if (part.size() > kMaxGuids * sizeof(Guid))
    return wrong(Operation::kEnumerateCountersets, part.size(), kMaxGuids * sizeof(Guid));
  if (const std::size_t rest = part.size() % sizeof(Guid); rest != 0)
    return wrong(Operation::kEnumerateCountersets, part.size(), part.size() - rest);
  std::vector<Guid> guids(part.size() / sizeof(Guid));
  if (!guids.empty()) std::memcpy(guids.data(), part.data(), part.size());
  return guids;
}

std::expected<Bytes, Error> WorkerPerflib::ask(Request request, const std::string& asked) {
  const char* const where = where_of(request.operation);
  const std::string call = asked.empty() ? where : where + (' ' + asked);
  const auto reply = link_->call(std::move(request), call, stop_);
  if (!reply) {
    Error error = reply.error();
    error.where = where;
    return std::unexpected(error);
  }
  return copied(reply->parts.front(), where);
}

std::expected<std::vector<Guid>, Error> WorkerPerflib::countersets() {
  const auto part = ask({.operation = Operation::kEnumerateCountersets});
  return part ? read_guids(*part) : std::unexpected(part.error());
}

std::expected<Bytes, Error> WorkerPerflib::instances(const Guid& counterset) {
  return ask({.operation = Operation::kEnumerateInstances, .guid = counterset});
}

std::expected<Bytes, Error> WorkerPerflib::registration(const Guid& counterset,
                                                        RegistrationInfo info,
                                                        std::uint32_t argument) {
  return ask({.operation = Operation::kQueryRegistration,
              .numbers = {static_cast<std::uint32_t>(info), argument},
              .guid = counterset});
}

std::expected<std::vector<ResultPlace>, Error> WorkerPerflib::open(
    PerflibSet set, std::span<const v2::CounterRequest> requests) {
  std::string& wanted = wanted_[set];
  wanted = sorted_identifiers(requests);
  const auto part = ask({.operation = Operation::kOpenSet,
                         .numbers = {static_cast<std::uint32_t>(set)},
                         .text = identifiers_of(requests)},
                        wanted);
  return part ? read_places(*part, requests.size()) : std::unexpected(part.error());
}

std::expected<Bytes, Error> WorkerPerflib::collect(PerflibSet set) {
  return ask({.operation = Operation::kCollectSet, .numbers = {static_cast<std::uint32_t>(set)}},
             wanted_[set]);
}

void WorkerPerflib::close(PerflibSet set) {
  wanted_.erase(set);
  // With its process, the set has ended.
  if (!link_->worker().is_running()) return;
  static_cast<void>(
      link_->call({.operation = Operation::kCloseSet, .numbers = {static_cast<std::uint32_t>(set)}},
                  where_of(Operation::kCloseSet), stop_));
}

}  // namespace winperf::worker
