// One V1 provider in a process of its own, and how far it is trusted.
//
// Nobody waits long for a provider. If its reply comes later, though within its deadline, whoever
// asks the same again takes it. One that was lost is on probation until it has made kGoodReplies in
// a row. While its worker rests after a loss, which takes longer each time, its queries fail at
// once with the reason: it is in quarantine. One that couldn't be loaded or opened gets a new
// process after a while, because what it needs may be there by then.
// Errors: those of WorkerSource and ProviderSource, and kPending; `where` names the provider.
// Thread rule: one thread.
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

// An error as it is said of a provider. `name`: the provider's, static text. Places in its own work
// are said; how it was asked is known from its name.
[[nodiscard]] Error named_after(Error error, const char* name);

// The file that a registration's library is, without its folder: "perfos.dll". In lower case.
[[nodiscard]] std::string library_file(const ProviderRegistration& provider);

// Those whose library is the outermost module that is anybody's, which the system has called;
// several may have the same library. `modules`: file names, the innermost first.
[[nodiscard]] std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers);

class ProviderHost {
 public:
  using Time = worker::Worker::Time;
  // From the question to when the others go on without the answer.
  static constexpr std::chrono::milliseconds kFirstPatience{200};    // nothing is known of it
  static constexpr std::chrono::milliseconds kTrustedPatience{100};  // it has answered
  static constexpr std::chrono::milliseconds kPatience{50};          // it was lost
  static constexpr unsigned kGoodReplies = 10;
  static constexpr std::chrono::milliseconds kSlowClose{150};
  // Until it is loaded and opened again; twice as long after each failure.
  static constexpr std::chrono::seconds kFirstReopening{5};
  static constexpr std::chrono::seconds kLastReopening{60};

  // `provider`: for people, and in errors. `is_patient`: it is always waited for.
  ProviderHost(const std::string& provider, const worker::WorkerOptions& options,
               bool is_patient = false);

  // Asks for the objects of a value name, unless the answer to an earlier question is still to
  // come: whoever has waited for that already doesn't wait again.
  void begin(std::string_view value_name, const StopToken& stop);
  // The answer to what was begun.
  [[nodiscard]] std::expected<Reply, Error> finish(const StopToken& stop);

  void take_back(Reply reply) { source_.take_back(std::move(reply)); }
  ProviderState state() const;
  // After its next answer its Close is tried once, while nobody waits for it: the system may have
  // called it when the process of all was lost. Then it is opened again.
  void try_close() { closing_ = Closing::kWanted; }
  // What it has done to its process since the last call, if anything: it was lost, its Close was
  // slow, or it has left something behind.
  [[nodiscard]] std::optional<std::string> take_harm() {
    return std::exchange(harm_, std::nullopt);
  }
  // Whether it could have answered, and hasn't, although it was asked long enough ago for others to
  // have done so.
  bool is_late(const Error& pending) const;
  // Lets it close its provider, and ends its process.
  void release() { source_.release(); }
  std::vector<WorkerView*> workers() { return source_.workers(); }

 private:
  void ask(const StopToken& stop);
  // kPending: its Close goes on. Otherwise what was wanted has been asked for.
  [[nodiscard]] std::expected<void, Error> finish_closing(Time until, const StopToken& stop);
  void note_left_behind();
  std::chrono::milliseconds patience_length() const;
  Time patience() const;
  // What an answer, or its absence, says of the provider. Returns whether it has answered, if only
  // with an error.
  bool judge(const std::expected<Reply, Error>& reply);
  // The answer, with the error that its worker has for it.
  [[nodiscard]] std::expected<Reply, Error> answer(const StopToken& stop);
  void note(const std::expected<Reply, Error>& reply);
  void note_opening(const std::expected<Reply, Error>& reply);

  const char* name_;  // for errors
  bool is_patient_;
  std::function<Time()> now_;
  worker::WorkerSource source_;
  std::string wanted_;            // the value name of the query
  std::string asked_;             // that of the last question
  std::optional<Error> refused_;  // why it wasn't asked
  Time began_{};
  enum class Closing : std::uint8_t { kNone, kWanted, kGoesOn };

  Closing closing_ = Closing::kNone;
  std::uint32_t left_behind_ = 0;  // that is known
  std::optional<std::string> harm_;
  unsigned good_replies_ = 0;      // on probation
  std::optional<Time> reopen_at_;  // if it couldn't be opened
  BackOff reopening_{kFirstReopening, kLastReopening};
  ProviderState state_;  // but for its quarantine
};

// V1 providers that share a process, in which each is loaded and asked as in a host of its own: one
// after the other, so that it is known whose call was lost. The system's query can't do that, since
// it can leave no provider out.
// Errors: those of worker::Worker::call() and ProviderSource; `where` names the provider.
// Thread rule: one thread.
class SharedProviders {
 public:
  explicit SharedProviders(worker::WorkerOptions options) : worker_(std::move(options)) {}

  // The objects of one of them.
  [[nodiscard]] std::expected<Reply, Error> query(const ProviderRegistration& provider,
                                                  std::string_view value_name,
                                                  const StopToken& stop);
  // Lets it close its providers, and ends its process.
  void release() { worker_.finish(); }
  WorkerView* view() { return &worker_; }
  // Whether the call of this one was lost, and isn't made again yet.
  bool rests(const ProviderRegistration& provider) const {
    return worker_.rests_until(provider.service).has_value();
  }
  // How many it has had.
  std::uint64_t processes() const { return worker_.state().starts; }
  // What the one that was asked last has left in the process: for people; empty if nothing.
  std::string take_left_over() {
    return worker::describe_left_behind(std::exchange(left_behind_, 0));
  }
  // How long it was busy, or was waited for in vain, in all.
  double query_seconds() const { return worker_.state().query_seconds; }

 private:
  worker::Worker worker_;
  std::uint32_t left_behind_ = 0;  // bits of worker::LeftBehind
};

// What came of asking one provider, alone in a process of its own, for all that it has.
struct ProviderTrial {
  std::optional<Error> error;        // why it delivers nothing; or what is wrong with its reply
  std::vector<ObjectIndex> objects;  // in the order of its reply
  std::uint64_t bytes = 0;
  // Of the first query, which loads and opens it, and of the second one.
  std::chrono::nanoseconds first{};
  std::optional<std::chrono::nanoseconds> second;
};

// `host`: a new one, which is patient.
[[nodiscard]] ProviderTrial try_provider(ProviderHost& host);

}  // namespace winperf
