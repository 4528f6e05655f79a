#include "collectors/hosting/provider_host.h"

#include <utility>

#include "collectors/base/kept_text.h"

namespace winperf {

ProviderHost::ProviderHost(const std::string& name, const worker::WorkerOptions& options,
                           bool is_patient)
    : name_(kept_text(name, "provider")),
      is_patient_(is_patient),
      now_(options.now),
      source_(nullptr, options) {}

void ProviderHost::begin(std::string_view value_name, const StopToken& stop) {
  wanted_ = value_name;
  began_ = now_();
  if (!source_.is_pending()) ask(stop);
}

void ProviderHost::ask(const StopToken& stop) {
  asked_ = wanted_;
  refused_.reset();
  // All its queries are one call: they are lost together, and rest together.
  if (const auto begun = source_.begin(asked_, "", stop); !begun) refused_ = begun.error();
}

std::expected<Reply, Error> ProviderHost::finish(const StopToken& stop) {
  for (;;) {
    if (refused_) return named(*refused_);
    auto reply = source_.finish_by(patience(), stop);
    const bool has_answered = judge(reply);
    if (has_answered && asked_ != wanted_) {
      if (reply) take_back(*std::move(reply));
      ask(stop);
      continue;
    }
    if (!reply) return named(reply.error());
    return reply;
  }
}

ProviderHost::Time ProviderHost::patience() const {
  if (is_patient_ || conduct_ == Conduct::kTrusted) return Time::max();
  return began_ + (conduct_ == Conduct::kUnknown ? kFirstPatience : kPatience);
}

bool ProviderHost::judge(const std::expected<Reply, Error>& reply) {
  if (!reply) {
    const ErrorCode code = reply.error().code;
    if (is_lost(code)) {
      conduct_ = Conduct::kProbation;
      good_replies_ = 0;
      return false;
    }
    if (code == ErrorCode::kWorkerStart || kind_of(code) == ErrorKind::kNotYet) return false;
  }
  ++good_replies_;
  if (conduct_ == Conduct::kUnknown || good_replies_ >= kGoodReplies) conduct_ = Conduct::kTrusted;
  return true;
}

std::unexpected<Error> ProviderHost::named(Error error) const {
  constexpr std::string_view kOfProvider = "provider.";
  std::string_view place = error.where;
  error.where = name_;
  if (place.starts_with(kOfProvider)) {
    place.remove_prefix(kOfProvider.size());
    error.where = kept_text(std::string(name_) + " in " + std::string(place), name_);
  }
  return std::unexpected(error);
}

}  // namespace winperf
