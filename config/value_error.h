// What a message says about a value that is refused: its key, what was found, what is expected, and
// what to write instead. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

bool is_bare_boolean(const Node& node);
bool is_bare_number(const Node& node);

// What a message calls the node: 'the text "abc"', 'a list', '12'.
std::string described(const Node& node);
// In a web configuration, keys and passwords may be in any place by mistake: nothing is repeated.
bool may_hold_secrets(std::string_view path);
// Without the value of a place that may hold secrets.
std::string described(std::string_view path, const Node& node);

// "port: 10182"
std::string assignment(const Option& option, std::string_view value);

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

}  // namespace winperf
