// Answers one query: fills a reply with the requested objects.
//
// An object whose numbers are not available is left out and reported to the journal; the other
// objects are not affected. Thread rule: any thread, concurrently.
#pragma once

#include "tests/providers/sysperf/journal.h"
#include "tests/providers/sysperf/query.h"
#include "tests/providers/sysperf/reply.h"

namespace sysperf {

Reply collect(const Query& query, FirstIndices first, Journal& journal);

}  // namespace sysperf
