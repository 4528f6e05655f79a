#include "exporter/text/shared_text.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointee;

TEST(SharedText_WithoutPieces, IsEmpty) {
  const SharedText text;
  EXPECT_EQ(text.size(), 0U);
  EXPECT_EQ(text.str(), "");
  EXPECT_THAT(text.pieces(), IsEmpty());
}

TEST(SharedText_OfPieces, KeepsTheirOrderAndLeavesOutWhatIsEmpty) {
  SharedText text("one ");
  text.add(std::string());
  text.add(std::string("two "));
  text.add(std::make_shared<const std::string>());
  text.add(std::make_shared<const std::string>("three"));
  EXPECT_THAT(text.pieces(), ElementsAre(Pointee(std::string("one ")), Pointee(std::string("two ")),
                                         Pointee(std::string("three"))));
  EXPECT_EQ(text.size(), 13U);
  EXPECT_EQ(text.str(), "one two three");
}

TEST(SharedText_Copied, SharesItsPieces) {
  const auto piece = std::make_shared<const std::string>("page");
  const SharedText text(piece);
  const SharedText copy = text;
  EXPECT_EQ(copy.pieces().front().get(), piece.get());
}

}  // namespace
}  // namespace winperf
