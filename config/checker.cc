#include "config/checker.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/host_port.h"
#include "config/log_files.h"
#include "config/targets.h"
#include "config/value_error.h"
#include "config/values.h"
#include "config/web_options.h"

namespace winperf {
namespace {

std::vector<std::string_view> keys_of(std::string_view parent) {
  std::vector<std::string_view> keys;
  for (const Option& option : config_options()) {
    if (parent_of(option) == parent) keys.push_back(key_of(option));
  }
  return keys;
}

// The path of a key with this name in any section; empty if there is none.
std::string_view elsewhere(std::string_view key) {
  for (const Option& option : config_options()) {
    if (key_of(option) == key) return option.path;
  }
  return {};
}

std::string listed(const std::vector<std::string_view>& keys) {
  return joined(keys, ", ", in_quotes);
}

// An option as it is written inside the section `parent`: "listen: {port: ...}".
std::string nested(std::string_view path, std::string_view parent) {
  std::string text(path.substr(parent.empty() ? 0 : parent.size() + 1));
  std::string end = ": ...";
  for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.')) {
    text.replace(dot, 1, ": {");
    end += '}';
  }
  return text + end;
}

// The option that a key with dots in it means in the section `parent`; null if none.
const Option* find_dotted(std::string_view parent, std::string_view key) {
  if (key.find('.') == std::string_view::npos) return nullptr;
  const std::string path = (parent.empty() ? "" : std::string(parent) + '.') + std::string(key);
  const auto options = config_options();
  const auto found = std::ranges::find(options, path, &Option::path);
  return found == options.end() ? nullptr : &*found;
}

// What to write instead of an unknown key.
std::string advice_for(std::string_view parent, const Node& node) {
  const std::vector<std::string_view> keys = keys_of(parent);
  const std::size_t colon = node.key.find(':');
  if (node.kind == NodeKind::kNull && colon != std::string::npos &&
      find_option(parent, node.key.substr(0, colon)) != nullptr) {
    return "write a space after the colon";
  }
  if (const Option* option = find_dotted(parent, node.key)) {
    return "write " + nested(option->path, parent);
  }
  if (parent.empty() && (node.key == "collectors" || node.key == "collector")) {
    return "this key is windows_exporter's: convert its configuration with \"winperf_exporter "
           "config migrate --from-windows-exporter FILE\"";
  }
  if (const std::string_view meant = nearest(node.key, keys); !meant.empty()) {
    return "did you mean " + in_quotes(meant) + "?";
  }
  if (const std::string_view path = elsewhere(node.key); !path.empty()) {
    return "did you mean " + in_quotes(path) + "?";
  }
  return "write one of " + listed(keys);
}

// Whether the text is a value of this key, once it is written as the key wants it.
bool is_value(std::string_view parent, std::string_view key, std::string text) {
  const Option& option = *find_option(parent, key);
  Node node;
  node.kind = NodeKind::kScalar;
  node.text = std::move(text);
  node.is_quoted = option.kind != OptionKind::kInteger;
  return read_value(option, node).has_value();
}

// What follows "write" in a message about a value of "listen" that is no object, such as 9182,
// ":9182", "10.0.0.5:9182" or "10.0.0.5". `key`: "listen: ", or nothing for an entry of a list.
std::string object_instead(const Option& listen, const Node& node, const std::string& key) {
  const auto is_port = [&](const std::string& text) { return is_value(listen.path, "port", text); };
  const auto is_address = [&](const std::string& text) {
    return is_value(listen.path, "address", text);
  };
  const std::string start = ' ' + key + '{';
  const std::string& text = node.text;
  const auto parts = split_host_port(text);
  if (is_port(text)) return start + "port: " + text + '}';
  if (is_address(text) && !is_bare_boolean(node) && !is_bare_number(node))
    return start + "address: " + in_quotes(text) + '}';
  if (parts && is_port(parts->port) && parts->host.empty())
    return start + "port: " + parts->port + '}';
  if (parts && is_port(parts->port) && is_address(parts->host))
    return start + "address: " + in_quotes(parts->host) + ", port: " + parts->port + '}';
  return ", for example," + start + "port: 10182}";
}

// exporter-toolkit takes a key without a value, or a word without letters, for one that isn't
// given.
bool is_left_empty(const Option& option, const Node& node) {
  const bool is_empty_word =
      option.kind == OptionKind::kChoice && node.kind == NodeKind::kScalar && node.text.empty();
  return may_hold_secrets(option.path) && (node.kind == NodeKind::kNull || is_empty_word);
}

// Whether nobody can listen at `part` beside `whole`. Names are unknown here.
bool includes(std::string_view whole, std::string_view part) {
  const bool is_ipv4 = part.find_first_not_of("0123456789.") == std::string_view::npos;
  return whole == "::" || (whole == "0.0.0.0" && is_ipv4);
}

}  // namespace

