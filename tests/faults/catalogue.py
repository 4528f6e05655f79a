"""What is tried, and what is expected of the exporter: one row for each fault.

A fault is a word of tests/providers/faulty/harm.h, data_harm.h or tests/simulator/faulty_spoiler.h (`av_collect`: harm, and
where), or the name of one in environment.py."""

import dataclasses
import math

from environment import ENVIRONMENT

# Rows whose expectation is the right one, but isn't met yet. They don't count as failures; the list wants to be empty.
KNOWN = ()

DEVICE, PARTS, WAVES = "Faulty Device", "Faulty Parts", "Geometric Waves"
LONGEST_AGE = 5  # of honest countersets: the interval, the longest deadline of machines.py, and a second for a busy machine
MOST_GROWTH_MIB = 48  # of the exporter's own memory, from before a fault until it is over
TWO_DEADLINES = 10  # where nobody can be named for a timeout, it is forgiven the first time, so that the others wait for two
LATER_AGE = 1.2  # once that is over: the interval, and what the others wait for a provider
# By the last part of a fault's word: the counterset that it is about. Faults in other places are about no provider.
CULPRITS = {"open": DEVICE, "collect": DEVICE, "close": DEVICE, "data": PARTS, "v2": WAVES, "clock": PARTS,
            "names": PARTS, "key": PARTS}
NOTHING = "-"  # nothing is said
SAME = object()


@dataclasses.dataclass(frozen=True)
class Fault:
    """`says`: a regular expression that what the exporter says about the culprit contains: its error, "problem REASON" and
    "missing REASON" for what it has counted; NOTHING: it says nothing. None: whatever it says. `back`: whether the culprit is
    well again by itself. `age`: the honest countersets' greatest, and `later`, once the first harm is over. A field with _wine
    differs there."""
    word: str
    says: str | None = None
    says_wine: object = SAME
    back: bool = True
    back_wine: object = SAME
    native: bool = True
    wine: bool = True
    age: float = LONGEST_AGE
    later: float = LATER_AGE
    later_wine: object = LONGEST_AGE
    names_provider: bool = True  # whether an error has to name it
    is_named: bool = False  # whether log, metric and doctor have to say that it did harm, and name its DLL
    is_named_wine: object = SAME
    is_seen_once: bool = True  # by the doctor, which asks once and doesn't wait for a thread that is left
    isolation: str = "auto"  # workers.isolation

    @property
    def told(self):
        """The word for the control file."""
        return self.word.removeprefix("hosts_")

    @property
    def point(self):
        return self.word.rpartition("_")[2]

    @property
    def is_of_environment(self):
        return self.word in ENVIRONMENT

    @property
    def culprit(self):
        return None if self.is_of_environment else CULPRITS.get(self.point)

    @property
    def is_for_all(self):
        return self.told.startswith("all_")

    def on(self, is_wine):
        """Returns what is expected there."""
        def chosen(name):
            other = getattr(self, name + "_wine")
            return getattr(self, name) if other is SAME or not is_wine else other
        says = chosen("says")
        # There a host that was just started may be late, for as long as a short fault lasts.
        if is_wine and says in (CRASHED, ENDED, HOST):
            says += "|problem pending"
        return dataclasses.replace(self, says=says, back=chosen("back"), later=chosen("later"), is_named=chosen("is_named"),
                                   says_wine=SAME, back_wine=SAME, later_wine=SAME, is_named_wine=SAME)


# Reasons, and what is counted for them: on a busy machine, only the count may be seen.
CRASHED = "crashed its worker process|problem worker_crashed"
ENDED = "ended its worker process|problem worker_exited"
LATE = "has not answered yet|timed out|problem (pending|timed_out)"
# What Perflib does with a reply whose lengths lead elsewhere: it leaves the provider out.
DISCARDED = "was not delivered by any provider"
FIRST = "missing first_sample"  # another instance than before
LENGTH, PAST, LIMIT = "has an impossible length", "ends (past|behind) its container", "exceeds the accepted size"
# What a host says: where Collect's reply is wrong, or its code.
HOST = 'provider "faulty" in collect|problem (bad_length|bad_count|os_error)'
BUFFER = "does not fit into the largest buffer"

