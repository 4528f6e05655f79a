#include "tests/exporter/textfile/refused_files.h"

namespace winperf::testing {

std::vector<RefusedFile> refused_files() {
  const std::string begins = "the name of a metric begins with a letter or _, not with ";
  const std::string half =
      "the last line has no line break, so the file may be incomplete; end it with one, write it "
      "under another name and rename it";
  const std::string times = "timestamps are not supported; remove the one after the value";
  const std::string repair =
      "; write it as UTF-8 or ASCII, as PowerShell's Set-Content -Encoding ascii does";
  const std::string histogram = "# TYPE h histogram\n";
  const std::string summary = "# TYPE s summary\n";
  return {
      // Names
      {"9a 1\n", "line 1: " + begins + "\"9a 1\""},
      // Since Prometheus 3 a name may stand in braces, and its reader takes this for an empty one.
      {"a 1\n\n{a=\"b\"} 1\n", "line 3: " + begins + "\"{a=\"b\"} 1\"", true},
      {"{\"a.b\"} 1\n", "line 1: " + begins + "\"{\"a.b\"} 1\"", true},
      {"\u00fcber 1\n", "line 1: " + begins + "\"\u00fcber 1\""},
      {"my-metric 1\n", "line 1: invalid character in a metric name: \"-metric 1\""},
      {"my.metric 1\n", "line 1: invalid character in a metric name: \".metric 1\""},
      {"# HELP 1a text\n", "line 1: " + begins + "\"1a text\""},
      {"# TYPE a.b gauge\n", "line 1: invalid character in a metric name: \".b gauge\""},
      // Labels
      {"a{1b=\"x\"} 1\n",
       "line 1: the name of a label begins with a letter or _, not with \"1b=\"x\"} 1\""},
      {"a{:b=\"x\"} 1\n",
       "line 1: the name of a label begins with a letter or _, not with \":b=\"x\"} 1\""},
      {"a{,} 1\n", "line 1: the name of a label begins with a letter or _, not with \",} 1\""},
      {"a{b} 1\n", "line 1: expected = after the label \"b\" instead of \"} 1\""},
      {"a{b=x} 1\n", "line 1: expected a label value in double quotes instead of \"x} 1\""},
      {"a{b='x'} 1\n", "line 1: expected a label value in double quotes instead of \"'x'} 1\""},
      {"a{b=\"x\" c=\"y\"} 1\n",
       "line 1: expected a comma or } after the label value instead of \"c=\"y\"} 1\""},
      {"a{b=\"x\"\n",
       "line 1: expected a comma or } after the label value instead of the end of the line"},
      {"a{\n",
       "line 1: the name of a label begins with a letter or _, not with the end of the line"},
      {"a{b=\"x\n\"} 1\n", "line 1: the label value has no closing quote"},
      {"a{b=\"C:\\Temp\"} 1\n",
       "line 1: invalid escape sequence \"\\T\"; write two backslashes for one"},
      {"a{b=\"x\\", "line 1: " + half},
      {"a{b=\"x\",b=\"y\"} 1\n", "line 1: the label \"b\" occurs twice"},
      {"a{__name__=\"x\"} 1\n", "line 1: labels that begin with __ are reserved: \"__name__\""},
      {"a{__b=\"x\"} 1\n", "line 1: labels that begin with __ are reserved: \"__b\"", true},
      // Values
      {"a\n", "line 1: the value is missing"},
      {"a{b=\"x\"}\n", "line 1: the value is missing"},
      {"a one\n", "line 1: invalid number: \"one\""},
      {"a 1,5\n", "line 1: invalid number: \"1,5\""},
      {"a 0x10\n", "line 1: invalid number: \"0x10\""},
      {"a 0x1p4\n", "line 1: invalid number: \"0x1p4\""},
      {"a 1e999\n", "line 1: invalid number: \"1e999\""},
      {"a 1 2 3\n", "line 1: unexpected text after the value: \"2 3\""},
      {"a 1 x\n", "line 1: unexpected text after the value: \"x\""},
      {"a 1 1395066363000\n", "line 1: " + times, true},
      {"a{b=\"x\"} 1 -3982045\n", "line 1: " + times, true},
      // Comments
      {"# TYPE a number\n",
       "line 1: unknown type \"number\"; use counter, gauge, histogram, summary or untyped"},
      {"# TYPE a gauge\n# TYPE a gauge\n", "line 2: duplicate TYPE of a"},
      {"a 1\n# TYPE a gauge\n", "line 2: the TYPE of a comes after its values"},
      {"# HELP a x\na 1\n# HELP a x\n", "line 3: duplicate HELP of a"},
      {"# HELP a C:\\Temp\n",
       "line 1: invalid escape sequence \"\\T\"; write two backslashes for one"},
      {"# HELP a x\\\n", "line 1: invalid escape sequence \"\\\"; write two backslashes for one"},
      // The end
      {"a 1\nb 1", "line 2: " + half},
      {"a 1\n# a comment", "line 2: " + half},
      {"a 1\r", "line 1: " + half},
      // Text
      {"a 1\nb{c=\"\xFF\"} 1\n", "line 2: invalid UTF-8" + repair},
      {"# \xC3\n", "line 1: invalid UTF-8" + repair, true},
      // Series
      {"a 1\na 2\n", "line 2: a occurs twice", true},
      {"a{b=\"x\",c=\"y\"} 1\na{c=\"y\",b=\"x\"} 1\n", "line 2: a{b=\"x\",c=\"y\"} occurs twice",
       true},
      {"a 1\na{b=\"\"} 1\n", "line 2: a occurs twice", true},
      // Histograms and summaries
      {histogram + "h 1\n",
       "line 2: h is a histogram, whose values must be named h_bucket, h_sum and h_count", true},
      {histogram + "h_bucket 1\n", "line 2: the label le is missing, because h is a histogram",
       true},
      {histogram + "h_sum{le=\"1\"} 1\n",
       "line 2: the label le is not allowed, because h is a histogram", true},
      {histogram + "h_bucket{le=\"one\"} 1\n", "line 2: the label le is not a number: \"one\""},
      {histogram + "h_bucket{le=\"\"} 1\n", "line 2: the label le is not a number: \"\""},
      {histogram + "h_bucket{le=\"NaN\"} 1\n", "line 2: the label le is not a number: \"NaN\"",
       true},
      {histogram + "h_bucket{le=\"1\"} 1.5\n",
       "line 2: a count must be a non-negative whole number", true},
      {histogram + "h_count -1\n", "line 2: a count must be a non-negative whole number", true},
      {histogram + "h_bucket{le=\"1\"} 1\nh_bucket{le=\"1.0\"} 1\n",
       "line 3: h_bucket{le=\"1.0\"} occurs twice", true},
      {histogram + "h_sum 1\nh_sum 1\n", "line 3: h_sum occurs twice", true},
      {histogram + "h_bucket{a=\"x\",le=\"1\"} 1\n",
       "line 2: the histogram h{a=\"x\"} has neither a bucket le=\"+Inf\" nor a count", true},
      {histogram + "h_bucket{le=\"+Inf\"} 1\nh_count 2\n",
       "line 2: the histogram h has 1 in its bucket le=\"+Inf\", but 2 as its count", true},
      {histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"2\"} 1\nh_count 2\n",
       "line 2: the histogram h has fewer in its bucket le=\"2\" than in the one before; buckets "
       "are cumulative",
       true},
      {"h_count 1\n" + histogram + "h_bucket{le=\"+Inf\"} 1\n",
       "line 3: the metrics h and h_count share names; a histogram or a summary also uses those "
       "with _bucket, _sum and _count",
       true},
      {histogram + "# TYPE h_count gauge\n", "line 2: duplicate TYPE of h"},
      {summary + "s 1\n", "line 2: the label quantile is missing, because s is a summary", true},
      {summary + "s{quantile=\"x\"} 1\n", "line 2: the label quantile is not a number: \"x\""},
      {summary + "s{quantile=\"0.5\"} 1\ns{quantile=\"0.5\"} 2\n",
       "line 3: s{quantile=\"0.5\"} occurs twice", true},
      {summary + "s_count 1.5\n", "line 2: a count must be a non-negative whole number", true},
  };
}

}  // namespace winperf::testing
