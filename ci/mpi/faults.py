#!/usr/bin/env python3
"""Kills or stops ranks of a search at random moments, and looks whether the others answer in time.

Arguments: kill or stop, how often, and the program. Open MPI is begun with its recovery, over
sockets: shared memory has no way to see that another process is gone.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

RANKS = 3
# The search, and what may come on top: a second, and what mpirun and MPI need to begin.
SECONDS = 2.0
MORE = 1.0
LAUNCH = ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--enable-recovery",
          "--mca", "btl", "tcp,self"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])


def ranks_of(parent):
    """The process numbers of the ranks that mpirun has begun, by their rank."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as stat:
                of = int(stat.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/environ", "rb") as environ:
                variables = environ.read().split(b"\0")
        except OSError:
            continue
        rank = [v for v in variables if v.startswith(b"OMPI_COMM_WORLD_RANK=")]
        if of == parent and rank:
            found[int(rank[0].split(b"=")[1])] = int(name)
    return found


def run(number, how, program):
    """One search with one rank lost: what was wrong, or None."""
    dice = random.Random(number)
    command = [program, "--recover", "analyze", "othello", "--time", f"{SECONDS}s",
               "--threads", "1", "--json"]
    job = subprocess.Popen(LAUNCH + ["-n", str(RANKS)] + command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while time.monotonic() < begun + 60:
        ranks = ranks_of(job.pid)
        if len(ranks) == RANKS and all(searches(pid) for pid in ranks.values()):
            break
        time.sleep(0.01)
    searching = time.monotonic()
    time.sleep(dice.uniform(0.0, 0.8 * SECONDS))
    victim = dice.randrange(RANKS) if how == "kill" else dice.randrange(1, RANKS)
    os.kill(ranks[victim], signal.SIGKILL if how == "kill" else signal.SIGSTOP)
    answers, first = [], None
    try:
        for line in job.stdout:
            if line.startswith("{"):
                answers.append(json.loads(line))
                first = first or time.monotonic()
                if how == "stop":
                    break
        if how == "stop":
            # It stands still for ten seconds in all.
            time.sleep(max(0.0, searching + 10 - time.monotonic()))
            os.kill(ranks[victim], signal.SIGCONT)
        job.wait(60)
    finally:
        job.kill()
    taken = (first or time.monotonic()) - searching
    left = [pid for pid in ranks.values() if os.path.exists(f"/proc/{pid}")]
    ended = [(answer["cluster"]["rank"], answer["cluster"]["end"]) for answer in answers]
    print(f"{number}: rank {victim} after {taken:.2f} s, answers {ended}", flush=True)
    if not answers:
        return f"no answer: {job.stderr.read()}"
    if taken > SECONDS + MORE:
        return f"the first answer came after {taken:.2f} s"
    if left:
        return f"processes are left: {left}"
    return None


def searches(pid):
    """Whether a rank has begun to search: before that MPI itself waits for all."""
    try:
        names = [open(f"/proc/{pid}/task/{task}/comm").read().strip()
                 for task in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return False
    return "playtree-search" in names


def main():
    how, times, program = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    wrong = [error for number in range(times) if (error := run(number, how, program))]
    for error in wrong:
        print(error, file=sys.stderr)
    print(f"{times - len(wrong)} of {times}")
    sys.exit(1 if wrong else 0)


main()
