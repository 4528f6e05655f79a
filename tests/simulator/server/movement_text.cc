#include "tests/simulator/server/movement_text.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace winperf::simulator {
namespace {

struct Word {
  Motion motion;
  std::size_t amounts;
};

const std::map<std::string_view, Word>& words() {
  static const std::map<std::string_view, Word> words{
      {"constant", {Motion::kConstant, 1}}, {"level", {Motion::kLevel, 2}},
      {"rate", {Motion::kRate, 1}},         {"share", {Motion::kShare, 1}},
      {"uptime", {Motion::kUptime, 0}},     {"started", {Motion::kStarted, 0}},
  };
  return words;
}

std::size_t column_named(const ServerTable* table, std::string_view name) {
  const auto column = table == nullptr ? std::nullopt : table->find(std::string(name));
  if (!column) throw Misunderstood{"the instances have no column \"" + std::string(name) + '"'};
  return *column;
}

Amount amount_in(std::string_view text, const ServerTable* table) {
  Amount amount;
  for (const std::string& factor : split(text, "*")) {
    if (const auto number = number_or_none(factor)) {
      amount.factor *= *number;
    } else {
      amount.columns.push_back(column_named(table, factor));
    }
  }
  return amount;
}

struct SignedName {
  double sign;
  std::string text;
};

// "A (+) B (-) C".
std::vector<SignedName> names_in(std::string_view text) {
  std::vector<SignedName> names;
  for (const std::string& sum : split(text, "(+)")) {
    const std::vector<std::string> parts = split(sum, "(-)");
    for (std::size_t i = 0; i < parts.size(); ++i) names.push_back({i == 0 ? 1.0 : -1.0, parts[i]});
  }
  return names;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

std::optional<double> number_or_none(std::string_view text) {
  const std::vector<std::string> parts = split(text, "/");
  double quotient = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double number = 0;
    const char* const end = parts[i].data() + parts[i].size();
    const auto [stop, error] = std::from_chars(parts[i].data(), end, number);
    if (error != std::errc() || stop != end || parts.size() > 2) return std::nullopt;
    quotient = i == 0 ? number : quotient / number;
  }
  return quotient;
}

double number_in(std::string_view text) {
  const auto number = number_or_none(text);
  if (!number) throw Misunderstood{'"' + std::string(text) + "\" is not a number"};
  return *number;
}

Movement movement_in(std::string_view text, const ServerTable* table) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view verb = text.substr(0, end);
  const std::string_view rest = trimmed(text.substr(end));
  if (verb == "as") return {.motion = Motion::kSum};
  const auto found = words().find(verb);
  if (found == words().end())
    throw Misunderstood{"nothing moves like \"" + std::string(verb) + '"'};
  Movement movement{.motion = found->second.motion};
  if (!rest.empty())
    for (const std::string& amount : split(rest, " "))
      if (!amount.empty()) movement.amounts.push_back(amount_in(amount, table));
  if (movement.amounts.size() != found->second.amounts)
    throw Misunderstood{'"' + std::string(verb) + "\" needs " +
                        std::to_string(found->second.amounts) + " amounts, not " +
                        std::to_string(movement.amounts.size())};
  return movement;
}

void find_counters(Movement& movement, std::string_view text, const ServerObject& object) {
  for (const auto& [sign, term] : names_in(text.substr(text.find(' ')))) {
    const std::size_t product = term.find(" * ");
    const double factor =
        sign * (product == std::string::npos ? 1.0 : number_in(term.substr(0, product)));
    const std::string name = product == std::string::npos ? term : term.substr(product + 3);
    if (name == "ticks") {
      movement.terms.push_back({.counter = {}, .factor = factor});
    } else {
      movement.terms.push_back({.counter = counter_named(object, name), .factor = factor});
    }
  }
}

std::size_t counter_named(const ServerObject& object, std::string_view name) {
  for (std::size_t i = 0; i < object.counters.size(); ++i)
    if (object.counters[i].name == name && !object.counters[i].is_hidden) return i;
  throw Misunderstood{"the object has no counter \"" + std::string(name) + '"'};
}

}  // namespace winperf::simulator
