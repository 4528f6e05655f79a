// Decides whether a client knows a password, by HTTP's Basic scheme.
//
// bcrypt takes a twentieth of a second or more, so it has one thread of its own: guessing takes no
// more than one processor, and nothing from those who make answers. What was compared is
// remembered, so that a scraper costs bcrypt once, and is then let in whatever others do. Of each
// address one password is compared or waits for that, so that all addresses have their turns; wrong
// ones are limited besides. A wrong password takes as long as with the most costly hash, whoever
// the user is, so that nobody learns who the users are. Neither passwords nor hashes are in any
// message.
//
// A comparison can't be interrupted, and may take hours if the hash says so. Nobody has to wait for
// it: end() gives its thread away. Thread rule: any thread.
// Source: exporter-toolkit, web/handler.go, for what is remembered and for unknown users.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "exporter/auth/password_desk.h"

namespace winperf {

class PasswordGate {
 public:
  using Time = PasswordDesk::Time;
  using Decide = PasswordDesk::Decide;
  using Compare = PasswordDesk::Compare;

  // With bcrypt.
  PasswordGate();
  PasswordGate(std::function<Time()> now, Compare compare);
  PasswordGate(const PasswordGate&) = delete;
  PasswordGate& operator=(const PasswordGate&) = delete;
  // Waits for the thread, unless it was given away.
  ~PasswordGate() { end(); }

  // For what is asked from now on, and for what isn't decided yet. Without users, everyone is
  // refused.
  void change_users(std::vector<User> users) { desk_->change_users(std::move(users)); }
  // `field`: the request's Authorization. `address`: whose guesses are counted. Decides at once, or
  // later on the gate's thread, which the first password brings.
  void ask(const std::string& field, const std::string& address, Decide decide);
  // From its return on nothing is decided. The thread ends as soon as its comparison is over.
  BackgroundThread end();

 private:
  bool has_thread();

  const std::shared_ptr<PasswordDesk> desk_;
  std::mutex mutex_;
  BackgroundThread thread_;  // the mutex guards it
};

}  // namespace winperf