PROCESS = [
    Fault("av_collect", CRASHED, is_named=True),
    Fault("exit_collect", ENDED, is_named=True),
    Fault("terminate_collect", f"{CRASHED}|{ENDED}", is_named=True),
    Fault("abort_collect", CRASHED, is_named=True),
    Fault("cxx_collect", CRASHED, is_named=True),
    Fault("stack_collect", CRASHED, is_named=True),
    Fault("heap_collect", CRASHED, is_named=True),
    Fault("hang_collect", LATE, is_named=True),
    Fault("spin_collect", LATE, is_named=True),
    Fault("slow_collect"),  # its three seconds are the deadline, so either may come first
    Fault("close_handles_collect", f"{ENDED}|{LATE}", age=TWO_DEADLINES, later_wine=TWO_DEADLINES),
    Fault("handles_collect", NOTHING),
    Fault("leak_collect", NOTHING),
    Fault("threads_collect", NOTHING),
    Fault("thread_left_collect", is_named_wine=True, is_seen_once=False),
    Fault("fpu_collect", NOTHING, age=TWO_DEADLINES, later_wine=TWO_DEADLINES, is_named_wine=True),
    Fault("locale_collect", NOTHING),
    Fault("cwd_collect", NOTHING),
    Fault("priority_collect", NOTHING),
    # The simulated system disables that provider for its process, as Windows does, so nothing is lost that a host would see.
    Fault("overrun16_collect", DISCARDED, says_wine=NOTHING, back=False, back_wine=True, names_provider=False),
    # It is left to chance whether nobody has the memory so far behind the buffer, or the process itself. Then the system finds
    # the overrun as it finds a shorter one, at least until something that was written over is used.
    Fault("overrun64k_collect", f"{CRASHED}|{DISCARDED}", says_wine=NOTHING, back=False, back_wine=True, names_provider=False),
    Fault("overrun16m_collect", CRASHED, says_wine=NOTHING),
    Fault("av_open", CRASHED, is_named=True),
    Fault("exit_open", ENDED, is_named=True),
    Fault("hang_open", LATE, age=math.inf),
    Fault("slow_open", age=math.inf),  # as above
    Fault("error_open", DISCARDED, names_provider=False, back=False, back_wine=True),
    # Under Wine, a host that was lost where its provider is closed may be late.
    Fault("av_close", NOTHING, says_wine=None, is_named_wine=True),
    Fault("exit_close", NOTHING, says_wine=None, is_named_wine=True),
    Fault("hang_close", NOTHING, says_wine=None, is_named_wine=True),
    Fault("slow_close", NOTHING, says_wine=None, is_named_wine=True),
]

PERFLIB = [Fault(f"{harm}_perflib", NOTHING, wine=False) for harm in ("av", "exit", "hang", "slow", "spin", "stack")]

