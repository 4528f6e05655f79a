// The registry of this machine. After a fault each provider gets a separate process, until an hour
// has passed without another fault.
//
// Normally one worker makes the queries, for which the system calls all providers concerned. When
// such a query is lost, too large or damaged, the culprit is unknown, unless the process ended in a
// provider's library; nor is it known when one provider repeatedly delays the others. From then on
// (Isolation::kAuto), or always (kHosts), each provider has a host, which is started when one of
// its objects is requested. All hosts of a query work in parallel. A fault of a host costs only the
// objects of its provider, which the reply lists as missing, with the reason and the provider's
// name. Objects that no provider has registered, such as those translated from V2, also have a
// host, in which all providers are loaded; a listing requests them by index (rest_objects.h). It
// also serves 32-bit providers, which this program can't load: Windows reads them through PerfHost.
// It isn't used while it would call a provider that the configuration leaves out and that has no
// Object List, because every query of the system calls such a provider. When providers without
// faults are together again (Sharing), they share one process, in which they are called one by one;
// the others keep their hosts. Thread rule: one thread at a time. docs/adr/0011-provider-hosts.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/base/stop.h"
#include "collectors/hosting/provider_host.h"
#include "collectors/hosting/rest_objects.h"
#include "collectors/model/worker_state.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/provider/registration.h"
#include "collectors/sources/source.h"

namespace winperf {

// Decides when V1 providers share a process and when they are isolated.
//
// With Isolation::kAuto all share a process until a fault; then each is isolated. After an hour
// without a new culprit, providers without faults share a process again; when no provider is
// isolated any more, the system's own query reads all of them. If they have to be isolated again
// within a day, the hour is doubled each time, up to a day. One timeout per hour without a known
// culprit is ignored.
//
// A provider with a fault stays isolated for an hour after its last fault: its probation. The time
// doubles with each fault after it has returned, up to a day, and is reset after a day without a
// fault. Thread rule: one thread.
class Sharing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kFirstTerm{1};
  static constexpr std::chrono::hours kLastTerm{24};
  static constexpr std::chrono::hours kFirstQuiet{1};
  static constexpr std::chrono::hours kLastQuiet{24};
  static constexpr std::chrono::hours kForgiveness{1};

  enum class Mode : std::uint8_t {
    kTogether,   // by the system's own query
    kIsolated,   // each isolated
    kFaultless,  // those without faults share a process
  };

  explicit Sharing(Isolation isolation)
      : isolation_(isolation),
        mode_(isolation == Isolation::kHosts ? Mode::kIsolated : Mode::kTogether) {}

  Mode mode() const { return mode_; }
  // Updates the mode. Returns whether isolated providers share a process now.
  bool pass(Time now);
  void isolate_all(Time now);
  // Returns whether the provider was not isolated until now.
  bool record_fault(std::string_view service, Time now);
  // Whether it is isolated.
  bool is_isolated(std::string_view service, Time now) const;
  // The rest of its probation; zero if it isn't on probation.
  Time::duration left(std::string_view service, Time now) const;
  // Whether a timeout without a known culprit is ignored.
  bool forgives(Time now);

 private:
  // The probation of a culprit; in the past if it is over.
  struct Term {
    BackOff length{kFirstTerm, kLastTerm};
    Time until{};
  };

  Isolation isolation_;
  Mode mode_;
  std::map<std::string, Term, std::less<>> terms_;  // by service
  Time quiet_since_{};                              // time of the last new culprit or isolation
  BackOff quiet_{kFirstQuiet, kLastQuiet};          // required time without either
  std::optional<Time> rejoined_at_;                 // the last time
  std::optional<Time> forgave_at_;
};

class HostedSource final : public CounterSource, public SourceHealth {
 public:
  // More providers than machines have; each host costs some megabytes.
  static constexpr std::size_t kMaxHosts = 64;
  // A query of several providers is slow if it takes longer. After so many slow ones in a row they
  // are isolated; the first query of a process, which opens them all, doesn't count.
  static constexpr std::chrono::milliseconds kSlow{150};
  static constexpr unsigned kSlowTimes = 3;
  static constexpr std::size_t kMaxSlowQueries = 64;  // that are remembered

  using Now = std::function<std::chrono::steady_clock::time_point()>;

  struct Processes {
    // Null: for objects that no provider with a host has registered.
    std::function<std::unique_ptr<ProviderHost>(const ProviderRegistration*)> host;
    // For providers that share a process.
    std::function<std::unique_ptr<SharedProviders>()> shared;
  };
  // `whole`: all providers in one worker. `left_out`: services whose providers are never loaded,
  // which requires a host for each of the others.
  HostedSource(std::unique_ptr<CounterSource> whole, std::unique_ptr<ProviderMachine> machine,
               Isolation isolation, Processes make, std::vector<std::string> left_out = {},
               Now now = std::chrono::steady_clock::now)
      : whole_(std::move(whole)),
        whole_health_(*whole_->health()),
        machine_(std::move(machine)),
        isolation_(left_out.empty() ? isolation : Isolation::kHosts),
        sharing_(isolation_),
        make_(std::move(make)),
        left_out_(std::move(left_out)),
        now_(std::move(now)) {}

