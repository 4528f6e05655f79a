// Compresses text that repeats itself line by line, as pages of metrics do: faster and smaller than
// libraries that know nothing of the text do it (docs/adr/0029-our-own-deflate.md).
//
// Any bytes may be compressed. What they become takes at most 5 bytes more for every 6,000 of them,
// and another 5; the same bytes always become the same. Errors: only std::bad_alloc. Thread rule:
// a pure function. Source: RFC 1951.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

// Blocks of deflate, of which none is the last: they end at a byte boundary, so that others can
// follow. Nothing for no text.
std::string deflated(std::string_view text);

}  // namespace winperf
