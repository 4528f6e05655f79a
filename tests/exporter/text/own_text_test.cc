#include "exporter/text/own_families.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace winperf {
namespace {

constexpr OwnFamily kUse{.name = "use", .help = "Use.", .label_names = {"of", "at"}};
constexpr OwnFamily kEnds{.name = "ends_total",
                          .help = "Ends.",
                          .type = prometheus::MetricType::Counter,
                          .label_names = {"of"}};

// What a part of the page shows, as a test changes it.
struct State {
  std::vector<std::pair<std::string, std::string>> uses{{"a", ""}, {"b", "x"}};
  double number = 1;
  int visits = 0;
};

OwnMetrics metrics_of(State& state) {
  return OwnMetrics(
      [&state](SeriesSink& sink) {
        ++state.visits;
        for (const auto& [of, at] : state.uses)
          sink.add(kUse, {of, at.empty() ? std::string_view() : at}, state.number);
        for (const auto& [of, at] : state.uses) sink.add(kEnds, {of}, state.number + 1);
      },
      7.5);
}

class OwnTextTest : public ::testing::TestWithParam<PageFormat> {
 protected:
  std::string kept(const PageSelection& selection = {}) {
    std::string text = "before ";
    text_.append(text, std::array{metrics_of(state_), metrics_of(other_)}, selection);
    return text;
  }
  std::string collected(const PageSelection& selection = {}) {
    std::string text = "before ";
    for (State* const state : {&state_, &other_})
      append_own(text, GetParam(), metrics_of(*state), selection);
    return text;
  }
  // Whether the lines were made anew: a page of known lines reads each state once.
  bool is_made_anew(const PageSelection& selection = {}) {
    state_.visits = 0;
    EXPECT_EQ(kept(selection), collected(selection));
    return state_.visits > 2;
  }

  State state_;
  State other_{.uses = {}};
  OwnText text_{GetParam()};
};

TEST_P(OwnTextTest, IsThatOfTheFamilies) {
  EXPECT_TRUE(is_made_anew());
  EXPECT_NE(kept().find("use{of=\"b\",at=\"x\"} 1\n"), std::string::npos);
  EXPECT_EQ(kept().find("ends_created{of=\"a\"} 7.5\n") != std::string::npos,
            GetParam() == PageFormat::kOpenMetrics);
}

TEST_P(OwnTextTest, OfTheSameSeries_IsKeptButForTheNumbers) {
  kept();
  for (const double number : {2.0, 0.0, 1e300}) {
    state_.number = number;
    EXPECT_FALSE(is_made_anew()) << number;
  }
}

using Uses = std::vector<std::pair<std::string, std::string>>;

TEST_P(OwnTextTest, IsMadeAnewForASeriesThatIsNotKnown) {
  kept();
  for (const Uses& uses :
       {Uses{{"a", ""}, {"b", ""}}, Uses{{"a", "x"}, {"b", ""}}, Uses{{"b", ""}, {"a", "x"}},
        Uses{{"b", ""}, {"a", "x"}, {"b", ""}}, Uses{{"c", ""}}}) {
    state_.uses = uses;
    EXPECT_TRUE(is_made_anew()) << uses.size();
    EXPECT_FALSE(is_made_anew()) << uses.size();
  }
}

TEST_P(OwnTextTest, IsKeptForSeriesThatEnd) {
  state_.uses = {{"a", ""}, {"b", "x"}, {"c", ""}};
  kept();
  for (const Uses& uses : {Uses{{"a", ""}, {"c", ""}}, Uses{{"b", "x"}}, Uses{}, Uses{{"c", ""}},
                           Uses{{"a", ""}, {"b", "x"}, {"c", ""}}}) {
    state_.uses = uses;
    EXPECT_FALSE(is_made_anew()) << uses.size();
  }
}

TEST_P(OwnTextTest, OfASelection_IsKept) {
  EXPECT_TRUE(is_made_anew({{.names = {"ends_total"}}, nullptr}));
  EXPECT_FALSE(is_made_anew());
  EXPECT_FALSE(is_made_anew({{.names = {"use"}}, nullptr}));
  EXPECT_FALSE(is_made_anew({{.names = {"nothing"}}, nullptr}));
}

INSTANTIATE_TEST_SUITE_P(Formats, OwnTextTest,
                         ::testing::Values(PageFormat::kText, PageFormat::kOpenMetrics));

}  // namespace
}  // namespace winperf
