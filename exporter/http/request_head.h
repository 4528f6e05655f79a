// The head of an HTTP/1 request: the request line and the header fields, up to the empty line.
//
// It is read more strictly than the library does, because the server has to know where a request
// ends before it hands it to a thread: a request that two parsers understand differently can bypass
// the second one. This parser alone decides on access, and http_answers.h compares its result with
// the library's. Input is not trusted; its length, the number of its fields and every character are
// checked. Errors: a refusal with the status that the client gets. Thread rule: pure functions.
// Source: RFC 9112 (sections 2 to 7), RFC 9110 (sections 5, 7.2, 7.4 and 9).
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/http/access.h"

namespace winperf {

inline constexpr std::size_t kMostHeadBytes = 16 * 1024;
inline constexpr std::size_t kMostTargetBytes = 8 * 1024;
inline constexpr std::size_t kMostFields = 100;

// Why a request gets no answer of the router.
struct Refusal {
  int status = 400;
  std::string_view reason;    // a sentence without its full stop; a string literal
  bool without_body = false;  // the request is a HEAD
  bool operator==(const Refusal&) const = default;
};

struct RequestHead {
  std::string text;  // as it came, with its empty line
  std::string method;
  std::string target;                 // in origin-form: a path, perhaps a query; or "*"
  std::size_t authority = 0;          // bytes of "http://HOST" that came before it
  bool is_http10 = false;             // 1.0, and not a later minor version
  std::optional<std::string> host{};  // the field, which counts if the target has no host
  std::string accept;                 // all of these fields, joined with commas
  std::string accept_encoding;        // the same
  std::string if_none_match;
  std::optional<std::string> last_event_id{};  // of a client that continues a stream of events
  std::optional<std::string> authorization{};  // secret
  Visitor visitor;                             // as far as a head says who that is
  bool keeps_alive = true;        // the client may send another request over this connection
  bool expects_continue = false;  // it waits for "100 Continue" before it sends the body
  std::optional<std::size_t> content_length{};  // bytes of the body that follows
};

// Whether a proxy adds a field of this name to a request that it passes on.
bool is_of_a_proxy(std::string_view name);

// The length of the empty lines that may precede a request; they mean nothing.
std::size_t leading_empty_lines(std::string_view bytes);

// The length of the head at the start of `bytes`, with its empty line; nothing if it is not all
// there yet. The first `known` bytes were checked before and had no end.
std::optional<std::size_t> head_length(std::string_view bytes, std::size_t known = 0);

// Whether no head can begin with these bytes: what a TLS client sends, a line that ends without CR.
// The same `known`.
bool is_malformed(std::string_view bytes, std::size_t known = 0);

// `head` is what head_length() measured. `is_encrypted`: it came by TLS.
[[nodiscard]] std::expected<RequestHead, Refusal> parse_request_head(std::string_view head,
                                                                     bool is_encrypted = false);

}  // namespace winperf
