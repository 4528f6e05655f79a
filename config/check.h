// Checks a document against the option table and gathers its values. An error doesn't end the
// check, so one run reports all of them. Thread rule: pure functions; a context is one thread's.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/document.h"
#include "config/options.h"

namespace winperf {

// In the order of the text, never empty.
using TextErrors = std::vector<TextError>;

// `text`: for line numbers in messages. `file_name`: of the configuration; may be empty.
[[nodiscard]] std::expected<Config, TextErrors> check_config(const Document& document,
                                                             std::string_view text,
                                                             std::string_view file_name);
// A separate web configuration.
[[nodiscard]] std::expected<WebConfig, TextErrors> check_web_config(const Document& document,
                                                                    std::string_view text);

// State shared by the checks of the option kinds.
struct CheckContext {
  // Where the key is given.
  struct StaleAfter {
    std::size_t offset = 0;
    std::optional<std::size_t> counterset{};  // index; nothing: for all
  };
  // Settings of one machine: the local one, or a target.
  struct Scope {
    ConfigDraft draft;
    bool countersets_given = false;
    // Where they are [], and the path of that key.
    std::optional<std::pair<std::size_t, std::string_view>> no_countersets{};
    bool facts_given = false;
    // Countersets that were named so far, in lower case, and their offsets.
    std::unordered_map<std::string, std::size_t> taken_names;
    std::vector<StaleAfter> stale_after_places;
  };

  LineIndex lines;
  Scope scope{};
  std::vector<std::pair<std::size_t, ListenConfig>> places{};   // to listen, and their offsets
  const Node* targets = nullptr;                                // the list, to be checked last
  std::unordered_map<std::string, std::size_t> target_names{};  // with their modules, and offsets
  TextErrors errors{};

  Config& config() { return scope.draft.config; }
  void complain(std::size_t offset, std::string message) {
    errors.push_back({offset, std::move(message)});
  }
};

// The keys of a section, or of an object in a list: their paths begin with `parent`.
void check_keys(CheckContext& context, std::string_view parent, const Node& section);
void check_option(CheckContext& context, const Option& option, const Node& node);
// Checks what is sampled, once all keys of the file are known.
void check_sampled(CheckContext& context, const Node& root);
// The same for captures of the recorder.
void check_captures(CheckContext& context, const Node& root);
// Sets the defaults of missing keys.
void complete(CheckContext& context);

}  // namespace winperf
