// The other machines that this program samples, as the server sees them. Thread rule: any thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "collectors/base/net_address.h"
#include "collectors/model/target_state.h"
#include "exporter/http/machine_view.h"

namespace winperf {

// What a request for another machine is answered from.
struct ProbeAnswer {
  std::shared_ptr<MachineView> machine{};  // null if there is none
  int status = 200;                        // without one
  // Without a machine, or if none of its values has ever been read: the sentence.
  std::string reason{};
  std::string_view code{};             // a short name of it, for programs; may be empty
  std::chrono::seconds retry_after{};  // with 503
  bool is_module_unknown = false;      // the machine is known
};

class Targets {
 public:
  Targets() = default;
  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;
  virtual ~Targets() = default;

  // `host`, `module`: as the client at the address `asker` wrote them; untrusted.
  [[nodiscard]] virtual ProbeAnswer probe(std::string_view host, std::string_view module,
                                          const NetAddress& asker) = 0;
  [[nodiscard]] virtual TargetsReport report() const = 0;
};

}  // namespace winperf