  bool is_live() const override { return whole_->is_live(); }
  std::string machine() const override { return whole_->machine(); }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  void take_back(Reply reply) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override {
    return whole_->text_tables(table, language);
  }
  bool supports_metadata() override { return whole_->supports_metadata(); }
  std::uint64_t provider_generation() override { return whole_->provider_generation(); }
  void release() override;
  void set_stop(StopToken stop) override { whole_->set_stop(std::move(stop)); }
  SourceHealth* health() override { return this; }
  std::vector<WorkerView*> workers() override;
  std::vector<ProviderState> provider_states() override;
  [[nodiscard]] std::vector<SharingNews> take_sharing_news() override {
    return std::exchange(news_, {});
  }
  const char* supplier_of(ObjectIndex object) override;

 private:
  using Time = std::chrono::steady_clock::time_point;

  // The part of a query for one process: a host, or the shared one.
  struct Share {
    const ProviderRegistration* provider = nullptr;  // null: the rest
    ProviderHost* host = nullptr;                    // null: the shared process
    std::optional<Error> refused{};                  // the error if there is neither
    std::vector<ObjectIndex> objects{};              // empty: unknown
    std::string value_name{};
    bool is_next = false;  // sent to the same host after the previous share was answered
  };
  // The history of a provider.
  struct Record {
    std::uint64_t queries = 0;  // of ended hosts
    std::uint64_t failures = 0;
    std::uint64_t harms = 0;
    std::string library{};  // its file
    std::string last_harm{};
  };
  struct SlowCalls {
    std::uint64_t process = 0;  // of how many
    unsigned times = 0;         // in a row
  };

  [[nodiscard]] std::expected<Reply, Error> query_together(std::string_view value_name,
                                                           const StopToken& stop);
  // Repeats a query that all together have lost, for each provider; `harm`: its result.
  [[nodiscard]] std::expected<Reply, Error> query_after(const std::expected<Reply, Error>& harm,
                                                        const std::string& whose,
                                                        std::string_view value_name,
                                                        const StopToken& stop);
  void isolate_all(std::string why);
  // Records faults of providers whose libraries were running in a process that ended badly. Returns
  // their names for messages; may be empty. `asked`: the only culprit if several have the same
  // library.
  std::string record_faults_by_traces(const std::vector<WorkerView*>& workers,
                                      const ProviderRegistration* asked = nullptr);
  void record_fault(const ProviderRegistration& provider, const std::string& what);
  // Ends isolations that are over.
  void regroup();
  // Whether one provider has delayed the others too often, including this time.
  bool is_slow(std::string_view value_name, std::chrono::steady_clock::duration took);
  // `loss`: the error of all together, if they have just lost this query.
  [[nodiscard]] std::expected<Reply, Error> query_parts(std::string_view value_name,
                                                        const StopToken& stop,
                                                        const Error* loss = nullptr);
  [[nodiscard]] std::expected<Reply, Error> finish(const Share& share, const StopToken& stop,
                                                   const Error* loss);
  [[nodiscard]] std::expected<Reply, Error> ask_shared(const Share& share, const StopToken& stop);
  // Records a provider that repeatedly delays the others there. Its first call in a process, which
  // loads and opens it, doesn't count.
  void note_time(const ProviderRegistration& provider, std::chrono::duration<double> took);
  std::vector<Share> shares_of(std::string_view value_name);
  // For a query that isn't a list of objects.
  std::vector<Share> shares_of_listing(std::string_view value_name);
  // Adds the objects that no provider with a host has.
  void add_rest(std::vector<Share>& shares, bool v1_only);
  RestObjects rest_objects(bool v1_only);
  // Its provider; null if it is unregistered, or left out.
  const ProviderRegistration* owner_of(ObjectIndex object);
  const std::vector<ProviderRegistration>& registrations();
  bool is_left_out(const ProviderRegistration& provider) const;
  bool has_host(const ProviderRegistration& provider);
  // With its process, or the reason why there is none. Null, or a provider without a host: the
  // rest.
  Share share_of(const ProviderRegistration* provider);
  Share share_of_rest();
  Share share_with_host(const ProviderRegistration* provider);

  std::unique_ptr<CounterSource> whole_;
  SourceHealth& whole_health_;
  std::unique_ptr<ProviderMachine> machine_;
  Isolation isolation_;
  Sharing sharing_;
  std::vector<SharingNews> news_;
  std::map<std::string, Record, std::less<>> records_;         // by service
  std::map<std::string, unsigned, std::less<>> slow_queries_;  // by value name; times in a row
  Processes make_;
  std::vector<std::string> left_out_;
  Now now_;
  std::optional<std::vector<ProviderRegistration>> registrations_;
  std::map<std::string, bool> have_hosts_;                      // by service, as far as determined
  std::map<bool, RestObjects> rest_;                            // by whether only V1 is listed
  std::map<std::string, std::unique_ptr<ProviderHost>> hosts_;  // by service; "": for the rest
  std::unique_ptr<SharedProviders> shared_;
  std::map<std::string, SlowCalls, std::less<>> slow_in_shared_;  // by service
};

}  // namespace winperf
