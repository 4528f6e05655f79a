#include "config/migration/entries.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/match/filter.h"
#include "collectors/match/nearest.h"
#include "collectors/model/sample.h"
#include "config/document.h"

namespace winperf::migration {
namespace {

enum class Kind { kWord, kText, kSign, kEnd };

struct Token {
  Kind kind = Kind::kEnd;
  std::string text;
};

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { next(); }

  const Token& now() const { return now_; }
  bool is(std::string_view word) const {
    return now_.kind != Kind::kText && equal_names(now_.text, word);
  }
  bool take(std::string_view word) {
    if (!is(word)) return false;
    next();
    return true;
  }
  // The rest, including the present word.
  std::string rest() const { return std::string(text_.substr(begin_)); }

  void next() {
    begin_ = std::min(text_.find_first_not_of(" \t\r\n", end_), text_.size());
    end_ = begin_;
    if (begin_ == text_.size()) {
      now_ = {};
    } else if (text_[begin_] == '\'' || text_[begin_] == '"') {
      read_text(text_[begin_]);
    } else if (is_sign(text_[begin_])) {
      const bool is_one = text_[begin_] == '(' || text_[begin_] == ')';
      while (end_ < text_.size() && is_sign(text_[end_]) && !(is_one && end_ > begin_) &&
             (is_one || (text_[end_] != '(' && text_[end_] != ')')))
        ++end_;
      now_ = {Kind::kSign, std::string(text_.substr(begin_, end_ - begin_))};
    } else {
      end_ = std::min(text_.find_first_of(" \t\r\n'\"()<>=!", begin_), text_.size());
      now_ = {Kind::kWord, std::string(text_.substr(begin_, end_ - begin_))};
    }
  }

 private:
  static bool is_sign(char c) { return std::string_view("()<>=!").find(c) != std::string::npos; }

  void read_text(char quote) {
    std::string text;
    for (end_ = begin_ + 1; end_ < text_.size() && text_[end_] != quote; ++end_) {
      if (text_[end_] == '\\' && end_ + 1 < text_.size()) ++end_;
      text += text_[end_];
    }
    // Without its closing quote it isn't a text.
    now_ = {end_ < text_.size() ? Kind::kText : Kind::kSign, std::move(text)};
    end_ = std::min(end_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Token now_;
};

std::string escaped(char c) {
  const bool is_special = std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos;
  return is_special ? std::string{'\\', c} : std::string(1, c);
}

std::string plain_pattern(std::string_view text) {
  std::string pattern = "(?i)";
  for (const char c : text) pattern += escaped(c);
  return pattern;
}

// % is any text, _ any character, [a-f] one of these, [^a-f] any other.
std::string like_pattern(std::string_view text) {
  std::string pattern = "(?i)";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '[' ? text.find(']', i + 1) : std::string_view::npos;
    if (end != std::string_view::npos && end > i + 1) {
      pattern += text.substr(i, end - i + 1);
      i = end;
    } else if (text[i] == '%') {
      pattern += ".*";
    } else if (text[i] == '_') {
      pattern += '.';
    } else {
      pattern += escaped(text[i]);
    }
  }
  return pattern;
}

class Conditions {
 public:
  explicit Conditions(std::string_view text) : words_(text) {}

  std::expected<Filters, std::string> run() {
    if (!any() || words_.now().kind != Kind::kEnd) return std::unexpected(words_.rest());
    const bool is_mixed = !patterns_.include.empty() && !patterns_.exclude.empty();
    // "A or B" includes names, "not A and not B" excludes names; anything else isn't a filter.
    if ((is_mixed && has_or_) || (patterns_.include.size() > 1 && has_and_) ||
        (patterns_.exclude.size() > 1 && has_or_))
      return std::unexpected("AND and OR");
    return std::move(patterns_);
  }

 private:
  bool any() {
    if (!one()) return false;
    while (words_.is("or") || words_.is("and")) {
      (words_.is("or") ? has_or_ : has_and_) = true;
      words_.next();
      if (!one()) return false;
    }
    return true;
  }

