// windows_exporter's settings, from its command line or its configuration file, as one flat list:
// both use the same names, "collector.logical_disk.volume-include".
// Errors: a sentence; for a file, with line and column. Thread rule: any thread.
// Source: the documentation and flags of windows_exporter 0.31.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

struct Setting {
  std::string key;                  // "web.listen-address"
  std::vector<std::string> values;  // several if a flag is given several times
  std::string place;                // for messages: "--log.level", "config.yaml:3:1: log.level"
};

using Settings = std::vector<Setting>;  // in order, each key once

// "--key=value", "--key value", "--flag", "--no-flag"; one dash is enough. A program's name before
// them is ignored.
[[nodiscard]] std::expected<Settings, std::string> read_flags(
    std::span<const std::string> arguments);
// Reads YAML. Anything else is refused as a whole.
[[nodiscard]] std::expected<Settings, std::string> read_file(std::string_view text,
                                                             const std::string& name);

// The parts of a value without the spaces around them; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

// How far a migration is: which settings were used, which have no counterpart, and what to tell the
// person who asked for it. Thread rule: one thread.
class Progress {
 public:
  // `settings` outlives this.
  explicit Progress(const Settings& settings) : settings_(settings) {}

  // The setting of this key, which counts as used from now on; null if there is none.
  const Setting* use(std::string_view key);
  std::vector<const Setting*> unused() const;

  // Becomes one line of a comment, whatever it quotes.
  void note(std::string text);
  // The same, about a setting that has no counterpart.
  void lose(std::string text);

  const std::vector<std::string>& notes() const { return notes_; }
  std::size_t lost() const { return lost_; }

 private:
  const Settings& settings_;
  std::set<std::string, std::less<>> used_;
  std::vector<std::string> notes_;
  std::size_t lost_ = 0;
};

}  // namespace winperf::migration
