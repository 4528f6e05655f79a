// Comparing entity tags: whether a client already has what it asks for. Thread rule: pure function.
// Source: RFC 9110, sections 8.8.3.2 (weak comparison) and 13.1.2 (If-None-Match).
#pragma once

#include <string_view>

namespace winperf {

// Whether the value of If-None-Match, a list of tags or *, has this one. Anything that isn't such a
// list has no tag.
bool has_entity_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace winperf
