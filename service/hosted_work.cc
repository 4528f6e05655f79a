#include "service/hosted_work.h"

namespace winperf {

void do_hosted_work(ControlInbox& inbox, const HostedWork& work) {
  while (true) {
    const Control control = inbox.take(kLookDistance);
    if (control == Control::kStop) return;
    if (control == Control::kReload) {
      work.reload();
    } else if (!work.look()) {
      return;
    }
  }
}

}  // namespace winperf
