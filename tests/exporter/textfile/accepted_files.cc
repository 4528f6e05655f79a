#include "tests/exporter/textfile/accepted_files.h"

namespace winperf::testing {
namespace {

std::string untyped(const std::string& name, const std::string& lines) {
  return "# HELP " + name + " A metric from a text file.\n# TYPE " + name + " untyped\n" + lines;
}

}  // namespace

std::vector<AcceptedFile> accepted_files() {
  return {
      {"", ""},
      {"\n\n \t\n", ""},
      {"# a comment\n#\n# \n#HELPless\n  # UNIT a seconds\n# EOF\n", ""},
      {"# HELP a alone\n# TYPE a gauge\n", ""},
      {"# HELP\n# TYPE\n# HELP a\n# TYPE a\na 1\n", untyped("a", "a 1\n")},
      {"a 1\n", untyped("a", "a 1\n")},
      {"a 1\n   ", untyped("a", "a 1\n")},
      {"\t a \t{ } \t+1.50\n", untyped("a", "a 1.5\n")},
      {"a{b=\"x\",}1\n", untyped("a", "a{b=\"x\"} 1\n")},
      {"a { b = \"x\" , c = \"y\" } NaN\n", untyped("a", "a{b=\"x\",c=\"y\"} NaN\n")},
      {"a{c=\"y\",b=\"x\"} +inf\na{b=\"x\"} -Infinity\n",
       untyped("a", "a{b=\"x\"} -Inf\na{b=\"x\",c=\"y\"} +Inf\n")},
      {"a{b=\"\"} 1\na{b=\"\",c=\"y\"} 2\n", untyped("a", "a 1\na{c=\"y\"} 2\n")},
      {"a{b=\"\\\\ \\\" \\n {}=,\"} 1\n", untyped("a", "a{b=\"\\\\ \\\" \\n {}=,\"} 1\n")},
      {"a{b=\"gr\u00fcn \U0001F600\"} 1\n", untyped("a", "a{b=\"gr\u00fcn \U0001F600\"} 1\n")},
      {"_:a9: 1e3\n", untyped("_:a9:", "_:a9: 1000\n")},
      {"# HELP a  two\\nlines \\\\ \n# TYPE a Counter\na 1\n",
       "# HELP a two\\nlines \\\\ \n# TYPE a counter\na 1\n"},
      {"a 1\n# HELP a later\n", "# HELP a later\n# TYPE a untyped\na 1\n"},
      {"# TYPE a gauge \na 1 \t\n", "# HELP a A metric from a text file.\n# TYPE a gauge\na 1\n",
       true},
      {"b 1\na 1\nb{x=\"y\"} 2\n", untyped("a", "a 1\n") + untyped("b", "b 1\nb{x=\"y\"} 2\n")},
      {"# HELP h x\n# TYPE h histogram\nh_count 3\nh_bucket{le=\"+Inf\"} 3\nh_bucket{le=\"5e-1\"} "
       "1\n"
       "h_bucket{le=\"100000\"} 2\nh_sum 7.5\n",
       "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"0.5\"} 1\nh_bucket{le=\"100000\"} 2\n"
       "h_bucket{le=\"+Inf\"} 3\nh_sum 7.5\nh_count 3\n"},
      {"# HELP h x\n# TYPE h histogram\nh_bucket{a=\"b\",le=\"-0\"} 1\nh_count{a=\"b\"} 1\n"
       "h_bucket{le=\"+Inf\",a=\"c\"} 2\n",
       "# HELP h x\n# TYPE h histogram\nh_bucket{a=\"b\",le=\"0\"} "
       "1\nh_bucket{a=\"b\",le=\"+Inf\"} 1\n"
       "h_count{a=\"b\"} 1\nh_bucket{a=\"c\",le=\"+Inf\"} 2\nh_count{a=\"c\"} 2\n"},
      {"# HELP s x\n# TYPE s SUMMARY\ns{quantile=\"0.9\"} NaN\ns{quantile=\"0.50\"} 2\ns_sum 3\n"
       "s_count 4\n",
       "# HELP s x\n# TYPE s summary\ns{quantile=\"0.5\"} 2\ns{quantile=\"0.9\"} NaN\ns_sum 3\n"
       "s_count 4\n"},
      {"# HELP s x\n# TYPE s summary\ns_count{le=\"1\"} 1\ns_bucket 2\n",
       "# HELP s x\n# TYPE s summary\ns_count{le=\"1\"} 1\n" + untyped("s_bucket", "s_bucket 2\n")},
  };
}

}  // namespace winperf::testing
