// windows_exporter's settings, from its command line or its configuration file, as one flat list:
// both use the same names, "collector.logical_disk.volume-include"; and the progress of their
// migration. Errors: a sentence; for a file, with line and column. Thread rule: any thread;
// Progress one. Source: the documentation and flags of windows_exporter 0.31, and of its older
// versions.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/document.h"

namespace winperf::migration {

// Where a text block of a file begins.
struct BlockPlace {
  std::string file;
  std::size_t line = 0;  // of the block's first line; 0: the setting is no block of a file
  std::size_t indent = 0;
};

struct Setting {
  std::string key;                  // "web.listen-address"
  std::vector<std::string> values;  // several if a flag is given several times; the last one
                                    // counts, but for addresses, all of which do
  std::string place;                // for messages: "--log.level", "config.yaml:3:1: log.level"
  BlockPlace block{};
  // The performance counters, if they are given as a list and not as text; the value is the file's
  // text.
  std::optional<Node> list{};
};

using Settings = std::vector<Setting>;  // in order, each key once

// "--key=value", "--key value", "--flag", "--no-flag"; one dash is enough. A program's name before
// them is ignored. Properties of windows_exporter's installer, and what Chocolatey calls them, are
// read as the flags that they become.
[[nodiscard]] std::expected<Settings, std::string> read_flags(
    std::span<const std::string> arguments);
// Reads YAML; anything else is refused.
[[nodiscard]] std::expected<Settings, std::string> read_file(std::string_view text,
                                                             const std::string& name);

// Whether all of its values are used, not only the last one.
bool is_list(const Setting& setting);

// The parts of a value without the spaces around them; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

// "config.yaml:12:9: collector.performancecounter.objects", of a byte of the setting's value.
std::string place_in(const Setting& setting, std::size_t offset);

// The key that was probably meant by an unknown one, misplaced or misspelt:
// "collector.process.include" for "process.include", "collectors.process.include" and
// "collector.proces.include"; empty if nothing is near.
std::string meant_key(std::string_view key);
// "; did you mean "cpu"?", or nothing if `meant` is empty.
std::string hint_at(std::string_view meant);

struct Message {
  std::string text;  // a sentence, always on one line
  bool is_loss = false;
  bool operator==(const Message&) const = default;
};

// The settings that were used, the losses and the notes.
class Progress {
 public:
  // `settings` outlives this.
  explicit Progress(const Settings& settings) : settings_(settings) {}

  const Settings& settings() const { return settings_; }
  // The setting of this key, now marked as used; null if there is none.
  const Setting* use(std::string_view key);
  // The same for the first of these keys that is given.
  const Setting* use_any(const std::vector<std::string>& keys);
  std::vector<const Setting*> unused() const;

  // Adds a note; repeated messages are dropped.
  void note(std::string text) { add(std::move(text), false); }
  // Adds a loss: something that windows_exporter did and the result doesn't.
  void lose(std::string text) { add(std::move(text), true); }

  const std::vector<Message>& messages() const { return messages_; }
  std::size_t lost() const;

 private:
  void add(std::string text, bool is_loss);

  const Settings& settings_;
  std::set<std::string, std::less<>> used_;
  std::vector<Message> messages_;
};

}  // namespace winperf::migration
