// The registry of this machine, with each provider in a process of its own as soon as one of them
// does harm, and until an hour has passed without any.
//
// While all is well one worker makes the queries, as the system does it: it calls all providers
// that a query concerns. When such a query is lost, too large, or comes back unsound, it isn't
// known whose fault it was, unless the process was in a provider's library at its end; nor when
// several providers wait for one that is slow time after time. From then on (Isolation::kAuto), or
// always (kHosts), each provider has a host, which is started when an object of its own is asked
// for. All hosts of a query work at the same time. What one of them does costs its own objects
// alone, which are missing from the reply with the reason, and its name in it. Objects that no
// provider has registered, such as those translated from V2, have a host, too, in which all
// providers are together; a listing asks it for them by their indices (rest_objects.h). So have
// those of 32-bit providers, which no process of this program can load: Windows reads them through
// PerfHost. It is never asked if it would call a provider that is left out: that has no list of its
// objects, so every query of the system does.
// When those who have done no harm are together again (Sharing), they share one process, in which
// each is asked alone; the others keep their hosts.
// Thread rule: one thread at a time. docs/adr/0011-provider-hosts.md.
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

// Whether V1 providers share a process: when they are parted, and when they are together again.
//
// With Isolation::kAuto all are together until harm is done; then each is alone. After an hour in
// which nobody else was accused, those that have done no harm share a process again; when nobody is
// kept apart any more, the system's own query reads all of them. If they have to be parted again
// within a day, the next hour is two, and so on up to a day. One timeout that nobody can be named
// for is forgiven once an hour.
//
// A provider that has done harm is kept apart for an hour after its last one; twice as long each
// time that it does harm again after it was let back, up to a day. One that has done none for a day
// since then begins anew. Thread rule: one thread.
class Sharing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kFirstTerm{1};
  static constexpr std::chrono::hours kLastTerm{24};
  static constexpr std::chrono::hours kFirstQuiet{1};
  static constexpr std::chrono::hours kLastQuiet{24};
  static constexpr std::chrono::hours kForgiveness{1};

  enum class Mode : std::uint8_t {
    kTogether,   // in the system's own query
    kParted,     // each alone
    kInnocents,  // those who have done no harm are together
  };

  explicit Sharing(Isolation isolation)
      : isolation_(isolation),
        mode_(isolation == Isolation::kHosts ? Mode::kParted : Mode::kTogether) {}

  Mode mode() const { return mode_; }
  // Time has passed. Returns whether providers that were parted are together now.
  bool pass(Time now);
  void part(Time now);
  // Returns whether the provider was with the others until now.
  bool accuse(std::string_view service, Time now);
  // Whether it needs a process of its own.
  bool is_apart(std::string_view service, Time now) const;
  // For how long it is kept apart; zero if it isn't for its own harm.
  Time::duration left(std::string_view service, Time now) const;
  // Whether a timeout without a name is overlooked.
  bool forgives(Time now);

 private:
  // How long a culprit is kept apart; until a time that has passed if it isn't.
  struct Term {
    BackOff length{kFirstTerm, kLastTerm};
    Time until{};
  };

  Isolation isolation_;
  Mode mode_;
  std::map<std::string, Term, std::less<>> terms_;  // by service, of which a machine has few
  Time quiet_since_{};                              // nobody else was accused, or parted
  BackOff quiet_{kFirstQuiet, kLastQuiet};          // how long that has to last
  std::optional<Time> rejoined_at_;                 // the last time
  std::optional<Time> forgave_at_;
};

class HostedSource final : public CounterSource, public SourceHealth {
 public:
  // More providers than anybody configures; each host costs some megabytes.
  static constexpr std::size_t kMaxHosts = 64;
  // A query of several providers is slow if it takes longer. If it is so often slow in a row, they
  // are parted; the first time, a new process opens them all.
  static constexpr std::chrono::milliseconds kSlow{150};
  static constexpr unsigned kSlowTimes = 3;
  static constexpr std::size_t kMaxSlowQueries = 64;  // that are remembered

  using Now = std::function<std::chrono::steady_clock::time_point()>;

  struct Processes {
    // Null: for what no provider with a host of its own has registered.
    std::function<std::unique_ptr<ProviderHost>(const ProviderRegistration*)> host;
    // For those who share one.
    std::function<std::unique_ptr<SharedProviders>()> shared;
  };
  // `whole`: all providers together, in a process of their own. `left_out`: services whose
  // providers are never loaded, for which each of the others needs its host.
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

  // The part of a query that one process gets: a host, or the one that is shared.
  struct Share {
    const ProviderRegistration* provider = nullptr;  // null: the rest
    ProviderHost* host = nullptr;                    // null: the shared process
    std::optional<Error> refused{};                  // why there is neither
    std::vector<ObjectIndex> objects{};              // none: nobody knows which
    std::string value_name{};
    bool is_next = false;  // the same host is asked when it has answered the share before
  };
  // What is remembered of a provider.
  struct Record {
    std::uint64_t queries = 0;  // of hosts that are gone
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
  // The query that all together have lost, asked of each; `harm`: what was wrong.
  [[nodiscard]] std::expected<Reply, Error> query_after(const std::expected<Reply, Error>& harm,
                                                        const std::string& whose,
                                                        std::string_view value_name,
                                                        const StopToken& stop);
  void part(std::string why);
  // Whoever's library was running in a process that ended badly. Returns for people where that was;
  // empty if it was nobody's. `asked`: of several with the same library, it alone.
  std::string accuse_by_traces(const std::vector<WorkerView*>& workers,
                               const ProviderRegistration* asked = nullptr);
  void accuse(const ProviderRegistration& provider, const std::string& what);
  // Who may be together again is.
  void regroup();
  // Whether providers have waited for one of them too often, this time included.
  bool is_slow(std::string_view value_name, std::chrono::steady_clock::duration took);
  // `loss`: that of all together, if they have just lost this query.
  [[nodiscard]] std::expected<Reply, Error> query_parts(std::string_view value_name,
                                                        const StopToken& stop,
                                                        const Error* loss = nullptr);
  [[nodiscard]] std::expected<Reply, Error> finish(const Share& share, const StopToken& stop,
                                                   const Error* loss);
  [[nodiscard]] std::expected<Reply, Error> ask_shared(const Share& share, const StopToken& stop);
  // Who is so often slow there that the others are kept waiting. Its first call in a process loads
  // and opens it, and says nothing.
  void note_time(const ProviderRegistration& provider, std::chrono::duration<double> took);
  std::vector<Share> shares_of(std::string_view value_name);
  // Those of a query that is no list of objects.
  std::vector<Share> shares_of_listing(std::string_view value_name);
  // Of it, what no provider with a host has.
  void add_rest(std::vector<Share>& shares, bool v1_only);
  RestObjects rest_objects(bool v1_only);
  // Who supplies it; null if nobody has registered it, or may be asked.
  const ProviderRegistration* owner_of(ObjectIndex object);
  const std::vector<ProviderRegistration>& registrations();
  bool is_left_out(const ProviderRegistration& provider) const;
  bool has_host(const ProviderRegistration& provider);
  // With its process, or the reason why there is none. Null, and who has no host: the rest.
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
  std::map<std::string, bool> have_hosts_;  // by service, of those in question so far
  std::map<bool, RestObjects> rest_;        // by whether V1 alone is listed
  std::map<std::string, std::unique_ptr<ProviderHost>> hosts_;  // by service; "": for the rest
  std::unique_ptr<SharedProviders> shared_;
  std::map<std::string, SlowCalls, std::less<>> slow_in_shared_;  // by service
};

}  // namespace winperf
