#include "collectors/hosting/provider_host.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/file_failure.h"
#include "collectors/sources/value_names.h"

namespace winperf {

Error named_after(Error error, const char* name) {
  constexpr std::string_view kOfProvider = "provider.";
  if (std::string_view(error.where).starts_with(kOfProvider)) {
    error.where += kOfProvider.size();
    return with_supplier(error, name);
  }
  error.where = name;
  return error;
}

std::string library_file(const ProviderRegistration& provider) {
  std::string file = ascii_lower(provider.library);
  if (const auto folder = file.find_last_of("\\/"); folder != std::string::npos)
    file.erase(0, folder + 1);
  // LoadLibrary appends the same extension.
  if (!file.empty() && file.find('.') == std::string::npos) file += ".dll";
  return file;
}

std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers) {
  std::vector<const ProviderRegistration*> owners;
  for (auto module = modules.rbegin(); module != modules.rend() && owners.empty(); ++module) {
    const std::string file = ascii_lower(*module);
    if (file.empty()) continue;
    for (const ProviderRegistration& provider : providers)
      if (!provider.disabled && library_file(provider) == file) owners.push_back(&provider);
  }
  return owners;
}

namespace {

constexpr std::int64_t kMillion = 1'000'000;  // nanoseconds of a millisecond
// All its queries share one name, and so one deadline and one pause after a loss.
constexpr std::string_view kCall = "the provider";

// A host opens its provider once.
bool is_of_opening(const Error& error) {
  const std::string_view place = error.where;
  return error.code == ErrorCode::kNoProcedure || place.starts_with("provider.load") ||
         place.starts_with("provider.open");
}

// Whether a sound reply has the values of each object that a value name lists; false of a value
// name that lists none, such as "Global".
bool has_all_of(const Reply& reply, std::string_view value_name) {
  const auto objects = indices_in(value_name);
  return objects && reply.blocks.is_sound() &&
         std::ranges::all_of(
             *objects, [&](ObjectIndex object) { return reply.blocks.has_values_of(object); });
}

}  // namespace

ProviderHost::ProviderHost(const std::string& provider, const worker::WorkerOptions& options,
                           bool always_waits)
    : name_(kept_text(provider, "provider")),
      always_waits_(always_waits),
      now_(options.now),
      source_(nullptr, options) {
  state_.worker = options.name;
}

void ProviderHost::begin(std::string_view value_name, const StopToken& stop) {
  wanted_ = value_name;
  if (closing_ == Closing::kGoesOn) {
    began_ = now_();
    static_cast<void>(finish_closing(began_, stop));
    return;
  }
  if (source_.worker().is_pending()) return;
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
  if (!reply) reply = std::unexpected(named_after(reply.error(), name_));
  note(reply);
  note_side_effects();
  if (reply && closing_ == Closing::kWanted)
    closing_ = source_.begin_closing(stop) ? Closing::kGoesOn : Closing::kNone;
  return reply;
}

std::expected<void, Error> ProviderHost::finish_closing(Time until, const StopToken& stop) {
  const auto took = source_.finish_closing_by(until, stop);
  if (source_.worker().is_pending()) return std::unexpected(took.error());
  closing_ = Closing::kNone;
  if (!took) {
    Error error = took.error();
    error.where = "provider.close";
    static_cast<void>(judge(std::unexpected(error)));
    if (error.code == ErrorCode::kCancelled) return std::unexpected(error);
  } else if (*took > kSlowClose) {
    harm_ =
        std::string(name_) + " took " + std::to_string(took->count() / kMillion) + " ms to close";
  }
  note_side_effects();
  ask(stop);
  return {};
}

void ProviderHost::note_side_effects() {
  const std::uint32_t left = source_.take_side_effects();
  if ((left & ~side_effects_) == 0) return;
  side_effects_ |= left;
  if (!harm_) harm_ = std::string(name_) + ' ' + worker::describe_side_effects(left);
}

std::expected<Reply, Error> ProviderHost::answer(const StopToken& stop) {
  for (;;) {
    if (closing_ == Closing::kGoesOn) {
      const auto closed = finish_closing(patience(), stop);
      if (!closed) return std::unexpected(closed.error());
    }
    if (refused_) return std::unexpected(*refused_);
    const double busy_before = source_.worker().state().query_seconds;
    auto reply = source_.finish_by(patience(), stop);
    if (!source_.worker().is_pending())
      state_.query_seconds = source_.worker().state().query_seconds - busy_before;
    if (reply) state_.reply_bytes = size_of(*reply);
    note_opening(reply);
    const bool has_answered = judge(reply);
    // Otherwise a slow provider that gets alternating requests for all and for some objects would
    // never be used.
    const bool has_more = reply && !indices_in(asked_) && has_all_of(*reply, wanted_);
    if (!has_answered || asked_ == wanted_ || has_more) return reply;
    if (reply) take_back(*std::move(reply));
    ask(stop);
  }
}

