#include "exporter/api/doctor_document.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "exporter/json/json_text.h"

namespace winperf::api {
namespace {

using DoctorJson = nlohmann::ordered_json;

// A text in countersets[].also[].repair[] has seven levels above it.
constexpr int kDeepest = 7;

using Check = bool (*)(const DoctorJson&);

bool is_text(const DoctorJson& value) { return value.is_string(); }
bool is_text_or_null(const DoctorJson& value) { return value.is_string() || value.is_null(); }
bool is_count(const DoctorJson& value) { return value.is_number_unsigned(); }
bool is_count_or_null(const DoctorJson& value) { return is_count(value) || value.is_null(); }
bool is_list_of_texts(const DoctorJson& value) {
  return value.is_array() && std::ranges::all_of(value, is_text);
}

struct Member {
  const char* name;
  Check check;
};

// An object with exactly these members.
bool has_members(const DoctorJson& value, std::initializer_list<Member> members) {
  return value.is_object() && value.size() == members.size() &&
         std::ranges::all_of(members, [&](const Member& member) {
           const auto found = value.find(member.name);
           return found != value.end() && member.check(*found);
         });
}

template <Check kItem>
bool is_list(const DoctorJson& value) {
  return value.is_array() && std::ranges::all_of(value, kItem);
}

bool is_step(const DoctorJson& value) {
  return has_members(value, {{"command", is_text_or_null}, {"text", is_text}});
}

bool is_finding(const DoctorJson& value) {
  return has_members(value, {{"severity", is_text},
                             {"reason", is_text},
                             {"sentence", is_text},
                             {"repair", is_list<is_step>},
                             {"evidence", is_list_of_texts}});
}

bool is_counterset(const DoctorJson& value) {
  return has_members(value, {{"name", is_text},
                             {"status", is_text},
                             {"object", is_text},
                             {"object_index", is_count_or_null},
                             {"provider", is_text_or_null},
                             {"reason", is_text},
                             {"sentence", is_text},
                             {"repair", is_list<is_step>},
                             {"evidence", is_list_of_texts},
                             {"also", is_list<is_finding>}});
}

bool is_check(const DoctorJson& value) {
  return has_members(value, {{"name", is_text},
                             {"subject", is_text},
                             {"status", is_text},
                             {"reason", is_text},
                             {"sentence", is_text},
                             {"repair", is_list<is_step>},
                             {"evidence", is_list_of_texts},
                             {"also", is_list<is_finding>}});
}

bool is_summary(const DoctorJson& value) {
  return has_members(
      value, {{"ok", is_count}, {"absent", is_count}, {"warning", is_count}, {"failed", is_count}});
}

// Nothing if it isn't JSON, or too deep for functions that call themselves.
std::optional<DoctorJson> parse_shallow(std::string_view text) {
  bool is_too_deep = false;
  const auto look = [&](int depth, DoctorJson::parse_event_t, DoctorJson&) {
    is_too_deep = is_too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  std::optional<DoctorJson> document(std::in_place, DoctorJson::parse(text, look, false));
  if (document->is_discarded() || is_too_deep) document.reset();
  return document;
}

}  // namespace

std::expected<std::string, std::string> read_diagnosis(std::string_view text) {
  auto document = parse_shallow(text);
  if (!document || !document->is_object())
    return std::unexpected("the worker's answer is no JSON document");
  document->erase("schema");
  // What has no entries has no member.
  if (!document->contains("checks")) (*document)["checks"] = DoctorJson::array();
  if (!has_members(*document, {{"source", is_text},
                               {"summary", is_summary},
                               {"countersets", is_list<is_counterset>},
                               {"checks", is_list<is_check>}}))
    return std::unexpected("the worker's answer is no diagnosis");
  const std::string whole = document->dump(-1, ' ', false, DoctorJson::error_handler_t::replace);
  return whole.substr(1, whole.size() - 2);
}

std::string doctor_document(const MadeDiagnosis& made, SteadyTime now) {
  const std::chrono::duration<double> age =
      std::max(SteadyTime::duration::zero(), now - made.finished);
  std::string out = "{";
  json::append_field(out, "\"made_at\":", made.made_at);
  json::append_field(out, ",\"duration_seconds\":", made.duration.count());
  json::append_field(out, ",\"age_seconds\":", age.count());
  return out + ',' + made.members + "}\n";
}

}  // namespace winperf::api