  bool one() {
    const Tokens before = words_;
    if (words_.take("(")) return (any() && words_.take(")")) || back(before);
    bool negated = words_.take("not");
    if (words_.is("(") || !words_.take("name")) return back(before);
    if (words_.take("not")) negated = !negated;
    const bool like = words_.take("like");
    if (!like && (words_.is("<>") || words_.is("!=")))
      negated = !negated;
    else if (!like && !words_.is("="))
      return back(before);
    if (!like) words_.next();
    if (words_.now().kind != Kind::kText) return back(before);
    const std::string& text = words_.now().text;
    (negated ? patterns_.exclude : patterns_.include)
        .push_back(like ? like_pattern(text) : plain_pattern(text));
    words_.next();
    return true;
  }

  // The error shows the whole condition that can't be parsed.
  bool back(const Tokens& before) {
    words_ = before;
    return false;
  }

  Tokens words_;
  Filters patterns_;
  bool has_or_ = false;
  bool has_and_ = false;
};

// Whether a text is such a condition, or was meant as one: names don't look like that.
bool looks_like_wql(std::string_view text) {
  Tokens words(text);
  while (words.take("(") || words.take("not")) {
  }
  if (words.now().kind != Kind::kWord) return false;
  words.next();
  while (words.take("not")) {
  }
  const bool is_compared = words.is("like") || words.is("=") || words.is("<>") || words.is("!=");
  if (!is_compared) return false;
  words.next();
  return words.now().kind == Kind::kText;
}

std::string prefix_of(const Collector& collector) {
  return "collector." + std::string(collector.name) + '.';
}

// The setting that limits a collector to some of its parts; null if there is none.
const Setting* parts_setting(const Collector& collector, Progress& progress) {
  const std::string name(collector.name);
  return progress.use_any(
      {"collector." + name + ".enabled", "collectors." + name + ".enabled",
       "collector." + name + ".classes-enabled", "collectors." + name + ".classes-enabled",
       "collector." + name + ".sources-enabled", "collectors." + name + ".sources-enabled"});
}

std::vector<std::string_view> known_parts(const Collector& collector) {
  std::vector<std::string_view> parts;
  const auto add = [&](const auto& reads) {
    for (const auto& read : reads)
      if (!read.part.empty()) parts.push_back(read.part);
  };
  add(collector.objects);
  add(collector.topics);
  add(collector.missing);
  return parts;
}

// The setting of an option that is a pattern; null if it selects nothing, or there is none.
const Setting* pattern_setting(const Collector& collector, std::string_view option,
                               Progress& progress) {
  if (option.empty()) return nullptr;
  // Older versions called the options "...-whitelist" and "...-blacklist".
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const Setting* const setting =
      progress.use_any({prefix_of(collector) + std::string(option), prefix_of(collector) + old});
  if (setting == nullptr || setting->values.back().empty()) return nullptr;
  const std::string& value = setting->values.back();
  const bool is_all = option.ends_with("include") && (value == ".+" || value == ".*");
  return is_all ? nullptr : setting;
}

// A WQL condition, which belongs to the options of older versions.
Filters filters_of_wql(const Setting& setting, bool is_exclusion, Progress& progress) {
  const std::string& value = setting.values.back();
  auto patterns = patterns_of_wql(value);
  // The opposite of "A and not B" is "not A, or B", which include and exclude can't express.
  const bool is_mixed =
      is_exclusion && patterns && !patterns->include.empty() && !patterns->exclude.empty();
  if (!patterns || is_mixed) {
    progress.lose(
        setting.place + ": " + as_json(value) +
        " is a WQL condition, not a regular expression, and cannot be converted; write the names");
    return {};
  }
  progress.note(setting.place + ": " + as_json(value) +
                " is a WQL condition, not a regular expression: the names in it were used, which "
                "was probably intended");
  return *std::move(patterns);
}

// The filters of an option; `is_exclusion`: whether it is used as exclude.
Filters filters_of_option(const Collector& collector, std::string_view option, bool is_exclusion,
                          Progress& progress) {
  const Setting* const setting = pattern_setting(collector, option, progress);
  if (setting == nullptr) return {};
  const std::string& value = setting->values.back();
  if (looks_like_wql(value)) return filters_of_wql(*setting, is_exclusion, progress);
  const auto pattern = Pattern::compile(value);
  if (pattern) return {.include = {value}};
  progress.lose(setting->place + ": " + as_json(value) + " is not a valid regular expression (" +
                pattern.error().message + " at byte " + std::to_string(pattern.error().offset) +
                "), so it selects nothing; correct it, and add it to the result");
  return {};
}

// An option of older versions, with a WQL condition.
void add_condition(Filters& filters, const Collector& collector, Progress& progress) {
  const Setting* const setting = progress.use_any({prefix_of(collector) + "services-where",
                                                   prefix_of(collector) + "processes-where",
                                                   prefix_of(collector) + "msmq-where"});
  if (setting == nullptr || setting->values.back().empty()) return;
  const auto patterns = patterns_of_wql(setting->values.back());
  if (!patterns) {
    progress.lose(setting->place + ": " + as_json(patterns.error()) +
                  " cannot be converted to a pattern, so everything is read; write include and "
                  "exclude with regular expressions");
    return;
  }
  std::ranges::copy(patterns->include, std::back_inserter(filters.include));
  std::ranges::copy(patterns->exclude, std::back_inserter(filters.exclude));
}

}  // namespace

std::expected<Filters, std::string> patterns_of_wql(std::string_view condition) {
  return Conditions(condition).run();
}

std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress) {
  // Without parts, the collector's "enabled" (if it has one) means something else.
  if (!has_parts(collector)) return std::nullopt;
  const Setting* const setting = parts_setting(collector, progress);
  if (setting == nullptr) return std::nullopt;
  const auto known = known_parts(collector);
  std::vector<std::string> parts = split(ascii_lower(setting->values.back()), ',');
  for (const std::string& part : parts) {
    if (std::ranges::find(known, part) != known.end()) continue;
    progress.lose(setting->place + ": " + as_json(part) + " has no counterpart" +
                  hint_at(nearest(part, known)));
  }
  return parts;
}

Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress) {
  Filters filters;
  // They match what follows the prefix.
  const auto append = [&](std::vector<std::string>& patterns, std::vector<std::string>& more) {
    for (const std::string& pattern : more)
      patterns.push_back(prefix.empty() ? pattern : std::string(prefix) + "(?:" + pattern + ')');
  };
  Filters included = filters_of_option(collector, include, false, progress);
  Filters excluded = filters_of_option(collector, exclude, true, progress);
  append(filters.include, included.include);
  append(filters.exclude, included.exclude);
  append(filters.exclude, excluded.include);
  append(filters.include, excluded.exclude);
  add_condition(filters, collector, progress);
  return filters;
}

