// Answers one query: fills a reply with the objects that it asks for.
//
// An object whose numbers can't be had is left out, and the journal is told; that costs no other
// object. Any thread, concurrently.
#pragma once

#include "tests/providers/sysperf/journal.h"
#include "tests/providers/sysperf/query.h"
#include "tests/providers/sysperf/reply.h"

namespace sysperf {

Reply collect(const Query& query, FirstIndices first, Journal& journal);

}  // namespace sysperf
