#include "exporter/json/top_document.h"

#include "exporter/json/json_text.h"
#include "exporter/json/value_objects.h"

namespace winperf::json {
namespace {

void append_leader(std::string& out, const recorder::Leader& leader,
                   const recorder::ProcessOwners& owners) {
  append_identity(out, "{\"instance\":", leader.instance);
  append_owner(out, leader.instance, owners, leader.from.steady, leader.to.steady);
  append_field(out, ",\"from\":", leader.from.wall);
  append_field(out, ",\"to\":", leader.to.wall);
  append_field(out, ",\"cooked\":", leader.value);
  append_field(out, ",\"weight\":", leader.weight);
  append_field(out, ",\"born\":", leader.was_born);
  append_field(out, ",\"ended\":", leader.has_ended);
  out += '}';
}

}  // namespace

std::string top_document(const Leaders& leaders) {
  std::string out;
  append_field(out, "{\"since\":", leaders.since);
  append_field(out, ",\"until\":", leaders.until);
  append_field(out, ",\"counterset\":", leaders.counterset);
  append_field(out, ",\"counter\":", leaders.counter);
  append_type(out, ",\"type\":", leaders.type);
  out += ",\"leaders\":[";
  append_list(out, leaders.leaders, [&](std::string& list, const recorder::Leader& leader) {
    append_leader(list, leader, leaders.owners);
  });
  return out + "]}\n";
}

}  // namespace winperf::json
