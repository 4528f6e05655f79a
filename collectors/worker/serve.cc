#include "collectors/worker/serve.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/clock.h"
#include "collectors/base/os_code.h"
#include "collectors/facts/fact_request.h"
#include "collectors/worker/file_frame.h"
#include "collectors/worker/left_behind.h"

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

// A query gives up repeating itself a little before its parent gives it up.
constexpr std::chrono::milliseconds own_time(std::uint64_t parents_time) {
  constexpr std::uint64_t kMax = 3'600'000;
  constexpr std::uint64_t kEighth = 8;
  const std::uint64_t time = std::min(parents_time, kMax);
  return std::chrono::milliseconds(time - time / kEighth);
}

std::u16string utf16_of(std::string_view bytes) {
  std::u16string text(bytes.size() / sizeof(char16_t), u'\0');
  std::memcpy(text.data(), bytes.data(), text.size() * sizeof(char16_t));
  return text;
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
    // Without its sequence this is no answer, and the parent says so.
    ReplyWriter(shared, 0).finish();
    return true;
  }
  ReplyWriter reply(shared, request->sequence, std::move(commit));
  write_marker(shared, *request, system_clocks().wall_now());
  const auto began = std::chrono::steady_clock::now();
  perform(*request, reply);
  const auto took = std::chrono::steady_clock::now() - began;
  std::uint32_t left_behind = clean_.changes();
  if (request->operation == Operation::kRelease && !are_heaps_sound())
    left_behind |= static_cast<std::uint32_t>(LeftBehind::kHeap);
  write_time(shared, took, left_behind);
  clean_.restore();
  clear_marker(shared);
  return request->operation != Operation::kEnd;
}

void WorkerService::perform(const Request& request, ReplyWriter& reply) {
  if (request.operation == Operation::kEnd) {
    if (registry_ != nullptr) registry_->release();
    machines_.release();
    for (const auto& [number, query] : std::exchange(queries_, {})) perflib_->close_query(query);
    return reply.finish();
  }
  if (!can_do(request.operation)) {
    reply.add(Error{.code = ErrorCode::kUnsupported, .where = where_of(request.operation)});
    reply.finish(0, value_of(OsCode::kNotSupported));
    return;
  }
  switch (request.operation) {
    case Operation::kQuery:
    case Operation::kTextTables:
    case Operation::kInspect:
    case Operation::kRelease:
      return ask_registry(request, reply);
    case Operation::kFacts:
      return read_facts(request, reply);
    case Operation::kReadFile:
      return read_file(request, reply);
    default:
      return call_perflib(request, reply);
  }
}

bool WorkerService::can_do(Operation operation) const {
  if (operation == Operation::kFacts || operation == Operation::kReadFile) return facts_ != nullptr;
  return !is_perflib(operation) || perflib_ != nullptr;
}

std::expected<CounterSource*, Error> WorkerService::source_of(const Request& request) {
  if (!request.whose.empty()) return machines_.source_of(request.whose);
  if (registry_ != nullptr) return registry_;
  return std::unexpected(
      Error{.code = ErrorCode::kUnsupported, .where = where_of(request.operation)});
}

