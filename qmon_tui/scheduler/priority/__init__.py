"""From policies to the order of jobs: urgency, tickets, POSIX priority."""
