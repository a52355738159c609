"""Tests of qmon-tui."""