void WorkerService::ask_registry(const Request& request, ReplyWriter& reply) {
  if (request.operation == Operation::kRelease && !request.whose.empty()) {
    machines_.release(request.whose);
    return reply.finish();
  }
  const auto source = source_of(request);
  if (!source) {
    reply.add(source.error());
    return reply.finish(0, value_of(OsCode::kNotSupported));
  }
  (*source)->limit_time(own_time(request.time_ms));
  switch (request.operation) {
    case Operation::kQuery:
      return query(**source, request, reply);
    case Operation::kTextTables:
      return text_tables(**source, request, reply);
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

void WorkerService::query(CounterSource& source, const Request& request, ReplyWriter& reply) {
  const auto size = source.query_in(reply.room(), request.text, {});
  if (size) {
    reply.add_filled(*size);
  } else {
    reply.add(size.error());
  }
  reply.finish();
}

void WorkerService::text_tables(CounterSource& source, const Request& request, ReplyWriter& reply) {
  const auto tables = source.text_tables(static_cast<TextTable>(request.numbers[0]),
                                         static_cast<Language>(request.numbers[1]));
  for (const auto& table : tables) {
    if (table) {
      reply.add(*table);
    } else {
      reply.add(table.error());
    }
  }
  reply.finish();
}

void WorkerService::read_facts(const Request& request, ReplyWriter& reply) {
  const auto asked = parse_request_text(request.text);
  const auto table = asked ? facts_->read(*asked, {})
                           : std::unexpected(Error{.code = ErrorCode::kUnsupported,
                                                   .where = where_of(Operation::kFacts)});
  if (table) {
    const std::string text = fact_text(*table);
    reply.add(std::as_bytes(std::span(text)));
  } else {
    reply.add(table.error());
  }
  reply.finish();
}

void WorkerService::read_file(const Request& request, ReplyWriter& reply) {
  // A slow disk is the file's fault: what is there by then is answered.
  constexpr int kQuarter = 4;
  const auto time = std::chrono::milliseconds(request.time_ms) / kQuarter;
  const auto question = read_file_question(request);
  write_file_answer(
      reply, question ? facts_->read_file(*question, time, {}) : std::unexpected(question.error()));
}

void WorkerService::call_perflib(const Request& request, ReplyWriter& reply) {
  const ReplyRoom place = reply.room();
  std::span<std::byte> buffer;
  try {
    buffer = place.first(std::min<std::uint64_t>(request.room, place.size()));
  } catch (const std::bad_alloc&) {
    reply.add_filled(0);
    return reply.finish(0, value_of(OsCode::kNoSystemResources));
  }
  Outcome outcome;
  if (request.operation <= Operation::kOpenQuery) {
    outcome = ask_machine(request, buffer);
  } else {
    const auto query = queries_.find(request.handle);
    if (query == queries_.end()) {
      outcome = {.os_code = value_of(OsCode::kInvalidHandle)};
    } else if (request.operation >= Operation::kAddCounters) {
      return change_counters(request, query->second, reply);
    } else {
      outcome = ask_query(request, query->second, buffer);
    }
  }
  const bool success = OsCode{outcome.os_code} == OsCode::kSuccess;
  reply.add_filled(success ? outcome.bytes : 0);
  reply.finish(outcome.number, outcome.os_code);
}

WorkerService::Outcome WorkerService::ask_machine(const Request& request,
                                                  std::span<std::byte> buffer) {
  const std::u16string machine = utf16_of(request.text);
  std::uint32_t actual = 0;
  std::uint32_t os_code = 0;
  switch (request.operation) {
    case Operation::kEnumerateCountersets: {
      const std::span guids(reinterpret_cast<Guid*>(buffer.data()), buffer.size() / sizeof(Guid));
      os_code = perflib_->enumerate_countersets(machine, guids, actual);
      return {.os_code = os_code, .bytes = std::uint64_t{actual} * sizeof(Guid), .number = actual};
    }
    case Operation::kEnumerateInstances:
      os_code = perflib_->enumerate_instances(machine, request.guid, buffer, actual);
      return {.os_code = os_code, .bytes = actual, .number = actual};
    case Operation::kQueryRegistration:
      os_code = perflib_->query_registration(machine, request.guid,
                                             static_cast<RegistrationInfo>(request.numbers[0]),
                                             request.numbers[1], buffer, actual);
      return {.os_code = os_code, .bytes = actual, .number = actual};
    default: {
      PerflibHandle query{};
      os_code = perflib_->open_query(machine, query);
      if (OsCode{os_code} == OsCode::kSuccess) queries_[next_query_] = query;
      return {.os_code = os_code, .number = next_query_++};
    }
  }
}

WorkerService::Outcome WorkerService::ask_query(const Request& request, PerflibHandle query,
                                                std::span<std::byte> buffer) {
  std::uint32_t actual = 0;
  std::uint32_t os_code = 0;
  switch (request.operation) {
    case Operation::kQueryCounterInfo:
      os_code = perflib_->query_counter_info(query, buffer, actual);
      break;
    case Operation::kQueryCounterData:
      os_code = perflib_->query_counter_data(query, buffer, actual);
      break;
    default:
      os_code = perflib_->close_query(query);
      queries_.erase(request.handle);
  }
  return {.os_code = os_code, .bytes = actual, .number = actual};
}

void WorkerService::change_counters(const Request& request, PerflibHandle query,
                                    ReplyWriter& reply) {
  std::vector<std::byte> identifiers(request.whose.size());
  std::memcpy(identifiers.data(), request.whose.data(), identifiers.size());
  const std::uint32_t os_code = request.operation == Operation::kAddCounters
                                    ? perflib_->add_counters(query, identifiers)
                                    : perflib_->delete_counters(query, identifiers);
  reply.add(identifiers);
  reply.finish(0, os_code);
}

}  // namespace winperf::worker
