#include "exporter/auth/password_gate.h"

#include <mbedtls/base64.h>
#include <mbedtls/entropy.h>
#include <mbedtls/md.h>
#include <mbedtls/platform_util.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/auth/password_hash.h"

namespace winperf {
namespace {

constexpr std::string_view kScheme = "basic ";
constexpr std::size_t kMostBytes = 1024;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::optional<Credentials> parse_basic_credentials(std::string_view field) {
  if (field.size() > kMostBytes || field.size() <= kScheme.size() ||
      !equal_names(field.substr(0, kScheme.size()), kScheme))
    return std::nullopt;
  field.remove_prefix(kScheme.size());
  // The library also takes line ends and blanks.
  if (field.find_first_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  std::array<unsigned char, kMostBytes> bytes{};
  std::size_t count = 0;
  if (mbedtls_base64_decode(bytes.data(), bytes.size(), &count,
                            reinterpret_cast<const unsigned char*>(field.data()),
                            field.size()) != 0)
    return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), count);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || std::ranges::any_of(text, is_control)) return std::nullopt;
  return Credentials{.user = std::string(text.substr(0, colon)),
                     .password = std::string(text.substr(colon + 1))};
}

namespace {

void append(std::string& text, const std::string& part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

}  // namespace

RememberedPasswords::RememberedPasswords() {
  mbedtls_entropy_context entropy;
  mbedtls_entropy_init(&entropy);
  const int code = mbedtls_entropy_func(&entropy, key_.data(), key_.size());
  mbedtls_entropy_free(&entropy);
  if (code != 0) throw std::runtime_error("the system provides no random numbers");
  chance_.seed(key_[0] + 256U * key_[1]);
}

RememberedPasswords::Digest RememberedPasswords::digest_of(const Credentials& credentials,
                                                           const std::string& hash) const {
  std::string text;
  // A reallocation would leave a copy of the text in memory.
  text.reserve(credentials.user.size() + hash.size() + credentials.password.size() + 64);
  append(text, credentials.user);
  append(text, hash);
  append(text, credentials.password);
  Digest digest{};
  mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key_.data(), key_.size(),
                  reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  mbedtls_platform_zeroize(text.data(), text.size());
  return digest;
}

std::optional<bool> RememberedPasswords::outcome_of(const std::string& user,
                                                    const Digest& digest) const {
  const auto right = right_.find(user);
  if (right != right_.end() && right->second == digest) return true;
  if (std::ranges::find(wrong_, digest) != wrong_.end()) return false;
  return std::nullopt;
}

void RememberedPasswords::remember(const std::string& user, const Digest& digest, bool is_right) {
  if (is_right) {
    right_[user] = digest;
  } else if (wrong_.size() < kMostWrong) {
    wrong_.push_back(digest);
  } else {
    wrong_[chance_() % wrong_.size()] = digest;
  }
}

void PasswordChecker::change_users(std::vector<User> users) {
  const std::lock_guard lock(mutex_);
  for (const User& user : users_)
    if (std::ranges::find(users, user.name, &User::name) == users.end())
      remembered_.forget(user.name);
  users_ = std::move(users);
  highest_cost_ = users_.empty() ? kUsualCost : kLowestCost;
  for (const User& user : users_) highest_cost_ = std::max(highest_cost_, cost_of(user.hash));
}

bool PasswordChecker::decides_now(Credentials credentials, const std::string& address,
                                  Decide decide) {
  Verdict verdict = Verdict::kTooMany;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return true;
    const Digest digest = remembered_.digest_of(credentials, hash_of(credentials));
    const Digest question = remembered_.digest_of(credentials, {});
    if (const auto was_right = remembered_.outcome_of(credentials.user, digest)) {
      verdict = *was_right ? Verdict::kGranted : Verdict::kRefused;
    } else if (Waiting* const other = same(question)) {
      other->decide.push_back(std::move(decide));
      return false;
    } else if (waiting_.size() < kMostWaiting && !has_pending(address) &&
               limits_.take(address, now_())) {
      auto asked = std::make_unique<Waiting>(Waiting{.credentials = std::move(credentials),
                                                     .question = question,
                                                     .address = address,
                                                     .decide = {}});
      asked->decide.push_back(std::move(decide));
      waiting_.push_back(std::move(asked));
      changed_.notify_all();
      return false;
    }
  }
  decide(verdict);
  return true;
}

const User* PasswordChecker::user_of(const Credentials& credentials) const {
  const auto user = std::ranges::find(users_, credentials.user, &User::name);
  return user == users_.end() ? nullptr : &*user;
}

