#include "service/commands/candidates.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/model/fact_topic.h"
#include "service/commands/command_line.h"

namespace winperf {
namespace {

constexpr std::string_view kPathEnd = ")\\";  // of an instance, before its counter

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         equal_names(text.substr(0, beginning.size()), beginning);
}

// Each once, in their order. A shell reads a line for each, so a name with control characters is
// none.
std::vector<std::string> that_begin_with(std::string_view given, std::vector<std::string> words) {
  std::erase_if(words, [&](const std::string& word) {
    return !begins_with(word, given) || word.empty() || printable(word) != word;
  });
  std::vector<std::string> found;
  for (std::string& word : words)
    if (std::ranges::find(found, word) == found.end()) found.push_back(std::move(word));
  return found;
}

bool is_shown(const auto& entry) { return !entry.get_group().empty(); }

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (is_shown(*command)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!is_shown(*option)) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The words that `type` lists, such as "table|json"; none if it describes a value, as FILE does.
std::vector<std::string> choices_of(std::string_view type) {
  if (!type.contains('|') || std::ranges::any_of(type, [](char c) { return c >= 'A' && c <= 'Z'; }))
    return {};
  std::vector<std::string> words;
  while (!type.empty()) {
    const std::size_t end = std::min(type.find('|'), type.size());
    words.emplace_back(type.substr(0, end));
    type.remove_prefix(std::min(end + 1, type.size()));
  }
  return words;
}

// Reads the words before the last one, as the parser would.
class Place {
 public:
  Place(const CLI::App& program, std::span<const std::string> before) : app_(&program) {
    for (const std::string& word : before) take(word);
  }

  const CLI::App& app() const { return *app_; }
  // After "--", words are arguments of another program, and after an unknown command they mean
  // nothing.
  bool is_foreign() const { return is_foreign_; }
  // What the next word is a value of: an option, or else an argument; nothing if neither.
  const CLI::Option* option() const { return option_; }
  const CLI::Option* argument() const;
  const CLI::Option* option_named(const std::string& name) const {
    return app_->get_option_no_throw(name);
  }
  std::optional<std::string> value_of(std::string_view name) const;
  const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  void take(const std::string& word);

  const CLI::App* app_;
  const CLI::Option* option_ = nullptr;
  std::vector<std::pair<const CLI::Option*, std::string>> values_;
  std::vector<std::string> arguments_;
  bool is_foreign_ = false;
};

void Place::take(const std::string& word) {
  if (option_ != nullptr) {
    values_.emplace_back(std::exchange(option_, nullptr), word);
  } else if (word == "--") {
    is_foreign_ = true;
  } else if (word.starts_with('-') && word.size() > 1 && !is_digit(word[1])) {
    const std::size_t equals = word.find('=');
    const CLI::Option* const option = option_named(word.substr(0, equals));
    if (option == nullptr || option->get_items_expected_min() == 0) return;
    if (equals == std::string::npos) {
      option_ = option;
    } else {
      values_.emplace_back(option, word.substr(equals + 1));
    }
  } else if (const CLI::App* command = find_command(*app_, word); command != nullptr) {
    app_ = command;
  } else if (!command_names(*app_).empty()) {
    is_foreign_ = true;
  } else {
    arguments_.push_back(word);
  }
}

const CLI::Option* Place::argument() const {
  std::size_t before = arguments_.size();
  for (const CLI::Option* option : app_->get_options()) {
    if (!option->get_positional()) continue;
    const auto most = static_cast<std::size_t>(option->get_items_expected_max());
    if (before < most) return option;
    before -= most;
  }
  return nullptr;
}

std::optional<std::string> Place::value_of(std::string_view name) const {
  for (const auto& [option, value] : values_)
    if (option->check_lname(std::string(name))) return value;
  return std::nullopt;
}

// Objects, counters and instances.
class Names {
 public:
  Names(const Place& place, const MakeListing& list) : list_(list) {
    if (const auto file = place.value_of("config")) setup_.config_file = *file;
    const auto source = parse_source_choice(place.value_of("source").value_or("registry"));
    // Another machine takes longer than a person waits.
    can_list_ = source && !place.value_of("target");
    if (source) setup_.source = *source;
  }

  std::vector<std::string> objects(std::string_view given) const;
  std::vector<std::string> counters(std::string_view given,
                                    const std::vector<std::string>& objects) const;
  std::vector<std::string> paths(const std::string& given) const;

 private:
  std::vector<ListedObject> listed(const std::vector<std::string>& names) const {
    auto listing = can_list_ ? list_(setup_, {.names = names}) : std::nullopt;
    return listing ? std::move(listing->objects) : std::vector<ListedObject>();
  }
  std::vector<std::string> path_parts(const std::string& given) const;

