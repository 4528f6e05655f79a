#include "service/plan/hardening.h"

#include <windows.h>

namespace winperf {

void load_system_dlls_only() { SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32); }

// Each is best effort: an older Windows lacks some, and Wine accepts all and enforces none.
// Generated code isn't forbidden, because the regular expressions of filters may be compiled to it.
void harden_this_process() {
  HeapSetInformation(nullptr, HeapEnableTerminationOnCorruption, nullptr, 0);
  PROCESS_MITIGATION_EXTENSION_POINT_DISABLE_POLICY hooks{};
  hooks.DisableExtensionPoints = 1;
  SetProcessMitigationPolicy(ProcessExtensionPointDisablePolicy, &hooks, sizeof hooks);
  PROCESS_MITIGATION_IMAGE_LOAD_POLICY images{};
  images.NoRemoteImages = 1;
  images.NoLowMandatoryLabelImages = 1;
  images.PreferSystem32Images = 1;
  SetProcessMitigationPolicy(ProcessImageLoadPolicy, &images, sizeof images);
}

// The heap returns large blocks by itself.
void limit_freed_memory() {}

}  // namespace winperf
