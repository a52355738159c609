"""The kinds of configuration object that Grid Engine knows."""

from enum import StrEnum


class Kind(StrEnum):
    """A kind of object; the value is the word used in findings, JSON and messages."""

    COMPLEX = "complex"
    QUEUE = "queue"
    HOST = "host"
    HOSTGROUP = "hostgroup"
    PE = "pe"
    CKPT = "ckpt"
    CALENDAR = "calendar"
    USERSET = "userset"
    PROJECT = "project"
    USER = "user"
    QUOTA = "quota"
    SHARETREE = "sharetree"
    SCHEDULER = "scheduler"
    CONFIGURATION = "configuration"
    MANAGERS = "managers"
    OPERATORS = "operators"
    ADMIN_HOSTS = "admin_hosts"
    SUBMIT_HOSTS = "submit_hosts"
