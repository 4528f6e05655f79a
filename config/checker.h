// Checks a document against the option table and gathers its values. An error doesn't end the
// check, so one run reports all of them. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

class Checker {
 public:
  // `text`: for line numbers in messages. `file_name`: of the configuration; may be empty.
  Checker(std::string_view text, std::string_view file_name)
      : lines_(text), file_name_(file_name) {}

  // Call one of them, once. The second one is for a web configuration of its own.
  void check(const Document& document);
  void check_web_file(const Document& document);

  const std::vector<TextError>& errors() const { return errors_; }  // in the order of the text
  // Complete if there are no errors.
  const Config& config() const { return scope_.draft.config; }
  const WebConfig& web() const { return scope_.draft.config.listen.back().web; }

 private:
  // Where the key is given.
  struct StaleAfter {
    std::size_t offset = 0;
    std::optional<std::size_t> counterset{};  // index; nothing: for all
  };
  // What belongs to one machine: the one that the program runs on, or a target.
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

  void check_keys(std::string_view parent, const Node& section);
  void check_option(const Option& option, const Node& node);
  void check_listen(const Option& option, const Node& node);
  void check_listen_keys(const Option& option, const Node& node);
  void check_listen_entry(const Option& option, const Node& node);
  void check_overlap(const ListenConfig& entry, const Node& node);
  void check_web(const Node& web);
  void check_tls(const Node& tls, const TlsConfig& config);
  void unknown_key(std::string_view parent, const Node& node);
  void check_countersets(const Option& option, const Node& node);
  void check_counterset(const Node& node);
  void check_facts(const Option& option, const Node& node);
  void check_fact(const Option& option, const Node& node);
  void check_fact_keys(const Node& node);
  void check_targets(const Option& option, const Node& node);
  void check_target_entries();
  TargetConfig check_target(const Node& node, const Scope& machine);
  void check_same_target(const TargetConfig& target, const Node& node);
  void check_metrics(const Option& option, const Node& node);
  void check_metric(const Node& node);
  void check_same_metric(const Node& node);
  void check_metrics_of(const Node& node);
  void check_path(const Node& node);
  void check_filters_beside_path(const Node& node);
  void check_sets(const Node& root);
  void check_repetition(const Node& node);
  void check_left_out(const Node& root);
  void check_log_file(const Node& root);
  void note_stale_after(const Node& section);
  void check_stale_after();
  void check_emptiness();
  void complete();
  void complain(std::size_t offset, std::string message);

  LineIndex lines_;
  std::string file_name_;
  Scope scope_;
  std::vector<std::pair<std::size_t, ListenConfig>> places_;  // to listen, and their offsets
  const Node* targets_ = nullptr;                             // their list, to be checked last
  std::vector<TargetConfig> checked_targets_;
  std::unordered_map<std::string, std::size_t> target_names_;  // with their modules, and offsets
  std::vector<TextError> errors_;
};

// The countersets to sample if the configuration names none, with its times.
std::vector<CountersetConfig> default_countersets(const Config& config);
std::vector<FactConfig> default_facts();

}  // namespace winperf
