"""Override tickets of users, projects, departments and jobs, shared and not, alone and before other policies."""

from random import Random

from tests.differential.drawing import scenario, session
from tests.differential.people import HIERARCHIES, job, people, places
from tests.differential.scenarios import Scenario

NUMBERS = 40
SHARES = (0, 0, 0, 100)
OVERRIDES = (0, 0, 7, 50, 50, 100, 999, 123456)


def draw(random: Random) -> Scenario:
    """Up to four users; tickets of jobs are those that they are given at once.

    A job that is changed later goes to the end of the real scheduler's list, which no state tells.
    """
    sections = {
        **places(random),
        **people(random, SHARES, OVERRIDES),
        "scheduler": {
            "queue_sort_method": "seqno",
            "schedd_job_info": "true",
            "weight_ticket": random.choice((0.01, 1)),
            "weight_urgency": random.choice((0, 0.1)),
            "weight_waiting_time": random.choice((0, 0, 0.278)),
            "weight_tickets_functional": random.choice((0, 0, 1000)),
            "policy_hierarchy": random.choice(HIERARCHIES),
            "share_functional_shares": random.choice(("TRUE", "FALSE")),
            "share_override_tickets": random.choice(("TRUE", "TRUE", "FALSE")),
            "max_pending_tasks_per_job": random.choice((50, 50, 1, 2)),
            "report_pjob_tickets": random.choice(("TRUE", "TRUE", "TRUE", "FALSE")),
        },
    }
    return scenario(sections, session(random, lambda: job(random, 0.2, 0.4)))
