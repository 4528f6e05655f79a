// Compresses text whose lines repeat one another, as those of a page of metrics do, faster than
// libraries do that know nothing of the text (docs/adr/0029-our-own-deflate.md).
//
// Any bytes may be compressed; the same ones always become the same. The result is at most 6 bytes
// longer for every 9,000 bytes of text, plus 12. Errors: only std::bad_alloc. Thread rule: a pure
// function. Source: RFC 1951.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// Blocks of deflate that end at a byte boundary, and of which none is the last one: others may
// follow. Nothing if there is no text.
std::string deflated(std::string_view text);

}  // namespace winperf
