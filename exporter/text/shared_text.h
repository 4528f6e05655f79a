// A text in pieces that others may hold as well: a page of megabytes goes to any number of clients
// without a copy for each of them. Thread rule: values; the pieces never change.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

class SharedText {
 public:
  using Piece = std::shared_ptr<const std::string>;  // never null

  SharedText() = default;
  SharedText(std::string text) { add(std::move(text)); }           // NOLINT: a text is one
  SharedText(const char* text) : SharedText(std::string(text)) {}  // NOLINT: the same
  SharedText(Piece piece) { add(std::move(piece)); }               // NOLINT: the same

  void reserve(std::size_t pieces) { pieces_.reserve(pieces); }
  void add(std::string text) { add(std::make_shared<const std::string>(std::move(text))); }
  // Leaves out what is empty, so that every piece has something to send.
  void add(Piece piece) {
    if (piece->empty()) return;
    pieces_.push_back(std::move(piece));
    size_ += pieces_.back()->size();
  }
  void add(const SharedText& text) {
    pieces_.insert(pieces_.end(), text.pieces_.begin(), text.pieces_.end());
    size_ += text.size_;
  }

  std::size_t size() const { return size_; }  // bytes
  const std::vector<Piece>& pieces() const { return pieces_; }

  // A copy in one piece.
  std::string str() const {
    std::string text;
    text.reserve(size_);
    for (const Piece& piece : pieces_) text += *piece;
    return text;
  }

 private:
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
};

// Joins many texts: shares those that are worth it, and copies the others together, because each
// piece is sent by a call to the system.
class TextJoiner {
 public:
  static constexpr std::size_t kWorthSharing = 4096;  // bytes

  // For so many bytes that will be copied before the first piece that is shared, and for the most
  // common number of pieces after them.
  void reserve(std::size_t copied) {
    constexpr std::size_t kUsualPieces = 3;
    copied_.reserve(copied);
    text_.reserve(kUsualPieces);
  }
  void add(std::string_view text) { copied_ += text; }
  void add(const SharedText::Piece& piece) {
    if (piece->size() < kWorthSharing) return add(std::string_view(*piece));
    share_copied();
    text_.add(piece);
  }
  SharedText finish() && {
    share_copied();
    return std::move(text_);
  }

 private:
  void share_copied() {
    if (!copied_.empty()) text_.add(std::exchange(copied_, {}));
  }

  SharedText text_;
  std::string copied_;
};

}  // namespace winperf
