#include "collectors/worker/serve.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "collectors/base/clock.h"
#include "collectors/base/os_code.h"
#include "collectors/facts/fact_source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker_facts.h"
#include "collectors/worker/worker_source.h"

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

namespace {

// The worker stops retrying a query shortly before the parent's deadline.
constexpr std::chrono::milliseconds own_time(std::uint64_t parents_time) {
  constexpr std::uint64_t kMax = 3'600'000;
  constexpr std::uint64_t kEighth = 8;
  const std::uint64_t time = std::min(parents_time, kMax);
  return std::chrono::milliseconds(time - time / kEighth);
}

void add(ReplyWriter& reply, const std::expected<Bytes, Error>& part) {
  return part ? reply.add(*part) : reply.add(part.error());
}

void refuse(ReplyWriter& reply, const Error& error) {
  reply.add(error);
  reply.finish();
}

Error unsupported(Operation operation) {
  return {.code = ErrorCode::kUnsupported, .where = where_of(operation)};
}

}  // namespace

bool WorkerService::serve(ParentLink& link) noexcept {
  write_up(link.shared());
  if (!link.answer()) return false;
  while (link.wait()) {
    const bool goes_on =
        answer(link.shared(), [&link](std::size_t bytes) { return link.commit(bytes); });
    if (!link.answer()) return false;
    if (!goes_on) return true;
  }
  return false;
}

bool WorkerService::answer(std::span<std::byte> shared, ReplyRoom::Commit commit) {
  const auto request = read_request(shared);
  if (!request) {
    // Without the right sequence the parent rejects it.
    ReplyWriter(shared, 0).finish();
    return true;
  }
  ReplyWriter reply(shared, request->sequence, std::move(commit));
  write_marker(shared, *request, system_clocks().wall_now());
  const auto began = std::chrono::steady_clock::now();
  perform(*request, reply);
  const auto took = std::chrono::steady_clock::now() - began;
  std::uint32_t side_effects = clean_.changes();
  if (request->operation == Operation::kRelease && !are_heaps_sound())
    side_effects |= static_cast<std::uint32_t>(SideEffect::kHeap);
  write_time(shared, took, side_effects);
  clean_.restore();
  clear_marker(shared);
  return request->operation != Operation::kEnd;
}

void WorkerService::perform(const Request& request, ReplyWriter& reply) {
  switch (request.operation) {
    case Operation::kQuery:
    case Operation::kTextTables:
    case Operation::kInspect:
    case Operation::kRelease:
      return ask_registry(request, reply);
    case Operation::kEnumerateCountersets:
    case Operation::kEnumerateInstances:
    case Operation::kQueryRegistration:
    case Operation::kOpenSet:
    case Operation::kCollectSet:
    case Operation::kCloseSet:
      return ask_perflib(request, reply);
    case Operation::kFacts:
    case Operation::kReadFile:
      if (facts_ == nullptr) return refuse(reply, unsupported(request.operation));
      return request.operation == Operation::kFacts ? read_facts(request, reply)
                                                    : read_file(request, reply);
    case Operation::kDiagnose:
      if (!diagnose_) return refuse(reply, unsupported(request.operation));
      return write_diagnosis(reply, diagnose_(request.text));
    case Operation::kPdh: {
      const auto answer =
          ask_pdh_ ? ask_pdh_(request.text) : std::unexpected(unsupported(request.operation));
      if (!answer) return refuse(reply, answer.error());
      reply.add(std::as_bytes(std::span(*answer)));
      return reply.finish();
    }
    case Operation::kEnd:
      if (registry_ != nullptr) registry_->release();
      machines_.release();
      clients_.clear();
      return reply.finish();
  }
}

std::expected<CounterSource*, Error> WorkerService::source_of(const Request& request) {
  if (!request.whose.empty()) return machines_.source_of(request.whose);
  if (registry_ != nullptr) return registry_;
  return std::unexpected(unsupported(request.operation));
}