namespace {

bool share_a_name(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::ranges::find_first_of(some, others, [](const std::string& a, const std::string& b) {
           return equal_names(a, b);
         }) != some.end();
}

std::string list_of(const std::vector<std::string>& texts) {
  return '[' + joined(texts, ", ", as_json) + ']';
}

void add_list(std::string& keys, const std::string& key, const std::vector<std::string>& texts) {
  if (!texts.empty()) keys += (keys.empty() ? "" : ", ") + key + ": " + list_of(texts);
}

std::string filter_keys(const Filters& filters) {
  std::string keys;
  add_list(keys, "include", filters.include);
  add_list(keys, "exclude", filters.exclude);
  return keys;
}

std::string text_of(const NamedMetric& metric) {
  std::string text = "{counter: " + as_json(metric.counter) + ", name: " + as_json(metric.name);
  if (!metric.labels.empty())
    text += ", labels: {" + joined(metric.labels, ", ", std::identity()) + '}';
  if (!metric.type.empty()) text += ", type: " + as_json(metric.type);
  if (metric.is_cooked) text += ", value: \"cooked\"";
  return text + '}';
}

// Whether `entry` selects everything that `other` selects.
bool is_as_wide(const Entry& entry, const Entry& other) {
  const bool instances =
      (entry.instances.include.empty() || entry.instances.include == other.instances.include) &&
      entry.instances.exclude.empty();
  return instances && (entry.counters.empty() || entry.counters == other.counters) &&
         (entry.instance_label == other.instance_label || entry.metrics.empty() ||
          other.metrics.empty());
}

// Made for custom metrics, not by a collector that reads it anyway.
bool has_own_metrics(const Entry& entry) {
  return !entry.metrics.empty() && entry.instances.exclude.empty();
}

// Their metrics have the same labels.
bool can_join(const Entry& entry, const Entry& other) {
  return entry.instance_label == other.instance_label && !entry.counters.empty() &&
         !other.counters.empty();
}

template <class One>
void add_new(std::vector<One>& list, std::vector<One> more) {
  for (One& one : more)
    if (std::ranges::find(list, one) == list.end()) list.push_back(std::move(one));
}

// The patterns of both. No pattern selects everything except the total.
std::vector<std::string> instances_of_both(std::vector<std::string> some,
                                           std::vector<std::string> others) {
  const bool is_everything = some.empty() || others.empty();
  add_new(some, std::move(others));
  const auto has_total = [](const std::string& one) {
    InstanceSchema instance;
    instance.name = one;
    return one == ".*" || is_total(instance);
  };
  if (!is_everything) return some;
  if (std::ranges::any_of(some, has_total)) return {".*"};
  return {};
}

// Merges two entries of one object: all metrics, and the instances of both.
void join(Entry& taken, Entry entry, Progress& progress) {
  std::vector<std::string>& include = taken.instances.include;
  if (include != entry.instances.include)
    progress.note(
        entry.comment + ": " + as_json(entry.names.front()) +
        " has two entries with different instances: all of its metrics have the instances of both");
  include = instances_of_both(std::move(include), std::move(entry.instances.include));
  add_new(taken.counters, std::move(entry.counters));
  add_new(taken.metrics, std::move(entry.metrics));
}

}  // namespace

