#include "exporter/json/targets_document.h"

#include "exporter/json/json_text.h"

namespace winperf::json {
namespace {

void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (!out.ends_with('{')) out += ',';
  append_string(out, name);
  out += ':';
  append_string(out, value);
}

}  // namespace

std::string targets_document(std::span<const TargetState> targets, std::string_view address) {
  std::string out = "[";
  for (const TargetState& target : targets) {
    if (!target.is_named) continue;
    out += out.size() == 1 ? "\n{\"targets\":[" : ",\n{\"targets\":[";
    append_string(out, address);
    out += "],\"labels\":{";
    append_label(out, "__metrics_path__", "/probe");
    append_label(out, "__param_target", target.host);
    append_label(out, "__param_module", target.module);
    bool has_instance = false;
    for (const auto& [name, value] : target.labels) {
      append_label(out, name, value);
      has_instance |= name == "instance";
    }
    // Otherwise it would be this program's address, the same for all.
    if (!has_instance) append_label(out, "instance", target.host);
    // It tells the series of a machine's entries apart.
    if (target.module != kDefaultModule) append_label(out, "module", target.module);
    out += "}}";
  }
  return out + "\n]\n";
}

}  // namespace winperf::json
