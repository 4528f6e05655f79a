// Foreign text as a person may see it at a console: names of providers and errors of other programs
// may hold characters that a terminal obeys instead of showing them, or that reorder what stands
// beside them.
//
// ESC becomes "\u001b". The same holds for all control characters (C0, DEL, C1), for line and
// paragraph separators, and for those that embed, override or isolate a direction of writing. A
// byte that belongs to no UTF-8 character becomes "\x9b". Everything else stays, also a backslash,
// so that this is not to be read back; text that is JSON keeps its meaning, because only strings
// have such characters there. Thread rule: any thread. Source: Unicode Standard 23.1; UAX 9, 2.1
// to 2.5.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// One line, whatever is in the text.
std::string printable(std::string_view text);

// Text that consists of lines: line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace winperf