  const MakeListing& list_;
  SetupOptions setup_{};
  bool can_list_ = false;
};

std::vector<std::string> Names::objects(std::string_view given) const {
  std::vector<std::string> names;
  for (const ListedObject& object : listed({})) names.push_back(object.schema.name);
  return that_begin_with(given, std::move(names));
}

std::vector<std::string> Names::counters(std::string_view given,
                                         const std::vector<std::string>& objects) const {
  std::vector<std::string> names;
  for (const ListedObject& object : listed(objects))
    for (const CounterSchema& counter : object.schema.counters) names.push_back(counter.name);
  return that_begin_with(given, std::move(names));
}

// The next part of a path, which begins with a backslash: its object, instance or counter.
std::vector<std::string> Names::path_parts(const std::string& given) const {
  const std::size_t object_end = given.find_first_of("(\\", 1);
  std::vector<std::string> paths;
  if (object_end == std::string::npos) {
    for (const ListedObject& object : listed({}))
      paths.push_back('\\' + object.schema.name + (object.schema.multi_instance ? '(' : '\\'));
    return that_begin_with(given, std::move(paths));
  }
  const std::string object = given.substr(1, object_end - 1);
  const bool has_instance = given[object_end] == '(';
  const std::size_t end = has_instance ? given.rfind(kPathEnd) : object_end;
  const std::size_t counter_at = end + (has_instance ? kPathEnd.size() : 1);
  for (const ListedObject& found : listed({object})) {
    if (end == std::string::npos) {
      const std::string before = given.substr(0, object_end + 1);
      for (const std::string& instance : found.instances)
        paths.push_back(before + instance + std::string(kPathEnd));
      if (found.schema.multi_instance) paths.push_back(before + '*' + std::string(kPathEnd));
    } else {
      for (const CounterSchema& counter : found.schema.counters)
        if (!counter.name.empty()) paths.push_back(given.substr(0, counter_at) + counter.name);
    }
  }
  return that_begin_with(given, std::move(paths));
}

// A shell takes a single candidate for complete, so that a part of a path is never the only one.
std::vector<std::string> Names::paths(const std::string& given) const {
  std::vector<std::string> found = path_parts(given);
  for (int part = 0; part < 2 && found.size() == 1; ++part) {
    auto longer = path_parts(found.front());
    if (longer.empty()) break;
    found = std::move(longer);
  }
  return found;
}

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const FactTopicInfo& info : kFactTopics) names.emplace_back(info.name);
  return names;
}

bool is_file_type(std::string_view type) {
  return type.starts_with("FILE") || type.starts_with("DIR");
}

Candidates source_candidates(const std::string& given) {
  constexpr std::array<std::string_view, 2> kFiles = {"replay:", "blg:"};
  for (const std::string_view beginning : kFiles)
    if (given.starts_with(beginning)) return {.file_after = std::string(beginning)};
  return {.words = that_begin_with(given, {"registry", "replay:", "blg:"})};
}

Candidates values_for(const Place& place, const CLI::Option& option, const std::string& given,
                      const MakeListing& list) {
  const std::string type = option.get_type_name();
  if (is_file_type(type)) return {.file_after = ""};
  if (type == "SOURCE") return source_candidates(given);
  if (auto choices = choices_of(type); !choices.empty())
    return {.words = that_begin_with(given, std::move(choices))};
  if (type == "TOPIC") return {.words = that_begin_with(given, topic_names())};
  const Names names(place, list);
  const bool is_counter = type == "COUNTER";
  if (!is_counter && type != "OBJECT" && type != "COUNTERSET") return {};
  if (given.starts_with('\\')) return {.words = names.paths(given)};
  if (!is_counter) return {.words = names.objects(given)};
  // `query --sort` is about its objects, `top` about processes.
  const bool has_objects = !option.get_positional() && !place.arguments().empty();
  return {.words = names.counters(
              given, has_objects ? place.arguments() : std::vector<std::string>{"Process"})};
}

}  // namespace

Candidates candidates_for(const CLI::App& program, std::span<const std::string> words,
                          const MakeListing& list) {
  if (words.empty()) return {};
  const std::string& given = words.back();
  const Place place(program, words.first(words.size() - 1));
  if (place.is_foreign()) return {};
  if (place.option() != nullptr) return values_for(place, *place.option(), given, list);
  const std::size_t equals = given.find('=');
  if (given.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* const option = place.option_named(given.substr(0, equals));
    if (option == nullptr) return {};
    const std::string before = given.substr(0, equals + 1);
    Candidates found = values_for(place, *option, given.substr(equals + 1), list);
    for (std::string& word : found.words) word.insert(0, before);
    if (found.file_after) found.file_after->insert(0, before);
    return found;
  }
  if (given.starts_with('-')) return {.words = that_begin_with(given, option_names(place.app()))};
  // "help config" continues with the commands of config.
  const bool is_help = place.app().get_name() == "help";
  const CLI::App* app = is_help ? &program : &place.app();
  if (is_help)
    for (const std::string& word : place.arguments())
      if (app != nullptr) app = find_command(*app, word);
  if (app == nullptr) return {};
  if (auto commands = command_names(*app); !commands.empty())
    return {.words = that_begin_with(given, std::move(commands))};
  const CLI::Option* const argument = place.argument();
  return argument == nullptr ? Candidates() : values_for(place, *argument, given, list);
}

}  // namespace winperf
