// How far a migration is: which settings were used, what is lost, and what to know. Thread rule:
// one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/migration/settings.h"

namespace winperf::migration {

struct Message {
  std::string text;  // a sentence, on one line, whatever it quotes
  bool is_loss = false;
  bool operator==(const Message&) const = default;
};

class Progress {
 public:
  // `settings` outlives this.
  explicit Progress(const Settings& settings) : settings_(settings) {}

  const Settings& settings() const { return settings_; }
  // The setting of this key, which counts as used from now on; null if there is none.
  const Setting* use(std::string_view key);
  // The same of the first of these keys that is there.
  const Setting* use_any(const std::vector<std::string>& keys);
  std::vector<const Setting*> unused() const;

  // What to know. A message that was given before is not repeated.
  void note(std::string text);
  // What windows_exporter did, and the result doesn't.
  void lose(std::string text);

  const std::vector<Message>& messages() const { return messages_; }
  std::size_t lost() const;

 private:
  void add(std::string text, bool is_loss);

  const Settings& settings_;
  std::set<std::string, std::less<>> used_;
  std::vector<Message> messages_;
};

}  // namespace winperf::migration