void Checker::complain(std::size_t offset, std::string message) {
  errors_.push_back({offset, std::move(message)});
}

void Checker::check(const Document& document) {
  errors_ = document.duplicates;
  if (document.root.kind == NodeKind::kMap) {
    check_keys("", document.root);
    check_log_file(document.root);
    check_left_out(document.root);
    check_sets(document.root);
    check_target_entries();
    note_stale_after(document.root);
  } else if (document.root.kind != NodeKind::kNull) {
    const std::string_view text = document.root.text;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const bool lacks_space =
        find_option("", text.substr(0, colon)) != nullptr && colon < text.size();
    complain(document.root.offset,
             "a configuration must be an object, not " + described(document.root) +
                 (lacks_space ? ": write a space after the colon"
                              : ": write, for example, {\"interval\": \"5s\"}"));
  }
  complete();
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const TextError& a, const TextError& b) { return a.offset < b.offset; });
}

void Checker::check_keys(std::string_view parent, const Node& section) {
  for (const Node& node : section.children) {
    if (parent.empty() && node.key == kSchemaKey) continue;
    if (const Option* option = find_option(parent, node.key)) {
      check_option(*option, node);
    } else {
      unknown_key(parent, node);
    }
  }
}

void Checker::check_option(const Option& option, const Node& node) {
  if (is_left_empty(option, node)) return;
  if (option.kind == OptionKind::kCountersets) return check_countersets(option, node);
  if (option.kind == OptionKind::kFacts) return check_facts(option, node);
  if (option.kind == OptionKind::kTargets) return check_targets(option, node);
  if (option.kind == OptionKind::kMetrics) return check_metrics(option, node);
  if (option.kind == OptionKind::kListen) return check_listen(option, node);
  if (option.kind == OptionKind::kSection) {
    // All keys of the section may be commented out.
    if (node.kind == NodeKind::kMap) return check_keys(option.path, node);
    if (node.kind == NodeKind::kNull) return;
    return complain(node.offset, in_quotes(option.path) + " must be an object, not " +
                                     described(option.path, node) + ": write its keys, " +
                                     listed(keys_of(option.path)) + ", inside { }");
  }
  const auto value = read_value(option, node);
  if (!value) return complain(value.error().offset, value.error().message);
  option.assign(scope_.draft, *value);
}

void Checker::check_listen(const Option& option, const Node& node) {
  const std::string name = in_quotes(option.path);
  if (node.kind == NodeKind::kScalar) {
    return complain(node.offset, name + " must be an object or a list of objects, not " +
                                     described(node) + ": write" +
                                     object_instead(option, node, "listen: "));
  }
  if (node.kind == NodeKind::kMap) return check_listen_keys(option, node);
  if (node.kind != NodeKind::kSequence) return;
  if (node.children.empty()) {
    return complain(node.offset, name +
                                     " is empty, so nobody could reach the program: write at least "
                                     "one object, or leave the key out to get the default address");
  }
  const auto limit = static_cast<std::size_t>(option.maximum);
  if (node.children.size() > limit) {
    return complain(node.children[limit].offset,
                    name + " has " + std::to_string(node.children.size()) +
                        " entries: write at most " + std::to_string(limit));
  }
  scope_.draft.config.listen.clear();
  for (const Node& item : node.children) check_listen_entry(option, item);
}

void Checker::check_listen_keys(const Option& option, const Node& node) {
  const std::size_t errors_before = errors_.size();
  check_keys(option.path, node);
  const Node* const web = child_of(node, "web");
  // Of a section with an error, what is missing may be what is wrong.
  if (web == nullptr || errors_.size() != errors_before) return;
  check_web(*web);
  const ListenConfig& entry = scope_.draft.config.listen.back();
  if (!entry.web_file.empty() && entry.web != WebConfig{})
    complain(web->offset, in_quotes("listen.web") +
                              " can't be given beside a web_config_file: write all its keys into "
                              "that file, or here");
}

void Checker::check_listen_entry(const Option& option, const Node& node) {
  ListenConfig& entry = scope_.draft.config.listen.emplace_back();
  const std::size_t errors_before = errors_.size();
  if (node.kind == NodeKind::kMap) {
    check_listen_keys(option, node);
  } else {
    complain(node.offset, "an entry of " + in_quotes(option.path) + " must be an object, not " +
                              described(node) + ": write" + object_instead(option, node, ""));
  }
  // Of an entry with an error, address and port may be others than those that were meant.
  if (errors_.size() != errors_before || entry.port == 0) return;
  check_overlap(entry, node);
}

