"""Sessions of commands that change jobs and queue instances, played on the real qmaster and on our state.

Each line is one command; `run` lets the scheduler run and waits until what it started runs, `start` does not wait.
"""

CLUSTER = """\
hostgroups:
  "@every": {hostlist: sim1 sim2}
pes:
  mpi: {slots: 99, allocation_rule: $fill_up}
complexes:
  gpu: {shortcut: gpu, type: INT, relop: <=, requestable: YES, consumable: NO, default: 0, urgency: 0}
projects:
  sea: {}
ckpts:
  ck: {}
queues:
  all.q: {hostlist: "@every", slots: 4, load_thresholds: NONE, pe_list: mpi, rerun: FALSE}
  re.q: {hostlist: sim1, slots: 2, load_thresholds: NONE, rerun: TRUE, seq_no: 5}
"""

PARAMETERS = {
    "jobs sent back or ended": "ENABLE_RESCHEDULE_KILL=1,ENABLE_RESCHEDULE_SLAVE",
    "jobs ended without a word": "none;ENABLE_RESCHEDULE_KILL=1x;ENABLE_RESCHEDULE_SLAVE=truex",
    "jobs sent back that do not wait anew": "OLD_RESCHEDULE_BEHAVIOR=true,ENABLE_RESCHEDULE_KILL=0",
}
"""Session -> the qmaster_params of its cluster."""


def cluster_of(session: str) -> str:
    """The cluster of a session."""
    parameters = PARAMETERS.get(session)
    return CLUSTER + (f'configuration: {{global: {{qmaster_params: "{parameters}"}}}}\n' if parameters else "")


