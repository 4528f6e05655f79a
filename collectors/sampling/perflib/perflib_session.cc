#include "collectors/sampling/perflib/perflib_session.h"

#include <algorithm>
#include <span>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"

namespace winperf {
namespace {

// The system may return the name in its own spelling.
bool alike(const v2::CounterRequest& a, const v2::CounterRequest& b) {
  return a.counterset == b.counterset && a.counter_id == b.counter_id &&
         a.instance_id == b.instance_id && equal_names(a.instance_name, b.instance_name);
}

// The process that the handle belonged to was replaced: nothing was lost but the handle.
bool lacks_handle(const Error& error) {
  return error.code == ErrorCode::kOsError && OsCode{error.os_code} == OsCode::kInvalidHandle;
}

// What became of one identifier in a call that succeeded as a whole.
std::uint32_t status_of(std::span<const std::byte> identifier) {
  const v2::Identifiers answered = v2::parse_identifiers(identifier);
  return answered.all.empty() ? 0 : answered.all.front().status;
}

}  // namespace

PerflibSession::Ticket PerflibSession::subscribe(const v2::CounterRequest& request) {
  for (auto& [ticket, entry] : entries_) {
    if (!alike(entry.request, request)) continue;
    ++entry.subscribers;
    return ticket;
  }
  const Ticket ticket{next_ticket_++};
  entries_[ticket].request = request;
  round_.reset();
  return ticket;
}

void PerflibSession::unsubscribe(Ticket ticket) {
  const auto found = entries_.find(ticket);
  if (found == entries_.end() || --found->second.subscribers != 0) return;
  if (found->second.added && query_) {
    std::vector<std::byte> identifier = v2::build_identifiers({&found->second.request, 1});
    // If the system doesn't remove the request, a new handle is built up without it.
    if (!query_->remove(identifier) || status_of(identifier) != 0) forget_handle();
  }
  entries_.erase(found);
  positions_known_ = false;
  round_.reset();
}

std::expected<PerflibSession::Answer, Error> PerflibSession::answer(Ticket ticket) {
  if (!round_) {
    round_ = ask();
    if (round_->error && lacks_handle(*round_->error)) round_ = ask();
  }
  const Entry& entry = entries_.at(ticket);
  if (round_->error) return std::unexpected(*round_->error);
  if (entry.refused) return std::unexpected(*entry.refused);
  if (!entry.position || *entry.position >= round_->results.size())
    return std::unexpected(Error{.code = ErrorCode::kBadCount,
                                 .where = "v2.result",
                                 .actual = entry.position.value_or(0),
                                 .limit = round_->results.size()});
  const auto& result = round_->results[*entry.position];
  if (!result) return std::unexpected(result.error());
  return Answer{.result = *result,
                .clocks = round_->clocks,
                .bytes = round_->bytes.size(),
                .padding_left_out = round_->padding_left_out || result->padding_left_out()};
}

PerflibSession::Round PerflibSession::ask() {
  Round round;
  const auto fail = [&round, this](const Error& error) {
    round.error = error;
    forget_handle();
    return std::move(round);
  };
  if (const auto added = add_missing(); !added) return fail(added.error());
  const bool any_added =
      std::ranges::any_of(entries_, [](const auto& entry) { return entry.second.added; });
  if (!any_added) return round;
  if (!positions_known_)
    if (const auto learned = learn_positions(); !learned) return fail(learned.error());

  auto bytes = query_->data();
  if (!bytes) return fail(bytes.error());
  round.bytes = *std::move(bytes);
  const auto data = v2::DataView::parse(round.bytes);
  if (!data) {
    // The handle works; only this answer is corrupt.
    round.error = data.error();
    return round;
  }
  round.clocks = data->clocks();
  v2::ResultWalk walk = data->results();
  while (const auto result = walk.next()) round.results.push_back(*result);
  round.padding_left_out = walk.padding_left_out();
  return round;
}

std::expected<void, Error> PerflibSession::add_missing() {
  if (!query_) {
    auto opened = client_.open();
    if (!opened) return std::unexpected(opened.error());
    query_ = *std::move(opened);
  }
  // One call each, so that a block that the system finds invalid costs only itself.
  for (auto& [ticket, entry] : entries_) {
    if (entry.added) continue;
    std::vector<std::byte> identifier = v2::build_identifiers({&entry.request, 1});
    const auto called = query_->add(identifier);
    const std::uint32_t status = status_of(identifier);
    entry.refused.reset();
    // If nothing else was added before, nobody else would notice.
    if (!called && lacks_handle(called.error())) return std::unexpected(called.error());
    if (!called) {
      entry.refused = called.error();
    } else if (status != 0 && OsCode{status} != OsCode::kAlreadyExists) {
      entry.refused = perflib_error(status, "perflib.add_counters");
    } else {
      entry.added = true;
      positions_known_ = false;
    }
  }
  return {};
}

std::expected<void, Error> PerflibSession::learn_positions() {
  const auto bytes = query_->info();
  if (!bytes) return std::unexpected(bytes.error());
  const v2::Identifiers identifiers = v2::parse_identifiers(*bytes);
  for (auto& [ticket, entry] : entries_) {
    entry.position.reset();
    for (const v2::Identifier& identifier : identifiers.all)
      if (alike(identifier.request, entry.request)) entry.position = identifier.index;
  }
  if (identifiers.problem) return std::unexpected(*identifiers.problem);
  positions_known_ = true;
  return {};
}

void PerflibSession::forget_handle() {
  query_.reset();
  positions_known_ = false;
  for (auto& [ticket, entry] : entries_) {
    entry.added = false;
    entry.position.reset();
  }
}

}  // namespace winperf
