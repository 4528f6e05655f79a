#include "config/check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/hosts.h"
#include "config/log_files.h"
#include "config/values.h"

namespace winperf {
namespace {

std::vector<std::string_view> keys_in(std::string_view parent) {
  std::vector<std::string_view> keys;
  for (const Option& option : config_options())
    if (parent_of(option) == parent) keys.push_back(key_of(option));
  return keys;
}

// The path of a key with this name in any section; empty if there is none.
std::string_view elsewhere(std::string_view key) {
  for (const Option& option : config_options())
    if (key_of(option) == key) return option.path;
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
  if (key.starts_with('.') || !key.contains('.')) return nullptr;
  const std::string path = (parent.empty() ? "" : std::string(parent) + '.') + std::string(key);
  return find_option(path.substr(0, path.rfind('.')), path.substr(path.rfind('.') + 1));
}

// What to write instead of an unknown key.
std::string advice_for(std::string_view parent, const Node& node) {
  const std::vector<std::string_view> keys = keys_in(parent);
  const std::size_t colon = node.key.find(':');
  if (node.kind == NodeKind::kNull && colon != std::string::npos &&
      find_option(parent, node.key.substr(0, colon)) != nullptr) {
    return "write a space after the colon";
  }
  if (const Option* option = find_dotted(parent, node.key))
    return "write " + nested(option->path, parent);
  if (parent.empty() && (node.key == "collectors" || node.key == "collector")) {
    return "this key is windows_exporter's: convert its configuration with \"winperf_exporter "
           "config migrate --from-windows-exporter FILE\"";
  }
  if (const std::string_view meant = nearest(node.key, keys); !meant.empty())
    return "did you mean " + in_quotes(meant) + "?";
  if (const std::string_view path = elsewhere(node.key); !path.empty())
    return "did you mean " + in_quotes(path) + "?";
  return "write one of " + listed(keys);
}

// exporter-toolkit treats a key without a value, or an empty word, as missing.
bool is_left_empty(const Option& option, const Node& node) {
  const bool is_empty_word = option.takes.kind == &OptionKind::kChoice &&
                             node.kind == NodeKind::kScalar && node.text.empty();
  return is_web_key(option.path) && (node.kind == NodeKind::kNull || is_empty_word);
}

void unknown_key(CheckContext& context, std::string_view parent, const Node& node) {
  const std::string where = parent.empty() ? "" : " in " + in_quotes(parent);
  const std::string shown = is_web_key(parent) ? shown_key(node.key) : ' ' + in_quotes(node.key);
  const bool is_hidden = shown.empty();
  context.complain(node.key_offset, "unknown key" + shown + where + "; " +
                                        (is_hidden ? "write one of " + listed(keys_in(parent))
                                                   : advice_for(parent, node)));
}

void check_section(CheckContext& context, const Option& option, const Node& node) {
  // All keys of the section may be commented out.
  if (node.kind == NodeKind::kMap) return check_keys(context, option.path, node);
  if (node.kind == NodeKind::kNull) return;
  context.complain(node.offset, in_quotes(option.path) + " must be an object, not " +
                                    described(option.path, node) + "; write its keys, " +
                                    listed(keys_in(option.path)) + ", inside { }");
}

}  // namespace

void check_keys(CheckContext& context, std::string_view parent, const Node& section) {
  for (const Node& node : section.children) {
    if (parent.empty() && node.key == kSchemaKey) continue;
    if (const Option* option = find_option(parent, node.key))
      check_option(context, *option, node);
    else
      unknown_key(context, parent, node);
  }
}

void check_option(CheckContext& context, const Option& option, const Node& node) {
  if (is_left_empty(option, node)) return;
  const OptionKind& kind = *option.takes.kind;
  if (kind.check != nullptr) return kind.check(context, option, node);
  const auto value = kind.read(option, node);
  if (!value) return context.complain(value.error().offset, value.error().message);
  option.assign(context.scope.draft, *value);
}

// Checks of values of a web configuration that depend on each other.

namespace {

constexpr std::string_view kTlsSection = "tls_server_config";

// With the keys as a separate web configuration has them.
std::string as_in_web_file(std::string message) {
  const std::string prefix = std::string("\"") + std::string(kWebSection);
  for (std::size_t at = message.find(prefix); at != message.npos; at = message.find(prefix))
    if (message.compare(at + prefix.size(), 1, ".") == 0)
      message.erase(at + 1, prefix.size());
    else
      message.replace(at, prefix.size() + 1, "the file");
  return message;
}

// "cert_file" and "cert": the same text, in a file or inline.
struct PemKeys {
  const char* file;
  const char* text;
};

void check_tls(CheckContext& context, const Node& tls, const TlsConfig& config) {
  const std::string name = in_quotes(std::string(kWebSection) + '.' + std::string(kTlsSection));
  const auto check_one = [&](const PemSource& source, const PemKeys& keys, bool is_needed) {
    if (!source.file.empty() && !source.text.empty())
      context.complain(tls.offset,
                       name + " has both " + keys.file + " and " + keys.text + "; remove one");
    if (is_needed && !source.is_given())
      context.complain(tls.offset,
                       name + " lacks " + keys.file + ", which TLS requires; write its name");
  };
  const bool wants_tls = config.certificate.is_given() || config.key.is_given() ||
                         config.client_ca.is_given() || config.client_auth != ClientAuth::kNone;
  check_one(config.certificate, {"cert_file", "cert"}, wants_tls);
  check_one(config.key, {"key_file", "key"}, wants_tls);
  check_one(config.client_ca, {"client_ca_file", "client_ca"}, false);
  if (config.client_ca.is_given() && config.client_auth == ClientAuth::kNone)
    context.complain(tls.offset,
                     name +
                         " has a CA for client certificates, but requests no certificate; write "
                         "client_auth_type: RequireAndVerifyClientCert");
  const Node* const newest = child_of(tls, "max_version");
  if (newest == nullptr) return;
  const std::string key = name.substr(0, name.size() - 1) + ".max_version\"";
  if (config.max_version < TlsVersion::k12)
    context.complain(
        newest->offset,
        key + " is older than TLS 1.2, the oldest supported version; write TLS12 or TLS13");
  else if (config.max_version < config.min_version)
    context.complain(newest->offset, key + " is older than min_version; write TLS13");
}

void check_web(CheckContext& context, const Node& web) {
  const Node* const tls = child_of(web, kTlsSection);
  if (tls != nullptr && tls->kind == NodeKind::kMap)
    check_tls(context, *tls, context.config().listen.back().web.tls);
}

// Where the program listens.

// Whether the text is a value of this key, quoted if the key takes text.
bool is_value(std::string_view parent, std::string_view key, std::string text) {
  const Option& option = *find_option(parent, key);
  const OptionKind& kind = *option.takes.kind;
  const Node node{.kind = NodeKind::kScalar,
                  .is_quoted = kind.written != Written::kBare,
                  .text = std::move(text)};
  return kind.read(option, node).has_value();
}

// What follows "write" in a message about a value of "listen" that isn't an object, such as 9182,
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

// Whether listening at `whole` includes `part`. Host names aren't resolved here.
bool includes(std::string_view whole, std::string_view part) {
  const bool is_ipv4 = part.find_first_not_of("0123456789.") == std::string_view::npos;
  return whole == "::" || (whole == "0.0.0.0" && is_ipv4);
}

void check_overlap(CheckContext& context, const ListenConfig& entry, const Node& node) {
  for (const auto& [offset, earlier] : context.places) {
    if (earlier.port != entry.port) continue;
    const std::string port = std::to_string(entry.port);
    const std::string line = std::to_string(context.lines.line_of(offset));
    if (equal_names(earlier.address, entry.address))
      return context.complain(
          node.offset, "address " + in_quotes(entry.address) + " is given twice with port " + port +
                           ", first on line " + line + ": keep one, with the keys of both");
    if (includes(earlier.address, entry.address) || includes(entry.address, earlier.address))
      return context.complain(node.offset, "addresses " + in_quotes(entry.address) + " and " +
                                               in_quotes(earlier.address) + " of line " + line +
                                               " overlap at port " + port +
                                               ": keep one, or give one of them another port");
  }
  context.places.emplace_back(node.offset, entry);
}

void check_listen_keys(CheckContext& context, const Option& option, const Node& node) {
  const std::size_t errors_before = context.errors.size();
  check_keys(context, option.path, node);
  const Node* const web = child_of(node, "web");
  // In a section with an error, a key may seem to be missing because it is wrong.
  if (web == nullptr || context.errors.size() != errors_before) return;
  check_web(context, *web);
  const ListenConfig& entry = context.config().listen.back();
  if (!entry.web_file.empty() && entry.web != WebConfig{})
    context.complain(
        web->offset,
        in_quotes("listen.web") +
            " cannot be combined with web_config_file; write all keys into that file, or here");
}

void check_listen_entry(CheckContext& context, const Option& option, const Node& node) {
  ListenConfig& entry = context.config().listen.emplace_back();
  const std::size_t errors_before = context.errors.size();
  if (node.kind == NodeKind::kMap) {
    check_listen_keys(context, option, node);
  } else {
    context.complain(node.offset, "an entry of " + in_quotes(option.path) +
                                      " must be an object, not " + described(node) + "; write" +
                                      object_instead(option, node, ""));
  }
  // In an entry with an error, address and port may be defaults that weren't meant.
  if (context.errors.size() != errors_before || entry.port == 0) return;
  check_overlap(context, entry, node);
}

void check_listen(CheckContext& context, const Option& option, const Node& node) {
  const std::string name = in_quotes(option.path);
  if (node.kind == NodeKind::kScalar) {
    return context.complain(node.offset, name + " must be an object or a list of objects, not " +
                                             described(node) + "; write" +
                                             object_instead(option, node, "listen: "));
  }
  if (node.kind == NodeKind::kMap) return check_listen_keys(context, option, node);
  if (node.kind != NodeKind::kSequence) return;
  if (node.children.empty()) {
    return context.complain(
        node.offset, name +
                         " is empty, so the exporter would listen on no address; write at least "
                         "one object, or leave the key out to get the default address");
  }
  const auto limit = static_cast<std::size_t>(option.takes.maximum);
  if (node.children.size() > limit) {
    return context.complain(node.children[limit].offset,
                            name + " has " + std::to_string(node.children.size()) +
                                " entries; write at most " + std::to_string(limit));
  }
  context.config().listen.clear();
  for (const Node& item : node.children) check_listen_entry(context, option, item);
}

// Logging to it would overwrite the configuration.
void check_log_file(CheckContext& context, std::string_view file_name, const Node& root) {
  const Node* const file = child_of(root, "log", "file");
  if (file == nullptr) return;
  if (const auto reason =
          why_it_overwrites_config(context.config().log, path_of(file_name), same_name))
    context.complain(file->offset, in_quotes("log.file") + " cannot be used: " + *reason);
}

// Windows itself calls every provider, so only provider hosts can leave one out.
void check_left_out(CheckContext& context, const Node& root) {
  const Node* const names = child_of(root, "workers", "leave_out");
  const WorkersConfig& workers = context.config().workers;
  if (names == nullptr || workers.leave_out.empty()) return;
  const std::string name = in_quotes("workers.leave_out");
  if (!workers.enabled)
    context.complain(names->offset,
                     name + " needs workers; write enabled: true, or leave that key out");
  if (workers.isolation == Isolation::kRegistry)
    context.complain(names->offset, name +
                                        " needs workers that load one provider each; write "
                                        "isolation: hosts, or leave that key out");
}

TextErrors in_order(CheckContext context) {
  std::ranges::stable_sort(context.errors, {}, &TextError::offset);
  return std::move(context.errors);
}

}  // namespace

std::expected<Config, TextErrors> check_config(const Document& document, std::string_view text,
                                               std::string_view file_name) {
  CheckContext context{.lines = LineIndex(text), .errors = document.duplicates};
  if (document.root.kind == NodeKind::kMap) {
    check_keys(context, "", document.root);
    check_log_file(context, file_name, document.root);
    check_left_out(context, document.root);
    check_captures(context, document.root);
    check_sampled(context, document.root);
  } else if (document.root.kind != NodeKind::kNull) {
    const std::string_view given = document.root.text;
    const std::size_t colon = std::min(given.find(':'), given.size());
    const bool lacks_space =
        find_option("", given.substr(0, colon)) != nullptr && colon < given.size();
    context.complain(document.root.offset,
                     "a configuration must be an object, not " + described(document.root) +
                         (lacks_space ? "; write a space after the colon"
                                      : "; write, for example, {\"interval\": \"5s\"}"));
  }
  complete(context);
  if (!context.errors.empty()) return std::unexpected(in_order(std::move(context)));
  return std::move(context.config());
}

std::expected<WebConfig, TextErrors> check_web_config(const Document& document,
                                                      std::string_view text) {
  CheckContext context{.lines = LineIndex(text), .errors = document.duplicates};
  const Node& root = document.root;
  if (root.kind == NodeKind::kMap) {
    check_keys(context, kWebSection, root);
    if (context.errors.empty()) check_web(context, root);
  } else if (root.kind != NodeKind::kNull) {
    // Not described, because it may be a password.
    context.complain(
        root.offset,
        "a web configuration must be an object; write, for example, tls_server_config: "
        "{cert_file: server.crt, key_file: server.key}");
  }
  for (TextError& error : context.errors) error.message = as_in_web_file(std::move(error.message));
  if (!context.errors.empty()) return std::unexpected(in_order(std::move(context)));
  return std::move(context.config().listen.back().web);
}

const OptionKind OptionKind::kSection{
    .check = check_section,
    .words = "object",
    .schema = R"({"type": "object", "additionalProperties": false, "properties": {keys}})"};

const OptionKind OptionKind::kListen{
    .check = check_listen,
    .words = "object, or list of up to {max}",
    .schema =
        R"({"oneOf": [{"type": "object", "additionalProperties": false, "properties": {keys}},
                      {"type": "array", "minItems": {min}, "maxItems": {max},
                       "items": {"$ref": "#/properties/listen/oneOf/0"}}]})"};

}  // namespace winperf
