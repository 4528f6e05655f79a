#include "config/tree_builder.h"

#include <utility>

namespace winperf {

bool TreeBuilder::refuse(std::size_t offset, std::string message) {
  if (!error_) error_ = TextError{offset, std::move(message)};
  return false;
}

bool TreeBuilder::expects_key() const {
  return !open_.empty() && open_.back().node.kind == NodeKind::kMap && !open_.back().key;
}

bool TreeBuilder::key(std::size_t offset, std::string text) {
  Open& map = open_.back();
  const auto [first, is_new] = map.seen.emplace(text, offset);
  if (!is_new) {
    const std::string shown = shown_key(text);
    const auto line = std::to_string(lines_.line_of(first->second));
    document_.duplicates.push_back({offset, (shown.empty() ? "a key" : "key" + shown) +
                                                " is given twice, first on line " + line +
                                                ": keep one"});
  }
  map.key_is_duplicate = !is_new;
  map.key_offset = offset;
  map.key = std::move(text);
  return true;
}

bool TreeBuilder::count_node(std::size_t offset) {
  if (++nodes_ <= kMaxConfigNodes) return true;
  return refuse(offset,
                "more than " + std::to_string(kMaxConfigNodes) + " values: shorten the file");
}

bool TreeBuilder::add(Node node) {
  if (open_.empty()) {
    document_.root = std::move(node);
    return true;
  }
  Open& parent = open_.back();
  if (parent.node.kind == NodeKind::kMap) {
    node.key = std::move(*parent.key);
    node.key_offset = parent.key_offset;
    parent.key.reset();
    if (parent.key_is_duplicate) return true;
  }
  parent.node.children.push_back(std::move(node));
  return true;
}

bool TreeBuilder::null(std::size_t offset) {
  if (error_) return false;
  if (expects_key()) return refuse(offset, "a key is missing here: write \"key\": value");
  Node node;
  node.offset = offset;
  return count_node(offset) && add(std::move(node));
}

bool TreeBuilder::scalar(std::size_t offset, std::string text, bool is_quoted) {
  if (error_) return false;
  if (expects_key()) return count_node(offset) && key(offset, std::move(text));
  Node node;
  node.kind = NodeKind::kScalar;
  node.is_quoted = is_quoted;
  node.text = std::move(text);
  node.offset = offset;
  return count_node(offset) && add(std::move(node));
}

bool TreeBuilder::begin(NodeKind kind, std::size_t offset) {
  if (error_) return false;
  if (expects_key()) return refuse(offset, "a key must be text: write \"key\": value");
  if (open_.size() >= kMaxConfigDepth) {
    return refuse(offset, "nested more than " + std::to_string(kMaxConfigDepth) +
                              " levels deep: remove brackets here");
  }
  Open opened;
  opened.node.kind = kind;
  opened.node.offset = offset;
  open_.push_back(std::move(opened));
  return count_node(offset);
}

bool TreeBuilder::end() {
  if (error_) return false;
  Node node = std::move(open_.back().node);
  open_.pop_back();
  // The key belongs to the enclosing map, so add() sets it.
  return add(std::move(node));
}

Document TreeBuilder::take() { return std::exchange(document_, {}); }

}  // namespace winperf
