// Which format a client gets, by what it says in Accept.
#include "exporter/text/page_format.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace winperf {
namespace {

constexpr PageFormat kPlainText = PageFormat::kText;
constexpr PageFormat kOpenMetrics = PageFormat::kOpenMetrics;

TEST(PageFormat_OfKnownClients, IsWhatTheyWant) {
  struct Row {
    const char* client;
    const char* accept;
    PageFormat format;
  };
  for (const Row& row :
       {Row{"Prometheus 2.31",
            "application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            kPlainText},
        Row{"Prometheus 2.42",
            "application/openmetrics-text;version=1.0.0,application/"
            "openmetrics-text;version=0.0.1;q=0.75,"
            "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            kOpenMetrics},
        Row{"Prometheus 3",
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
            "application/openmetrics-text;version=0.0.1;q=0.5,text/"
            "plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
            "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            kOpenMetrics},
        Row{"Prometheus with native histograms",
            "application/"
            "vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,"
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/"
            "*;q=0.2",
            kOpenMetrics},
        Row{"curl", "*/*", kPlainText}, Row{"none", "", kPlainText},
        Row{"Chromium",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            kPlainText}})
    EXPECT_EQ(preferred_format(row.accept), row.format) << row.client;
}

TEST(PageFormat_OfRanges, GoesByWeightThenByName) {
  struct Row {
    const char* accept;
    PageFormat format;
  };
  for (const Row& row : {
           Row{"application/openmetrics-text", kOpenMetrics},
           Row{"APPLICATION/OpenMetrics-Text ; Version=1.0.0 ; Q=0.1", kOpenMetrics},
           Row{"application/openmetrics-text;version=\"1.0.0\"", kOpenMetrics},
           Row{"application/openmetrics-text;q=0.5, text/plain;q=0.5", kOpenMetrics},
           Row{"text/plain;q=0.5, application/openmetrics-text;q=0.5", kOpenMetrics},
           Row{"application/openmetrics-text;q=0.5, text/plain;q=0.51", kPlainText},
           Row{"application/openmetrics-text;q=0.5, text/*;q=0.6", kPlainText},
           Row{"application/openmetrics-text;q=0.5, */*;q=0.6", kPlainText},
           Row{"application/openmetrics-text;q=0.5, */*;q=0.6, text/plain;q=0.1", kOpenMetrics},
           Row{"text/plain;q=0.6, text/plain;version=0.0.4;q=0.1, "
               "application/openmetrics-text;q=0.5",
               kOpenMetrics},
           Row{"text/plain;version=1.0.0, application/openmetrics-text;q=0.5", kOpenMetrics},
           Row{"application/openmetrics-text;q=0", kPlainText},
           Row{"application/openmetrics-text;version=2.0.0", kPlainText},
           Row{"application/*", kPlainText},
           Row{"application/*, text/plain;q=0", kPlainText},
           Row{"text/openmetrics-text", kPlainText},
           Row{"application/json", kPlainText},
       })
    EXPECT_EQ(preferred_format(row.accept), row.format) << row.accept;
}

TEST(PageFormat_OfWhatIsNoAcceptHeader, IsFound) {
  for (const char* const accept :
       {",", ";", "/", "*", "a/b/c", ";;q=", "q=1", "text/plain;q=", ",,;=,/;q=x"})
    EXPECT_EQ(preferred_format(accept), kPlainText) << accept;
  for (const char* const weight : {"x", "", "-1", "2", "nan", "inf", "1e9"})
    EXPECT_EQ(
        preferred_format("text/plain;q=0.9,application/openmetrics-text;q=" + std::string(weight)),
        kOpenMetrics)
        << weight << ": no weight is the greatest";
  EXPECT_EQ(preferred_format(std::string(100'000, ',') + "application/openmetrics-text"),
            kOpenMetrics);
}

TEST(PageFormat_OfAnAnswer, IsSaidWithItsVersion) {
  EXPECT_EQ(media_type(kPlainText), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(media_type(kOpenMetrics), "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

}  // namespace
}  // namespace winperf
