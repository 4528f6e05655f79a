// The properties of windows_exporter's installer, "ENABLED_COLLECTORS=cpu,iis", and the parameters
// of its Chocolatey package, "/EnabledCollectors:cpu,iis", as the flags that they become. Thread
// rule: any thread. Source: installer/main.wxs of windows_exporter, and the package's description.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

// Whether a word is one of them.
bool is_installer_word(std::string_view word);
// Whether it is a property of another package, "TRANSFORMS=corp.mst", and no misspelt one of this.
bool is_foreign_property(std::string_view word);
// Empty for one that says nothing about the exporter, such as where its files are.
std::vector<std::string> flags_of_installer(std::string_view word);

}  // namespace winperf::migration
