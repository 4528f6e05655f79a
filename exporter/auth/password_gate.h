// Decides whether a client knows a password, by HTTP's Basic scheme.
//
// bcrypt takes 50 ms or more, so it runs on a separate thread: guessing passwords uses at most one
// processor and doesn't slow down answers. Results are remembered, so that a scraper costs bcrypt
// once and is admitted regardless of other clients. Each address has at most one password compared
// or waiting, so that all addresses take turns; wrong passwords are also rate-limited. A wrong
// password takes as long as the most costly hash, also for an unknown user, so that timing doesn't
// reveal user names. Messages contain neither passwords nor hashes.
//
// A comparison can't be interrupted, and may take hours with a costly hash. end() hands the thread
// over, so that no caller has to wait for it. Thread rule: any thread. Source: exporter-toolkit,
// web/handler.go, for what is remembered and for unknown users.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/background_thread.h"

namespace winperf {

// A rate limit per address: one event per interval, and up to `burst` in a row after a pause. Only
// the most recent addresses are remembered. Thread rule: one thread.
class AddressLimits {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMostAddresses = 1024;

  AddressLimits(std::chrono::milliseconds interval, std::int64_t burst)
      : interval_(interval), burst_(burst) {}

  // Whether this address may have another event now.
  [[nodiscard]] bool take(const std::string& address, Time now) {
    if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses)
      addresses_.erase(std::ranges::min_element(
          addresses_, {}, [](const auto& entry) { return entry.second.last; }));
    Came& came = addresses_.try_emplace(address, Came{.left = burst_}).first->second;
    came.last = now;
    if (interval_.count() <= 0) return true;
    if (came.left == burst_ || now < came.filled) came.filled = std::max(came.filled, now);
    const std::int64_t due = (now - came.filled) / interval_;
    came.filled += due * interval_;
    came.left = std::min(burst_, came.left + std::min(due, burst_));
    if (came.left == 0) return false;
    --came.left;
    return true;
  }
  // Refunds the last event.
  void refund(const std::string& address) {
    const auto found = addresses_.find(address);
    if (found != addresses_.end()) found->second.left = std::min(burst_, found->second.left + 1);
  }

 private:
  struct Came {
    std::int64_t left;  // events available
    Time filled{};      // up to when `left` has what the time brings
    Time last{};
  };

  const std::chrono::milliseconds interval_;
  const std::int64_t burst_;
  std::map<std::string, Came> addresses_;
};

// What a client says in its Authorization field. Input is not trusted. Thread rule: any thread.
// Source: RFC 7617.
struct Credentials {
  std::string user;
  std::string password;
};

// Nothing if the field is not of the scheme Basic, or not well-formed, or longer than 1 KiB.
std::optional<Credentials> parse_basic_credentials(std::string_view field);

// Results of comparisons, by a keyed digest, so that each password costs bcrypt once. The digest
// includes the hash: when it changes, earlier results are void.
//
// The right password of each user is kept separately, so that guesses can't evict it. Of wrong ones
// 100 are kept, with random eviction. Thread rule: one thread. Source: exporter-toolkit,
// web/handler.go and web/cache.go.
class RememberedPasswords {
 public:
  using Digest = std::array<unsigned char, 32>;

  static constexpr std::size_t kMostWrong = 100;

  // Throws std::runtime_error if the system provides no random numbers.
  RememberedPasswords();

  Digest digest_of(const Credentials& credentials, const std::string& hash) const;
  // Whether it was right; nothing if that isn't known.
  std::optional<bool> outcome_of(const std::string& user, const Digest& digest) const;
  void remember(const std::string& user, const Digest& digest, bool is_right);
  void forget(const std::string& user) { right_.erase(user); }

 private:
  Digest key_{};
  std::map<std::string, Digest> right_;  // by the user
  std::vector<Digest> wrong_;
  std::minstd_rand chance_;
};

struct User {
  std::string name{};
  std::string hash{};  // bcrypt
  bool operator==(const User&) const = default;
};

enum class Verdict : std::uint8_t {
  kGranted,
  kRefused,
  kTooMany,  // passwords from this address, or that wait; or memory or a thread is missing
};

// A queue of passwords to compare, one after the other, shared by a gate and its thread. Thread
// rule: any thread; work() is that of one.
class PasswordChecker {
 public:
  using Time = AddressLimits::Time;
  using Decide = std::function<void(Verdict)>;
  using Compare = std::function<bool(std::string_view password, const std::string& hash)>;

  static constexpr std::size_t kMostWaiting = 64;
  // Wrong passwords per address: this many in a row, then one per interval.
  static constexpr int kWrongAtOnce = 10;
  static constexpr std::chrono::seconds kWrongInterval{1};

  PasswordChecker(std::function<Time()> now, Compare compare)
      : now_(std::move(now)), compare_(std::move(compare)) {}

  void change_users(std::vector<User> users);
  // False: it waits for work().
  [[nodiscard]] bool decides_now(Credentials credentials, const std::string& address,
                                 Decide decide);
  // Refuses all that are waiting, because no thread is available.
  void refuse_waiting();
  // Compares what waits, until end().
  void work();
  // Nothing is decided after it returns.
  void end();

 private:
  using Digest = RememberedPasswords::Digest;
  struct Waiting {
    Credentials credentials;
    Digest question{};  // of the credentials alone
    std::string address;
    std::vector<Decide> decide;  // of all who ask the same
  };
  using Lock = std::unique_lock<std::mutex>;

  // The mutex is held.
  const User* user_of(const Credentials& credentials) const;
  std::string hash_of(const Credentials& credentials) const;
  Waiting* same(const Digest& question);
  bool has_pending(const std::string& address) const;

  // They release the mutex while they work.
  Verdict verdict_of(Lock& lock, const Waiting& asked);
  bool is_right(Lock& lock, const Credentials& credentials, const std::string& hash, int highest);
  void deliver(Lock& lock, Verdict verdict);

  const std::function<Time()> now_;
  const Compare compare_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<User> users_;
  int highest_cost_ = 0;
  RememberedPasswords remembered_;
  AddressLimits limits_{kWrongInterval, kWrongAtOnce};
  std::deque<std::unique_ptr<Waiting>> waiting_;  // none has the address of another
  std::unique_ptr<Waiting> compared_;
  bool ended_ = false;

  std::mutex delivering_;  // held while decisions are delivered; lock mutex_ first
};

class PasswordGate {
 public:
  using Time = PasswordChecker::Time;
  using Decide = PasswordChecker::Decide;
  using Compare = PasswordChecker::Compare;

  // With bcrypt.
  PasswordGate();
  PasswordGate(std::function<Time()> now, Compare compare);
  PasswordGate(const PasswordGate&) = delete;
  PasswordGate& operator=(const PasswordGate&) = delete;
  // Waits for the thread, unless it was given away.
  ~PasswordGate() { end(); }

  // For what is asked from now on, and for what isn't decided yet. Without users, everyone is
  // refused.
  void change_users(std::vector<User> users) { checker_->change_users(std::move(users)); }
  // `field`: the request's Authorization. `address`: whose guesses are counted. Decides
  // immediately, or later on the gate's thread, which the first password starts.
  void ask(const std::string& field, const std::string& address, Decide decide);
  // Nothing is decided after it returns. The thread ends when its comparison is over.
  BackgroundThread end();

 private:
  bool has_thread();

  const std::shared_ptr<PasswordChecker> checker_;
  std::mutex mutex_;
  BackgroundThread thread_;  // the mutex guards it
};

}  // namespace winperf
