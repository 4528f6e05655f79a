// Most of it with a comparison in place of bcrypt, which a test can hold up.
#include "exporter/auth/password_gate.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>
#include <new>

#include "exporter/auth/password_hash.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

std::string base64(const std::string& text) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = (bits << 8) | (i + j < text.size() ? static_cast<unsigned char>(text[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += i + j > text.size() ? '=' : kDigits[(bits >> (18 - 6 * j)) & 63];
  }
  return out;
}

std::string field(const std::string& user, const std::string& password) {
  return "Basic " + base64(user + ':' + password);
}

// As long as a hash, with its cost where a hash has it. The password is at the end.
std::string hashed(const std::string& password, int cost) {
  std::string hash = fake_hash(cost);
  std::ranges::fill(hash.begin() + 7, hash.end(), '.');
  hash.replace(hash.size() - password.size(), password.size(), password);
  return hash;
}

bool is_of(std::string_view password, const std::string& hash) {
  return hash == hashed(std::string(password), cost_of(hash));
}

// Comparisons that are held up until they are let through.
class Held {
 public:
  bool compare(std::string_view password, const std::string& hash) {
    std::unique_lock lock(mutex_);
    compared.emplace_back(password);
    changed_.notify_all();
    changed_.wait(lock, [this] { return let_through_ > 0; });
    if (let_through_ != kAll) --let_through_;
    return is_of(password, hash);
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return compared.size() >= count; });
  }
  void let_through(int count) {
    const std::lock_guard lock(mutex_);
    let_through_ = count;
    changed_.notify_all();
  }
  static constexpr int kAll = 1'000'000;
  std::vector<std::string> compared;  // the passwords

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int let_through_ = 0;
};

std::future<Verdict> begin(PasswordGate& gate, const std::string& field,
                           const std::string& address) {
  auto verdict = std::make_shared<std::promise<Verdict>>();
  gate.ask(field, address, [verdict](Verdict decided) { verdict->set_value(decided); });
  return verdict->get_future();
}

