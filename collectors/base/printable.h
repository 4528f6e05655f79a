// External text, made safe for a console: provider names and errors of other programs may contain
// characters that a terminal interprets, or that reorder the text around them.
//
// ESC becomes "\u001b". So do all control characters (C0, DEL, C1), line and paragraph separators,
// and characters that embed, override or isolate a writing direction. A byte that belongs to no
// UTF-8 character becomes "\x9b". Everything else is unchanged, including backslashes, so the
// result can't be decoded; JSON keeps its meaning, because only its strings contain such
// characters. Thread rule: any thread. Source: Unicode Standard 23.1; UAX 9, 2.1 to 2.5.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// Always one line.
std::string printable(std::string_view text);

// Text that consists of lines: line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace winperf
