#include "collectors/worker/worker_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectors/sources/platform.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {
namespace {

// Nothing if any part of the reply arrived, or none was needed.
std::optional<Error> failure_of(const std::expected<Reply, Error>& reply) {
  if (!reply) return reply.error();
  const auto failed = [](const auto& part) { return !part; };
  if (reply->parts.empty() || !std::ranges::all_of(reply->parts, failed)) return std::nullopt;
  return reply->parts.front().error();
}

}  // namespace

std::expected<Reply, Error> WorkerLink::call(Request request, std::string_view call,
                                             const StopToken& stop) {
  if (!is_shared()) return worker_->call(std::move(request), call, stop);
  if (loss_) return std::unexpected(*loss_);
  request.whose = machine_;
  const std::uint64_t before = lost_processes(worker_->state());
  // Targets differ in their durations.
  auto reply = worker_->call(std::move(request), machine_ + ' ' + std::string(call), stop);
  // A process that doesn't start says nothing about the target.
  const bool has_no_worker = !reply && is_of_start(reply.error().code);
  const bool is_lost = !reply && !has_no_worker && lost_processes(worker_->state()) != before;
  losses_ += is_lost ? 1U : 0U;
  failure_ = failure_of(reply);
  if (is_lost || has_no_worker || (failure_ && std::string_view(failure_->where) == kConnecting))
    loss_ = failure_;
  return reply;
}

std::expected<winperf::Reply, Error> WorkerSource::query(std::string_view value_name,
                                                         StopToken stop) {
  const auto reply = link_->call({.operation = Operation::kQuery, .text = std::string(value_name)},
                                 value_name, stop);
  is_open_ |= reply.has_value();
  answers_ = reply && reply->parts.front();
  return block_of(reply);
}

std::expected<void, Error> WorkerSource::begin(std::string_view value_name, std::string_view call,
                                               const StopToken& stop) {
  return worker().begin({.operation = Operation::kQuery, .text = std::string(value_name)}, call,
                        stop);
}

std::expected<winperf::Reply, Error> WorkerSource::finish_by(Worker::Time until,
                                                             const StopToken& stop) {
  return block_of(worker().finish_by(until, stop));
}

std::expected<winperf::Reply, Error> WorkerSource::block_of(
    const std::expected<Reply, Error>& reply) {
  if (!reply) return std::unexpected(reply.error());
  side_effects_ |= reply->side_effects;
  return reply_of(
      copied(reply->parts.front(), where_of(Operation::kQuery), std::exchange(spare_, {})),
      std::exchange(spare_blocks_, {}));
}

std::expected<void, Error> WorkerSource::begin_closing(const StopToken& stop) {
  return worker().begin({.operation = Operation::kRelease}, where_of(Operation::kRelease), stop);
}

std::expected<std::chrono::nanoseconds, Error> WorkerSource::finish_closing_by(
    Worker::Time until, const StopToken& stop) {
  const auto reply = worker().finish_by(until, stop);
  if (!reply) return std::unexpected(reply.error());
  side_effects_ |= reply->side_effects;
  return reply->took;
}

void WorkerSource::take_back(winperf::Reply reply) {
  // A spare buffer that is far too large for this request isn't kept.
  constexpr std::size_t kMost = 4;
  reply.blocks.give([this](Bytes block) {
    if (block.capacity() / kMost <= block.size() && block.capacity() > spare_.capacity())
      spare_ = std::move(block);
  });
  spare_blocks_ = std::move(reply.blocks);
}

std::vector<std::expected<Bytes, Error>> WorkerSource::text_tables(TextTable table,
                                                                   Language language) {
  const char* const where = where_of(Operation::kTextTables);
  const auto reply = link_->call(
      {.operation = Operation::kTextTables,
       .numbers = {static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(language)}},
      where, stop_);
  if (!reply) return {std::unexpected(reply.error())};
  is_open_ = true;
  std::vector<std::expected<Bytes, Error>> tables;
  for (const auto& part : reply->parts) tables.push_back(copied(part, where));
  return tables;
}

void WorkerSource::read_machine_values() {
  if (now_() < next_read_at_) return;
  next_read_at_ = now_() + kReadInterval;
  const auto reply =
      link_->call({.operation = Operation::kInspect}, where_of(Operation::kInspect), stop_);
  if (!reply || reply->parts.size() != 1 || !reply->parts.front() ||
      reply->parts.front()->size() != 1)
    return;
  // The byte may change while it is read; either value is valid.
  metadata_ = reply->parts.front()->front() != std::byte{};
  // 0: unknown.
  if (reply->number == 0) return;
  if (!first_generation_) first_generation_ = reply->number;
  generation_ = reply->number - *first_generation_;
}

bool WorkerSource::supports_metadata() {
  if (plain_) return plain_->supports_metadata();
  read_machine_values();
  return metadata_;
}

std::uint64_t WorkerSource::provider_generation() {
  if (plain_) return plain_->provider_generation();
  if (answers_) read_machine_values();
  return generation_;
}

void WorkerSource::release() {
  if (!link_->is_shared()) return worker().finish();
  const bool has_process = worker().is_running();
  if (!std::exchange(is_open_, false) || !has_process) return;
  // Without an answer, the process has ended, which closed the handle.
  static_cast<void>(
      link_->call({.operation = Operation::kRelease}, where_of(Operation::kRelease), stop_));
}

void WorkerSource::set_stop(StopToken stop) {
  stop_ = std::move(stop);
  link_->begin_round();
}

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
  // The set ended with its process.
  if (!link_->worker().is_running()) return;
  static_cast<void>(
      link_->call({.operation = Operation::kCloseSet, .numbers = {static_cast<std::uint32_t>(set)}},
                  where_of(Operation::kCloseSet), stop_));
}

RemoteMachine remote_machine(const std::shared_ptr<Worker>& worker, const std::string& host,
                             WorkerSource::Now now) {
  auto registry = std::make_shared<WorkerLink>(worker, host);
  auto perflib = std::make_shared<WorkerLink>(worker, host);
  return {.source = std::make_unique<WorkerSource>(registry, std::move(now)),
          .perflib = std::make_unique<WorkerPerflib>(perflib),
          .registry_link = registry,
          .perflib_link = perflib};
}

}  // namespace winperf::worker