std::string PasswordChecker::hash_of(const Credentials& credentials) const {
  const User* const user = user_of(credentials);
  return user == nullptr ? fake_hash(highest_cost_) : user->hash;
}

PasswordChecker::Waiting* PasswordChecker::same(const Digest& question) {
  if (compared_ != nullptr && compared_->question == question) return compared_.get();
  const auto found =
      std::ranges::find_if(waiting_, [&](const auto& one) { return one->question == question; });
  return found == waiting_.end() ? nullptr : found->get();
}

bool PasswordChecker::has_pending(const std::string& address) const {
  const auto is_of_it = [&](const auto& one) { return one->address == address; };
  return (compared_ != nullptr && is_of_it(compared_)) || std::ranges::any_of(waiting_, is_of_it);
}

void PasswordChecker::work() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    compared_ = std::move(waiting_.front());
    waiting_.pop_front();
    Verdict verdict = Verdict::kTooMany;
    try {
      verdict = verdict_of(lock, *compared_);
    } catch (const std::exception&) {
      // Out of memory: only these requests fail.
      if (!lock.owns_lock()) lock.lock();
    }
    deliver(lock, verdict);
  }
}

// The user's hash may change during the comparison, perhaps to another hash of the same password;
// the new one then counts.
Verdict PasswordChecker::verdict_of(Lock& lock, const Waiting& asked) {
  while (true) {
    const std::string hash = hash_of(asked.credentials);
    const bool was_known = user_of(asked.credentials) != nullptr;
    const bool right = is_right(lock, asked.credentials, hash, highest_cost_);
    const User* const user = user_of(asked.credentials);
    if (!ended_ && user != nullptr && (!was_known || user->hash != hash)) continue;
    const bool is_good = right && was_known && user != nullptr;
    remembered_.remember(asked.credentials.user, remembered_.digest_of(asked.credentials, hash),
                         is_good);
    if (is_good) limits_.refund(asked.address);
    return is_good ? Verdict::kGranted : Verdict::kRefused;
  }
}

// A wrong one takes as long as with the highest cost: each step is twice as long as the one before.
bool PasswordChecker::is_right(Lock& lock, const Credentials& credentials, const std::string& hash,
                               int highest) {
  lock.unlock();
  const bool right = compare_(credentials.password, hash);
  lock.lock();
  for (int cost = cost_of(hash); !right && cost < highest && !ended_; ++cost) {
    lock.unlock();
    (void)compare_(credentials.password, fake_hash(cost));
    lock.lock();
  }
  return right;
}

void PasswordChecker::deliver(Lock& lock, Verdict verdict) {
  if (ended_) return;
  const std::unique_ptr<Waiting> decided = std::move(compared_);
  {
    const std::lock_guard delivering(delivering_);
    lock.unlock();
    for (const Decide& decide : decided->decide) {
      try {
        decide(verdict);
      } catch (const std::exception&) {
        // The same as above.
      }
    }
  }
  lock.lock();
}

void PasswordChecker::refuse_waiting() {
  std::deque<std::unique_ptr<Waiting>> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const auto& one : waiting)
    for (const Decide& decide : one->decide) decide(Verdict::kTooMany);
}

void PasswordChecker::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    waiting_.clear();
    if (compared_ != nullptr) compared_->decide.clear();
  }
  changed_.notify_all();
  const std::lock_guard lock(delivering_);
}

PasswordGate::PasswordGate() : PasswordGate(std::chrono::steady_clock::now, is_password) {}

PasswordGate::PasswordGate(std::function<Time()> now, Compare compare)
    : checker_(std::make_shared<PasswordChecker>(std::move(now), std::move(compare))) {}

void PasswordGate::ask(const std::string& field, const std::string& address, Decide decide) {
  auto credentials = parse_basic_credentials(field);
  if (!credentials) return decide(Verdict::kRefused);
  if (checker_->decides_now(*std::move(credentials), address, std::move(decide))) return;
  if (!has_thread()) checker_->refuse_waiting();
}

// The system may be unable to start one now.
bool PasswordGate::has_thread() {
  const std::lock_guard lock(mutex_);
  if (thread_.is_started()) return true;
  try {
    thread_ = {[checker = checker_] { checker->work(); }, [checker = checker_] { checker->end(); }};
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

BackgroundThread PasswordGate::end() {
  checker_->end();
  const std::lock_guard lock(mutex_);
  return std::exchange(thread_, {});
}

}  // namespace winperf
