#include "exporter/http/request_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "exporter/text/page_format.h"

namespace winperf {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::array<std::string_view, 9> kMethods{"GET",   "HEAD",    "POST",  "PUT",    "DELETE",
                                                   "PATCH", "OPTIONS", "TRACE", "CONNECT"};
constexpr std::size_t kMostHostBytes = 512;  // a name in DNS has at most 253
constexpr std::size_t kMostUserAgentBytes = 200;

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

bool is_token_character(char c) {
  return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

// Bytes from 0x80 on have no meaning, but they are allowed.
bool is_field_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= ' ' && byte != 0x7f);
  });
}

// Of a name, an IPv4 or a bracketed IPv6 address, with or without a port. Empty is allowed: it is
// what a client sends that has no name for the server.
bool is_host(std::string_view text) {
  return text.size() <= kMostHostBytes && std::ranges::all_of(text, [](char c) {
           return is_letter_or_digit(c) || std::string_view("-._~!$&'()*+,;=:[]").contains(c);
         });
}

// Takes the text up to the separator from the front of `rest`; all of it if there is none.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
  return taken;
}

std::unexpected<Refusal> refused(int status, std::string_view reason) {
  return std::unexpected(Refusal{.status = status, .reason = reason});
}

using Checked = std::expected<void, Refusal>;

// Several fields with lists mean the same as one with all of them.
void append_to_list(std::string& list, std::string_view value) {
  if (!list.empty()) list += ", ";
  list += value;
}

// Reads the lines of one head, each once, from the first to the last.
class HeadReader {
 public:
  explicit HeadReader(bool is_encrypted) : is_encrypted_(is_encrypted) {}

  [[nodiscard]] std::expected<RequestHead, Refusal> read(std::string_view head) {
    request_.text = head;
    if (const Checked line = read_request_line(take_until(head, kLineEnd)); !line)
      return std::unexpected(line.error());
    std::size_t fields = 0;
    while (head != kLineEnd) {
      if (++fields > kMostFields) return refused(431, "the request has too many header fields");
      if (const Checked field = read_field(take_until(head, kLineEnd)); !field)
        return std::unexpected(field.error());
    }
    if (const Checked whole = finish(); !whole) return std::unexpected(whole.error());
    return std::move(request_);
  }

 private:
  [[nodiscard]] Checked read_request_line(std::string_view line) {
    const std::string_view method = take_until(line, " ");
    const std::string_view target = take_until(line, " ");
    if (!is_token(method) || target.empty() || !std::ranges::all_of(target, is_visible))
      return refused(400, "the first line is not METHOD TARGET HTTP/1.1");
    if (const Checked version = read_version(line); !version) return version;
    if (std::ranges::find(kMethods, method) == kMethods.end())
      return refused(501, "the method is unknown");
    request_.method = method;
    return read_target(target);
  }

  [[nodiscard]] Checked read_version(std::string_view version) {
    const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                            is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
    if (!is_version) return refused(400, "the first line is not METHOD TARGET HTTP/1.1");
    if (version[5] != '1') return refused(505, "only HTTP/1.0 and HTTP/1.1 are supported");
    // A later minor version is answered as the highest that is known here.
    request_.is_http10 = version[7] == '0';
    return {};
  }

  // A proxy's form, http://HOST/PATH, means the same as the path alone. Without TLS nothing with
  // https may be answered, because its client relies on it; with TLS nothing speaks against http.
  [[nodiscard]] Checked read_target(std::string_view target) {
    if (target.size() > kMostTargetBytes) return refused(414, "the target is too long");
    if (const std::size_t scheme = target.find("://");
        scheme != std::string_view::npos && target.front() != '/') {
      const bool is_https = equal_names(target.substr(0, scheme), "https");
      if (!is_https && !equal_names(target.substr(0, scheme), "http"))
        return refused(400, "the target must be a path or an http:// or https:// URL");
      if (is_https && !is_encrypted_)
        return refused(421, "the target is an https:// URL, but this connection has no TLS");
      target.remove_prefix(scheme + 3);
      const std::string_view host = target.substr(0, target.find_first_of("/?"));
      if (host.empty() || !is_host(host)) return refused(400, "the target has no host");
      request_.visitor.host = host;  // it counts instead of the field
      request_.authority = scheme + 3 + host.size();
      target.remove_prefix(host.size());
      request_.target = target.starts_with('/') ? "" : "/";
    } else if (target.front() != '/' && target != "*") {
      return refused(400, "the target must begin with /");
    }
    request_.target += target.substr(0, target.find('#'));
    return {};
  }