bool is_decided(const std::future<Verdict>& verdict) {
  return verdict.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

class PasswordGateTest : public ::testing::Test {
 protected:
  PasswordGateTest() { gate_.change_users({{.name = "alice", .hash = hashed("secret", 4)}}); }

  Verdict ask(const std::string& field, const std::string& address = "10.0.0.1") {
    return begin(gate_, field, address).get();
  }
  Verdict guess(int number, const std::string& address = "10.0.0.1") {
    return ask(field("alice", std::to_string(number)), address);
  }

  const std::string good_ = field("alice", "secret");
  PasswordGate::Time now_{};
  std::atomic<int> compared_ = 0;
  PasswordGate gate_{[this] { return now_; },
                     [this](std::string_view password, const std::string& hash) {
                       ++compared_;
                       return is_of(password, hash);
                     }};
};

TEST_F(PasswordGateTest, LetsInWhoKnowsThePassword) {
  EXPECT_EQ(ask(good_), Verdict::kGranted);
  EXPECT_EQ(ask(good_), Verdict::kGranted);
  EXPECT_EQ(guess(1), Verdict::kRefused);
  EXPECT_EQ(ask(field("bob", "secret")), Verdict::kRefused);
  EXPECT_EQ(ask(""), Verdict::kRefused);
  EXPECT_EQ(ask("Bearer x"), Verdict::kRefused);
}

TEST(PasswordGate_WithBcrypt, LetsInWhoKnowsThePassword) {
  if (!can_check_passwords()) GTEST_SKIP() << "NO BCRYPT: this build can't check passwords";
  PasswordGate gate;
  gate.change_users({{.name = "alice", .hash = hash_password("secret", 4).value()}});
  EXPECT_EQ(begin(gate, field("alice", "secret"), "a").get(), Verdict::kGranted);
  EXPECT_EQ(begin(gate, field("alice", "wrong"), "a").get(), Verdict::kRefused);
  EXPECT_EQ(begin(gate, field("bob", "fakepassword"), "a").get(), Verdict::kRefused)
      << "the password of the hash for unknown users";
}

TEST_F(PasswordGateTest, DecidesAtOnceWhatItRemembers) {
  for (const auto& [field, verdict] :
       {std::pair(good_, Verdict::kGranted), std::pair(field("alice", "x"), Verdict::kRefused)}) {
    ASSERT_EQ(ask(field), verdict);
    const int before = compared_;
    EXPECT_TRUE(is_decided(begin(gate_, field, "a")));
    EXPECT_EQ(compared_, before);
  }
}

TEST_F(PasswordGateTest, LimitsGuessesOfAnAddress) {
  for (int i = 0; i < PasswordChecker::kWrongAtOnce; ++i)
    ASSERT_EQ(guess(i), Verdict::kRefused) << i;
  EXPECT_EQ(guess(100), Verdict::kTooMany);
  EXPECT_EQ(guess(0), Verdict::kRefused) << "this is known";
  EXPECT_EQ(guess(100, "10.0.0.2"), Verdict::kRefused);
  now_ += std::chrono::milliseconds(999);
  EXPECT_EQ(guess(101), Verdict::kTooMany);
  now_ += std::chrono::milliseconds(1);
  EXPECT_EQ(guess(101), Verdict::kRefused);
  EXPECT_EQ(guess(102), Verdict::kTooMany);
}

TEST_F(PasswordGateTest, CountsWrongPasswordsOnly) {
  for (int i = 0; i < 3 * PasswordChecker::kWrongAtOnce; ++i) {
    const std::string password = std::to_string(i);
    gate_.change_users({{.name = "alice", .hash = hashed(password, 4)}});
    ASSERT_EQ(ask(field("alice", password)), Verdict::kGranted) << i;
  }
}

// Whether they come from its own address or from others.
TEST_F(PasswordGateTest, LetsAClientInThatIsKnownWhateverOthersGuess) {
  ASSERT_EQ(ask(good_), Verdict::kGranted);
  for (int i = 0; i < 1000; ++i) guess(i, i % 2 == 0 ? "10.0.0.1" : std::to_string(i));
  EXPECT_EQ(guess(5000), Verdict::kTooMany);
  EXPECT_TRUE(is_decided(begin(gate_, good_, "10.0.0.1")));
  EXPECT_EQ(ask(good_), Verdict::kGranted);
}

TEST_F(PasswordGateTest, KnowsItsClientsAfterAChangeOfOthers) {
  ASSERT_EQ(ask(good_), Verdict::kGranted);
  const int before = compared_;
  gate_.change_users({{.name = "alice", .hash = hashed("secret", 4)},
                      {.name = "bob", .hash = hashed("other", 12)}});
  EXPECT_EQ(ask(good_), Verdict::kGranted);
  EXPECT_EQ(compared_, before);
}

TEST_F(PasswordGateTest, RefusesThePasswordThatAUserHadBefore) {
  ASSERT_EQ(ask(good_), Verdict::kGranted);
  gate_.change_users({{.name = "alice", .hash = hashed("new", 4)}});
  EXPECT_EQ(ask(good_), Verdict::kRefused);
  EXPECT_EQ(ask(field("alice", "new")), Verdict::kGranted);
  gate_.change_users({});
  EXPECT_EQ(ask(field("alice", "new")), Verdict::kRefused);
}

// What is compared costs 2 to the power of the hash's cost.
TEST(PasswordGate_OfUsersWithSeveralCosts, TakesTheSameForEveryWrongPassword) {
  std::uint64_t work = 0;
  PasswordGate gate([] { return PasswordGate::Time(); },
                    [&](std::string_view password, const std::string& hash) {
                      work += std::uint64_t{1} << cost_of(hash);
                      return is_of(password, hash);
                    });
  gate.change_users({{.name = "low", .hash = hashed("secret", 4)},
                     {.name = "middle", .hash = hashed("secret", 10)},
                     {.name = "high", .hash = hashed("secret", 16)}});
  for (const char* const user : {"low", "middle", "high", "unknown", ""}) {
    work = 0;
    EXPECT_EQ(begin(gate, field(user, "wrong"), user).get(), Verdict::kRefused);
    EXPECT_EQ(work, std::uint64_t{1} << 16) << user;
  }
  work = 0;
  EXPECT_EQ(begin(gate, field("low", "secret"), "a").get(), Verdict::kGranted);
  EXPECT_EQ(work, std::uint64_t{1} << 4) << "who knows the password doesn't pay for others";
}

class HeldGate : public ::testing::Test {
 protected:
  HeldGate() { gate_.change_users(users_); }
  ~HeldGate() override { held_.let_through(Held::kAll); }

  std::future<Verdict> guess(int number, const std::string& address) {
    return begin(gate_, field("alice", std::to_string(number)), address);
  }

  const std::vector<User> users_{{.name = "alice", .hash = hashed("secret", 4)}};
  const std::string good_ = field("alice", "secret");
  Held held_;
  PasswordGate gate_{[] { return PasswordGate::Time(); },
                     [this](std::string_view password, const std::string& hash) {
                       return held_.compare(password, hash);
                     }};
};

TEST_F(HeldGate, GivesEachAddressItsTurn) {
  auto first = guess(1, "guesser");
  held_.wait_for(1);
  auto more = guess(2, "guesser");
  EXPECT_EQ(more.get(), Verdict::kTooMany) << "one is being compared";
  auto other = guess(3, "other");
  EXPECT_EQ(guess(4, "other").get(), Verdict::kTooMany) << "one waits";
  auto good = begin(gate_, good_, "alice's");
  held_.let_through(Held::kAll);
  EXPECT_EQ(first.get(), Verdict::kRefused);
  EXPECT_EQ(other.get(), Verdict::kRefused);
  EXPECT_EQ(good.get(), Verdict::kGranted);
  EXPECT_THAT(held_.compared, ElementsAre("1", "3", "secret"));
  EXPECT_EQ(guess(5, "guesser").get(), Verdict::kRefused) << "it has its turn again";
}

TEST_F(HeldGate, AsksTheSameOnceForAllWhoWaitForIt) {
  std::vector<std::future<Verdict>> verdicts;
  verdicts.push_back(begin(gate_, good_, "a"));
  held_.wait_for(1);
  for (const char* const address : {"a", "b", "c"})
    verdicts.push_back(begin(gate_, good_, address));
  held_.let_through(Held::kAll);
  for (auto& verdict : verdicts) EXPECT_EQ(verdict.get(), Verdict::kGranted);
  EXPECT_THAT(held_.compared, ElementsAre("secret"));
}

TEST_F(HeldGate, HasRoomForSomeWhoWait) {
  std::vector<std::future<Verdict>> waiting;
  waiting.push_back(guess(0, "0"));
  held_.wait_for(1);
  const int most = static_cast<int>(PasswordChecker::kMostWaiting);
  for (int i = 1; i <= most; ++i) waiting.push_back(guess(i, std::to_string(i)));
  EXPECT_EQ(guess(1000, "1000").get(), Verdict::kTooMany);
  held_.let_through(Held::kAll);
  for (auto& verdict : waiting) EXPECT_EQ(verdict.get(), Verdict::kRefused);
}

TEST_F(HeldGate, LetsInARightPasswordWhateverChangesMeanwhile) {
  auto verdict = begin(gate_, good_, "a");
  held_.wait_for(1);
  gate_.change_users({users_[0], {.name = "bob", .hash = hashed("other", 4)}});
  held_.let_through(1);
  EXPECT_EQ(verdict.get(), Verdict::kGranted) << "somebody else was added";

  // Another hash of the same password, and a user who wasn't there.
  verdict = begin(gate_, field("bob", "secret"), "a");
  held_.wait_for(2);
  gate_.change_users({{.name = "bob", .hash = hashed("secret", 5)}});
  held_.let_through(1);
  held_.wait_for(3);
  gate_.change_users({{.name = "bob", .hash = hashed("secret", 6)}});
  held_.let_through(Held::kAll);
  EXPECT_EQ(verdict.get(), Verdict::kGranted);
}

TEST_F(HeldGate, RefusesWhoIsNoUserAnyMore) {
  auto verdict = begin(gate_, good_, "a");
  held_.wait_for(1);
  gate_.change_users({{.name = "bob", .hash = hashed("secret", 4)}});
  held_.let_through(Held::kAll);
  EXPECT_EQ(verdict.get(), Verdict::kRefused);
}

TEST_F(HeldGate, EndsWithoutWaitingForAComparison) {
  bool was_decided = false;
  const auto note = [&](Verdict) { was_decided = true; };
  gate_.ask(good_, "a", note);
  held_.wait_for(1);
  gate_.ask(good_, "b", note);
  gate_.ask(field("alice", "x"), "c", note);
  {
    const BackgroundThread thread = gate_.end();
    EXPECT_FALSE(thread.has_ended());
    gate_.ask(field("alice", "y"), "d", note);
    EXPECT_TRUE(gate_.end().has_ended()) << "it was given away";
    held_.let_through(Held::kAll);
  }
  EXPECT_FALSE(was_decided);
  EXPECT_THAT(held_.compared, ElementsAre("secret"));
}

TEST(PasswordGate_ThatNobodyAsks, HasNoThread) {
  PasswordGate gate([] { return PasswordGate::Time(); }, is_of);
  gate.change_users({{.name = "alice", .hash = hashed("secret", 4)}});
  EXPECT_TRUE(gate.end().has_ended());
}

TEST(PasswordGate_WithoutMemory, RefusesThisRequestAlone) {
  std::atomic<bool> has_memory = false;
  PasswordGate gate([] { return PasswordGate::Time(); },
                    [&](std::string_view password, const std::string& hash) {
                      if (!has_memory) throw std::bad_alloc();
                      return is_of(password, hash);
                    });
  gate.change_users({{.name = "alice", .hash = hashed("secret", 4)}});
  EXPECT_EQ(begin(gate, field("alice", "secret"), "a").get(), Verdict::kTooMany);
  has_memory = true;
  std::promise<void> told;
  gate.ask(field("alice", "x"), "a", [&](Verdict) {
    told.set_value();
    throw std::bad_alloc();
  });
  told.get_future().wait();
  EXPECT_EQ(begin(gate, field("alice", "secret"), "b").get(), Verdict::kGranted);
}

}  // namespace
}  // namespace winperf