# V1 data. Natively, what Perflib throws away looks as if the provider weren't there; a host says what was wrong.
DATA = [
    Fault("total_huge_data", DISCARDED, says_wine=HOST),
    Fault("total_zero_data", DISCARDED, says_wine=HOST),
    Fault("total_small_data", DISCARDED, says_wine=HOST),
    Fault("total_more_data", DISCARDED, says_wine=HOST),
    Fault("definition_huge_data", "impossible length"),
    Fault("header_zero_data", "impossible length"),
    Fault("counters_huge_data", "problem (bad_count|truncated)"),
    Fault("counters_zero_data", "problem|error|missing"),
    Fault("counter_len_zero_data", "problem bad_length"),
    Fault("counter_len_huge_data", "problem truncated"),
    Fault("counter_offset_data", "missing out_of_block"),
    Fault("counter_size_data", "missing bad_size"),
    Fault("counter_overlap_data", NOTHING),
    Fault("counter_type_data", "not numeric"),
    Fault("counter_unknown_data", "unnamed counters"),
    Fault("inst_huge_data", "problem bad_count"),
    Fault("inst_neg_data", "counts more than its bytes can hold"),
    Fault("inst_more_data", "problem bad_count"),
    Fault("inst_len_zero_data", "impossible length"),
    Fault("inst_len_huge_data", "ends (past|behind) its container"),
    Fault("inst_len_odd_data", "ends (past|behind) its container"),
    Fault("inst_overlap_data", "ends (past|behind) its container|impossible length"),
    Fault("name_offset_data", "problem truncated"),
    Fault("name_len_data", "problem limit_exceeded"),
    Fault("name_len_odd_data", FIRST),
    Fault("name_unterminated_data", FIRST),
    Fault("block_zero_data", "problem bad_length"),
    Fault("block_small_data", "problem bad_length"),
    Fault("block_huge_data", "problem truncated"),
    Fault("freq_zero_data", "missing zero_frequency"),
    Fault("time_back_data", "missing clock_backwards"),
    Fault("time_still_data", "missing zero_interval"),
    Fault("code_page_data", NOTHING),
    Fault("parent_huge_data", NOTHING),
    Fault("index_foreign_data", DISCARDED),
    Fault("index_zero_data", DISCARDED),
    Fault("name_32k_data", FIRST),
    Fault("name_1m_data", "problem limit_exceeded"),
    Fault("surrogate_data", FIRST),
    Fault("newline_data", FIRST),
    Fault("quotes_data", FIRST),
    Fault("labels_data", FIRST),
    Fault("control_data", FIRST),
    Fault("name_empty_data", FIRST),
    Fault("duplicates_data", FIRST),
    Fault("many_data", FIRST),
    Fault("churn_data", FIRST),
    Fault("none_data", NOTHING),
    Fault("backwards_data", "missing counter_reset"),
    Fault("jump_data", NOTHING),
    Fault("still_data", "missing (clock_backwards|counter_reset|zero_interval)"),
    Fault("type_changes_data", "missing type_changed"),
    Fault("counters_change_data", FIRST),
    Fault("single_changes_data", FIRST),
    Fault("lie_bytes_data", DISCARDED, says_wine=HOST),
    Fault("lie_4g_data", DISCARDED, says_wine=HOST),
    Fault("lie_pointer_data", DISCARDED, says_wine=HOST),
    Fault("say_less_data", DISCARDED, says_wine=HOST),
    Fault("say_odd_data", DISCARDED, says_wine=HOST),
    Fault("objects_lie_data", DISCARDED, says_wine=HOST),
    Fault("objects_zero_data", DISCARDED, says_wine=HOST),
    Fault("garbage_data", DISCARDED, says_wine=HOST),
    Fault("tail_data", DISCARDED, says_wine=HOST),
    Fault("nothing_data", DISCARDED),
    Fault("more_data_data", BUFFER),
    Fault("busy_data", DISCARDED),
    Fault("error_data", DISCARDED),
    Fault("big40_data"),
    Fault("big300_data"),
    Fault("all_total_huge_data", DISCARDED, says_wine=HOST),
    Fault("all_total_zero_data", DISCARDED, says_wine=HOST),
    Fault("all_garbage_data", DISCARDED, says_wine=HOST),
    Fault("all_more_data_data", BUFFER),
    Fault("all_objects_lie_data", DISCARDED, says_wine=HOST),
]
HOSTED = [Fault(f"hosts_{word}_data", says, wine=False, isolation="hosts") for word, says in (
    ("total_huge", HOST),
    ("total_zero", HOST),
    ("total_small", HOST),
    ("total_more", HOST),
    ("lie_bytes", HOST),
    ("lie_4g", HOST),
    ("lie_pointer", HOST),
    ("say_less", HOST),
    ("say_odd", HOST),
    ("objects_lie", HOST),
    ("objects_zero", HOST),
    ("garbage", HOST),
    ("tail", HOST),
    ("nothing", DISCARDED),
    ("busy", HOST),
    ("error", HOST),
)] + [Fault("hosts_error_open", 'provider "faulty" in open failed', wine=False, isolation="hosts")]