  [[nodiscard]] Checked read_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
      return refused(400, "a header field is not NAME: VALUE");
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!is_field_value(value)) return refused(400, "a header field has a control character");
    if (const Checked understood = read_framing(name, value); !understood) return understood;
    return read_what_decides(name, value);
  }

  // Where a request ends, and whether another one follows.
  [[nodiscard]] Checked read_framing(std::string_view name, std::string_view value) {
    if (equal_names(name, "content-length")) {
      return read_length(value);
    } else if (equal_names(name, "transfer-encoding")) {
      return refused(501, "transfer encodings are not supported; send a Content-Length");
    } else if (equal_names(name, "connection")) {
      while (!value.empty())
        if (equal_names(trimmed(take_until(value, ",")), "close")) request_.keeps_alive = false;
    } else if (equal_names(name, "expect")) {
      if (!equal_names(value, "100-continue"))
        return refused(417, "the only supported expectation is 100-continue");
      request_.expects_continue = true;
    }
    return {};
  }

  // On which the answer depends.
  [[nodiscard]] Checked read_what_decides(std::string_view name, std::string_view value) {
    Visitor& visitor = request_.visitor;
    if (equal_names(name, "host")) {
      if (request_.host || !is_host(value))
        return refused(400, "the request must have exactly one valid Host");
      request_.host = value;
      if (visitor.host.empty()) visitor.host = value;
    } else if (equal_names(name, "accept")) {
      append_to_list(request_.accept, value);
    } else if (equal_names(name, "accept-encoding")) {
      append_to_list(request_.accept_encoding, value);
    } else if (equal_names(name, "if-none-match")) {
      append_to_list(request_.if_none_match, value);
    } else if (equal_names(name, "last-event-id")) {
      return read_once(request_.last_event_id, value);
    } else if (equal_names(name, "authorization")) {
      return read_once(request_.authorization, value);
    } else if (equal_names(name, "origin")) {
      return read_once(visitor.origin, value);
    } else if (equal_names(name, "sec-fetch-site")) {
      return read_once(visitor.fetch_site, value);
    } else if (equal_names(name, "sec-fetch-mode")) {
      return read_once(visitor.fetch_mode, value);
    } else if (equal_names(name, "user-agent")) {
      visitor.user_agent = printable(value.substr(0, kMostUserAgentBytes));
    } else if (is_of_a_proxy(name)) {
      visitor.is_forwarded = true;
    }
    return {};
  }

  [[nodiscard]] Checked read_once(std::optional<std::string>& field, std::string_view value) {
    if (field) return refused(400, "a header field that may occur only once is repeated");
    field = value;
    return {};
  }

  // Twice the same length is allowed, and is one.
  [[nodiscard]] Checked read_length(std::string_view value) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (value.empty() || !std::ranges::all_of(value, is_digit))
      return refused(400, "Content-Length must be a number");
    if (error != std::errc() || end != value.data() + value.size())
      return refused(413, "the body is too long");
    if (request_.content_length.value_or(length) != length)
      return refused(400, "the request has conflicting Content-Length fields");
    request_.content_length = length;
    return {};
  }

  [[nodiscard]] Checked finish() {
    if (!request_.host && !request_.is_http10)
      return refused(400, "the request must have exactly one valid Host");
    if (request_.is_http10) {
      request_.keeps_alive = false;
      request_.expects_continue = false;
    }
    request_.visitor.only_reads = request_.method == "GET" || request_.method == "HEAD";
    return {};
  }

  const bool is_encrypted_;
  RequestHead request_;
};

}  // namespace

bool is_of_a_proxy(std::string_view name) {
  constexpr std::string_view kFamily = "x-forwarded-";
  return equal_names(name, "forwarded") || equal_names(name, "via") ||
         equal_names(name, "x-real-ip") || equal_names(name.substr(0, kFamily.size()), kFamily);
}

std::size_t leading_empty_lines(std::string_view bytes) {
  std::size_t length = 0;
  while (bytes.substr(length).starts_with(kLineEnd)) length += kLineEnd.size();
  return length;
}

std::optional<std::size_t> head_length(std::string_view bytes, std::size_t known) {
  // The end may have begun among the bytes that are known.
  const std::size_t end = bytes.find("\r\n\r\n", known - std::min<std::size_t>(known, 3));
  if (end == std::string_view::npos) return std::nullopt;
  return end + 2 * kLineEnd.size();
}

bool is_malformed(std::string_view bytes, std::size_t known) {
  for (std::size_t i = known; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == '\n' ? i == 0 || bytes[i - 1] != '\r' : byte < ' ' && byte != '\r' && byte != '\t')
      return true;
  }
  return false;
}

std::expected<RequestHead, Refusal> parse_request_head(std::string_view head, bool is_encrypted) {
  return HeadReader(is_encrypted).read(head);
}

}  // namespace winperf
