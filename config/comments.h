// Blanks the comments that YAML lacks, // and /* */, so that a YAML parser accepts the text.
//
// Comments become spaces; line breaks stay, so every other byte keeps its place. The pass follows
// YAML's quoting: it changes nothing inside "..." (where a backslash escapes) and '...' (where ''
// is a quote), nor inside a # comment, where a quote opens nothing either. After unquoted text a
// comment needs white space in front of it, so that http://host and a/*/b stay text; after a quoted
// text, a bracket or a comma it doesn't. Text blocks (| and >) are refused: inside them, comments
// and text could not be told apart.
//
// The pass also pairs quotes and brackets, because it knows where each was opened and a YAML parser
// doesn't say. A quoted text ends on its line, as in JSON.
// Errors: a /* without its */, a text block, a quote or a bracket without its partner; a directive
// (a line that begins with %), and a no-break space outside quotes, which looks like a space.
// Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "config/text_error.h"

namespace winperf {

[[nodiscard]] std::expected<std::string, TextError> blank_comments(std::string_view text);

}  // namespace winperf
