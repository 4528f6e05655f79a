#include "collectors/hosting/provider_host.h"

#include <algorithm>
#include <utility>

#include "collectors/base/kept_text.h"
#include "collectors/sources/supplier.h"

namespace winperf {
namespace {

constexpr std::string_view kCall;  // all its queries are one: lost together, and resting together

// A host opens its provider once.
bool is_of_opening(const Error& error) {
  const std::string_view place = error.where;
  return error.code == ErrorCode::kNoProcedure || place.starts_with("provider.load") ||
         place.starts_with("provider.open");
}

}  // namespace

ProviderHost::ProviderHost(const std::string& provider, const worker::WorkerOptions& options,
                           bool is_patient)
    : name_(kept_text(provider, "provider")),
      is_patient_(is_patient),
      now_(options.now),
      source_(nullptr, options) {
  state_.worker = options.name;
}

void ProviderHost::begin(std::string_view value_name, const StopToken& stop) {
  wanted_ = value_name;
  if (source_.is_pending()) return;
  began_ = now_();
  if (reopen_at_ && began_ >= *reopen_at_) {
    reopen_at_.reset();
    source_.release();
  }
  ask(stop);
}

void ProviderHost::ask(const StopToken& stop) {
  asked_ = wanted_;
  refused_.reset();
  if (const auto begun = source_.begin(asked_, kCall, stop); !begun) refused_ = begun.error();
}

std::expected<Reply, Error> ProviderHost::finish(const StopToken& stop) {
  auto reply = answer(stop);
  if (!reply) reply = std::unexpected(named(reply.error()));
  note(reply);
  return reply;
}

std::expected<Reply, Error> ProviderHost::answer(const StopToken& stop) {
  for (;;) {
    if (refused_) return std::unexpected(*refused_);
    const double busy_before = source_.state().query_seconds;
    auto reply = source_.finish_by(patience(), stop);
    if (!source_.is_pending()) state_.query_seconds = source_.state().query_seconds - busy_before;
    if (reply) state_.reply_bytes = size_of(*reply);
    note_opening(reply);
    const bool has_answered = judge(reply);
    if (!has_answered || asked_ == wanted_) return reply;
    if (reply) take_back(*std::move(reply));
    ask(stop);
  }
}

void ProviderHost::note(const std::expected<Reply, Error>& reply) {
  const auto has_failed_as = [&](ErrorCode code) { return !reply && reply.error().code == code; };
  if (has_failed_as(ErrorCode::kCancelled) || has_failed_as(ErrorCode::kPending)) return;
  ++state_.queries;
  if (!reply) ++state_.failures;
  state_.error = reply ? std::nullopt : std::optional(reply.error());
}

void ProviderHost::note_opening(const std::expected<Reply, Error>& reply) {
  if (reply) {
    reopen_at_.reset();
    reopening_ = kFirstReopening;
  } else if (is_of_opening(reply.error()) && !reopen_at_) {
    reopen_at_ = now_() + reopening_;
    reopening_ = std::min(2 * reopening_, kLastReopening);
  }
}

ProviderHost::Time ProviderHost::patience() const {
  if (is_patient_) return Time::max();
  switch (state_.standing) {
    case ProviderStanding::kNew:
      return began_ + kFirstPatience;
    case ProviderStanding::kTrusted:
      return began_ + kTrustedPatience;
    case ProviderStanding::kProbation:
    case ProviderStanding::kQuarantine:
      break;
  }
  return began_ + kPatience;
}

bool ProviderHost::judge(const std::expected<Reply, Error>& reply) {
  if (!reply) {
    const ErrorCode code = reply.error().code;
    if (is_lost(code)) {
      state_.standing = ProviderStanding::kProbation;
      good_replies_ = 0;
      return false;
    }
    if (code == ErrorCode::kWorkerStart || kind_of(code) == ErrorKind::kNotYet) return false;
  }
  ++good_replies_;
  if (state_.standing == ProviderStanding::kNew || good_replies_ >= kGoodReplies)
    state_.standing = ProviderStanding::kTrusted;
  return true;
}

ProviderState ProviderHost::state() const {
  ProviderState state = state_;
  if (const auto until = source_.rests_until(kCall)) {
    state.standing = ProviderStanding::kQuarantine;
    state.quarantine_seconds = std::chrono::duration<double>(*until - now_()).count();
  }
  return state;
}

// Places in a provider's own work are said; how it was asked is known from its name.
Error ProviderHost::named(Error error) const {
  constexpr std::string_view kOfProvider = "provider.";
  if (std::string_view(error.where).starts_with(kOfProvider)) {
    error.where += kOfProvider.size();
    return with_supplier(error, name_);
  }
  error.where = name_;
  return error;
}

}  // namespace winperf
