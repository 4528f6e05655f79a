// What the rows of the option tables are made of: limits, words that several of them share, and how
// a checked value gets into its member of the configuration. config/options.h has the whole table.
// Thread rule: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/options.h"

namespace winperf {

std::span<const Option> web_options();      // "listen.web" and what begins with it
std::span<const Option> sampled_options();  // "countersets", "facts", "targets", and the same

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

// A checked value as the type of the member that it goes to. The limits of a number in its row keep
// it within that type.
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
