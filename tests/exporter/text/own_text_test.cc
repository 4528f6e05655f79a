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

constexpr OwnFamily kMovingAge = own_gauge("age", "Age.").moving();

// Each family is in one of both shares, as it is in all.
TEST_P(OwnTextTest, HasWhatMovesApart) {
  const auto written = [&](OwnShare share, double age) {
    const OwnMetrics parts[] = {
        metrics_of(state_), OwnMetrics([age](SeriesSink& sink) { sink.add(kMovingAge, {}, age); })};
    std::string kept;
    std::string made;
    OwnText text(GetParam(), share);
    for (int i = 0; i < 2; ++i) {
      kept.clear();
      text.append(kept, parts, {});
    }
    for (const OwnMetrics& part : parts) append_own(made, GetParam(), part, {}, share);
    EXPECT_EQ(kept, made);
    return kept;
  };
  EXPECT_EQ(written(OwnShare::kKept, 1), written(OwnShare::kKept, 2));
  EXPECT_EQ(written(OwnShare::kMoving, 2), "# HELP age Age.\n# TYPE age gauge\nage 2\n");
  EXPECT_EQ(written(OwnShare::kKept, 1) + written(OwnShare::kMoving, 1),
            written(OwnShare::kAll, 1));
}

INSTANTIATE_TEST_SUITE_P(Formats, OwnTextTest,
                         ::testing::Values(PageFormat::kText, PageFormat::kOpenMetrics));

}  // namespace
}  // namespace winperf
