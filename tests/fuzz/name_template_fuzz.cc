// Names of objects and instances against all templates of windows_exporter's tables: whatever the
// name, the labels are parts of it, and none is empty but the last one.
#include <span>
#include <string>
#include <string_view>

#include "exporter/profiles/collector.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

void check(std::string_view pattern, std::string_view name) {
  const auto labels = match_name(pattern, name);
  if (!labels) return;
  std::size_t bytes = 0;
  for (const LabelPart& label : *labels) {
    require(!label.value.empty() || &label == &labels->back(), "no part is empty but the last");
    bytes += label.value.size();
  }
  require(bytes <= name.size(), "the parts are not more than the name");
  require(labels->size() == labels_of_template(pattern).size(), "each part has its label");
}

void check_all(std::string_view name) {
  for (const MetricProfile profile :
       {MetricProfile::kWindowsExporter, MetricProfile::kWindowsExporterLegacy})
    for (const ProfileBlock& block : profile_blocks(profile)) {
      for (const ProfileObject& object : block.objects) check(object.name, name);
      for (const std::string_view pattern : block.instances) check(pattern, name);
    }
  for (const ReadBy& read : collectors_of(name))
    require(!read.collector.empty(), "a collector has a name");
}

Input bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> names;
  for (const char* name :
       {"MSSQL$PAYROLL:Databases", "4711_DefaultAppPool", "\\fs\\home", "0 C: D:", "web:Hv VP 0",
        "pid_12_luid_0x0_0x5_phys_0_eng_0_engtype_3D", "pid_12_luid_0x0_0x5_phys_0_eng_0_engtype_",
        "a:b:Hv VP 0", "\\??\\C:\\pagefile.sys", "RDP-tcp 7", "MSExchange  Mailbox.01",
        "svchost#12"})
    names.push_back(bytes_of(name));
  return names;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check_all(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
