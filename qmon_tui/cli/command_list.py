"""The commands, in the order of help: each is a module of this name."""

COMMANDS = {
    "check": "all findings about a cluster",
    "schedule": "one scheduling run",
    "simulate": "simulate a day: when and where each job runs, and measures of the day",
    "compare": "the same work under two to four policies: differences, users and jobs that gain or lose, and why",
    "sweep": "many policies on the same work, on all cores or on Dask, or the cheapest point that reaches a goal",
    "calibrate": "simulate an accounting file and compare; forecasts corrected by the error",
    "why": "a job's priority term by term, and why it waits",
    "attention": "what is broken now: queue instances, jobs, hosts, reservations",
    "qacct": "how jobs have ended: a job, a user, the last hour",
    "report": "one HTML page: attention, queues, who waits and why, quotas, drift",
    "metrics": "aggregates for node_exporter's textfile collector",
    "diff": "what differs between two clusters",
    "convert": "write a cluster in the other layout",
    "learn": "lessons on the screen; list them, check your own",
    "grade": "grade submissions for a lesson: points and reasons",
    "rules": "every rule of check with its source and an example",
    "keys": "every key of the screen, and its name for keys.toml",
    "fields": "the fields of a kind of object: type, default, choices, help",
    "help": "explain a field, a rule, a column or a heading of the reference",
    "info": "versions, paths, and the contents of a cluster",
}
