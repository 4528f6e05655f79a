// One V1 provider in a separate process, and how far it is trusted. // A query waits only briefly
// for a provider. A reply that arrives later, within its deadline, is used by the next query for
// the same objects. After a loss the provider is on probation until it has made kGoodReplies in a
// row. While its worker may not be asked after a loss, for longer each time, its queries fail
// immediately with the reason: it is in quarantine. A provider that couldn't be loaded or opened
// gets a new process after a while, because its dependencies may be available by then. Errors:
// those of WorkerSource and ProviderSource, and kPending; `where` names the provider. Thread rule:
// one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/base/stop.h"
#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/provider/registration.h"
#include "collectors/sources/source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker_source.h"

namespace winperf {

// An error with the provider's name in its `where`. `name`: static text. Places within the provider
// are kept; that of the query is dropped.
[[nodiscard]] Error named_after(Error error, const char* name);

// The file that a registration's library is, without its folder: "perfos.dll". In lower case.
[[nodiscard]] std::string library_file(const ProviderRegistration& provider);

// The providers whose library is the outermost module that belongs to a provider; several may have
// the same library. `modules`: file names, the innermost first.
[[nodiscard]] std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers);

class ProviderHost {
 public:
  using Time = worker::Worker::Time;
  // How long a query waits for the answer before it continues without it.
  static constexpr std::chrono::milliseconds kNewWait{200};       // it is new
  static constexpr std::chrono::milliseconds kTrustedWait{100};   // it has answered
  static constexpr std::chrono::milliseconds kProbationWait{50};  // it was lost
  static constexpr unsigned kGoodReplies = 10;
  static constexpr std::chrono::milliseconds kSlowClose{150};
  // Until it is loaded and opened again; doubled after each failure.
  static constexpr std::chrono::seconds kFirstReopening{5};
  static constexpr std::chrono::seconds kLastReopening{60};

  // `provider`: its name in messages and errors. `always_waits`: queries always wait for it.
  ProviderHost(const std::string& provider, const worker::WorkerOptions& options,
               bool always_waits = false);

  // Requests the objects of a value name, unless an earlier request is still pending; then finish()
  // doesn't wait again.
  void begin(std::string_view value_name, const StopToken& stop);
  // The answer to begin().
  [[nodiscard]] std::expected<Reply, Error> finish(const StopToken& stop);

  void take_back(Reply reply) { source_.take_back(std::move(reply)); }
  ProviderState state() const;
  // After its next answer its Close is called once, while no query waits: the system may have been
  // calling it when the shared process was lost. Then it is opened again.
  void try_close() { closing_ = Closing::kWanted; }
  // Its fault since the last call, if any: a loss, a slow Close, or a change of its process
  // (SideEffect).
  [[nodiscard]] std::optional<std::string> take_harm() {
    return std::exchange(harm_, std::nullopt);
  }
  // Whether it hasn't answered, although others had enough time to do so.
  bool is_late(const Error& pending) const;
  // Closes its provider, and ends its process.
  void release() { source_.release(); }
  std::vector<WorkerView*> workers() { return source_.workers(); }

 private:
  void ask(const StopToken& stop);
  // kPending: its Close still runs. Otherwise the wanted objects have been requested.
  [[nodiscard]] std::expected<void, Error> finish_closing(Time until, const StopToken& stop);
  void note_side_effects();
  std::chrono::milliseconds wait_length() const;
  Time patience() const;
  // Updates the provider's standing. Returns whether it has answered, even with an error.
  bool judge(const std::expected<Reply, Error>& reply);
  // The answer, or the error of its worker.
  [[nodiscard]] std::expected<Reply, Error> answer(const StopToken& stop);
  void note(const std::expected<Reply, Error>& reply);
  void note_opening(const std::expected<Reply, Error>& reply);

  const char* name_;  // for errors
  bool always_waits_;
  std::function<Time()> now_;
  worker::WorkerSource source_;
  std::string wanted_;            // the value name of the query
  std::string asked_;             // the value name of the last request
  std::optional<Error> refused_;  // why no request was sent
  Time began_{};
  enum class Closing : std::uint8_t { kNone, kWanted, kGoesOn };

  Closing closing_ = Closing::kNone;
  std::uint32_t side_effects_ = 0;  // already reported
  std::optional<std::string> harm_;
  unsigned good_replies_ = 0;      // on probation
  std::optional<Time> reopen_at_;  // if it couldn't be opened
  BackOff reopening_{kFirstReopening, kLastReopening};
  ProviderState state_;  // except for its quarantine
};

// V1 providers that share a process, in which each is loaded and called as in a separate host: one
// after the other, so that the culprit of a lost call is known. The system's query can't do that,
// since it can't leave providers out. Errors: those of worker::Worker::call() and ProviderSource;
// `where` names the provider. Thread rule: one thread.
class SharedProviders {
 public:
  explicit SharedProviders(worker::WorkerOptions options) : worker_(std::move(options)) {}

  // The objects of one of them.
  [[nodiscard]] std::expected<Reply, Error> query(const ProviderRegistration& provider,
                                                  std::string_view value_name,
                                                  const StopToken& stop);
  // Closes its providers, and ends its process.
  void release() { worker_.finish(); }
  WorkerView* view() { return &worker_; }
  // Whether the provider's last call was lost, and isn't retried yet.
  bool rests(const ProviderRegistration& provider) const {
    return worker_.rests_until(provider.service).has_value();
  }
  // The number of processes so far.
  std::uint64_t processes() const { return worker_.state().starts; }
  // The SideEffect text of the last provider that was called; empty if nothing.
  std::string take_side_effect_text() {
    return worker::describe_side_effects(std::exchange(side_effects_, 0));
  }
  // Total time spent in calls, including those that timed out.
  double query_seconds() const { return worker_.state().query_seconds; }

 private:
  worker::Worker worker_;
  std::uint32_t side_effects_ = 0;  // bits of worker::SideEffect
};

// The result of requesting all objects of one provider in a separate process.
struct ProviderTrial {
  std::optional<Error> error;        // why it delivers nothing, or the defect of its reply
  std::vector<ObjectIndex> objects;  // in the order of its reply
  std::uint64_t bytes = 0;
  // Durations of the first query, which loads and opens it, and of the second one.
  std::chrono::nanoseconds first{};
  std::optional<std::chrono::nanoseconds> second;
};

// `host`: a new one, which is patient.
[[nodiscard]] ProviderTrial try_provider(ProviderHost& host);

}  // namespace winperf