void Checker::check_overlap(const ListenConfig& entry, const Node& node) {
  for (const auto& [offset, earlier] : places_) {
    if (earlier.port != entry.port) continue;
    const std::string port = std::to_string(entry.port);
    const std::string line = std::to_string(lines_.line_of(offset));
    if (equal_names(earlier.address, entry.address))
      return complain(node.offset, "address " + in_quotes(entry.address) +
                                       " is given twice with port " + port + ", first on line " +
                                       line + ": keep one, with the keys of both");
    if (includes(earlier.address, entry.address) || includes(entry.address, earlier.address))
      return complain(node.offset, "addresses " + in_quotes(entry.address) + " and " +
                                       in_quotes(earlier.address) + " of line " + line +
                                       " overlap at port " + port +
                                       ": keep one, or give one of them another port");
  }
  places_.emplace_back(node.offset, entry);
}

void Checker::unknown_key(std::string_view parent, const Node& node) {
  const std::string where = parent.empty() ? "" : " in " + in_quotes(parent);
  const std::string shown =
      may_hold_secrets(parent) ? shown_key(node.key) : ' ' + in_quotes(node.key);
  const bool is_hidden = shown.empty();
  complain(node.key_offset,
           "unknown key" + shown + where + ": " +
               (is_hidden ? "write one of " + listed(keys_of(parent)) : advice_for(parent, node)));
}

// The program would destroy its configuration.
void Checker::check_log_file(const Node& root) {
  const Node* const section = child_of(root, "log");
  const Node* const file = section == nullptr ? nullptr : child_of(*section, "file");
  if (file == nullptr) return;
  if (const auto reason =
          why_it_overwrites_config(scope_.draft.config.log, path_of(file_name_), same_name))
    complain(file->offset, in_quotes("log.file") + " can't be used: " + *reason);
}

// Windows itself calls every provider.
void Checker::check_left_out(const Node& root) {
  const Node* const section = child_of(root, "workers");
  const Node* const names = section == nullptr ? nullptr : child_of(*section, "leave_out");
  const WorkersConfig& workers = scope_.draft.config.workers;
  if (names == nullptr || workers.leave_out.empty()) return;
  const std::string name = in_quotes("workers.leave_out");
  if (!workers.enabled)
    complain(names->offset, name + " needs workers: write enabled: true, or leave that key out");
  if (workers.isolation == Isolation::kRegistry)
    complain(names->offset, name +
                                " needs workers that load one provider each: write "
                                "isolation: hosts, or leave that key out");
}

// The list of other machines. What is to be sampled there is checked as if the entry was a
// configuration of its own.

namespace {

constexpr std::string_view kTargetEntry = "targets[]";

}  // namespace

void Checker::check_targets(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kSequence)
    return complain(node.offset, in_quotes(option.path) + " must be a list, not " +
                                     described(node) +
                                     ": write, for example, [{host: srv-1, interval: 30s}]");
  const auto limit = static_cast<std::size_t>(option.maximum);
  if (node.children.size() > limit)
    return complain(node.children[limit].offset,
                    in_quotes(option.path) + " has " + std::to_string(node.children.size()) +
                        " entries: write at most " + std::to_string(limit) +
                        ", each with several machines");
  // Later, because what an entry leaves out is that of this machine.
  targets_ = &node;
}

void Checker::check_target_entries() {
  if (targets_ == nullptr) return;
  Scope machine = std::exchange(scope_, {});
  for (const Node& entry : targets_->children) {
    const std::size_t errors_before = errors_.size();
    TargetConfig target = check_target(entry, machine);
    if (errors_.size() != errors_before) continue;
    check_same_target(target, entry);
    checked_targets_.push_back(std::move(target));
  }
  scope_ = std::move(machine);
  scope_.draft.config.targets = std::exchange(checked_targets_, {});
}

TargetConfig Checker::check_target(const Node& node, const Scope& machine) {
  scope_ = {};
  Config& config = scope_.draft.config;
  config.metrics = machine.draft.config.metrics;
  TargetConfig& target = scope_.draft.target;
  config.interval = target.interval;
  config.path = target.path;
  config.language = target.language;
  scope_.facts_given = true;
  if (node.kind != NodeKind::kMap) {
    complain(node.offset, "an entry of \"targets\" must be an object, not " + described(node) +
                              ": write, for example, {host: srv-1}");
    return target;
  }
  check_keys(kTargetEntry, node);
  if (child_of(node, "host") == nullptr)
    complain(node.offset, "this target has no host: write, for example, host: srv-1");
  check_sets(node);
  note_stale_after(node);
  if (!scope_.countersets_given && config.collect.empty()) {
    config.collect = machine.draft.config.collect;
    config.countersets = machine.draft.config.countersets;
    // What is sampled as often as the target says is stale when that says so, too.
    for (CountersetConfig& entry : config.countersets)
      if (entry.interval == std::chrono::milliseconds(0))
        entry.stale_after = std::chrono::milliseconds(0);
    scope_.countersets_given = machine.countersets_given;
    if (machine.no_countersets) scope_.no_countersets = {node.offset, "countersets"};
  }
  complete();
  target.interval = config.interval;
  target.stale_after = config.stale_after;
  target.path = config.path;
  target.language = config.language;
  target.collect = std::move(config.collect);
  target.countersets = std::move(config.countersets);
  return std::move(target);
}

