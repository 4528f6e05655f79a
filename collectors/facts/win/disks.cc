#include <windows.h>

#include <string>
#include <variant>

#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"

namespace winperf {
namespace {

// The text without what is around it.
template <class Trim>
void add_text(FactRow& row, std::string_view field, const FactRow& disk, std::string_view name,
              Trim trim) {
  const FactValue* const value = property(disk, name);
  if (value == nullptr || !std::holds_alternative<std::string>(*value)) return;
  const std::string_view text = trim(std::get<std::string>(*value));
  if (!text.empty()) row.text(field, text);
}

void add_disk(FactTable& table, const FactRow& disk) {
  FactRow row;
  add_text(row, "device_id", disk, "DeviceID", without_device_prefix);
  add_text(row, "name", disk, "Name", without_device_prefix);
  if (row.find("name") == nullptr && row.find("device_id") != nullptr)
    row.text("name", row.text_of("device_id"));
  if (row.find("name") == nullptr) {
    table.problems.emplace_back("WMI doesn't say what one of the disks is called");
    return;
  }
  add_text(row, "model", disk, "Model", without_blanks_at_end);
  add_text(row, "caption", disk, "Caption", without_blanks_at_end);
  copy_property(disk, "Size", row, "size");
  copy_property(disk, "Partitions", row, "partitions");
  copy_property(disk, "Status", row, "status");
  copy_property(disk, "Availability", row, "availability");
  table.rows.push_back(row);
}

}  // namespace

FactAnswer read_disks() {
  const auto answer = query_wmi(
      L"root\\cimv2",
      L"SELECT DeviceID, Name, Model, Caption, Size, Partitions, Status, Availability FROM "
      L"Win32_DiskDrive");
  if (!answer) return std::unexpected(answer.error());
  FactTable table;
  table.problems = answer->problems;
  for (const FactRow& disk : answer->rows) add_disk(table, disk);
  return table;
}

}  // namespace winperf
