// Reads the values of a configuration: the parts that several kinds share, messages about refused
// values (key, expected value, found value, correction), and the elements of the option tables.
// Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "config/document.h"
#include "config/options.h"

namespace winperf {

bool is_bare_boolean(const Node& node);
bool is_bare_number(const Node& node);

// Whether the key is one of exporter-toolkit's web configuration, which is read as that program
// reads it: as YAML 1.1 and by Go's rules. Keys and passwords may be misplaced anywhere in it, so
// no message repeats a value.
bool is_web_key(std::string_view path);

// Whether `config set` writes it as a list, whose entries are given with commas.
bool is_list(const Option& option);

// What a message calls the node: 'the text "abc"', 'a list', '12'.
std::string described(const Node& node);
// The same for a value of this key: "the present value" if it may be a secret.
std::string described(std::string_view path, const Node& node);

// "port: 10182"
std::string assignment(const Option& option, std::string_view value);
// A value of it, as written in a file.
std::string example_of(const Option& option);

// "listen.port" must be a whole number, not the text "abc"; write, for example, port: 10182
// `advice` takes the place of the example.
[[nodiscard]] std::unexpected<TextError> refused(const Option& option, const Node& node,
                                                 std::string_view wanted,
                                                 std::string_view advice = {});

// "log.file" is too long: write at most 4096 bytes
[[nodiscard]] std::unexpected<TextError> complaint(const Option& option, const Node& node,
                                                   std::string_view message);

// What is wrong with a node that must be text, or nothing.
[[nodiscard]] std::optional<TextError> text_problem(const Option& option, const Node& node,
                                                    std::string_view wanted);
// The same for one that is longer than the option's maximum.
[[nodiscard]] std::optional<TextError> length_problem(const Option& option, const Node& node);

// Text for which is_good() is true; `wanted` describes it.
template <class IsGood>
[[nodiscard]] std::expected<std::string, TextError> read_text_if(const Option& option,
                                                                 const Node& node,
                                                                 std::string_view wanted,
                                                                 IsGood is_good) {
  if (auto problem = text_problem(option, node, wanted)) return std::unexpected(*problem);
  if (!is_good(node.text)) return refused(option, node, wanted);
  return node.text;
}

// A single value means a list of one.
std::span<const Node> items_of(const Node& node);
using ReadName = std::expected<std::string, TextError> (*)(const Option&, const Node&);
// The result of `read` for each of them.
template <class Read>
auto read_each(const Option& option, const Node& node, Read read) {
  using One = std::remove_cvref_t<decltype(*read(option, node))>;
  std::expected<std::vector<One>, TextError> all;
  for (const Node& item : items_of(node)) {
    auto one = read(option, item);
    if (!one) return all = std::unexpected(std::move(one).error());
    all->push_back(*std::move(one));
  }
  return all;
}
// As many as the option allows.
template <ReadName kRead>
ReadValue read_list_of(const Option& option, const Node& node) {
  const std::size_t count = items_of(node).size();
  if (std::cmp_greater(count, option.takes.maximum))
    return complaint(option, node,
                     "has " + std::to_string(count) + " names; write at most " +
                         std::to_string(option.takes.maximum));
  return read_each(option, node, kRead);
}
// A kind's `read`, made of a function that reads text or a word.
template <auto kRead>
ReadValue read_one(const Option& option, const Node& node) {
  return kRead(option, node);
}

// One of the option's words.
[[nodiscard]] std::expected<std::int64_t, TextError> read_choice(const Option& option,
                                                                 const Node& node);

// What is wrong with a custom name of a metric or a label, to follow the name of a key; nothing if
// it is valid.
std::optional<std::string> metric_name_problem(std::string_view name);
std::optional<std::string> label_name_problem(std::string_view name);

// Elements of the option tables: limits, shared words, and how a checked value is assigned to its
// member of the configuration. config/options.h has the whole table.

std::span<const Option> web_options();       // "listen.web" and what begins with it
std::span<const Option> recorder_options();  // "recorder", and the same
std::span<const Option> sampled_options();   // "countersets", "facts", "targets", and the same

inline constexpr std::int64_t kSecond = 1000;
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kNinetyDays = 90 * 24 * kHour;
inline constexpr std::int64_t kMib = std::int64_t{1024} * 1024;
inline constexpr std::int64_t kGib = 1024 * kMib;

inline constexpr std::string_view kIntervalFloor =
    "Microsoft's guidance for collecting performance data sets this minimum";

constexpr Choice choice_of(CounterPath path) { return {name_of(path), path}; }
inline constexpr Choice kPaths[] = {choice_of(CounterPath::kAuto),
                                    choice_of(CounterPath::kRegistry),
                                    choice_of(CounterPath::kPerflib)};
inline constexpr Choice kLanguages[] = {{"english", NameLanguage::kEnglish},
                                        {"machine", NameLanguage::kMachine}};

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr bool kIsListOfEnumerators = false;
template <class T>
  requires std::is_enum_v<T>
constexpr bool kIsListOfEnumerators<std::vector<T>> = true;

// A checked value as the type of its member. The limits of a number in its row keep it within that
// type.
template <class T>
T value_as(const OptionValue& value) {
  if constexpr (std::is_same_v<T, Labels>) {
    return std::get<Labels>(value);
  } else if constexpr (kIsOptional<T>) {
    return value_as<typename T::value_type>(value);
  } else if constexpr (kIsListOfEnumerators<T>) {
    T list;
    for (const std::int64_t one : std::get<Words>(value))
      list.push_back(static_cast<typename T::value_type>(one));
    return list;
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    return std::chrono::milliseconds(std::get<std::int64_t>(value));
  } else if constexpr (std::is_enum_v<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>)) {
    return static_cast<T>(std::get<std::int64_t>(value));
  } else {
    return std::get<T>(value);
  }
}

// The part of the draft that the members belong to.
inline Config& part_of(ConfigDraft& draft, const Config*) { return draft.config; }
inline ListenConfig& part_of(ConfigDraft& draft, const ListenConfig*) {
  return draft.config.listen.back();
}
inline CountersetConfig& part_of(ConfigDraft& draft, const CountersetConfig*) {
  return draft.counterset;
}
inline CustomMetric& part_of(ConfigDraft& draft, const CustomMetric*) { return draft.metric; }
inline FactConfig& part_of(ConfigDraft& draft, const FactConfig*) { return draft.fact; }
inline TargetConfig& part_of(ConfigDraft& draft, const TargetConfig*) { return draft.target; }
inline CounterBound& part_of(ConfigDraft& draft, const CounterBound*) { return draft.bound; }

template <class Object, class Member, class... Rest>
void assign_to(Object& object, const OptionValue& value, Member Object::* first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    object.*first = value_as<Member>(value);
  else
    assign_to(object.*first, value, rest...);
}

template <class Object, class Member>
const Object* owner_of(Member Object::*);

// The members that lead to the value, such as &Config::log, &LogConfig::level.
template <auto kFirst, auto... kRest>
void set(ConfigDraft& draft, const OptionValue& value) {
  assign_to(part_of(draft, decltype(owner_of(kFirst))()), value, kFirst, kRest...);
}

}  // namespace winperf
