// How a checked value gets into its member of the configuration: what the rows of the table in
// options.cc are made of. Thread rule: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/options.h"

namespace winperf {

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr bool kIsListOfEnumerators = false;
template <class T>
  requires std::is_enum_v<T>
constexpr bool kIsListOfEnumerators<std::vector<T>> = true;

// A checked value as the type of the member that it goes to. The limits of a number in the table
// below keep it within that type.
template <class T>
T value_as(const OptionValue& value) {
  if constexpr (std::is_same_v<T, Labels>) {
    return std::get<Labels>(value);
  } else if constexpr (kIsOptional<T>) {
    return value_as<typename T::value_type>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::get<T>(std::get<Enumerator>(value));
  } else if constexpr (kIsListOfEnumerators<T>) {
    T list;
    for (const Enumerator& one : std::get<Words>(value))
      list.push_back(std::get<typename T::value_type>(one));
    return list;
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    return std::chrono::milliseconds(std::get<std::int64_t>(value));
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<T>(std::get<std::int64_t>(value));
  } else {
    return std::get<T>(value);
  }
}

template <class Object, class First, class... Rest>
void set(Object& object, const OptionValue& value, First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    object.*first = value_as<std::remove_cvref_t<decltype(object.*first)>>(value);
  } else {
    set(object.*first, value, rest...);
  }
}

// kPath: the members that lead to the value, such as &Config::log, &LogConfig::level.
template <auto... kPath>
void set_in_config(ConfigDraft& draft, const OptionValue& value) {
  set(draft.config, value, kPath...);
}
template <auto... kPath>
void set_in_listen(ConfigDraft& draft, const OptionValue& value) {
  set(draft.config.listen.back(), value, kPath...);
}
template <auto... kPath>
void set_in_fact(ConfigDraft& draft, const OptionValue& value) {
  set(draft.fact, value, kPath...);
}
template <auto... kPath>
void set_in_target(ConfigDraft& draft, const OptionValue& value) {
  set(draft.target, value, kPath...);
}
template <auto... kPath>
void set_in_metric(ConfigDraft& draft, const OptionValue& value) {
  set(draft.metric, value, kPath...);
}
template <auto... kPath>
void set_in_counterset(ConfigDraft& draft, const OptionValue& value) {
  set(draft.counterset, value, kPath...);
}

}  // namespace winperf