void ProviderHost::note(const std::expected<Reply, Error>& reply) {
  const auto has_failed_as = [&](ErrorCode code) { return !reply && reply.error().code == code; };
  if (has_failed_as(ErrorCode::kCancelled) || has_failed_as(ErrorCode::kPending)) return;
  state_.error = reply ? std::nullopt : std::optional(reply.error());
  if (!reply && is_of_start(reply.error().code)) return;  // it wasn't asked
  ++state_.queries;
  if (!reply) ++state_.failures;
}

void ProviderHost::note_opening(const std::expected<Reply, Error>& reply) {
  if (reply) {
    reopen_at_.reset();
    reopening_.reset();
  } else if (is_of_opening(reply.error()) && !reopen_at_) {
    reopen_at_ = now_() + reopening_.next();
  }
}

std::chrono::milliseconds ProviderHost::wait_length() const {
  if (state_.standing == ProviderStanding::kNew) return kNewWait;
  return state_.standing == ProviderStanding::kTrusted ? kTrustedWait : kProbationWait;
}

ProviderHost::Time ProviderHost::patience() const {
  return always_waits_ ? Time::max() : began_ + wait_length();
}

bool ProviderHost::judge(const std::expected<Reply, Error>& reply) {
  if (!reply) {
    const ErrorCode code = reply.error().code;
    if (is_lost(code)) {
      harm_ = describe(named_after(reply.error(), name_));
      state_.standing = ProviderStanding::kProbation;
      good_replies_ = 0;
      return false;
    }
    if (is_of_start(code) || kind_of(code) == ErrorKind::kNotYet) return false;
  }
  ++good_replies_;
  if (state_.standing == ProviderStanding::kNew || good_replies_ >= kGoodReplies)
    state_.standing = ProviderStanding::kTrusted;
  return true;
}

bool ProviderHost::is_late(const Error& pending) const {
  return !source_.worker().is_starting() &&
         std::chrono::milliseconds(pending.actual) >= wait_length();
}

ProviderState ProviderHost::state() const {
  ProviderState state = state_;
  if (const auto until = source_.worker().rests_until(kCall)) {
    state.standing = ProviderStanding::kQuarantine;
    state.quarantine_seconds = std::chrono::duration<double>(*until - now_()).count();
  }
  return state;
}

std::expected<Reply, Error> SharedProviders::query(const ProviderRegistration& provider,
                                                   std::string_view value_name,
                                                   const StopToken& stop) {
  const char* const name = kept_text(title_of(provider), "provider");
  // Each has a separate deadline and pause after a loss.
  const auto reply = worker_.call({.operation = worker::Operation::kQuery,
                                   .text = std::string(value_name),
                                   .whose = provider.service},
                                  provider.service, stop);
  if (!reply) return std::unexpected(named_after(reply.error(), name));
  side_effects_ |= reply->side_effects;
  auto block = worker::copied(reply->parts.front(), name);
  if (!block) return std::unexpected(named_after(block.error(), name));
  return reply_of(std::move(block));
}

ProviderTrial try_provider(ProviderHost& host) {
  ProviderTrial trial;
  const auto ask = [&host](auto& took) {
    const auto before = std::chrono::steady_clock::now();
    host.begin("Global", {});
    auto reply = host.finish({});
    took = std::chrono::steady_clock::now() - before;
    return reply;
  };
  const auto first = ask(trial.first);
  if (!first) {
    trial.error = first.error();
    return trial;
  }
  const auto second = ask(trial.second);
  if (!second) {
    trial.second.reset();
    trial.error = second.error();
  }
  const Reply& last = *(second ? second : first);
  trial.bytes = size_of(last);
  for (const ReplyBlocks::Walked& walked : last.blocks.walked())
    for (const ObjectView& object : last.blocks.objects_of(walked))
      trial.objects.push_back(object.index());
  if (const auto problems = last.blocks.problems(); !problems.empty())
    trial.error = problems.front();
  return trial;
}

}  // namespace winperf
