// What every host does while the program runs.
#pragma once

#include "service/control_inbox.h"
#include "service/service_host.h"

namespace winperf {

// Returns with the inbox' first stop, or when the work can't go on.
void do_hosted_work(ControlInbox& inbox, const HostedWork& work);

}  // namespace winperf
