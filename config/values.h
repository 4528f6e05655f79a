// What reads the values of a configuration: the parts that several kinds share, and what a message
// says about a value that is refused: its key, what was found, what is expected, and what to write
// instead. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

bool is_bare_boolean(const Node& node);
bool is_bare_number(const Node& node);

// Whether the key is one of exporter-toolkit's web configuration, which is read as that program
// reads it: as YAML 1.1 and by Go's rules. Keys and passwords may be in any place of it by mistake,
// so that no message repeats a value.
bool is_web_key(std::string_view path);

// Whether `config set` writes it as a list of words, which a person gives with commas.
bool is_list(const Option& option);

// What a message calls the node: 'the text "abc"', 'a list', '12'.
std::string described(const Node& node);
// The same of a value of this key: "what is there" if it may be a secret.
std::string described(std::string_view path, const Node& node);

// "port: 10182"
std::string assignment(const Option& option, std::string_view value);
// A value of it, as written in a file.
std::string example_of(const Option& option);

// "listen.port" must be a whole number, not the text "abc": write, for example, port: 10182
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

// Text that is good by itself; `wanted` says what that is.
template <class IsGood>
[[nodiscard]] std::expected<std::string, TextError> read_text_if(const Option& option,
                                                                 const Node& node,
                                                                 std::string_view wanted,
                                                                 IsGood is_good) {
  if (auto problem = text_problem(option, node, wanted)) return std::unexpected(*problem);
  if (!is_good(node.text)) return refused(option, node, wanted);
  return node.text;
}

// A single value stands for a list of one.
std::span<const Node> items_of(const Node& node);
using ReadName = std::expected<std::string, TextError> (*)(const Option&, const Node&);
// What `read` makes of each of them.
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
[[nodiscard]] ReadValue read_several(const Option& option, const Node& node, ReadName read);
template <ReadName kRead>
ReadValue read_list_of(const Option& option, const Node& node) {
  return read_several(option, node, kRead);
}
// What a kind's `read` is of what reads text, or a word.
template <auto kRead>
ReadValue read_one(const Option& option, const Node& node) {
  return kRead(option, node);
}

// One of the option's words.
[[nodiscard]] std::expected<std::int64_t, TextError> read_choice(const Option& option,
                                                                 const Node& node);

// What is wrong with the name of a metric or a label that a configuration chooses, after the name
// of a key; nothing if it is good.
std::optional<std::string> metric_name_problem(std::string_view name);
std::optional<std::string> label_name_problem(std::string_view name);

}  // namespace winperf