// A machine may have several entries, but not two of the same name.
void Checker::check_same_target(const TargetConfig& target, const Node& node) {
  for (const std::string& host : target.hosts) {
    const auto [first, is_new] =
        target_names_.emplace(host_key(host) + ' ' + target.module, node.offset);
    if (is_new) continue;
    const auto line = std::to_string(lines_.line_of(first->second));
    complain(node.offset, "target " + in_quotes(host) + " is named twice, first on line " + line +
                              ": keep one, or give one of them a module of its own");
  }
}

// What the values of a web configuration mean to each other.

namespace {

constexpr std::string_view kTlsSection = "tls_server_config";

// As it is written in a file of its own.
std::string without_section(std::string message) {
  const std::string prefix = std::string("\"") + std::string(kWebSection);
  for (std::size_t at = message.find(prefix); at != message.npos; at = message.find(prefix)) {
    if (message.compare(at + prefix.size(), 1, ".") == 0)
      message.erase(at + 1, prefix.size());
    else
      message.replace(at, prefix.size() + 1, "the file");
  }
  return message;
}

// "cert_file" and "cert": one text from a file, or as it is.
struct PemKeys {
  const char* file;
  const char* text;
};

}  // namespace

void Checker::check_web_file(const Document& document) {
  errors_ = document.duplicates;
  const Node& root = document.root;
  if (root.kind == NodeKind::kMap) {
    check_keys(kWebSection, root);
    if (errors_.empty()) check_web(root);
  } else if (root.kind != NodeKind::kNull) {
    // What is there instead may be a password.
    complain(root.offset,
             "a web configuration must be an object: write, for example, tls_server_config: "
             "{cert_file: server.crt, key_file: server.key}");
  }
  for (TextError& error : errors_) error.message = without_section(std::move(error.message));
  std::ranges::stable_sort(errors_, {}, &TextError::offset);
}

void Checker::check_web(const Node& web) {
  if (web.kind != NodeKind::kMap) return;
  const Node* const tls = child_of(web, kTlsSection);
  if (tls != nullptr && tls->kind == NodeKind::kMap)
    check_tls(*tls, scope_.draft.config.listen.back().web.tls);
}

void Checker::check_tls(const Node& tls, const TlsConfig& config) {
  const std::string name = in_quotes(std::string(kWebSection) + '.' + std::string(kTlsSection));
  const auto check_one = [&](const PemSource& source, const PemKeys& keys, bool is_needed) {
    if (!source.file.empty() && !source.text.empty())
      complain(tls.offset, name + " has both " + keys.file + " and " + keys.text + ": remove one");
    if (is_needed && !source.is_given())
      complain(tls.offset,
               name + " lacks " + keys.file + ", without which there is no TLS: write its name");
  };
  const bool wants_tls = config.certificate.is_given() || config.key.is_given() ||
                         config.client_ca.is_given() || config.client_auth != ClientAuth::kNone;
  check_one(config.certificate, {"cert_file", "cert"}, wants_tls);
  check_one(config.key, {"key_file", "key"}, wants_tls);
  check_one(config.client_ca, {"client_ca_file", "client_ca"}, false);
  if (config.client_ca.is_given() && config.client_auth == ClientAuth::kNone)
    complain(tls.offset, name +
                             " has certificates for clients, but asks for none: write "
                             "client_auth_type: RequireAndVerifyClientCert");
  const Node* const newest = child_of(tls, "max_version");
  if (newest == nullptr) return;
  const std::string key = name.substr(0, name.size() - 1) + ".max_version\"";
  if (config.max_version < TlsVersion::k12)
    complain(newest->offset, key +
                                 " is older than TLS 1.2, the oldest version that is spoken: "
                                 "write TLS12 or TLS13");
  else if (config.max_version < config.min_version)
    complain(newest->offset,
             key + " is older than min_version, so that nothing is left: write TLS13");
}

}  // namespace winperf