SESSIONS = {
    "holds of a pending job": """\
usera$ qsub sleep 999
root# qhold 1
root# qhold 1
root# qhold -h o 1
root# qhold -h s 1
root# qrls 1
root# qrls -h o 1
root# qrls -h s 1
root# qrls -h s 1
root# qhold -h uos 1
root# qrls -h uos 1
root# qalter -h u 1
root# qalter -h o 1
root# qalter -h U 1
root# qrls 1
root# qalter -h n 1
root# qhold 1.1
root# qhold 1.2
root# qhold 77
root# qrls 77
""",
    "holds of an array": """\
usera$ qsub -t 1-6 sleep 999
root# qhold 1.2
root# qhold 1.3-4
root# qhold -h o 1.2-3
root# qrls 1.2
root# qrls 1
root# qrls -h o 1
root# qhold 1
root# qrls 1.5
root# qhold 1.5
root# qrls 1
usera$ qsub -h -t 1-8:2 sleep 999
root# qrls 2.3
root# qhold 2.3
root# qrls 2
""",
    "holds of running jobs": """\
usera$ qsub sleep 999
usera$ qsub -t 1-3 -tc 1 sleep 999
start
root# qhold 1
root# qrls 1
run
root# qhold 1
root# qmod -sj 1
root# qrls 1
root# qalter -h u 1
root# qalter -h n 1
root# qhold 2
root# qrls 2
root# qhold 2.2
usera$ qsub -hold_jid 1 sleep 999
root# qrls 3
root# qhold 3
root# qrls 3
""",
    "jobs suspended": """\
usera$ qsub -q all.q sleep 999
usera$ qsub -t 1-3 -tc 2 sleep 999
usera$ qsub -pe mpi 2 sleep 999
usera$ qsub -h sleep 999
root# qmod -sj 1
root# qmod -sj 2
root# qmod -sj 2.2
root# qmod -cj 2
start
root# qmod -sj 1
root# qmod -usj 1
run
root# qmod -sj 1
root# qmod -sj 1
root# qmod -usj 1
root# qmod -usj 1
root# qmod -sj 2.1
root# qmod -sj 2
root# qmod -usj 2.2
root# qmod -usj 2
root# qmod -sj 3
root# qmod -sj 4
root# qmod -usj 4
root# qmod -cj 1
root# qmod -cj 2
root# qmod -sj 2.3
root# qmod -sj 2.9
root# qmod -sj 99
root# qmod -cj 99
""",
    "queue instances": """\
usera$ qsub -q all.q@sim1 sleep 999
usera$ qsub -q re.q sleep 999
usera$ qsub -pe mpi 7 -q all.q sleep 999
run
root# qmod -d all.q@sim1
root# qmod -d all.q@sim1
root# qmod -sq all.q@sim1
root# qmod -sq all.q@sim1
root# qmod -e all.q@sim1
root# qmod -e all.q@sim1
root# qmod -sj 1
root# qmod -usj 1
root# qmod -usj 1
root# qmod -sj 1
root# qmod -usq all.q@sim1
root# qmod -usq all.q@sim1
root# qmod -usj 1
root# qmod -cq all.q@sim1
root# qmod -d all.q
root# qmod -e *@sim1
root# qmod -sq re.q
root# qmod -usq re.q@sim1
root# qmod -d nope.q
root# qmod -d all.q@nohost
""",
    "jobs sent back": """\
usera$ qsub -q all.q@sim1 sleep 999
usera$ qsub -q re.q@sim1 sleep 999
usera$ qsub -r y -t 1-2 -q all.q@sim2 sleep 999
usera$ qsub -r y -pe mpi 2 -q all.q@sim2 sleep 999
run
root# qmod -rj 1
root# qmod -rj 2
root# qmod -sj 2
root# qmod -usj 2
root# qmod -rj 2
root# qmod -cj 2
root# qhold 2
root# qrls 2
root# qmod -rj 3.2
root# qmod -rj 3
root# qmod -rj 4
root# qdel 2
""",
    "jobs sent back by force": """\
usera$ qsub -q all.q@sim1 sleep 999
usera$ qsub -q all.q@sim1 -t 1-3 sleep 999
usera$ qsub -q re.q@sim1 sleep 999
usera$ qsub -pe mpi 2 -q all.q@sim2 sleep 999
run
root# qmod -rj 1
root# qmod -f -rj 1
root# qmod -f -rj 1
root# qmod -f -rj 2.2
root# qmod -rq all.q@sim1
root# qmod -f -rq all.q@sim1
root# qmod -rq re.q
root# qmod -f -rq all.q@sim2
""",
    "jobs ended without a word": """\
usera$ qsub -r y -pe mpi 5 -q all.q sleep 999
usera$ qsub -q all.q@sim2 -t 1-2 sleep 999
usera$ qsub -q re.q@sim1 sleep 999
run
root# qmod -rq all.q@sim2
root# qmod -rq re.q
""",
    "jobs sent back or ended": """\
usera$ qsub -q all.q@sim1 sleep 999
usera$ qsub -r n -q re.q@sim1 sleep 999
usera$ qsub -r y -pe mpi 5 -q all.q sleep 999
usera$ qsub -q all.q@sim2 -t 1-2 sleep 999
usera$ qsub -q re.q@sim1 sleep 999
run
root# qmod -rj 1
root# qmod -rj 2
root# qmod -rj 4.1
root# qmod -rj 5
root# qmod -rq all.q@sim2
""",
    "jobs sent back that do not wait anew": """\
usera$ qsub -r n -q re.q@sim1 sleep 999
usera$ qsub -r y -q re.q@sim1 sleep 999
usera$ qsub -r y -pe mpi 6 -q all.q sleep 999
run
root# qmod -rj 1
root# qmod -rj 2
root# qmod -f -rj 1
root# qmod -rq all.q
""",
    "jobs deleted": """\
usera$ qsub -h sleep 999
usera$ qsub -h -t 1-9 sleep 999
usera$ qsub sleep 999
usera$ qsub -t 1-3 -tc 2 sleep 999
usera$ qsub sleep 999
run
root# qdel 1
root# qdel 1
root# qdel 2.2
root# qdel 2.2
root# qdel 2.3-4
root# qdel 2.5-8
root# qdel 2.77
root# qdel 2
root# qdel -f 5
root# qdel 3
root# qdel 3
root# qmod -sj 3
root# qhold 3
root# qdel 4.1
root# qdel 4
""",
    "options of a pending job": """\
usera$ qsub -h -l gpu=1,arch=lx -soft -l h_rt=9,mem_free=1G -hard -q all.q -p -5 -N one -P sea -js 3 sleep 999
root# qalter -l num_proc=1 1
root# qalter -soft -l num_proc=2 1
root# qalter -q re.q 1
root# qalter -soft -q re.q 1
root# qalter -l '' 1
root# qalter -masterq all.q 1
root# qalter -pe mpi 2-4 1
root# qalter -masterq all.q 1
root# qalter -p 7 1
root# qalter -p 7 1
root# qalter -N two 1
root# qalter -P sea 1
root# qalter -P none 1
root# qalter -A acct 1
root# qalter -tc 2 1
root# qalter -tc 0 1
root# qalter -hold_jid 1,77 1
root# qalter -hold_jid_ad 1 1
root# qalter -js 4 1
root# qalter -ot 50 1
root# qalter -R y 1
root# qalter -R n 1
root# qalter -r y 1
root# qalter -a 202701010101 1
root# qalter -dl 202701010101 1
root# qalter -ckpt none 1
root# qalter -l nothing=1 1
root# qalter -l slots=1 1
root# qalter -l gpu=many 1
root# qalter -soft -l gpu=1 -l num_proc=3 1
root# qalter -pe nope 1 1
root# qalter -q nope 1
root# qalter -P nope 1
root# qalter -l gpu=1 -p 3 -N three 1
root# qalter -hard -l gpu=2 -soft -l gpu=1 1
root# qalter -h uo 1
root# qalter -h n 1
root# qalter -p 5 77
""",
    "verified": """\
usera$ qsub -w w -l gpu=1 sleep 999
usera$ qsub -w w sleep 999
usera$ qsub -w w -q re.q -pe mpi 9 sleep 999
usera$ qsub -w n -pe mpi 3-99 sleep 999
usera$ qsub -h sleep 999
root# qalter -w p 1
root# qalter -w v 1
root# qalter -w e 1
root# qalter -w w 1
root# qalter -w n 1
root# qalter -w v 2
root# qalter -w p 2
root# qalter -w e 2
root# qalter -w v 4
root# qalter -w v 3
root# qalter -w p 5
root# qalter -w e 5
root# qalter -w v -p -7 5
root# qalter -w p 77
root# qalter -w v -l num_proc=1 2
root# qalter -w e -l num_proc=1 2
root# qalter -w w -l num_proc=1 2
root# qalter -w e -l '' 2
root# qalter -w p -q re.q 2
root# qalter -w v -l nothing=1 2
run
root# qalter -w p 2
root# qalter -w p 4
root# qalter -w e 4
root# qalter -w v -p -9 4
root# qalter -w p -l '' 1
root# qalter -w v -l '' 1
root# qalter -w e -l '' 1
root# qalter -w p -q re.q 1
root# qmod -d re.q
root# qalter -w p -q re.q 1
root# qalter -w p -pe mpi 1 1
""",
    "options taken away": """\
usera$ qsub -h sleep 999
usera$ qsub -N n -P sea -q all.q -soft -q all.q -l gpu=1 -hard -l num_proc=1 -masterq all.q -pe mpi 2-4 sleep 999
root# qalter -l '' 2
root# qalter -soft -l '' 2
root# qalter -q '' 2
root# qalter -q '*' 2
root# qalter -soft -q '*' 2
root# qalter -masterq '' 2
root# qalter -masterq '*' 2
root# qalter -P '' 2
root# qalter -pe none 1 2
usera$ qsub -N n -p -5 -A acct -ckpt ck -js 3 -R y -r y -hold_jid 1 -t 1-3 -tc 2 sleep 999
root# qalter -ot 5 3
root# qalter -ot 0 3
root# qalter -p 0 3
root# qalter -A sge 3
root# qalter -ckpt '' 3
root# qalter -ckpt none 3
root# qalter -js 0 3
root# qalter -R n 3
root# qalter -r n 3
root# qalter -tc 0 3
root# qalter -hold_jid '' 3
root# qalter -hold_jid 0 3
root# qalter -a '' 3
root# qalter -a 197001010000 3
root# qalter -m n 3
root# qalter -M '' 3
root# qalter -e '' 3
root# qalter -o /tmp/x 3
root# qalter -e /tmp/x 3
root# qalter -j y 3
root# qalter -wd /tmp 3
root# qalter -ac a=1 3
root# qalter -sc b=1 3
root# qalter -dc b 3
root# qalter -notify 3
root# qalter -now y 3
root# qalter -b y 3
root# qalter -t 1-2 3
root# qalter -h Uo 3
root# qalter -h so 3
root# qalter -h S 3
""",
    "options of a running job": """\
usera$ qsub -l h_rt=900 sleep 999
usera$ qsub -t 1-4 sleep 999
run
root# qalter -l num_proc=1 1
root# qalter -q re.q 1
root# qalter -p 7 1
root# qalter -N two 1
root# qalter -P sea 1
root# qalter -A acct 1
root# qalter -js 4 1
root# qalter -ot 50 1
root# qalter -l h_rt=5 1
root# qalter -tc 2 2
root# qalter -p -3 2
root# qalter -h u 2
""",
    "submissions": """\
usera$ qsub sleep 999
usera$ qsub -t 1-9:2 -N many sleep 999
usera$ qsub -l nothing=1 sleep 999
usera$ qsub -pe nope 4 sleep 999
usera$ qsub -P nope sleep 999
usera$ qsub -q nope sleep 999
usera$ qsub -p 5 sleep 999
usera$ qsub -l gpu=x sleep 999
usera$ qsub -l gpu= -masterq nope sleep 999
usera$ qsub -l h_rt= -pe nope 1 sleep 999
usera$ qsub -N a:b sleep 999
usera$ qsub -N 'a\\b' -t 1-99999 sleep 999
usera$ qsub -N a?b -q nope sleep 999
usera$ qsub -N none sleep 999
usera$ qsub -A a/b -N 9 -masterq nope sleep 999
usera$ qsub -A ok -P all -l nothing=1 sleep 999
usera$ qsub -ckpt a*b -p 5 sleep 999
root# qalter -N a:b 1
root# qalter -A a:b 1
root# qalter -A NONE 1
root# qalter -P a:b 1
root# qalter -l gpu=1 -l h_rt=5 -l gpu=2 1
""",
}
