// gzip that compresses a part only once if many answers share it.
//
// The result is one gzip member, because not every client reads a second one: each part ends at a
// byte boundary without ending the stream (exporter/deflate), and CrcShift joins their sums.
// Errors: only std::bad_alloc (zlib and libdeflate fail for no other reason here). Thread rule: any
// thread; one thread at a time for a GzipFile. Source: RFC 1952; RFC 1951 section 3.2.4 (stored
// blocks).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/text/crc_shift.h"
#include "exporter/text/shared_text.h"

namespace winperf {

// A compressed piece, which others can follow.
struct DeflatedPart {
  SharedText::Piece data{};  // null if there is nothing
  std::uint32_t crc = 0;
  CrcShift shift{};        // of what is before it
  std::uint64_t size = 0;  // before compression
};

DeflatedPart deflate_part(std::string_view text);

// A text that many answers share, compressed when the first of them wants it so. Thread rule: any
// thread.
class KeptPiece {
 public:
  explicit KeptPiece(std::string text)
      : text_(std::make_shared<const std::string>(std::move(text))) {}

  const SharedText::Piece& text() const { return text_; }
  const DeflatedPart& compressed() const;

 private:
  const SharedText::Piece text_;
  mutable std::once_flag compress_once_;
  mutable DeflatedPart compressed_;
};

using KeptPieces = std::vector<std::shared_ptr<const KeptPiece>>;

// A whole gzip file of parts.
class GzipFile {
 public:
  // `stored`: how many bytes of text will probably be stored, or compressed to so few.
  explicit GzipFile(std::size_t stored = 0);

  void add(const DeflatedPart& part);
  // A text that is too short to be worth compressing: its bytes as they are.
  void store(std::string_view text);
  SharedText finish() &&;

 private:
  TextJoiner out_;
  std::uint32_t crc_ = 0;
  std::uint64_t size_ = 0;
};

// What a gzip file of ours has, for a client that doesn't take it compressed.
std::string decompressed(std::string_view gzip);

// Whether an Accept-Encoding header takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace winperf
