"""Functional tickets: shares of users, projects, departments and jobs, all weights, limits and hierarchies."""

from random import Random

from tests.differential.drawing import scenario, session
from tests.differential.people import HIERARCHIES, job, people, places
from tests.differential.scenarios import Scenario

NUMBERS = 40
SHARES = (0, 0, 10, 100, 100, 33, 250, 4000)
OVERRIDES = (0, 0, 0, 0, 50)
WEIGHTS = (0.25, 0.25, 0, 1, 0.1, 3)


def draw(random: Random) -> Scenario:
    """Up to four users, many jobs, few slots."""
    weights = {f"weight_{part}": random.choice(WEIGHTS) for part in ("user", "project", "department", "job")}
    sections = {
        **places(random),
        **people(random, SHARES, OVERRIDES),
        "scheduler": {
            **weights,
            "queue_sort_method": "seqno",
            "schedd_job_info": "true",
            "weight_ticket": random.choice((0.01, 1, 5)),
            "weight_urgency": random.choice((0, 0.1)),
            "weight_waiting_time": random.choice((0, 0, 0.278)),
            "weight_tickets_functional": random.choice((1, 1000, 1000000, 4294967295)),
            "policy_hierarchy": random.choice(HIERARCHIES),
            "share_functional_shares": random.choice(("TRUE", "TRUE", "FALSE")),
            "share_override_tickets": random.choice(("TRUE", "FALSE")),
            "max_functional_jobs_to_schedule": random.choice((200, 200, 0, 1, 4, 9)),
            "max_pending_tasks_per_job": random.choice((50, 50, 1, 2)),
            "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
        },
    }
    return scenario(sections, session(random, lambda: job(random, 0.18, 0.4)))
