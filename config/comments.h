// Blanks the comments that YAML does not know, // and /* */, so that a YAML parser takes the text.
//
// What is blanked becomes spaces; line ends stay, so every other byte keeps its place. The pass
// follows YAML's quoting: nothing is touched inside "..." (where a backslash escapes) and '...'
// (where '' is a quote), nor inside a # comment, where a quote opens nothing either. After unquoted
// text a comment needs white space in front of it, so that http://host and a/*/b stay text; after a
// quoted text, a bracket or a comma it does not. Block texts (| and >) are refused: inside them a
// comment could not be told from text.
//
// On its way the pass also pairs quotes and brackets, because it knows where each was opened and a
// YAML parser does not say. A quoted text ends in its line, as in JSON.
// Errors: a /* without its */, a block text, a quote or a bracket without its partner; a directive
// (a line that begins with %), and a no-break space outside of quotes, which looks like a space.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "config/text_error.h"

namespace winperf {

std::expected<std::string, TextError> blank_comments(std::string_view text);

}  // namespace winperf