# V2 data, as PerfLib delivers it: Geometric Waves are read through PerfLib only, the honest set falls back to the registry.
V2 = [Fault(f"{word}_v2", says, wine=False) for word, says in (
    ("newline", NOTHING),
    ("quotes", NOTHING),
    ("control", NOTHING),
    ("surrogate", NOTHING),
    ("name_32k", NOTHING),
    ("name_empty", NOTHING),
    ("duplicates", NOTHING),
    ("many", NOTHING),
    ("churn", NOTHING),
    ("none", NOTHING),
    ("backwards", NOTHING),
    ("still", NOTHING),
    ("status", NOTHING),
    ("refused", "may not be read by this account"),
    ("type_unknown", "is of an unknown kind"),
    ("size_zero", LENGTH),
    ("size_small", PAST),
    ("size_more", NOTHING),
    ("size_huge", PAST),
    ("counters_huge", LIMIT),
    ("counters_zero", "problem bad_length"),
    ("counters_len_zero", LENGTH),
    ("counters_len_huge", PAST),
    ("ids_unknown", "missing not_delivered"),
    ("ids_same", "problem duplicate_counter"),
    ("insts_huge", "problem bad_count"),
    ("insts_neg", "problem bad_count"),
    ("insts_more", "problem bad_count"),
    ("insts_len_zero", LENGTH),
    ("insts_len_huge", PAST),
    ("inst_len_zero", LENGTH),
    ("inst_len_odd", PAST),
    ("inst_len_huge", LIMIT),
    ("name_unterminated", "problem bad_text"),
    ("value_size_zero", LENGTH),
    ("value_size_huge", PAST),
    ("value_bytes", "missing bad_size"),
    ("total_zero", LENGTH),
    ("total_small", LENGTH),
    ("total_huge", LIMIT),
    ("results_zero", "counts more than its bytes can hold"),
    ("results_huge", NOTHING),
    ("garbage", LIMIT),
    ("cut", PAST),
    ("empty", PAST),
    ("grows", "query_counter_data is busy"),
    ("freq_zero", NOTHING),
    ("time_back", NOTHING),
)]

# The machine's clocks, its name table, its registration, its disk and the configuration.
MACHINE = [
    Fault("wall_forward_clock", NOTHING, wine=False),
    Fault("wall_back_clock", "missing clock_backwards", wine=False),
    Fault("clock_forward_clock", NOTHING, wine=False),
    Fault("clock_back_clock", "missing clock_backwards", wine=False),
    Fault("still_clock", "missing zero_interval", wine=False),
    Fault("gone_names", "is not in the name table", wine=False),
    Fault("other_names", "is not in the name table", wine=False),
    Fault("moved_names", DISCARDED, wine=False),
    Fault("torn_names", "unnamed counters", wine=False),
    Fault("garbage_names", NOTHING, wine=False),  # the names that are known stay
    Fault("gone_key", DISCARDED, wine=False),
    # The second is said once the names have been read again, which may be within the fault.
    Fault("key_deleted", f"{DISCARDED}|is not registered by any provider", native=False),
    Fault("dll_replaced", f"in load failed|{DISCARDED}", native=False),
    Fault("disk_full", wine=False),
    Fault("wall_clock_forward", NOTHING, wine=False),
    Fault("wall_clock_back", NOTHING, wine=False),
    Fault("sleep_all", NOTHING),
    Fault("sleep_exporter", NOTHING),
    Fault("sleep_workers"),
    Fault("config_garbage", NOTHING),
    Fault("config_emptied", "the counterset is missing", age=math.inf, later=math.inf, later_wine=math.inf),
    Fault("config_cut", NOTHING),
    Fault("config_gone", NOTHING),
]

GROUPS = (("Harm to the process", PROCESS), ("PerfLib's functions", PERFLIB), ("V1 data", DATA), ("V1 data in a host", HOSTED),
          ("V2 data", V2), ("The machine", MACHINE))
FAULTS = [fault for _, faults in GROUPS for fault in faults]
# Natively, the simulated Perflib throws these replies away as it does total_huge's, all_garbage's and error's, so that nothing of
# them reaches the exporter. What it makes of such data is seen where a host reads them.
REPEATS = {*(f"{word}_data" for word in (
    "total_zero", "total_small", "total_more", "lie_bytes", "lie_4g", "lie_pointer", "say_less", "say_odd", "objects_lie",
    "objects_zero", "garbage", "tail", "nothing", "busy", "all_total_huge", "all_total_zero", "all_objects_lie"))}
# What ctest runs: a few of each group that differ, because the whole matrix takes minutes. scripts/faults runs all of it.
SAMPLE = ["exit_collect", "hang_collect", "av_open", "hang_close", "exit_perflib", "inst_len_zero_data", "counters_zero_data",
          "all_garbage_data", "hosts_error_open", "inst_len_zero_v2", "cut_v2", "wall_back_clock", "torn_names", "gone_key",
          "disk_full", "config_garbage"]
SAMPLE_WINE = ["av_collect", "exit_open", "all_garbage_data", "key_deleted", "dll_replaced"]