void WorkerService::ask_registry(const Request& request, ReplyWriter& reply) {
  if (request.operation == Operation::kRelease && !request.whose.empty()) {
    machines_.release(request.whose);
    clients_.erase(request.whose);
    return reply.finish();
  }
  const auto source = source_of(request);
  if (!source) return refuse(reply, source.error());
  (*source)->limit_time(own_time(request.time_ms));
  switch (request.operation) {
    case Operation::kQuery: {
      const auto size = (*source)->query_in(reply.room(), request.text, {});
      if (!size) return refuse(reply, size.error());
      reply.add_filled(*size);
      return reply.finish();
    }
    case Operation::kTextTables: {
      const auto tables = (*source)->text_tables(static_cast<TextTable>(request.numbers[0]),
                                                 static_cast<Language>(request.numbers[1]));
      for (const auto& table : tables) add(reply, table);
      return reply.finish();
    }
    case Operation::kInspect: {
      const std::uint64_t generation = (*source)->provider_generation();
      const std::byte metadata{(*source)->supports_metadata()};
      reply.add({&metadata, 1});
      return reply.finish(generation);
    }
    default:
      (*source)->release();
      return reply.finish();
  }
}

void WorkerService::read_facts(const Request& request, ReplyWriter& reply) {
  const auto asked = parse_request_text(request.text);
  const auto table =
      asked ? facts_->read(*asked, {}) : std::unexpected(unsupported(Operation::kFacts));
  if (!table) return refuse(reply, table.error());
  const std::string text = fact_text(*table);
  reply.add(std::as_bytes(std::span(text)));
  reply.finish();
}

void WorkerService::read_file(const Request& request, ReplyWriter& reply) {
  // A slow disk isn't the worker's fault: the bytes that were read by then are returned.
  constexpr int kQuarter = 4;
  const auto time = std::chrono::milliseconds(request.time_ms) / kQuarter;
  const auto question = read_file_question(request);
  write_file_answer(
      reply, question ? facts_->read_file(*question, time, {}) : std::unexpected(question.error()));
}

std::expected<PerflibClient*, Error> WorkerService::perflib_of(const Request& request,
                                                               std::size_t room) {
  if (perflib_ == nullptr) return std::unexpected(unsupported(request.operation));
  const auto known = clients_.find(request.whose);
  if (known != clients_.end()) return &known->second;
  if (clients_.size() >= NamedSources::kMax)
    return std::unexpected(Error{.code = ErrorCode::kLimitExceeded,
                                 .where = where_of(request.operation),
                                 .actual = clients_.size() + 1,
                                 .limit = NamedSources::kMax});
  return &clients_
              .try_emplace(request.whose, *perflib_, request.whose,
                           PerflibLimits{.max_bytes = room})
              .first->second;
}

void WorkerService::ask_perflib(const Request& request, ReplyWriter& reply) {
  const auto perflib = perflib_of(request, reply.room().size());
  const PerflibSet set{request.numbers[0]};
  if (!perflib) return refuse(reply, perflib.error());
  switch (request.operation) {
    case Operation::kEnumerateCountersets: {
      const auto guids = (*perflib)->countersets();
      if (!guids) return refuse(reply, guids.error());
      reply.add(std::as_bytes(std::span(*guids)));
      break;
    }
    case Operation::kEnumerateInstances:
      add(reply, (*perflib)->instances(request.guid));
      break;
    case Operation::kQueryRegistration:
      add(reply,
          (*perflib)->registration(request.guid, static_cast<RegistrationInfo>(request.numbers[0]),
                                   request.numbers[1]));
      break;
    case Operation::kOpenSet:
      (*perflib)->limit_time(own_time(request.time_ms));
      open_set(**perflib, request, reply);
      break;
    case Operation::kCollectSet:
      add(reply, (*perflib)->collect(set));
      break;
    default:
      (*perflib)->close(set);
  }
  reply.finish();
}

void WorkerService::open_set(PerflibClient& perflib, const Request& request, ReplyWriter& reply) {
  const auto identifiers = v2::parse_identifiers(std::as_bytes(std::span(request.text)));
  if (identifiers.problem) return reply.add(*identifiers.problem);
  std::vector<v2::CounterRequest> requests;
  for (const v2::Identifier& identifier : identifiers.all) requests.push_back(identifier.request);
  const auto places = perflib.open(PerflibSet{request.numbers[0]}, requests);
  if (!places) return reply.add(places.error());
  write_places(reply, *places);
}

}  // namespace winperf::worker
