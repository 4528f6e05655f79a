// Puts a service in the place of another one that uses the same port, and back again. Thread rule:
// one thread.
#pragma once

#include <string>

#include "service/scm/service_control.h"

namespace winperf {

// Stops `other`, keeps Windows from starting it, and starts `name`. If `name` can't start, `other`
// runs again as before. Without `other`, this is a start.
int replace_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    const DiagnoseStart& diagnose, ServiceConsole console);

// Stops `name`, keeps Windows from starting it, and starts `other`, now and with Windows. Nothing
// is stopped if there is no `other`.
int restore_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    ServiceConsole console);

}  // namespace winperf