std::string text_of(const Entry& entry) {
  std::string text =
      "{name: " + (entry.names.size() == 1 ? as_json(entry.names.front()) : list_of(entry.names));
  const std::string filter = filter_keys(entry.instances);
  if (!filter.empty()) text += ", instances: {" + filter + '}';
  if (!entry.counters.empty()) text += ", counters: {include: " + list_of(entry.counters) + '}';
  if (!entry.instance_label.empty()) text += ", instance_label: " + as_json(entry.instance_label);
  if (entry.metrics.empty()) return text + "},  # " + entry.comment;
  text += ", metrics: [  # " + entry.comment;
  for (const NamedMetric& metric : entry.metrics) text += "\n      " + text_of(metric) + ',';
  return text + "\n    ]},";
}

std::string text_of(const FactEntry& entry) {
  std::string keys = filter_keys(entry.rows);
  add_list(keys, "folders", entry.folders);
  const std::string name(name_of(entry.topic));
  return (keys.empty() ? as_json(name) : "{name: " + as_json(name) + ", " + keys + '}') + ",  # " +
         entry.comment;
}

void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress) {
  const auto taken = std::ranges::find_if(
      entries, [&](const Entry& other) { return share_a_name(entry.names, other.names); });
  if (taken == entries.end()) {
    entries.push_back(std::move(entry));
    return;
  }
  if (has_own_metrics(*taken) && has_own_metrics(entry) && can_join(*taken, entry)) {
    join(*taken, std::move(entry), progress);
    return;
  }
  if (!is_as_wide(*taken, entry)) {
    progress.lose(entry.comment + ": " + as_json(entry.names.front()) + " is already sampled for " +
                  taken->comment +
                  ", so this entry was left out; add what it selects to the other one");
    return;
  }
  if (taken->instance_label.empty()) taken->instance_label = std::move(entry.instance_label);
  std::ranges::move(entry.metrics, std::back_inserter(taken->metrics));
  if (taken->comment.find(entry.comment) == std::string::npos)
    taken->comment += ", " + entry.comment;
}

void add_fact(std::vector<FactEntry>& facts, FactEntry entry) {
  const auto taken = std::ranges::find(facts, entry.topic, &FactEntry::topic);
  if (taken == facts.end())
    facts.push_back(std::move(entry));
  else if (taken->comment.find(entry.comment) == std::string::npos)
    taken->comment += ", " + entry.comment;
}

}  // namespace winperf::migration
